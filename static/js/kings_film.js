// The film of Kings & Things*: plays the shots that the server has written into #film, in their order, each with its
// caption. The viewer's own question waits meanwhile, unless it runs against time. How far this page has watched is known
// to nobody else. Reduced motion leaves captions and stills; "off" leaves nothing.

import { FAR_BEHIND, SPEEDS, holdsBack, lengthOf, reelOf, settling, soundOf } from "./film_reel.js";
import * as camera from "./kings_camera.js";
import { stepAside } from "./kings_caption.js";
import { tumble } from "./kings_dice.js";
import { isOffered, newsreel, numberOf, put, read, toldOnArrival } from "./kings_newsreel.js";
import * as stage from "./kings_stage.js";
import * as strike from "./kings_strike.js";
import { $, hasModifier } from "./page.js";
import { sound } from "./sound.js";
import { keep, kept, note, noteOf } from "./storage.js";
import { board, calm, on, seatHere, state, tell } from "./table.js";

const LINGER = 1500; // ms that the last caption stays
const HOLD = 450; // ms of pressing that mean "all of it"

let queue = []; // {shot, step, settles: {early, late}} still to be shown
let now = null; // what is shown, with its timer
let steps = 0; // messages so far: a hex waits for those of its own message
let newest = -1; // number of the newest shot that was shown, skipped, or put into the queue
let reel = []; // what was shown since the viewer's last action: "show me that again"
let records = []; // what was taken off the board since the last message
let offered = []; // the shots of a newsreel that waits for an answer; what happens meanwhile joins them

// ---- speed

// Whoever once switched the animations off, before there was a film, meant this as well.
const usual = () => (kept("motion") === "no" ? "off" : "normal");
export const speed = () => (kept("film") in SPEEDS ? kept("film") : usual());
const isOff = () => speed() === "off";
const speedNow = () => (isOff() ? "normal" : speed());
const showSpeed = () => {
  for (const each of document.querySelectorAll("[data-film-speed]")) each.value = speed();
  $("table").classList.toggle("film-off", isOff());
};

// ---- the shots of this page

const shots = () => [...$("film").children].map(read);
const lastShot = () => numberOf($("film").lastElementChild);
const since = (number) => {
  const rows = [];
  let row = $("film").lastElementChild;
  for (; row && numberOf(row) > number; row = row.previousElementSibling) rows.unshift(read(row));
  return rows;
};

// ---- how far this browser has watched, for when it comes back

const remember = () => note("watched", seatHere(), newest);
const remembered = () => noteOf("watched", seatHere());

// ---- playing

const isHeld = () =>
  state().turn === "yes" && holdsBack([...(now ? [now.shot] : []), ...queue.map((each) => each.shot)]);

const showState = () => {
  const holds = isHeld();
  $("table").classList.toggle("filming", now !== null);
  $("table").classList.toggle("watching", holds);
  $("film-hold").hidden = !holds;
  $("film-left").textContent = queue.length ? `${queue.length} more` : "";
  tell("filmed");
};

// The number of the first line of the log that the film has still to show.
export const stillToShow = () => (now ?? queue[0])?.shot.number ?? Infinity;

// Played over the position of now: with nothing held back, it changes no hex.
const entriesOf = (list, step, pace) => {
  const when = settling(list);
  return list.map((shot, at) => {
    const due = [...when].filter(([, each]) => each.at === at);
    const named = (isEarly) => due.filter(([, each]) => each.isEarly === isEarly).map(([place]) => place);
    return { shot, step, pace, early: named(true), late: named(false), isLast: at === list.length - 1 };
  });
};

const next = () => {
  now = queue.shift() ?? null;
  if (!now) return finish();
  const { shot, step, pace, early } = now;
  const length = pace * lengthOf(shot, speedNow(), pace < 1 ? 0 : queue.length);
  for (const place of early) stage.settle(step, place);
  const hex = $(`hex-${shot.places.at(-1)}`);
  if (hex) camera.reveal(hex);
  stage.show(shot, length, calm.matches);
  strike.show(shot, step, length, calm.matches);
  caption(shot);
  if (soundOf(shot)) sound(soundOf(shot));
  reel.push(shot);
  now.timer = setTimeout(over, length);
  showState();
  stepAside(shot);
  tell("shot", shot);
};

const over = () => {
  const { step, late, isLast } = now;
  clearTimeout(now.timer);
  for (const place of late) stage.settle(step, place);
  if (isLast) stage.settleAll(step);
  next();
};

const finish = (linger = LINGER) => {
  stage.stop();
  strike.showNow();
  stage.settleAll();
  remember();
  showState();
  clearTimeout(hiding);
  hiding = setTimeout(() => ($("film-bar").hidden = true), linger);
};
let hiding = 0;
// Nothing is shown or waits to be: what the message brought is there at once.
const standStill = () => {
  strike.showNow();
  stage.settleAll();
  remember();
};

const caption = (shot) => {
  clearTimeout(hiding);
  $("film-bar").hidden = false;
  Object.assign($("film-bar").dataset, { kind: shot.kind, shot: shot.number });
  $("film-bar").classList.toggle("mine", shot.isMine);
  put($("caption"), shot);
  if (!calm.matches) for (const die of $("caption").querySelectorAll(".die")) tumble(die);
};

const enqueue = (list, step, pace = 1) => {
  withdraw();
  queue.push(...entriesOf(list, step, pace));
  if (!now) next();
  else showState();
};

export const skip = () => (now ? over() : undefined);
export const hold = () => clearTimeout(now?.timer); // whoever hears of a shot may keep it until `skip`

const halt = () => {
  if (now) clearTimeout(now.timer);
  reel.push(...queue.map((each) => each.shot));
  [now, queue] = [null, []];
  newest = lastShot();
  finish(0);
};

export const toNow = () => {
  withdraw();
  halt();
};

const again = () => {
  const list = reel.filter((shot) => shot.node.isConnected);
  toNow();
  reel = [];
  const told = list.length ? list : shots().slice(-8);
  if (told.length) enqueue(told, ++steps);
};

// ---- news

const observer = new MutationObserver((found) => records.push(...found));
if ($("stage")) observer.observe(board(), { childList: true, subtree: true });

const isAway = () => document.hidden || $("table").matches(".looking-back, .planning");

const offer = (list, title, told) => {
  offered = list;
  const play = () => {
    const { lines, pace } = reelOf(list, speedNow());
    newest = list.at(-1).number;
    enqueue(lines, ++steps, pace);
  };
  newsreel(list, title, { play, now: toNow }, told);
};

const withdraw = () => {
  offered = [];
  newsreel(null);
};

on("arrived", (was, is) => {
  records.push(...observer.takeRecords());
  const taken = records;
  records = [];
  const last = lastShot();
  if (isOff()) {
    if (isOffered()) offer([...offered, ...since(newest)]);
    return (newest = last);
  }
  strike.keep(steps + 1);
  if (was.seat !== is.seat || last < newest) return toNow();
  const fresh = since(newest);
  if (isAway()) return;
  stage.holdBack(taken, ++steps);
  if (!fresh.length) return queue.length || now ? undefined : stage.settleAll();
  newest = last;
  const list = [...offered, ...queue.map((each) => each.shot), ...fresh];
  const isTimed = is.timed === "yes";
  if (!isTimed && !isOffered() && list.length <= FAR_BEHIND) return enqueue(fresh, steps);
  if (isTimed) stage.settleAll();
  else if (now || queue.length) halt();
  else standStill();
  offer(list, isTimed ? "What led to this" : "A lot has happened");
});

// Back at the table: what happened meanwhile is offered, not forced upon anybody.
const comeBack = () => {
  if (isOff() || isAway() || now) return;
  const missed = since(newest);
  if (!missed.length) return;
  newest = missed.at(-1).number;
  if (holdsBack(missed)) offer([...offered, ...missed], "While you were away");
};

// What has not been shown yet is offered when the viewer comes back; an offer stays.
const goAway = () => {
  const [next] = [now, ...queue].filter(Boolean);
  if (isOffered() || !next) return;
  toNow();
  newest = next.shot.number - 1;
  remember();
};

// Whoever acts has looked on.
on("sent", () => {
  reel = [];
  if (isOffered()) withdraw();
});

// ---- listening

const DOES = { skip, now: toNow, again };
document.addEventListener("click", (event) => DOES[event.target.closest?.("[data-film]")?.dataset.film]?.());
document.addEventListener("change", (event) => {
  if (!event.target.matches?.("[data-film-speed]")) return;
  keep("film", event.target.value);
  showSpeed();
  if (isOff()) toNow();
});

// While a question waits for the film, a press on it, or on the map, is a press on the film.
const heldBack = "#control-form, #film-hold, #board-frame, #rack, #arena";
addEventListener(
  "click",
  (event) => {
    if (!isHeld() || !event.target.closest?.(heldBack) || event.target.closest("[data-arena]")) return;
    event.stopPropagation();
    event.preventDefault();
    if (event.target.closest("#board-frame, #arena")) skip();
    else toNow();
  },
  true,
);

// The caption: a tap skips one, a long press all.
let pressed = 0;
$("film-bar")?.addEventListener("pointerdown", (event) => {
  if (!event.target.closest("button")) pressed = setTimeout(() => [(pressed = 0), toNow()], HOLD);
});
$("film-bar")?.addEventListener("pointerup", () => {
  if (!pressed) return;
  clearTimeout(pressed);
  pressed = 0;
  skip();
});

const isElsewhere = (target) => Boolean(target.closest?.("input, textarea, select, dialog, summary, #menu, #records"));
addEventListener(
  "keydown",
  (event) => {
    if (event.key !== " " || !now || hasModifier(event) || isElsewhere(event.target)) return;
    if (!isHeld() && event.target.closest?.("button, a, .hex")) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.repeat) toNow();
    else skip();
  },
  true,
);
document.addEventListener("visibilitychange", () => (document.hidden ? goAway() : comeBack()));
for (const name of ["past", "played"]) on(name, comeBack); // back from there

if ($("film")) {
  showSpeed();
  const last = lastShot();
  newest = Math.min(last, remembered() ?? last);
  const told = toldOnArrival();
  if (told) offer(since(newest), "Since your last visit", told);
  else comeBack();
  newest = last;
  remember();
}
