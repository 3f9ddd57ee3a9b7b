// The coach of Kings & Things*: a lesson when something is met for the first time in this browser. It stands beside the
// controls, never in their way, and goes when it is understood: by "Got it", or by doing what it is about.

import { pointAt } from "./coach_arrow.js";
import * as film from "./kings_film.js";
import { handbook, opened } from "./kings_handbook.js";
import { due, ideaOf } from "./kings_lesson.js";
import { $, beforeFrame } from "./page.js";
import { keep, kept } from "./storage.js";
import { on, say, state } from "./table.js";

let shown = ""; // the lesson on the page
let asked = false; // the player asked for it: then it stays until they close it or play on
let opener = null; // where the focus goes back to
let held = []; // cards of a guided lesson that a shot of the film waits for, each with what it points at

// ---- what this browser remembers

const SEEN = "coach-seen";
const seen = () => (kept(SEEN) ?? "").split(" ");
// Ideas of a guided lesson are told once a table, so that the lesson can be had again.
const known = (name) => (name.startsWith("lesson_") ? `${ideaOf(name)}@${location.pathname}` : name);
const hasSeen = (name) => seen().includes(known(name));
const remember = (name) => hasSeen(name) || keep(SEEN, [...seen(), known(name)].join(" ").trim());

// Spectators are left alone unless they ask for it.
const watches = () => (state().seat ?? "") === "";
const wish = () => (watches() ? "coach-watching" : "coach");
const isOn = () => (kept(wish()) ?? (watches() ? "off" : "on")) === "on";

// ---- which lessons fit

const question = () => $("picks")?.dataset.question ?? "";
const phase = () => document.querySelector("#phases .now [data-lesson]")?.dataset.lesson ?? "setup";
const questioned = () => (state().over === "yes" ? ["winning"] : (handbook.met[question()] ?? [phase()]));
const isLesson = () => "lesson" in ($("picks")?.dataset ?? {});
const isTaught = (name) => isLesson() && handbook.taught.includes(name);
const cards = () => JSON.parse($("picks")?.dataset.lesson ?? "[]"); // of a guided lesson
const card = (called) => [...held, ...cards()].find(({ name }) => name === called);
const fitting = () => {
  const steps = due(cards(), handbook.script, hasSeen);
  return (steps.length ? steps : questioned()).filter((name) => handbook.lessons[name]);
};
const unseen = () => fitting().find((name) => !hasSeen(name) && !isTaught(name)) ?? "";
// What leads up to a question is shown before anything is said about it.
const isHeldBack = () => !watches() && $("table").classList.contains("watching");
const concerned = () => state().over !== "yes" && !isHeldBack() && (watches() || question() !== "");

// ---- what the card talks about has a ring around it

const hereHex = () => {
  const here = document.querySelector("#prompt [data-here]")?.dataset.here;
  return here ? `#hex-${here}` : "";
};
const subject = () => {
  const at = card(shown)?.point ?? handbook.points?.[shown] ?? "";
  return at === "here" ? hereHex() : at;
};

// What lies below the fold is no help: then the hex in question is pointed at.
const inSight = (selector) => {
  const part = selector ? [...document.querySelectorAll(selector)].find((each) => each.checkVisibility()) : null;
  const { top = 0, bottom = 0 } = part?.getBoundingClientRect() ?? {};
  return part && bottom > 0 && top < innerHeight - 24 ? part : null;
};

const point = beforeFrame(() => {
  const about = subject() ? (inSight(subject()) ?? inSight(hereHex())) : null;
  for (const each of document.querySelectorAll(".coached")) each.classList.toggle("coached", each === about);
  about?.classList.add("coached");
  pointAt(isLesson() ? about : null);
});

// ---- the card

const show = (name) => {
  const [title, words, tip, rule] = handbook.lessons[name];
  shown = name;
  $("coach-title").querySelector("span").textContent = title;
  $("coach-progress").textContent = card(name)?.progress ?? "";
  $("coach-words").textContent = words;
  $("coach-tip").textContent = tip;
  $("coach-rules").href = `${$("coach-rules").dataset.rules}#${rule}`;
  document.querySelector("[data-coach=off]").hidden = !isOn();
  const isEnd = name === handbook.script.end;
  $("coach").classList.toggle("ending", isEnd);
  $("coach").querySelector("[data-coach=got]").textContent = isEnd ? "Play on" : "Got it";
  $("coach-new").hidden = !isEnd;
  $("coach").classList.toggle("step", isLesson()); // there it is read before anything else
  $("coach").hidden = false;
  $("table").classList.toggle("taught", isLesson());
  if (isLesson()) $("sheet").scrollTo({ top: 0 });
  point();
};

const hide = () => {
  const had = $("coach").contains(document.activeElement);
  shown = "";
  asked = false;
  $("coach").hidden = true;
  $("table").classList.remove("taught");
  point();
  // What it stood above is read from its top; on a phone the sheet scrolls instead of the card.
  for (const scroller of [$("side-scroll"), $("side-scroll").closest(".kings-sheet")]) scroller?.scrollTo({ top: 0 });
  const back = opener?.checkVisibility() ? opener : opener?.closest("details")?.querySelector("summary"); // a line of the menu
  if (had) (back ?? $("controls")).focus({ preventScroll: true });
  opener = null;
};

// Spectators see phases fly by: a lesson stays until they have read it.
const look = () => {
  showWish();
  if (asked || held.length) return;
  if (shown && isHeldBack()) return hide(); // it comes again after the film
  const unread = shown && !hasSeen(shown);
  const next = isOn() && concerned() ? unseen() : "";
  if (!isOn() || (!next && !unread)) return shown && hide();
  if (!next || next === shown || (unread && watches())) return;
  show(next);
  say(`Coach: ${handbook.lessons[next][0]}`);
};

const understood = () => {
  remember(shown);
  if (held.length) return onFilm();
  const more = isOn() && concerned() ? unseen() : "";
  if (!more) return hide();
  asked = false;
  show(more);
  $("coach").focus({ preventScroll: true });
};

// The player asks: now the card may take the focus, and it gives it back.
const explain = (name, from) => {
  if (!handbook.lessons[name]) return;
  show(name);
  asked = true;
  opener = from;
  $("coach").focus({ preventScroll: true });
  $("coach").scrollIntoView({ block: "nearest" });
};

const showWish = () => document.querySelector("[data-coach=toggle]")?.setAttribute("aria-pressed", String(isOn()));

const turn = (on) => {
  keep(wish(), on ? "on" : "off");
  const isWaiting = !on && held.length > 0; // the film, for what is not read now
  held = on ? held : [];
  if (!on && shown) hide();
  if (isWaiting) film.skip();
  look();
  $("coach").scrollIntoView({ block: "nearest" });
};

// What is asked now comes before what leads up to it; pressed once more, the other.
const LEADS_UP = ["welcome", "battle"];
const again = (from) => {
  const names = fitting();
  const own = names.find((name) => !LEADS_UP.includes(name)) ?? names[0];
  explain(own === shown ? (names.find((name) => name !== own) ?? own) : own, from);
};

const DO = { got: understood, off: () => turn(false), toggle: () => turn(!isOn()), again };

document.addEventListener("click", (event) => {
  const pressed = event.target.closest?.("[data-coach]");
  if (pressed) DO[pressed.dataset.coach](pressed);
  const phase = event.target.closest?.("#phases [data-lesson]");
  if (phase) explain(phase.dataset.lesson, phase);
  if (event.target.closest?.("[data-dialog=legend]")) fillLegend();
});

// The legend is drawn when somebody opens it for the first time.
const fillLegend = () => {
  const groups = document.querySelector(".legend-groups");
  if (!groups.childElementCount) groups.innerHTML = handbook.legend;
};

// A shot of the film waits until what a guided lesson has to say of it has been read.
const onFilm = () => {
  held = held.filter(({ name }) => !hasSeen(name));
  if (held.length) return show(held[0].name);
  hide();
  film.skip();
};

on("shot", ({ kind, isMine }) => {
  const names = (isLesson() && isOn() && isMine && handbook.script.filmed[kind]) || [];
  held = names.filter(({ name }) => !hasSeen(name));
  if (!held.length) return;
  film.hold();
  onFilm();
  say(`Coach: ${handbook.lessons[shown][0]}`);
});

on("filmed", () => {
  if (!$("table").classList.contains("filming")) held = []; // it was cut short
  look();
});

// Whoever has done it has understood it; but that the lesson is over stays until it has been read.
on("sent", () => {
  if (!shown || shown === handbook.script.end) return;
  if (asked || fitting().includes(shown)) remember(shown);
  asked = false;
});

on("settled", () => {
  look();
  point(); // what was drawn anew has lost its ring
});
on("picked", point); // what comes next is somewhere else
opened.then(look);
