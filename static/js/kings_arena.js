// The arena of Kings & Things*: the battle that the server has drawn over the map. Here is how large it is shown, whose side
// is the viewer's, and how long the result of a battle stays. What moves in it is in kings_strike.js.

import * as camera from "./kings_camera.js";
import { stillToShow } from "./kings_film.js";
import { $, beforeFrame } from "./page.js";
import { on, state } from "./table.js";

const STAYS = 3000; // ms that a result is shown at least, unless somebody has read it before

const arena = $("arena");
const find = (what) => arena.querySelector(what);
const isThen = () => arena.classList.contains("then"); // the film shows what was, in place of what is
const root = () => $(isThen() ? "battle-then" : "battle");
const head = () => root().querySelector(".fight-head[data-fight]");
const results = () => [...$("battle").querySelectorAll(".result")]; // the latest stands last
const numberOf = (result) => Number(result.dataset.result);

// ---- what this viewer has chosen for the battle that is on

let about = ""; // the battle
let isFolded = false;
let size = ""; // full or small; if nothing was chosen, it follows from whose battle it is

const question = () => $("picks")?.dataset.question ?? "";
const isAsked = () => state().turn === "yes";
const isAbout = (place) => document.querySelector("#prompt [data-here]")?.dataset.here === place;
const takesPart = (where) => state().seat !== "" && Boolean(where?.querySelector(`[data-side="${state().seat}"]`));
const isOwn = () =>
  head()
    ? takesPart(root()) || (isAsked() && isAbout(head().dataset.fight.split(" ")[1]))
    : takesPart(results().find((each) => numberOf(each) === told));
// Whoever may retreat needs the map: the hexes around the battle.
const wantsMap = () => isAsked() && question() === "retreat";
const isSmall = () => (size ? size === "small" : !isOwn() || wantsMap());

// ---- results, one after the other: each from when the film has come to it, until it is read or its time is over

let told = -1; // the result that is shown, or was
let timer = 0;
let isTold = true;

const isDue = (result) => numberOf(result) > told && numberOf(result) < stillToShow();
const stopTimer = () => (timer = clearTimeout(timer) ?? 0);
const endResult = () => {
  stopTimer();
  isTold = true;
  show();
};
// A player's own result is not taken away under a pointer that moves upon it.
let pointedAt = -STAYS;
const isRead = () => isOwn() && performance.now() - pointedAt < STAYS;
const endUnlessRead = () => {
  if (isRead()) timer = setTimeout(endUnlessRead, STAYS / 3);
  else endResult();
};

// Of several battles of others only the newest result is shown: three seconds each would hide the map for long.
const dueResult = () => {
  const due = results().filter(isDue);
  return due.find(takesPart) ?? due.at(-1);
};

// Where the film shows another battle meanwhile, a player's own result comes again; that of others has been told.
const showResult = () => {
  if (isThen()) {
    stopTimer();
    isTold ||= !takesPart(results().find((each) => numberOf(each) === told));
  } else {
    const next = isTold && dueResult();
    if (next) [told, isTold] = [numberOf(next), false];
    if (!isTold && !timer) timer = setTimeout(endUnlessRead, STAYS);
  }
  for (const each of results()) each.hidden = isTold || numberOf(each) !== told;
};

// ---- showing

const show = () => {
  const now = head()?.dataset.fight ?? "";
  if (now !== about) [about, isFolded, size] = [now, false, ""];
  showResult();
  const isOn = Boolean(head()) || results().some((each) => !each.hidden);
  const signs = { off: !isOn, small: isSmall(), folded: isFolded, own: isOwn() };
  for (const [sign, is] of Object.entries(signs)) arena.classList.toggle(sign, is);
  $("table").classList.toggle("fighting", isOn);
  for (const side of arena.querySelectorAll(".battle-side"))
    side.classList.toggle("mine", side.dataset.side === state().seat);
  find("[data-arena=fold]").setAttribute("aria-expanded", String(!isFolded));
  find("[data-arena=size]").textContent = isSmall() ? "Full size" : "Smaller";
  find("[data-arena=size]").hidden = !isOn;
  cover();
};

// The part of the map that is covered; on a phone the arena is a part of the sheet.
const cover = beforeFrame(() => {
  const { position } = getComputedStyle(arena);
  camera.cover(position === "relative" && arena.offsetHeight ? arena.getBoundingClientRect().bottom : null);
});

// On a phone the arena lies below the question, and often out of sight: the odds stand with the question.
const small = matchMedia("(width < 62rem), (height < 36rem)");
const placeOdds = () => $(small.matches ? "prompt" : "battle").after($("battle-odds"), $("odds-with-picks"));

// ---- listening

const DOES = {
  fold: () => (isFolded = !isFolded),
  size: () => (size = isSmall() ? "full" : "small"),
  read: endResult,
};

if (arena) {
  document.addEventListener("click", ({ target }) => {
    const does = DOES[target.closest?.("[data-arena]")?.dataset.arena];
    if (!does) return;
    does();
    show();
  });
  arena.addEventListener("pointermove", ({ timeStamp }) => (pointedAt = timeStamp));
  placeOdds();
  small.addEventListener("change", placeOdds);
  told = Math.max(-1, ...results().map(numberOf)); // a page that is opened later has missed them
  for (const name of ["settled", "filmed"]) on(name, show);
  new ResizeObserver(cover).observe(arena);
  show();
}
