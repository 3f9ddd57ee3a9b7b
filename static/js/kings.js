// The page of Kings & Things*: a press acts or picks (kings_picks.js); the map and the counters are other ways to press the
// same buttons. No rule lives here.

import "./kings_arena.js";
import * as camera from "./kings_camera.js";
import * as card from "./kings_card.js";
import * as confirm from "./kings_confirm.js";
import * as controls from "./kings_controls.js";
import "./kings_coach.js";
import "./kings_film.js";
import "./kings_finale.js";
import "./kings_hands.js";
import { light, openHex, openHexAgain } from "./kings_light.js";
import "./kings_log.js";
import { hands, markMine, near } from "./kings_map.js";
import "./kings_past.js";
import "./kings_peek.js";
import "./kings_planning.js";
import * as picks from "./kings_picks.js";
import "./kings_points.js";
import { filled, straightTo } from "./kings_read.js";
import "./kings_room.js";
import "./kings_tidings.js";
import { $, beforeFrame } from "./page.js";
import { on, say, state } from "./table.js";
import { act } from "./table_link.js";
import { dropReason, reasonAgainst, showReason } from "./why_not.js";

const { box, one, quoted } = controls;

let isBusy = false; // an action is on its way
let isNew = state().turn === "yes"; // a question that has just arrived, with news or with the page

// ---- acting

const send = (action) => {
  if (isBusy) return;
  isBusy = true;
  box().setAttribute("aria-busy", "true");
  picks.forget();
  act(action);
};

on("answered", () => {
  isBusy = false;
  box()?.removeAttribute("aria-busy");
});

const doIt = (button) => {
  if (picks.isWaiting()) {
    const key = controls.keyOf(button);
    return picks.later(() => controls.byKey(key)?.click());
  }
  if (button.getAttribute("aria-disabled") === "true") return;
  const action = JSON.parse(button.dataset.action ?? button.value);
  if (button.dataset.ask === undefined) return send(action);
  confirm.begin(button, action);
  picks.dress();
  confirm.focus();
};

const cancel = () => {
  const from = confirm.end();
  picks.dress();
  (from?.isConnected ? from : box()).focus();
};

// ---- the map: pressing a hex presses its button, or asks why it has none

const pressHex = (where) => {
  openHex(where);
  dropReason();
  $("refusal").replaceChildren();
  const button = controls.hexButton(where);
  if (picks.isWaiting()) picks.later(() => pressHex(where));
  else if (button) button.click();
  else if (where === controls.stack()) one('[data-control="march"] button[value$=" stack none"]')?.click();
  else {
    light();
    showReason(wouldBe(where));
  }
  say($(`hex-${where}`)?.querySelector("title")?.textContent ?? where);
};

const wouldBe = (where) => {
  const action = filled(controls.wouldBe(), where);
  return action?.path ? { ...action, path: straightTo(near, controls.stack(), where) } : action;
};

// ---- dragging: a stack to a hex within its reach, or a counter of the rack to where it is placed

const tagsOf = (chips) => chips.map((each) => each.dataset.chip);

// The counters that are taken up: all that were picked, or the whole stack.
const grab = ({ place, tag }) => {
  if (tag) return grabCounter(tag);
  if (controls.stack() === place) return tagsOf(controls.pressed('[data-control="march"]'));
  const start = one(`[data-stack-of][data-hex="${quoted(place)}"]`);
  if (!start) return [];
  openHex(place);
  start.click();
  return start.dataset.stackOf.split(" ");
};

const grabCounter = (tag) => {
  const chip = one(`[data-control="place"] [data-chip="${quoted(tag)}"]`);
  if (!chip) return [];
  const picked = tagsOf(controls.pressed('[data-control="place"]'));
  if (picked.includes(tag)) return picked;
  chip.click();
  return [...picked, tag];
};

Object.assign(hands, { press: pressHex, grab, drop: pressHex, release: () => light() });

// ---- news

on("arrived", (was, now) => {
  if (was.decision !== now.decision) isNew = now.turn === "yes";
});

// A new question is read from its top, however far down somebody was; not while they are writing. Its hex is in sight, once
// the film has shown what led to it.
const showQuestion = beforeFrame(() => {
  if ($("table").matches(".filming, .planning")) return;
  if (isNew && !document.activeElement?.matches("input, textarea")) {
    for (const each of [$("sheet"), $("side-scroll"), box()]) each.scrollTop = 0;
    camera.showAsked();
  }
  isNew = false;
});

// The phase that is on stays in sight where the bar is wider than the page.
const showPhase = beforeFrame(() => {
  const bar = document.querySelector(".phase-bar");
  const now = bar?.querySelector(".now");
  if (now) bar.scrollLeft = now.offsetLeft - bar.offsetLeft - (bar.clientWidth - now.clientWidth) / 2;
});

// The menu offers to resign, or to end by agreement, while it may be done.
const showRare = () => {
  const may = ($("picks")?.dataset.do ?? "").split(" ");
  for (const [dialog, what] of Object.entries({ resign: "resign", agree: "propose_end" })) {
    const opener = document.querySelector(`[data-dialog="${dialog}"]`);
    if (opener) opener.hidden = !may.includes(what);
  }
};

on("settled", () => {
  picks.keepPicks();
  light();
  openHexAgain();
  showQuestion();
  markMine();
  camera.detail();
  showPhase();
  showRare();
});

on("filmed", showQuestion);
on("played", showQuestion);

// ---- listening

const pressControl = (event) => {
  const at = (selector) => event.target.closest?.(selector);
  const button = at("#controls button, #agreement button");
  if (at("#controls summary")) return picks.noteFold(at("summary"));
  if (!button) return;
  event.preventDefault();
  const { aim } = button.dataset;
  if (button.matches("[data-confirm]")) send(confirm.action());
  else if (button.matches("[data-cancel]")) cancel();
  else if (aim !== undefined) {
    controls.aimAt(controls.aimed() === aim ? "" : aim);
    picks.dress();
  } else if (button.name === "press") picks.pick(button);
  else doIt(button);
};

const pressCounter = (counter) => {
  const { tag } = counter.dataset;
  card.press(counter, one(`[data-chip="${quoted(tag)}"]`), () => reasonAgainst(filled(controls.wouldPick(), tag)));
};

// The second press of a double click may meet another button than the first: what comes next is not meant by it.
const dropSecond = (event) => {
  if (event.detail < 2 || !event.target.closest?.("#controls button:not(.chip)")) return;
  event.stopPropagation();
  event.preventDefault();
};
document.addEventListener("click", dropSecond, true);

document.addEventListener("click", (event) => {
  pressControl(event);
  const counter = event.target.closest?.("button.counter[data-tag]");
  if (counter) pressCounter(counter);
  if (event.target.closest?.("[data-close-hex]")) {
    openHex(null);
    light();
  }
});

document.addEventListener("change", (event) => {
  if (event.target.matches("#controls select")) picks.ask();
  else if (event.target.matches("select[data-acts]")) act(JSON.parse(event.target.value));
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && confirm.action()) return cancel();
  if (event.key === "Escape" && (card.ask(false) || picks.hasPicks() || controls.aimed())) return picks.pickNothing();
  // A key held down must not confirm what it has just asked for.
  if (event.repeat && (event.key === "Enter" || event.key === " ")) event.preventDefault();
});
