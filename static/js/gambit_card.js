// The card beside Gambit's board: what a piece is called and how it moves, for the piece that is chosen, pointed at, in
// focus or held down, whoever's it is. All words are the server's.

import { $ } from "./page.js";
import { board } from "./table.js";
import { dropReason } from "./why_not.js";

const HOVER = 120; // milliseconds until a card follows the mouse
const HOLD = 450; // until a finger that rests is a long press
const FAR = 10; // pixels after which a finger is on its way somewhere else

// ---- which piece

let chosen = null;
let pointed = null; // by the mouse
let looked = null; // by a tap, a long press or the keyboard
let usual = null; // what the card says of no piece

const squareOf = (target) => target.closest?.("#board .square");
const pieceOn = (name) => name && $(`sq-${name}`)?.querySelector(".piece")?.getAttribute("href").split("#")[1];
const cardOf = (name) => $(`how-${pieceOn(name)}`)?.content;

const show = () => {
  const text = $("piece-text");
  usual ??= text.innerHTML;
  const card = cardOf(pointed) ?? cardOf(looked) ?? cardOf(chosen);
  if (card) text.replaceChildren(card.cloneNode(true));
  else if (text.innerHTML !== usual) text.innerHTML = usual;
};

export const choose = (name) => {
  chosen = name;
  if (name) looked = null;
  dropReason();
  show();
};

const look = (name) => {
  looked = name;
  show();
};

export const words = (name) => cardOf(name)?.textContent.trim() ?? "";

// ---- mouse, keys, fingers

let timer = null;
let held = null; // where a finger rests
let wasHeld = false; // the click that follows a long press is none
let byMouse = false; // what a mouse presses, it points at anyway

const follow = (event) => {
  if (event.pointerType !== "mouse") return;
  clearTimeout(timer);
  timer = setTimeout(() => {
    pointed = squareOf(event.target)?.dataset.square ?? null;
    show();
  }, HOVER);
};

const rest = (event) => {
  wasHeld = false;
  byMouse = event.pointerType === "mouse";
  const name = squareOf(event.target)?.dataset.square;
  if (byMouse || !name) return;
  clearTimeout(timer);
  held = { x: event.clientX, y: event.clientY };
  timer = setTimeout(() => {
    wasHeld = Boolean(pieceOn(name)) && name !== chosen;
    look(name);
  }, HOLD);
};

const stir = (event) => {
  if (held && Math.hypot(event.clientX - held.x, event.clientY - held.y) > FAR) lift();
};

const lift = () => {
  if (held) clearTimeout(timer);
  held = null;
};

document.addEventListener(
  "click",
  (event) => {
    const g = squareOf(event.target);
    if (!g) return;
    if (wasHeld) event.stopPropagation();
    else if (!byMouse) look(g.dataset.square === chosen ? null : g.dataset.square);
    wasHeld = false;
  },
  true,
);

document.addEventListener("focusin", (event) => {
  const g = squareOf(event.target);
  if (!g?.matches(":focus-visible")) return;
  look(g.dataset.square);
  g.setAttribute("aria-describedby", "piece-text"); // read out after the square's own name
});

document.addEventListener("focusout", (event) => {
  const g = squareOf(event.target);
  if (!g) return;
  g.removeAttribute("aria-describedby");
  look(null);
});

board().addEventListener("pointerover", follow);
board().addEventListener("pointerleave", follow);
board().addEventListener("pointerdown", rest);
board().addEventListener("contextmenu", (event) => held && event.preventDefault());
addEventListener("pointermove", stir);
for (const name of ["pointerup", "pointercancel"]) addEventListener(name, lift);
