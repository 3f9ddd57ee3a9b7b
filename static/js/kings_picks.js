// Picking: a pick shows at once, and the server draws the controls that follow from it. Nothing is worked out here.

import * as confirm from "./kings_confirm.js";
import { aimAt, all, box, byKey, keyOf, one, showAim, showStays } from "./kings_controls.js";
import { light, showReach } from "./kings_light.js";
import { $ } from "./page.js";
import { state, tell } from "./table.js";
import { dropReason } from "./why_not.js";

const TOO_FAST = 429;
const MOMENT = 300; // milliseconds until something that was asked too fast is asked again

let presses = []; // picks that the controls do not show yet
let isStale = false; // something was picked since the controls were asked for
let isAsking = false;
let then = null; // what was pressed while the controls were on their way
let picksNode = null; // as the controls were drawn last
let picksText = "";
let decision = "";
const unfolded = new Map();

export const hasPicks = () => picksText.length > 2;

// What is pressed while the controls are on their way is done as soon as they are there.
export const isWaiting = () => isStale || isAsking;
export const later = (what) => {
  then = what;
};

export const forget = () => {
  [presses, isStale, then, picksText] = [[], false, null, ""];
  aimAt("");
  confirm.end();
  one(".confirm")?.remove();
  dropReason();
};

export const pick = (button) => {
  $("refusal").replaceChildren();
  dropReason();
  confirm.end();
  presses.push(button.value);
  const pressed = button.getAttribute("aria-pressed");
  if (pressed) button.setAttribute("aria-pressed", String(pressed !== "true"));
  showReach(button.dataset.reach);
  ask();
};

export const pickNothing = () => {
  forget();
  if ($("picks")) $("picks").value = "{}";
  ask();
};

// ---- asking: one question at a time; what is picked meanwhile is asked about in the next, and the older answer is dropped

export const ask = async () => {
  isStale = true;
  if (isAsking) return;
  isAsking = true;
  box().dataset.asking = "";
  while (isStale) {
    isStale = false;
    const [sent, about] = [presses.length, state().decision];
    const html = await preview();
    if (about !== state().decision || isStale) continue;
    presses = html === null ? [] : presses.slice(sent);
    if (html !== null) show(html);
    else dress();
  }
  isAsking = false;
  delete box().dataset.asking;
  const next = then;
  then = null;
  next?.();
};

const preview = async () => {
  const body = new FormData($("control-form"));
  for (const each of presses) body.append("press", each);
  body.set("seat", state().seat);
  const headers = { "HX-Request": "true" };
  try {
    const answer = await fetch($("table").dataset.preview, {
      method: "POST",
      body,
      credentials: "same-origin",
      headers,
    });
    if (answer.status === TOO_FAST) {
      isStale = true; // asked again a moment later
      await new Promise((soon) => setTimeout(soon, MOMENT));
    }
    return answer.ok ? await answer.text() : null;
  } catch {
    return null; // without a connection nothing can be picked; the page says so elsewhere
  }
};

const show = (html) => {
  const key = box().contains(document.activeElement) ? keyOf(document.activeElement) : null;
  box().innerHTML = html;
  dress();
  tell("picked");
  if (key === null || box().contains(document.activeElement)) return;
  (byKey(key) ?? box()).focus({ preventScroll: true });
};

// ---- what a page adds to the controls whenever they are drawn

export const dress = () => {
  picksNode = $("picks");
  picksText = picksNode?.value ?? "";
  for (const each of all("details[data-fold]")) each.open = unfolded.get(each.dataset.fold) === true;
  showAim();
  showOdds();
  confirm.draw();
  showStays();
  light();
  tell("picked");
};

// The bar of odds moves with what is picked, and back when nothing is.
const showOdds = () => {
  const [drawn, now, bar] = [$("odds-picked"), $("battle-odds"), $("odds-with-picks")];
  if (!bar) return;
  if (!drawn) bar.replaceChildren();
  else if (!bar.firstChild) bar.append(...now.cloneNode(true).childNodes);
  if (drawn) renewBar(bar, drawn);
  [bar.hidden, now.hidden] = [!drawn, Boolean(drawn)];
};

const renewBar = (bar, drawn) => {
  const [own, goal] = [bar.querySelector(".own"), drawn.querySelector(".own")];
  if (!own) return bar.replaceChildren(...drawn.childNodes);
  own.setAttribute("width", goal.getAttribute("width")); // the style sheet lets it move there
  const said = [...drawn.querySelectorAll("span")];
  bar.querySelectorAll("span").forEach((each, at) => (each.textContent = said[at].textContent));
};

// A part is unfolded as soon as it is pressed: the browser tells of it later, and a redraw in between would fold it.
export const noteFold = (summary) => unfolded.set(summary.parentElement.dataset.fold, !summary.parentElement.open);

// ---- news: while the question is the same, what others do meanwhile does not disturb what is being picked here

export const keepPicks = () => {
  const node = $("picks");
  const isOther = state().decision !== decision;
  decision = state().decision;
  if (isOther) forget();
  if (node === picksNode) return;
  const kept = picksText;
  dress();
  if (!node || !(presses.length || (kept && kept !== "{}" && kept !== node.value))) return;
  node.value = kept || "{}";
  ask();
};
