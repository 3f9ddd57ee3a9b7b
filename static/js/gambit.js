// The board of Gambit of Kings: choosing and dragging pieces, and keys.

import { square, squares, corner, neighbour, turn, turnAgain } from "./gambit_board.js";
import * as card from "./gambit_card.js";
import { pressKey } from "./gambit_past.js";
import { hasModifier } from "./page.js";
import { board, calm, on, say } from "./table.js";
import { act } from "./table_link.js";
import { showReason } from "./why_not.js";

on("arrived", (was, now) => {
  stopDragging();
  drop();
  if (was.side !== now.side) turn(false);
  else turnAgain();
  if (was.last !== now.last) slide(now.last);
});

on("settled", () => {
  if (chosen && !square(chosen).classList.contains("selected")) choose(chosen);
  showOffers();
});

// A piece glides to where it went, so that the eye sees what happened.
const slide = (last) => {
  const [from, to] = (last || "").split(" ").map(square);
  const piece = to?.querySelector(".piece");
  if (!piece || !from || calm.matches || dragged) {
    dragged = false;
    return;
  }
  const [a, b] = [corner(from), corner(to)];
  const glide = { duration: 180, easing: "ease-out" };
  const double = piece.cloneNode(); // above all squares, where the piece itself is not
  double.setAttribute("class", "ghost");
  double.setAttribute("x", b.x);
  double.setAttribute("y", b.y);
  board().append(double);
  piece.animate([{ opacity: 0 }, { opacity: 0 }], glide);
  const run = double.animate(
    [{ transform: `translate(${a.x - b.x}px, ${a.y - b.y}px)` }, { transform: "none" }],
    glide,
  );
  run.onfinish = run.oncancel = () => double.remove();
};

// ---- choosing: first a piece, then where to ----

let offers = new Map();
let chosen = null;
let cursor = null;

const showOffers = () => {
  offers = new Map();
  for (const line of document.querySelectorAll("#offers [data-from]")) {
    offers.set(line.dataset.from, line.dataset.targets.split(" "));
  }
  for (const g of squares()) g.classList.toggle("movable", offers.has(g.dataset.square));
  place(cursor ?? [...offers.keys()][0] ?? "a1");
};

const drop = () => {
  for (const g of board().querySelectorAll(".selected, .target")) {
    g.classList.remove("selected", "target");
    g.removeAttribute("aria-selected");
  }
  chosen = null;
  card.choose(null);
};

const choose = (name) => {
  drop();
  if (!offers.has(name)) return;
  chosen = name;
  square(name).classList.add("selected");
  square(name).setAttribute("aria-selected", "true");
  for (const target of offers.get(name)) square(target).classList.add("target");
  card.choose(name);
  say(
    `${square(name).querySelector("title").textContent}: can go to ${offers.get(name).join(", ")}. ${card.words(name)}`,
  );
};

const press = (name) => {
  if (chosen && offers.get(chosen)?.includes(name)) {
    const source = chosen;
    drop();
    act({ do: "move", source, target: name });
  } else if (name === chosen) drop();
  else if (chosen && !offers.has(name))
    askWhyNot(chosen, name); // it stays in hand
  else choose(name);
};

const askWhyNot = (source, target) => showReason({ do: "move", source, target });

// ---- mouse, finger, pen ----

let drag = null;
let dragged = false;
const FAR = 6;

const squareAt = (event) =>
  document.elementFromPoint(event.clientX, event.clientY)?.closest?.("#board .square")?.dataset.square;

const start = (event) => {
  const name = event.target.closest?.("#board .square")?.dataset.square;
  if (!name || event.button) return;
  cursor = name;
  if (!offers.has(name) || (chosen && offers.get(chosen).includes(name))) return;
  drag = { name, x: event.clientX, y: event.clientY, was: chosen, ghost: null };
  choose(name);
  event.target.releasePointerCapture?.(event.pointerId);
};

const lift = () => {
  drag.ghost = square(drag.name).querySelector(".piece").cloneNode();
  drag.ghost.setAttribute("class", "ghost");
  board().append(drag.ghost);
  square(drag.name).classList.add("dragging");
};

const move = (event) => {
  if (!drag) return;
  if (!drag.ghost && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < FAR) return;
  if (!drag.ghost) lift();
  event.preventDefault();
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(board().getScreenCTM().inverse());
  drag.ghost.setAttribute("x", at.x - 50);
  drag.ghost.setAttribute("y", at.y - (event.pointerType === "touch" ? 90 : 50));
  const over = squareAt(event);
  for (const g of board().querySelectorAll(".drag-over")) g.classList.remove("drag-over");
  if (over && offers.get(drag.name)?.includes(over)) square(over).classList.add("drag-over");
};

const end = (event) => {
  if (!drag) return;
  const { name, ghost, was } = drag;
  const over = squareAt(event);
  stopDragging();
  if (!ghost) {
    if (was === name) drop(); // a second press lets go
  } else if (over && over !== name && offers.get(name)?.includes(over)) {
    dragged = true;
    drop();
    act({ do: "move", source: name, target: over });
  } else if (over && over !== name) askWhyNot(name, over);
  skipClick = true;
  setTimeout(() => (skipClick = false));
};

const stopDragging = () => {
  drag?.ghost?.remove();
  for (const g of board().querySelectorAll(".drag-over, .dragging")) g.classList.remove("drag-over", "dragging");
  drag = null;
};

let skipClick = false;

// ---- keys on the board ----

const place = (name) => {
  for (const g of board().querySelectorAll("[tabindex='0']")) g.setAttribute("tabindex", "-1");
  cursor = name;
  square(name)?.setAttribute("tabindex", "0");
};

const STEPS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

const boardKey = (event) => {
  const g = event.target.closest(".square");
  if (STEPS[event.key]) {
    const next = neighbour(g, STEPS[event.key]);
    if (next) {
      place(next.dataset.square);
      next.focus();
    }
  } else if (event.key === "Enter" || event.key === " ") press(g.dataset.square);
  else if (event.key === "Escape") {
    if (chosen) square(chosen).focus();
    drop();
  } else return;
  event.preventDefault();
};

// ---- listening ----

document.addEventListener("keydown", (event) => {
  if (hasModifier(event)) return;
  if (event.target.closest?.("#board .square")) boardKey(event);
  pressKey(event);
});

document.addEventListener("click", (event) => {
  const name = event.target.closest?.("#board .square")?.dataset.square;
  if (name && !skipClick) press(name);
});

board().addEventListener("pointerdown", start);
// A finger on a piece that can move drags it; anywhere else it scrolls the page. (touch-action inside an SVG
// is not heeded everywhere.)
board().addEventListener("touchstart", (event) => drag && event.preventDefault(), { passive: false });
addEventListener("pointermove", move, { passive: false });
addEventListener("pointerup", end);
addEventListener("pointercancel", () => drag && stopDragging());
board().addEventListener("dragstart", (event) => event.preventDefault());
