// The controls of a decision, which the server draws: finding its buttons, and which of them the map is for.

import { pairs } from "./kings_read.js";
import { $ } from "./page.js";

export const box = () => $("controls");
export const all = (selector) => [...box().querySelectorAll(selector)];
export const one = (selector) => box().querySelector(selector);
export const quoted = (text) => CSS.escape(text);

// A button is known by its key when the controls are drawn anew.
export const keyOf = (node) => node.dataset.key ?? (node.matches("select") ? node.name : `${node.name} ${node.value}`);
export const byKey = (key) => all("button, select, summary").find((each) => keyOf(each) === key && !each.disabled);

// ---- which control the map is for: where several things could be meant, the player first says which of them

let aim = "";

export const aimed = () => aim;

export const aimAt = (control) => {
  aim = control;
};

export const showAim = () => {
  for (const each of all("[data-aim]")) each.setAttribute("aria-pressed", String(each.dataset.aim === aim));
};

// The row of what most likely comes next stays in sight, however long the list above it.
const STANDS_OUT = ".button:is(.primary, [data-stands-out])";
export const showStays = () => {
  const what = one(STANDS_OUT) ? STANDS_OUT : '[data-do="done"]';
  for (const row of all(".control-row, .control")) {
    const stays = !row.querySelector(".control-row") && Boolean(row.querySelector(`:scope > ${what}`));
    row.classList.toggle("stays", stays);
    row.classList.toggle("suggested", stays && Boolean(row.querySelector(":scope > .primary")));
  }
};

const isActive = (node) => {
  const control = node.closest("[data-control]");
  return !control?.hasAttribute("data-rival") || control.dataset.control === aim;
};

// ---- what they say of the map

export const hexButtons = () => all("button[data-hex]:not(:disabled)").filter(isActive);
export const hexButton = (where) => hexButtons().find((each) => each.dataset.hex === where);
export const stack = () => one("[data-stack]")?.dataset.stack ?? "";
export const planned = () => new Map(pairs(one("[data-planned]")?.dataset.planned));
export const pressed = (control = "") => all(`${control} [data-chip][aria-pressed="true"]`);

// What pressing another hex, or another counter, would be.
export const wouldBe = () => all("[data-would]").filter(isActive).at(-1)?.dataset.would;
export const wouldPick = () => one("[data-would-pick]")?.dataset.wouldPick;
