// The camera over the map of Kings & Things*: zoom, pan, "all" and "here". Moving it sets one transform. Where a counter
// would be too small to read, its hex shows piles instead (kings_piles.js).

import * as lens from "./kings_lens.js";
import { showDetail } from "./kings_piles.js";
import { $, hasModifier, isTyping, numbersOf } from "./page.js";
import { board } from "./table.js";

const REST = 160; // milliseconds without movement, after which the map is drawn sharp again
const STEP = 1.4; // of a press
const TICK = 1.15; // of a wheel

let view = lens.WHOLE;
let stage = { left: 0, top: 0, width: 1, height: 1, box: [0, 0, 1, 1] };
let timer = 0;
let wantsAll = false; // whether the reader has asked for the whole map
let isAsked = false; // the question's own hexes are shown, and nobody has moved the map since

// ---- showing

const show = (next) => {
  view = lens.held(stage, next);
  const { k, x, y } = view;
  $("camera").style.transform = k === 1 && !y ? "" : `translate(${x}px, ${y}px) scale(${k})`;
  $("camera").classList.add("moving");
  clearTimeout(timer);
  timer = setTimeout(rest, REST);
};

const rest = () => {
  $("camera").classList.remove("moving");
  detail();
};

export const detail = () => showDetail(lens.unit(stage) * view.k);

const measure = () => {
  const [frame, camera] = [$("board-frame").getBoundingClientRect(), $("camera")];
  const tools = document.querySelector(".board-tools").getBoundingClientRect();
  const was = stage;
  stage = {
    left: frame.left + camera.offsetLeft,
    top: frame.top + camera.offsetTop,
    width: camera.offsetWidth,
    height: camera.offsetHeight,
    box: board().getAttribute("viewBox").split(" ").map(Number),
    covered: stage.covered,
    below: tools.top > frame.top + frame.height / 2 ? Math.max(0, frame.bottom - tools.top) : 0,
  };
  if (isAsked) {
    if (lens.isTooSmall(was) && !lens.isTooSmall(stage)) show(lens.WHOLE);
    showAsked();
  } else show(lens.resized(was, stage, view));
  detail();
};

// Something lies over the map down to this line of the window (null: nothing does). The hex in question stays in sight.
export const cover = (bottom) => {
  const covered = bottom === null ? 0 : Math.max(0, bottom - stage.top);
  if (covered === (stage.covered ?? 0)) return;
  stage = { ...stage, covered };
  show(view);
  showAsked();
};

// ---- moving

const go = (next) => {
  isAsked = false;
  show(next);
};

export const pan = (dx, dy) => go({ ...view, x: view.x + dx, y: view.y + dy });

export const zoom = (factor, clientX, clientY) =>
  go(lens.zoomed(stage, view, factor, [clientX - stage.left, clientY - stage.top]));

const zoomMiddle = (factor) => go(lens.zoomed(stage, view, factor, [stage.width / 2, stage.height / 2]));

export const all = () => go(lens.WHOLE);

export const fit = (hexes) => go(lens.fitted(stage, hexes.map(numbersOf)));

// Whether these hexes are shown as fit() does.
export const isFitted = (hexes) => lens.isSame(view, lens.held(stage, lens.fitted(stage, hexes.map(numbersOf))));

export const reveal = (hex) => go(lens.revealed(stage, view, numbersOf(hex)));

export const isMine = (hex) => {
  const { colour } = $("table").dataset; // of this seat; whoever only watches has none
  return Boolean(colour) && hex.querySelector(`:scope > .seat.${colour}`) !== null;
};

export const kingdom = () => [...board().querySelectorAll(".hex")].filter(isMine);

// Where it happens: the hex in question, else what can be chosen.
export const here = () => {
  const place = document.querySelector("#prompt [data-here]")?.dataset.here;
  const asked = place && $(`hex-${place}`);
  const lit = (...which) => which.flatMap((each) => [...board().querySelectorAll(`.hex.${each}`)]);
  return asked ? [asked] : lit("picked", "reach", "target");
};

// The hex in question in sight, and around it what can be chosen. Where the whole map is too small for a thumb, all of
// these hexes are enlarged, or the reader's kingdom, unless they want to see the whole map.
export const showAsked = () => {
  const hexes = here();
  if (!wantsAll && lens.isTooSmall(stage)) {
    const near = hexes.length ? hexes : kingdom();
    if (near.length) show(lens.handy(stage, near.map(numbersOf)));
  } else if (hexes.length === 1) {
    const covered = stage.covered ? board().querySelectorAll(".hex.target") : [];
    for (const each of [...covered, hexes[0]]) show(lens.revealed(stage, view, numbersOf(each)));
  }
  isAsked = true;
};

const showHere = () => {
  const hexes = here();
  if (hexes.length === 1) go(lens.closeUp(stage, numbersOf(hexes[0])));
  else fit(hexes);
};

// ---- listening

const pressAll = () => {
  wantsAll = true;
  all();
};
const pressHere = () => {
  wantsAll = false;
  showHere();
};

const TOOLS = { in: () => zoomMiddle(STEP), out: () => zoomMiddle(1 / STEP), all: pressAll, here: pressHere };
const KEYS = { "+": TOOLS.in, "=": TOOLS.in, "-": TOOLS.out, 0: pressAll, h: pressHere };

document.addEventListener("keydown", (event) => {
  if (!hasModifier(event) && !isTyping(event)) KEYS[event.key.toLowerCase()]?.();
});

document.addEventListener("click", (event) => TOOLS[event.target.closest?.("[data-zoom]")?.dataset.zoom]?.());

const turnWheel = (event) => {
  event.preventDefault();
  zoom(event.deltaY > 0 ? 1 / TICK : TICK, event.clientX, event.clientY);
};
$("board-frame").addEventListener("wheel", turnWheel, { passive: false });

new ResizeObserver(measure).observe($("camera"));
measure();
