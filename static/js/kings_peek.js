// What the pointer or the focus rests on, larger and beside it: the counters of a hex, fanned out, or what a counter is.
// It only shows what the page holds already, and never takes a press.

import { lines, pictureOf } from "./kings_card.js";
import { $, setHidden } from "./page.js";
import { on } from "./table.js";

const WAIT = 250; // milliseconds of rest
const MANY = 6; // counters, from which on they are shown smaller
const GAP = 12; // pixels between what is looked at and what is shown
let timer = 0;
let about = null;

// ---- what is shown

const copied = (node) => {
  const copy = node.cloneNode(true);
  for (const button of copy.querySelectorAll("button")) button.replaceWith(pictureOf(button));
  return [...copy.childNodes];
};

const ofHex = (hex) => {
  const panel = $(`in-${hex.dataset.place}`);
  return panel?.querySelector(".counter") ? copied(panel) : [];
};

// Backs of one owner look alike: one of them, with their number.
const gatherBacks = (peek) => {
  for (const group of peek.querySelectorAll(".counters")) {
    const [first, ...others] = group.querySelectorAll(".counter.back");
    for (const each of others) each.remove();
    if (others.length) first.dataset.count = `×${others.length + 1}`;
  }
};

const ofCounter = (counter) => (counter.dataset.kind ? lines(counter) : []);

// ---- where: beside it, inside the window

const place = (peek, target) => {
  const [at, own] = [target.getBoundingClientRect(), peek.getBoundingClientRect()];
  const side = document.querySelector(".kings-side").getBoundingClientRect(); // the decision is not to be covered
  const isRight = at.right + GAP + own.width < (side.left > at.right ? side.left : innerWidth);
  const left = isRight ? at.right + GAP : Math.max(4, at.left - GAP - own.width);
  const top = Math.min(Math.max(4, at.top + at.height / 2 - own.height / 2), innerHeight - own.height - 4);
  const isBeside = isRight || at.left - GAP - own.width > 0;
  peek.style.transform = `translate(${Math.round(left)}px, ${Math.round(isBeside ? top : Math.max(4, at.top - own.height - GAP))}px)`;
};

const show = () => {
  const hex = about.closest(".hex");
  const parts = hex ? ofHex(hex) : ofCounter(about);
  if (!parts.length || !about.isConnected) return hide();
  const peek = $("peek");
  peek.replaceChildren(...parts);
  gatherBacks(peek);
  peek.classList.toggle("many", peek.querySelectorAll(".counter").length > MANY);
  peek.hidden = false;
  place(peek, hex?.querySelector(".ground") ?? about);
};

const hide = () => {
  clearTimeout(timer);
  about = null;
  setHidden($("peek"), true);
};

// ---- listening

const rest = (target) => {
  if (document.body.classList.contains("dragging")) return hide();
  const found =
    target.closest?.("#board .hex, #rack .counter, .side-scroll .counter, #pool .counter, #controls .counter") ?? null;
  if (found === about) return;
  hide();
  about = found;
  if (about) timer = setTimeout(show, WAIT);
};

document.addEventListener("pointerover", (event) => event.pointerType === "mouse" && rest(event.target));
document.addEventListener("focusin", (event) => (event.target.matches(":focus-visible") ? rest(event.target) : hide()));
for (const name of ["pointerdown", "wheel", "keydown"])
  document.addEventListener(name, (event) => event.key?.startsWith("Arrow") || hide(), { passive: true });
addEventListener("blur", hide);
on("arrived", hide); // it may show what is over
