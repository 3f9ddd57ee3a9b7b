// Earlier positions of Kings & Things*: a layer over the live map, which goes on underneath. The log leads there, too. From any
// step on the same film plays as at the table.

import { SPEEDS, lengthOf, settling } from "./film_reel.js";
import { read } from "./kings_newsreel.js";
import * as arena from "./kings_past_arena.js";
import * as stage from "./kings_stage.js";
import { $, hasModifier } from "./page.js";
import { kept } from "./storage.js";
import { calm, state, tell } from "./table.js";

let shown = null; // the revision that is looked at, or null for now
let playing = 0; // the timer of what plays
let isPlaying = false;
let battle = null; // a battle is replayed: {line: where it begins in the log, place, isOver}

const find = (what) => $("past").querySelector(what);

const look = async (to, key = "back") => {
  shown = to;
  $("table").classList.toggle("looking-back", to !== null);
  if (to === null) {
    pause();
    stage.playOn(null);
    $("past").replaceChildren();
    return tell("past");
  }
  await htmx.ajax("GET", `${$("table").dataset.url}at/${to}/`, { target: "#past", swap: "innerHTML" });
  if (shown === null) return $("past").replaceChildren(); // it was left before the answer came
  stage.playOn(find("svg.kings-board"));
  showPlaying();
  const again = find(`[data-key="${key}"]:not(:disabled)`) ?? find("[data-past]:not(:disabled)");
  if (!isPlaying) again?.focus({ preventScroll: true });
  if (isPlaying) showFilm();
};

const step = (how) => find(`[data-key="${how}"]:not(:disabled)`)?.click();

// ---- playing

const speed = () => (SPEEDS[kept("film")] ? kept("film") : "normal");
const words = (shot) =>
  [...shot.node.querySelectorAll(":scope > :is(strong, span:not(.film-dice))")].map((each) => each.textContent);

// Hexes as they were before the step: each lies over its new drawing until the film has come to it.
const holdBack = () => {
  for (const was of find(".past-was")?.children ?? []) {
    const hex = find(`svg.kings-board > [data-still="${was.dataset.still}"]`);
    hex.classList.add("held");
    hex.after(was.cloneNode(true));
  }
};
const settle = (isDue = () => true) => {
  for (const hex of $("past").querySelectorAll(".hex.held")) {
    if (!isDue(hex.dataset.still)) continue;
    hex.classList.remove("held");
    hex.nextElementSibling.remove();
  }
};

// Of a battle that is replayed: its own shots, and in the steps between whatever else happens.
const belongs = (shot) => {
  if (!battle) return true;
  const isIts = !battle.place || shot.places.includes(battle.place);
  if (!battle.place && shot.number <= battle.line && battle.line <= Number(shot.node.dataset.last ?? shot.number))
    battle.place = shot.places[0];
  if (battle.isOver && !isIts) return false;
  battle.isOver ||= Boolean(battle.place) && isIts && shot.kind === "battle-over";
  return Boolean(battle.place);
};

// One shot after another, then the next step; a step without any is passed over.
const showFilm = (shots = [...(find(".past-film")?.children ?? [])].map(read).filter(belongs), at = 0) => {
  clearTimeout(playing);
  const shot = shots[at];
  const when = settling(shots);
  const isDue = (isEarly) => (place) => when.get(place)?.at === at && (!isEarly || when.get(place).isEarly);
  if (!shot) {
    settle();
    arena.end();
    const isLast = battle?.isOver || find('[data-key="on"]:disabled');
    return isLast ? pause() : look(find('[data-key="on"]').dataset.past, "on");
  }
  settle(isDue(true));
  const length = lengthOf({ ...shot, isOwn: false }, speed());
  stage.show(shot, length, calm.matches);
  arena.show(shot, calm.matches);
  find("[role=status]").textContent = words(shot).join(": ");
  playing = setTimeout(() => {
    if (!isPlaying) return;
    settle(isDue(false));
    showFilm(shots, at + 1);
  }, length);
};

const pause = () => {
  clearTimeout(playing);
  [isPlaying, battle] = [false, null];
  settle();
  arena.end();
  if (shown !== null) stage.stop();
  showPlaying();
};

const showPlaying = () => {
  const button = find("[data-past-play]");
  button?.setAttribute("aria-pressed", String(isPlaying));
  button?.setAttribute("title", isPlaying ? "Pause" : "Play from here");
};

const toggle = () => {
  if (isPlaying) return pause();
  isPlaying = true;
  showPlaying();
  holdBack();
  arena.begin();
  showFilm();
};

// A battle from its first shot to its last.
const replay = ({ replay: from, line }) => {
  pause();
  [isPlaying, battle] = [true, { line: Number(line), place: "", isOver: false }];
  look(from);
};

// At once, so that nobody sees what is to come.
document.addEventListener("htmx:afterSwap", ({ detail }) => {
  if (detail.target !== $("past")) return;
  arena.forget();
  if (!isPlaying) return;
  holdBack();
  arena.begin();
});

// ---- listening

document.addEventListener("click", (event) => {
  const fought = event.target.closest?.("[data-replay]");
  if (fought) return replay(fought.dataset);
  const button = event.target.closest?.("[data-past]");
  const row = event.target.closest?.("#log [data-at] > span");
  if (event.target.closest?.("[data-past-play]")) return toggle();
  if (!row && !button) return;
  if (isPlaying) pause();
  if (row) return look(row.parentNode.dataset.at);
  const { past, key } = button.dataset;
  if (past === "now" || (past === "latest" && shown !== null)) {
    look(null);
    document.querySelector('[data-past="latest"]').focus();
  } else look(past === "latest" ? state().revision : past, key);
});

document.addEventListener("change", (event) => {
  if (!event.target.matches?.("[data-past-slider], [data-past-jump]") || event.target.value === "") return;
  pause();
  look(event.target.value);
});

document.addEventListener("keydown", (event) => {
  if (shown === null || hasModifier(event)) return;
  if (event.key === "Escape") look(null);
  else if (!$("past").contains(event.target) || event.target.matches("input, select")) return;
  else if (event.key === "ArrowLeft") step("back");
  else if (event.key === "ArrowRight") step("on");
  else return;
  event.preventDefault();
});
