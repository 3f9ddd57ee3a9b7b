// The arena of an earlier step of Kings & Things*. While a step plays, it shows the battle as it stood before and lets the
// shots happen in it; what the server has drawn for the step is what came of it, and is put back at its end.

import { $, make } from "./page.js";
import { fits, lineUpIn, play } from "./kings_strike.js";

let drawn = null; // what the server has drawn for the step that plays
let isOver = false; // the battle that is shown

const find = (what) => $("past").querySelector(what);
const box = () => find(".past-arena") ?? add();
const add = () => {
  const arena = make("div", { class: "arena past-arena", inert: "" });
  find("svg.kings-board").after(arena);
  return arena;
};

const put = (nodes) => {
  const arena = box();
  arena.replaceChildren(...nodes.map((node) => node.cloneNode(true)));
  arena.classList.toggle("off", !nodes.length);
};

export const begin = () => {
  if (drawn) return;
  drawn = [...box().childNodes];
  isOver = false;
  put([...(find(".past-arena-was")?.children ?? [])]);
};

// A battle begins with its line-up. When it is over, it stays until something happens elsewhere.
export const show = (shot, isStill) => {
  const nodes = lineUpIn(shot);
  const isHere = nodes || fits([...box().children], shot);
  if (nodes) [isOver] = [false, put(nodes)];
  else if (isOver && shot.places.length && !isHere) put([]);
  if (!isHere) return;
  play(box(), shot, isStill);
  isOver ||= shot.kind === "battle-over";
};

export const end = () => {
  if (!drawn) return;
  if ($("past").contains(find(".past-arena"))) put(drawn);
  drawn = null;
};

// Another step has come in place of the one that played.
export const forget = () => (drawn = null);
