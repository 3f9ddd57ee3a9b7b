// What the film shows on the map of Kings & Things*: hexes as they were until it has come to them, stacks that walk their
// path, light on the hexes in question. All of it lies in an svg of its own over the map and takes no click; the map
// underneath holds the newest position at all times.

import { $, draw, numbersOf } from "./page.js";
import { board } from "./table.js";

let screen = null; // a picture of the past that the film is shown on, in place of the map
const stage = () => screen ?? $("stage");

// Show what follows on this still board, which has the map's own measures; null leads back to the map.
export const playOn = (picture) => {
  stop();
  screen =
    picture && draw("g", { class: "stage" }, ...["was", "light", "ghosts"].map((each) => draw("g", { class: each })));
  if (screen) picture.append(screen);
};
let ends = []; // what brings each running motion to its end at once

// ---- hexes as they were

const held = new Map(); // place -> drawings it is to show, each until its step of the film has come to it: {nodes, step}

const isTerrain = (node) => node.matches?.(".terrain");
const placeOf = (node) => node.dataset?.place;

// The old drawings among what a message has taken off the board: place -> nodes. A hex that keeps its terrain has kept its
// ground as well, and the drawing has none.
const oldDrawings = (records) => {
  const all = new Map();
  const take = (place, nodes) => all.set(place, [...(all.get(place) ?? []), ...nodes]);
  for (const { target, removedNodes } of records) {
    if (target === board()) for (const hex of removedNodes) if (placeOf(hex)) take(placeOf(hex), hex.childNodes);
    if (placeOf(target)) take(placeOf(target), removedNodes);
  }
  const isDrawing = (nodes) => nodes.some((node) => node.nodeName === "title");
  return [...all].filter(([, nodes]) => isDrawing(nodes));
};

export const holdBack = (records, step) => {
  for (const [place, removed] of oldDrawings(records)) {
    const nodes = removed.filter((node) => !node.matches?.(".cost"));
    const earlier = held.get(place) ?? [];
    held.set(place, [...earlier, { nodes, step }]);
    const terrain = nodes.find(isTerrain);
    // From now on the map shows another terrain than those who have no ground of their own stood on.
    for (const each of terrain ? earlier : [])
      if (!each.nodes.some(isTerrain)) each.nodes.unshift(terrain.cloneNode(true));
  }
  for (const place of held.keys()) showHeld(place);
};

// What lies there already stays: to draw all held hexes at every message would cost more than the message.
const showHeld = (place) => {
  const lies = stage().querySelector(`.was > [data-was="${place}"]`);
  const [first] = held.get(place) ?? [];
  const hex = $(`hex-${place}`);
  hex?.classList.toggle("held", Boolean(first));
  if (lies && lies.firstChild === first?.nodes[0]) return;
  lies?.remove();
  if (!first || !hex) return held.delete(place);
  const isFar = first.nodes.some((node) => node.matches?.(".piles"));
  const facts = { class: `hex${isFar ? " far" : ""}`, "data-was": place, transform: hex.getAttribute("transform") };
  stage()
    .querySelector(".was")
    .append(draw("g", facts, ...first.nodes));
};

export const settle = (step, place) => {
  if (!held.has(place)) return;
  const later = held.get(place).filter((each) => each.step > step);
  if (later.length) held.set(place, later);
  else held.set(place, []);
  showHeld(place);
};

export const settleAll = (step = Infinity) => {
  for (const place of [...held.keys()]) settle(step, place);
};

// ---- moving one thing

export const stop = () => {
  const now = ends;
  ends = [];
  for (const end of now) end();
  for (const layer of stage().querySelectorAll(".light, .ghosts")) layer.replaceChildren();
};

const run = (node, frames, options) => {
  stage().querySelector(".ghosts").append(node);
  const motion = node.animate(frames, { fill: "both", ...options });
  ends.push(() => motion.cancel());
};

const middle = (place) => $(`hex-${place}`) && numbersOf($(`hex-${place}`));
const at = ([x, y], scale = 1) => `translate(${x}px, ${y}px) scale(${scale})`;

// A stack's back with its number, its middle at 0 0.
const ghost = (seat, count) => {
  const form = document.querySelector(`[data-ghost="${seat}"]`).cloneNode(true);
  form.removeAttribute("data-ghost");
  form.setAttribute("transform", "translate(-30 -30) scale(1.5)");
  form.querySelector(".value").textContent = count;
  if (count < 2) form.querySelector(".under")?.remove();
  return draw("g", { class: "ghost" }, form);
};

const colourOf = (seat) => [...document.querySelector(`[data-ghost="${seat}"]`).classList].at(-1);

const march = ({ seat, count, path }, length, isStill) => {
  const way = path.map(middle);
  if (!way.every(Boolean) || seat === undefined) return;
  const points = way.map((each) => each.join(",")).join(" ");
  stage()
    .querySelector(".light")
    .append(
      draw("polyline", { class: "trail casing", points }),
      draw("polyline", { class: `trail ${colourOf(seat)}`, points }),
    );
  const frames = way.map((where) => ({ transform: at(where) }));
  const going = { duration: length * 0.65, delay: length * 0.08, easing: "ease-in-out" };
  run(ghost(seat, count), isStill ? [frames.at(-1), frames.at(-1)] : frames, going);
};

const land = (place, seat, count, isStill) => {
  const where = middle(place);
  if (!where || isStill) return;
  const down = [
    { transform: at(where, 2), opacity: 0 },
    { transform: at(where), opacity: 1 },
  ];
  if (count && seat !== undefined) run(ghost(seat, count), down, { duration: 250, easing: "ease-in" });
  const ring = [
    { transform: at(where, 0.5), opacity: 1 },
    { transform: at(where, 1.5), opacity: 0 },
  ];
  run(draw("circle", { class: "ring", r: 60 }), ring, { duration: 500, easing: "ease-out" });
};

const blow = (place, isStill) => {
  const where = middle(place);
  if (!where) return;
  const flash = isStill ? [0.6, 0.6] : [1, 0.3, 0.9, 0.25];
  const frames = flash.map((opacity) => ({ opacity, transform: at(where) }));
  run(draw("polygon", { class: "blow", points: outline() }), frames, { duration: 500 });
};

// ---- light on where it happens

const outline = () => board().querySelector(".hex .edge").getAttribute("points");
const corners = ([x, y]) =>
  outline()
    .trim()
    .split(/[\s,]+/)
    .map((each, n) => Number(each) + (n % 2 ? y : x));

const spotlight = (places) => {
  const spots = places.map(middle).filter(Boolean);
  if (!spots.length) return;
  const holes = spots.map((spot) => `M${corners(spot).join(" ")}z`).join("");
  const all = "M-4000-4000H4000V4000H-4000z";
  stage()
    .querySelector(".light")
    .append(
      draw("path", { class: "dim", d: all + holes, "fill-rule": "evenodd" }),
      ...spots.map((spot) => draw("path", { class: "spot", d: `M${corners(spot).join(" ")}z` })),
    );
};

const LANDS = ["place", "hero", "fort", "citadel", "capture", "explore", "event", "magic"];
const BLOWS = ["strike", "losses", "walls", "bluff", "hero-lost", "battle"];

// One shot, for so long; without motion it is a still.
export const show = (shot, length, isStill) => {
  stop();
  const { kind, places, path, seat, count } = shot;
  spotlight([...new Set([...places, ...path])]);
  if (path.length) march(shot, length, isStill);
  else if (LANDS.includes(kind)) for (const place of places) land(place, seat, count, isStill);
  else if (BLOWS.includes(kind)) for (const place of places) blow(place, isStill);
};
