// What would be too small to read: names of hexes are left out, and instead of counters a hex (class `far`) shows one pile
// for each side, with its number.

import { draw } from "./page.js";
import { board } from "./table.js";

const SMALLEST = 24; // pixels of a counter that can still be read
const SMALLEST_NAME = 6; // and of a hex's name
const NAME = 14; // units
const CHIT = 40; // units a counter is drawn in before it is scaled
const SIZES = [0, 72, 68, 56, 48, 42]; // of piles, in units, by how many there are
const OWNERS = ["yellow", "grey", "green", "red", "wild"];

const sizeOf = (chit) => CHIT * Number(chit.getAttribute("transform").match(/scale\(([\d.]+)/)[1]);
const ownerOf = (chit) => OWNERS.find((each) => chit.classList.contains(each));

const ranksUnder = new WeakMap(); // piles -> the counters they stand for, which are off the page meanwhile

// The map as it is now shown: so many pixels for one of its units.
export const showDetail = (scale) => {
  board().classList.toggle("nameless", NAME * scale < SMALLEST_NAME);
  for (const hex of board().querySelectorAll(".hex")) {
    const piles = hex.querySelector(":scope > .piles");
    const ranks = ranksUnder.get(piles) ?? hex.querySelector(":scope > .ranks");
    const isFar = ranks !== null && sizeOf(ranks.firstElementChild) * scale < SMALLEST;
    hex.classList.toggle("far", isFar);
    if (isFar && !piles) ranks.replaceWith(pilesOf(ranks));
    if (!isFar && piles) piles.replaceWith(ranks);
  }
};

// How many each side has; where not all of them are drawn, the server says it.
const counted = (ranks) => {
  if (ranks.dataset.piles) return ranks.dataset.piles.split(" ").map((each) => each.split(":"));
  const found = new Map();
  for (const chit of ranks.querySelectorAll(".chit")) {
    const number = chit.matches(".back") ? Number(chit.querySelector(".value").textContent) : 1;
    found.set(ownerOf(chit), (found.get(ownerOf(chit)) ?? 0) + number);
  }
  return [...found];
};

// A pile for each side: one of its counters, a hero if there is one, and how many there are.
const pilesOf = (ranks) => {
  const sides = counted(ranks);
  const size = SIZES[sides.length];
  const group = draw("g", { class: "piles" });
  sides.forEach(([side, count], at) => {
    const top = topOf(ranks, side)?.cloneNode(true);
    if (!top) return;
    const x = (at - sides.length / 2) * (size + 2);
    top.setAttribute("transform", `translate(${x} ${8 - size / 2}) scale(${size / CHIT})`);
    if (count > 1) number(top, count);
    group.append(top);
  });
  ranksUnder.set(group, ranks);
  return group;
};

// Of a side that a full hex has no room for, a back stands for all; wild defenders come before any back.
const topOf = (ranks, side) =>
  ranks.querySelector(`.chit.${side}.t-hero`) ??
  ranks.querySelector(`.chit.${side}`) ??
  document.querySelector(`[data-ghost].${side}`);

// "×8": a bare number would be taken for the value of the counter on top.
const number = (chit, count) => {
  const value = draw("text", { class: "value many", x: 29, y: 37 }, `×${count}`);
  const old = chit.querySelector(".value");
  if (old) old.replaceWith(value);
  else chit.append(value);
};
