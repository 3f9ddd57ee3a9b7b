// The board of Gambit of Kings: where its squares lie, seen from either side.

import { $, numbersOf } from "./page.js";
import { board, state } from "./table.js";

const LAST = 9; // of ten columns and rows, counted from 0
const SIZE = 100; // units of a square

let isTurned = false;

export const square = (name) => $(`sq-${name}`);
export const squares = () => board().querySelectorAll(".square");

export const corner = (g) => {
  const [x, y] = numbersOf(g);
  return { x, y };
};

// Whether it is seen from the dark side: as the player sits, or turned round.
export const isFromDark = () => (state().side === "1") !== isTurned;

const placeOf = (name) => {
  const [column, row] = [name.charCodeAt(0) - 97, Number(name.slice(1)) - 1];
  return isFromDark() ? [LAST - column, row] : [column, LAST - row];
};

export const turn = (how) => {
  isTurned = how;
  board().classList.toggle("turned", isTurned);
  $("table-board").classList.toggle("turned", isTurned);
  for (const g of squares()) {
    const [x, y] = placeOf(g.dataset.square);
    g.setAttribute("transform", `translate(${x * SIZE} ${y * SIZE})`);
  }
};

export const turnRound = () => turn(!isTurned);
export const turnAgain = () => turn(isTurned); // squares were drawn anew

export const neighbour = (g, [dx, dy]) => {
  const { x, y } = corner(g);
  return board().querySelector(`.square[transform="translate(${x + SIZE * dx} ${y + SIZE * dy})"]`);
};
