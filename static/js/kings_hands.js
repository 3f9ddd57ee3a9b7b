// Pointers over the map of Kings & Things*: a press, two fingers that pinch, and one that drags what it holds, or the map
// where that is larger than its window. A finger does not drag counters, since it moves the map with the same movement:
// there two taps do it.

import * as camera from "./kings_camera.js";
import { pictureOf } from "./kings_card.js";
import { hands, hexAt } from "./kings_map.js";
import { $, make } from "./page.js";
import { board } from "./table.js";

const FAR = 6; // pixels that make a press a drag
const fingers = new Map();
let from = null; // where the first pointer went down: { id, x, y, onBoard, source }
let ghost = null; // what is dragged, under the pointer
let moved = false; // whether the press that ends now was a drag

const sourceAt = (event) => {
  if (event.pointerType === "touch" || event.button !== 0) return null;
  const counter = event.target.closest?.("#rack button.counter[data-tag]");
  if (counter) return { tag: counter.dataset.tag };
  const hex = hexAt(event.target);
  return hex && { place: hex.dataset.place };
};

const down = (event) => {
  const onBoard = $("camera").contains(event.target);
  const isPlanning = $("table").matches(".planning"); // what lies on the rack is pressed there, and not dragged
  if (!onBoard && (isPlanning || !event.target.closest?.("#rack"))) return;
  moved = false;
  if (onBoard) fingers.set(event.pointerId, event);
  from = { id: event.pointerId, x: event.clientX, y: event.clientY, onBoard, source: sourceAt(event) };
};

const move = (event) => {
  if (fingers.size === 2 && fingers.has(event.pointerId)) return pinch(event);
  if (from?.id !== event.pointerId) return;
  if (ghost) return carry(event);
  if (!moved && Math.hypot(event.clientX - from.x, event.clientY - from.y) <= FAR) return;
  const tags = !moved && from.source ? hands.grab(from.source) : [];
  if (tags.length) {
    lift(tags);
    carry(event);
  } else if (from.onBoard) {
    camera.pan(event.clientX - from.x, event.clientY - from.y);
    Object.assign(from, { x: event.clientX, y: event.clientY, source: null });
  }
  moved = true;
  if (fingers.has(event.pointerId)) fingers.set(event.pointerId, event);
};

const pinch = (event) => {
  const before = fingers.get(event.pointerId);
  const [other] = [...fingers.values()].filter((each) => each.pointerId !== event.pointerId);
  const was = Math.hypot(before.clientX - other.clientX, before.clientY - other.clientY);
  const now = Math.hypot(event.clientX - other.clientX, event.clientY - other.clientY);
  if (was > 0) camera.zoom(now / was, (event.clientX + other.clientX) / 2, (event.clientY + other.clientY) / 2);
  moved = true;
  fingers.set(event.pointerId, event);
};

// The counters themselves, one over the other like a hand of cards; of many the first few, and how many there are.
const MOST = 6;
const lift = (tags) => {
  const counters = tags.map((tag) => document.querySelector(`button.counter[data-tag="${CSS.escape(tag)}"]`));
  const pictures = counters.filter(Boolean).slice(0, MOST).map(pictureOf);
  const count = tags.length > 1 ? [make("span", { class: "count" }, tags.length)] : [];
  ghost = make("div", { class: "drag-ghost", "aria-hidden": "true" }, ...pictures, ...count);
  document.body.append(ghost);
  document.body.classList.add("dragging");
};

const hexUnder = (event) => hexAt(document.elementFromPoint(event.clientX, event.clientY));

const carry = (event) => {
  ghost.style.left = `${event.clientX}px`;
  ghost.style.top = `${event.clientY}px`;
  const over = hexUnder(event);
  for (const hex of board().querySelectorAll(".hex.over")) if (hex !== over) hex.classList.remove("over");
  over?.classList.add("over");
};

const letGo = () => {
  ghost?.remove();
  ghost = null;
  document.body.classList.remove("dragging");
  for (const hex of board().querySelectorAll(".hex.over")) hex.classList.remove("over");
};

const up = (event) => {
  fingers.delete(event.pointerId);
  if (from?.id !== event.pointerId) return;
  const held = ghost && event.type === "pointerup";
  const over = held && hexUnder(event);
  const source = from.source;
  from = null;
  if (!ghost) return;
  letGo();
  if (over && over.dataset.place !== source.place) hands.drop(over.dataset.place);
  else hands.release();
};

// The click that ends a drag is none.
const click = (event) => {
  if (moved) {
    moved = false;
    if ($("camera").contains(event.target) || event.target.closest?.("#rack")) event.stopImmediatePropagation();
    return;
  }
  const hex = hexAt(event.target);
  if (hex) hands.press(hex.dataset.place);
};

document.addEventListener("click", click, true);
document.addEventListener("pointerdown", down);
addEventListener("pointermove", move);
addEventListener("pointerup", up);
addEventListener("pointercancel", up);
