// The "Plan" switch of the table's page: the map, seen through the same camera, and the card of the decision show what this
// seat has planned and could plan, until it is switched back. The game goes on underneath, and nobody else hears of it.

import { ask, light, press } from "./kings_plan_map.js";
import { $, hasModifier, isTyping } from "./page.js";
import { on, say, state, tell } from "./table.js";
import { toast } from "./toasts.js";

const pressers = document.querySelectorAll("button[data-plan][aria-pressed]");
const [map, side] = [$("plan-map"), $("plan-side")];
const home = document.querySelector("a[data-plan]")?.href; // the page of plans, which does the same without scripts

let isOn = false;
let asked = 0; // times, so that only the last answer is shown

// ---- showing

// What the page of plans has by an id must not be taken for what this page has.
const IDS = ["id", "for", "form", "aria-labelledby", "aria-describedby", "aria-controls"];
const renamed = (node) => {
  for (const name of IDS)
    for (const each of node.querySelectorAll(`[${name}]`)) each.setAttribute(name, `plan-${each.getAttribute(name)}`);
  return node;
};

const keyOf = (node) => `${node?.tagName} ${node?.name} ${node?.value} ${node?.getAttribute?.("href")}`;
const keep = () => (side.contains(document.activeElement) ? keyOf(document.activeElement) : "");
const focusAgain = (key) =>
  [...side.querySelectorAll("button, select, input, a")].find((each) => keyOf(each) === key)?.focus();

const show = (plans) => {
  const key = keep();
  const [board, controls] = ["plans-board", "plans-side"].map((id) => plans.querySelector(`#${id}`));
  map.replaceChildren(...document.importNode(board, true).childNodes);
  side.replaceChildren(...renamed(document.importNode(controls, true)).childNodes);
  light(map, side);
  if (key) focusAgain(key);
};

const turn = (how) => {
  isOn = how;
  for (const each of pressers) each.setAttribute("aria-pressed", String(how));
  $("table").classList.toggle("planning", how);
  $("planning").hidden = !how;
  if (how) return;
  map.replaceChildren();
  side.replaceChildren();
  tell("played");
};

const get = async (address, options) => {
  const mine = ++asked;
  side.setAttribute("aria-busy", "true");
  const { status, page, plans } = await ask(address, options).catch(() => ({ status: 0 }));
  if (mine !== asked) return;
  side.removeAttribute("aria-busy");
  if (!isOn) return;
  if (plans) return show(plans);
  const why = page?.querySelector(".toast span")?.textContent;
  if (status >= 400 || status === 0) toast(why ?? "The server did not answer. Try again.", "error");
  if (!side.firstChild || (status >= 200 && status < 300)) turn(false); // the game is over, or nothing can be planned
};

// ---- switching

const start = () => {
  if (isOn || !home) return;
  turn(true);
  $("planning").focus({ preventScroll: true });
  say("Planning. Nobody else sees it, and the game goes on.");
  get(`${home}?for=coming`);
};

const stop = () => {
  if (!isOn) return;
  asked += 1;
  turn(false);
  pressers[0]?.focus({ preventScroll: true });
};

const toggle = () => (isOn ? stop() : start());

// ---- what happens at the table meanwhile

// What is picked, or typed into a condition, is not in the server's answer.
const isPicking = () =>
  !["", "{}"].includes($("plan-picks")?.value ?? "") || side.querySelector(".plan-steps details[open]") !== null;
const current = () => side.querySelector('[aria-current="page"]')?.href;

on("arrived", (was, is) => {
  if (!isOn) return;
  if (was.seat !== is.seat || is.over === "yes") return stop();
  if (was.revision !== is.revision && !isPicking()) get(current() ?? home);
});

// ---- listening

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!side.contains(form)) return;
  event.preventDefault();
  const body = new FormData(form, event.submitter);
  get(form.getAttribute("action"), { method: "POST", body, headers: { "HX-Request": "true" } });
});

// What a press means while planning, or for the switch itself; false if nothing.
const pressed = (event) => {
  const at = (selector) => event.target.closest?.(selector);
  const link = at("#plan-side a[href]");
  const counter = isOn && at("#rack button.counter[data-tag]");
  if (at("button[data-plan]")) return toggle();
  if (at("a[data-plan]")) return start();
  if (link && link.href.startsWith(home)) return get(link.href);
  if (link && new URL(link.href).pathname === $("table").dataset.url) return stop();
  if (at("#plan-map .hex[data-still]")) return press(at(".hex[data-still]"), side);
  if (counter) return side.querySelector(`[data-chip="${CSS.escape(counter.dataset.tag)}"]`)?.click();
  return false;
};

document.addEventListener(
  "click",
  (event) => {
    if (hasModifier(event)) return;
    // Whoever looks at the past has stopped planning.
    if (isOn && event.target.closest?.("[data-past], [data-replay], #log [data-at] > span")) return stop();
    if (pressed(event) === false) return;
    event.preventDefault();
    event.stopPropagation();
  },
  true,
);

document.addEventListener("keydown", (event) => {
  if (event.key.toLowerCase() === "p" && !hasModifier(event) && !isTyping(event) && state().over !== "yes") toggle();
});
