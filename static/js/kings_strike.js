// What the film shows in the arena of Kings & Things*: dice beside whoever throws them, hits that fly to their target, and
// the fallen, who stay in the line. The arena of before is kept until the film has come to what a message brought; all of
// it was drawn by the server. Without motion it is stills.

import { tumble } from "./kings_dice.js";
import { $, make } from "./page.js";

const THROWN = 420; // ms until a die lies still
const FLIGHT = 380; // ms that a hit flies

// ---- the arena as it was

const before = new Map(); // step of the film -> the arena before it
let latest = null; // as of the last message
let shown = null; // the step that is shown in place of now
let ended = null; // the revision with which the battle that is shown was over

const copy = () => {
  if (!$("battle").firstElementChild) return null;
  const [battle, odds] = [$("battle"), $("battle-odds")].map((each) => each.cloneNode(true));
  odds.removeAttribute("id");
  for (const each of battle.querySelectorAll(".picked")) each.classList.remove("picked");
  const parts = [...battle.childNodes];
  const place = odds.querySelector("svg")?.dataset.of; // it may be of the fight that comes next
  return place && place === placeOf(parts) ? [...parts, odds] : parts;
};

const HEAD = ".fight-head[data-fight]";
const placeOf = (nodes) => nodes?.find((node) => node.matches?.(HEAD))?.dataset.fight.split(" ")[1];
// A retreat leads out of the place.
const whereOf = ({ kind, places, path }) => (kind === "retreat" ? path.slice(0, 1) : places);
export const fits = (nodes, shot) => {
  const place = placeOf(nodes);
  return Boolean(place) && (!shot.places.length || whereOf(shot).includes(place));
};

// Most messages change nothing in the arena, and a copy of a large battle takes its time.
let isChanged = true;
const watch = new MutationObserver(() => (isChanged = true));
const ALL = { childList: true, subtree: true, attributeFilter: ["class"], characterData: true };
for (const each of [$("battle"), $("battle-odds")]) if (each) watch.observe(each, ALL);

// A message has come: what was shown until now is what its part of the film begins with.
export const keep = (step) => {
  before.set(step, latest);
  if (watch.takeRecords().length) isChanged = true;
  if (isChanged) [latest, isChanged] = [copy(), false];
};

const put = (nodes, step) => {
  $("battle-then").replaceChildren(...nodes.map((node) => node.cloneNode(true)));
  [shown, ended] = [step, null];
};

export const showNow = () => {
  [shown, ended] = [null, null];
  before.clear();
  if (!$("arena")) return;
  $("arena").classList.remove("then");
  $("table").classList.remove("staged");
  $("battle-then").replaceChildren();
};

// ---- who stood there when a battle began: it comes with the shot of its beginning

export const lineUpIn = ({ node }) => {
  const found = node.querySelector("template.line-up");
  return found && [...found.content.children];
};

// Of the battle that a shot belongs to, which began earlier in the same list.
const lineUpOf = (shot) => {
  const [place] = whereOf(shot);
  for (let node = shot.node.previousElementSibling; node; node = node.previousElementSibling) {
    if (node.dataset.place !== place) continue;
    if (node.dataset.kind === "battle-over") return null;
    if (lineUpIn({ node })) return lineUpIn({ node });
  }
  return null;
};

// ---- where it is shown

const then = () => [...$("battle-then").children];
// What came of a battle at once is seen in it; what comes later in its hex is not.
const isShown = (shot, step) => shown === step && fits(then(), shot) && [null, shot.node.dataset.at].includes(ended);

// The arena that a shot begins with. A battle begins with its line-up; whatever has come of it is not shown yet.
const arenaFor = (shot, step) => {
  if (lineUpIn(shot)) return lineUpIn(shot);
  if (isShown(shot, step)) return null;
  const known = [before.get(step), before.get(step + 1), latest].find((each) => fits(each, shot));
  return known ?? (shot.places.length ? lineUpOf(shot) : null);
};

// One shot; where the arena of before shows another place, what the message brought is shown from the start.
export const show = (shot, step, length, isStill) => {
  if (!$("arena")) return;
  const nodes = arenaFor(shot, step);
  if (nodes) put(nodes, step);
  const isThen = isShown(shot, step);
  if (isThen || shot.places.length) $("arena").classList.toggle("then", isThen);
  const root = isThen ? $("battle-then") : fits([...$("battle").children], shot) ? $("battle") : null;
  $("table").classList.toggle("staged", Boolean(root) && !$("arena").matches(".folded"));
  if (!root) return;
  play(root, shot, isStill);
  if (isThen && shot.kind === "battle-over") ended = shot.node.dataset.at;
};

// ---- one shot in an arena

const sideOf = (root, side) => root.querySelector(`.battle-side[data-side="${side}"]`);
const nameOf = (counter) => counter.querySelector(".name")?.textContent;
const isCalled = (counter, name) => nameOf(counter) === name || (name === "Fort" && counter.matches(".fort"));
const line = (root, side) => [...(sideOf(root, side)?.querySelectorAll(".counters .counter") ?? [])];

export const play = (root, shot, isStill) => {
  if (shot.kind === "strike") strike(root, shot, isStill);
  for (const fall of shot.node.dataset.falls?.split("|") ?? []) fell(root, fall, isStill);
  if (shot.kind === "battle-over") sideOf(root, shot.seat)?.classList.add("holds");
};

// The dice of the shot, each beside whoever threw it. Where the server has drawn them already, those tumble.
const strike = (root, { node }, isStill) => {
  const hits = [];
  const isFresh = root.id === "battle"; // what is there is what came of it
  if (!isFresh) {
    for (const old of root.querySelectorAll(".fighter > .die-of, .hits")) old.remove();
    showStep(root, node);
  }
  for (const thrown of node.querySelectorAll(".film-dice[data-throw]")) {
    const [side, against] = thrown.dataset.throw.split(" ");
    const free = line(root, side).filter((each) => !each.matches(".fallen") || isFresh);
    for (const die of thrown.children) {
      const name = die.textContent.match(/^(.*) \d+: /)?.[1];
      const counter = take(free, name);
      if (!counter) continue;
      const laid = isFresh ? counter.parentElement.querySelector(".die-of:not(.shown)") : lay(counter, die);
      laid?.classList.add("shown");
      if (laid && !isStill) tumble(laid.querySelector(".die"));
      if (die.matches(".hit")) hits.push([laid ?? counter, against]);
    }
  }
  for (const each of root.querySelectorAll(".die-of.shown")) each.classList.remove("shown");
  if (!isStill) setTimeout(() => hits.forEach(([from, against], at) => fly(root, from, against, at)), THROWN);
};

// The step that the caption names: "Melee in Heron Marsh".
const showStep = (root, node) => {
  const step = node.querySelector("strong")?.textContent.split(" ")[0].toLowerCase();
  const steps = [...root.querySelectorAll(".battle-steps > li")];
  const now = steps.findIndex((each) => each.textContent === step);
  if (now < 0) return;
  root.querySelector(".thrown-before")?.classList.remove("thrown-before");
  steps.forEach((each, at) => (each.className = at < now ? "over" : at === now ? "now" : ""));
};

// Whoever of that name has thrown the fewest dice so far.
const take = (free, name) => {
  const called = free.filter((each) => isCalled(each, name));
  const dice = (counter) => counter.parentElement.querySelectorAll(":scope > .die-of.shown").length;
  return called.sort((one, other) => dice(one) - dice(other))[0];
};

const lay = (counter, die) => {
  let fighter = counter.closest(".fighter");
  if (!fighter) {
    fighter = make("div", { class: "fighter" });
    counter.replaceWith(fighter);
    fighter.append(counter);
  }
  const verdict = ["hit", "miss"].find((each) => die.matches(`.${each}`)) ?? "";
  const laid = make("span", { class: `die-of ${verdict}` }, die.querySelector(".die").cloneNode(true), verdict);
  fighter.append(laid);
  return laid;
};

const middle = (node) => {
  const { left, top, width, height } = node.getBoundingClientRect();
  return [left + width / 2, top + height / 2];
};
const at = ([x, y], scale) => `translate(${x}px, ${y}px) translate(-50%, -50%) scale(${scale})`;

// A hit flies to the other side. Who takes it is not known yet: it goes to the line.
const fly = (root, from, against, number) => {
  const side = sideOf(root, against);
  const targets = line(root, against).filter((each) => !each.matches(".fallen"));
  const to = targets[number % (targets.length || 1)] ?? side;
  if (!from.isConnected || !to?.getClientRects().length || !from.getClientRects().length) return;
  const spark = make("span", { class: "spark" });
  $("arena").append(spark);
  const frames = [{ transform: at(middle(from), 0.4) }, { transform: at(middle(to), 1.2) }];
  spark.animate(frames, { duration: FLIGHT, delay: number * 70, easing: "ease-in", fill: "both" }).onfinish = () => {
    spark.remove();
    shake(to);
  };
};

const shake = (node) =>
  node.animate(
    [-4, 4, -3, 2, 0].map((x) => ({ translate: `${x}px 0` })),
    { duration: 260, easing: "ease-out" },
  );

// "0 Giant" falls; "-1 keep=1" has crumbled to that.
const fell = (root, fall, isStill) => {
  const [, side, name, left] = fall.match(/^(-?\d+) ([^=]*)(?:=(\d+))?$/) ?? [];
  const isNamed = (each) => nameOf(each)?.toLowerCase() === name?.toLowerCase();
  const found = line(root, side).filter(isNamed);
  const counter = found.find((each) => !each.matches(".fallen")) ?? found.at(-1);
  if (!counter) return;
  if (left === undefined) counter.classList.add("fallen");
  else crumble(counter, Number(left));
  if (!isStill) shake(counter);
};

const crumble = (counter, left) =>
  [...counter.querySelectorAll(".levels > i")].forEach((each, at) => each.classList.toggle("gone", at >= left));
