// Earlier positions of Gambit of Kings: a layer over the live board, which goes on underneath.

import { isFromDark, turnRound } from "./gambit_board.js";
import { scrollLists } from "./lists.js";
import { $ } from "./page.js";
import { on } from "./table.js";

let shown = null; // the revision looked at, or null for now

const lines = () => [...document.querySelectorAll("#moves [data-at]")];
const revisions = () => [0, ...lines().map((each) => Number(each.dataset.at))];

const look = (to) => {
  shown = to >= revisions().at(-1) ? null : to;
  showSteps();
  if (shown === null) return $("past").replaceChildren();
  const url = `${$("table").dataset.url}at/${shown}/?side=${Number(isFromDark())}`;
  htmx.ajax("GET", url, { target: "#past", swap: "innerHTML" });
};

const step = (how) => {
  const all = revisions();
  const last = all.length - 1;
  const here =
    shown === null
      ? last
      : Math.max(
          0,
          all.findLastIndex((each) => each <= shown),
        );
  const to = { first: 0, back: here - 1, on: here + 1, live: last }[how];
  if (to >= 0 && to <= last) look(all[to]);
};

const showSteps = () => {
  const all = revisions();
  const here = shown ?? all.at(-1);
  for (const line of lines()) {
    if (Number(line.dataset.at) === here) line.setAttribute("aria-current", "true");
    else line.removeAttribute("aria-current");
  }
  for (const button of document.querySelectorAll(".stepper [data-step]")) {
    const atEnd = ["on", "live"].includes(button.dataset.step) ? shown === null : here === 0;
    button.disabled = atEnd || all.length < 2;
  }
  $("table").classList.toggle("looking-back", shown !== null);
  scrollLists();
};

const flip = () => {
  turnRound();
  if (shown !== null) look(shown);
};

on("settled", showSteps);

// ---- listening; keys that the board itself takes never get here (gambit.js)

const KEYS = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "live" };
const FIELDS = "input, textarea, select, [role=tab], dialog[open], .square";

export const pressKey = (event) => {
  if (event.defaultPrevented || event.target.closest?.(FIELDS)) return;
  if (KEYS[event.key]) step(KEYS[event.key]);
  else if (event.key.toLowerCase() === "f") flip();
  else if (event.key === "Escape" && shown !== null) step("live");
  else return;
  event.preventDefault();
};

document.addEventListener("click", (event) => {
  const at = (selector) => event.target.closest?.(selector);
  const stepper = at("[data-step]");
  if (stepper) step(stepper.dataset.step);
  if (at("[data-flip]")) flip();
  const line = at("#moves [data-at]");
  if (!line || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  look(Number(line.dataset.at));
});
