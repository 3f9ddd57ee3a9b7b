// The room of Kings & Things*: the sheet of a phone, which is pulled up and down; cards that are folded away; what is new on
// the rack; and a mark at the chronicle while it has unread lines.

import { hexButtons } from "./kings_controls.js";
import { $, hasModifier, isTyping } from "./page.js";
import { keep, kept } from "./storage.js";
import { on, state } from "./table.js";
import { markUnread } from "./tabs.js";

// ---- the sheet

const sheet = $("sheet");
const handle = $("handle");
const pull = (up) => {
  sheet.classList.toggle("pulled", up);
  handle.setAttribute("aria-expanded", String(up));
  if (!up) sheet.scrollTop = 0;
};
const isUp = () => sheet.classList.contains("pulled");

const FAR = 12; // pixels that make a press a pull
let from = null;
handle.addEventListener("pointerdown", (event) => {
  from = event.clientY;
  handle.setPointerCapture(event.pointerId);
});
handle.addEventListener("pointermove", (event) => {
  if (from === null || Math.abs(event.clientY - from) < FAR) return;
  pull(event.clientY < from);
  from = null;
});
handle.addEventListener("click", () => {
  if (from !== null) pull(!isUp());
  from = null;
});
// A keyboard presses without a pointer.
handle.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" && event.key !== " ") return;
  event.preventDefault();
  pull(!isUp());
});

// A hex comes next: the map must be in sight.
on("picked", () => {
  if (isUp() && hexButtons().length) pull(false);
});

// ---- the menu closes when something opens

document.addEventListener("click", (event) => {
  if (event.target.closest?.("#menu :is([data-dialog], [data-coach=again], a)")) $("menu").open = false;
});

// ---- cards folded away: the map and the decision stay

const bare = document.querySelector("[data-bare]");
const clear = (on) => {
  $("table").classList.toggle("bare", on);
  bare.setAttribute("aria-pressed", String(on));
  keep("bare", on ? "yes" : "no");
};
bare.addEventListener("click", () => clear(bare.getAttribute("aria-pressed") !== "true"));
document.addEventListener("keydown", (event) => {
  if (event.key.toLowerCase() === "c" && !hasModifier(event) && !isTyping(event)) bare.click();
});
if (kept("bare") === "yes") clear(true);

// ---- one card folded away

const folded = new Set((kept("folded") ?? "").split(" ").filter(Boolean));
const showFolds = () => {
  for (const button of document.querySelectorAll("[data-fold-card]")) {
    const { foldCard } = button.dataset;
    button.setAttribute("aria-expanded", String(!folded.has(foldCard)));
    $("table").classList.toggle(`fold-${foldCard}`, folded.has(foldCard));
  }
};
document.addEventListener("click", (event) => {
  const what = event.target.closest?.("[data-fold-card]")?.dataset.foldCard;
  if (!what) return;
  if (!folded.delete(what)) folded.add(what);
  keep("folded", [...folded].join(" "));
  showFolds();
});
showFolds();

// ---- what is new on the rack, until the hand has been there or the turn is over

const turn = () => document.querySelector("#phases strong")?.textContent ?? "";
const counters = () => [...document.querySelectorAll("#rack .counter[data-tag]")];
let known = new Set(counters().map((each) => each.dataset.tag));
let fresh = new Set();
let since = turn();

const markNew = () => {
  const tags = counters().map((each) => each.dataset.tag);
  if (since !== turn()) fresh = new Set();
  since = turn();
  for (const tag of tags) if (!known.has(tag)) fresh.add(tag);
  known = new Set(tags);
  for (const each of counters()) each.classList.toggle("fresh", fresh.has(each.dataset.tag));
};
on("settled", markNew);
for (const name of ["pointerover", "focusin"]) {
  document.addEventListener(name, (event) => {
    const counter = event.target.closest?.("#rack .counter.fresh");
    if (!counter) return;
    fresh.delete(counter.dataset.tag);
    counter.classList.remove("fresh");
  });
}

// ---- what style sheets have to know of the page as a whole: with :has() a browser would look through the page at each change

const NEEDS_MAP = "#prompt [data-here], #controls :is([data-hex], [data-control=place], [data-control=march])";
const ROOMY = 7; // counters that have room at their usual size
const showSigns = () => {
  const first = $("rack").firstElementChild;
  const { turn: isAsked, over } = state();
  const signs = {
    "no-rack": !first,
    "bare-rack": Boolean(first?.matches("p")),
    "full-rack": $("rack").childElementCount > ROOMY,
    "bare-controls": !$("controls").querySelector(":scope > :not(input)"),
    yours: isAsked === "yes",
    "set-up": turn() === "Set-up",
    "off-map": isAsked === "yes" && !document.querySelector(NEEDS_MAP),
    over: over === "yes",
  };
  for (const [sign, isOn] of Object.entries(signs)) $("table").classList.toggle(sign, isOn);
};
on("settled", showSigns);

// ---- unread lines

// Chat has its own mark (table.js).
const mark = () => markUnread($("tab-log"), "New lines");
new MutationObserver((changes) => changes.some((each) => each.addedNodes.length) && mark()).observe($("log"), {
  childList: true,
});
