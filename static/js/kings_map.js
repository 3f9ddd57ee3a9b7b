// The map of Kings & Things*: what is lit on it, its keys, and one's own kingdom. Pointers: kings_hands.js; zoom and pan:
// kings_camera.js. It knows nothing of the rules.

import * as camera from "./kings_camera.js";
import { chance, tag } from "./kings_tags.js";
import { $, hasModifier, isTyping, numbersOf } from "./page.js";
import { board } from "./table.js";

// The neighbours of each hex, by number.
export const near = JSON.parse($("near").textContent);

const hexes = () => board().querySelectorAll(".hex");
export const hexAt = (node) => node?.closest?.("#board .hex") ?? null;

// What pressing a hex means is said by kings.js.
export const hands = { press: () => {}, grab: () => [], drop: () => {}, release: () => {} };

// ---- what is lit: targets, hexes within reach with what they cost, what is planned and what is chosen

export const light = ({ targets, reach, planned, chosen, waits }) => {
  for (const old of board().querySelectorAll(".cost")) old.remove();
  for (const hex of hexes()) {
    const where = hex.dataset.place;
    hex.classList.toggle("target", targets.has(where) && !reach.has(where));
    hex.classList.toggle("reach", reach.has(where));
    hex.classList.toggle("picked", chosen(where));
    hex.classList.toggle("waits", waits(where));
    if (reach.has(where)) hex.append(tag(reach.get(where).cost), ...chance(reach.get(where).odds));
    if (planned.has(where)) hex.append(tag(`+${planned.get(where)}`, "planned"));
  }
  keepStop();
};

// ---- the keyboard: the map is one stop of the Tab key; arrows lead on from there

const stopAt = (hex) => {
  for (const each of board().querySelectorAll('.hex[tabindex="0"]'))
    if (each !== hex) each.setAttribute("tabindex", "-1");
  hex?.setAttribute("tabindex", "0");
};

export const keepStop = () => {
  if (board().contains(document.activeElement)) return;
  const best =
    board().querySelector(".hex.target, .hex.reach") ??
    board().querySelector('.hex[tabindex="0"]') ??
    board().querySelector(".hex");
  stopAt(best);
};

const STEPS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

// The neighbour that lies most in that direction. Left and right have two as good: the upper, and at the edge the lower.
const beside = (hex, [dx, dy]) => {
  const [x, y] = numbersOf(hex);
  let best = null;
  for (const where of near[hex.dataset.place] ?? []) {
    const [a, b] = numbersOf($(`hex-${where}`));
    const ahead = (a - x) * dx + (b - y) * dy;
    if (ahead > 1 && (!best || ahead > best.ahead + 1 || (Math.abs(ahead - best.ahead) <= 1 && b < best.b)))
      best = { where, ahead, b };
  }
  return best && $(`hex-${best.where}`);
};

const key = (event) => {
  const hex = hexAt(event.target);
  if (!hex || hasModifier(event)) return;
  if (STEPS[event.key]) beside(hex, STEPS[event.key])?.focus();
  else if (event.key !== "Enter" && event.key !== " ") return;
  // A key held down must not confirm what it has just asked for.
  else if (!event.repeat) hands.press(hex.dataset.place);
  event.preventDefault();
};

// On the document: an svg that listens for the focus itself becomes a stop of its own.
document.addEventListener("focusin", (event) => {
  const hex = hexAt(event.target);
  if (!hex) return;
  stopAt(hex);
  if (hex.matches(":focus-visible")) camera.reveal(hex);
});
document.addEventListener("keydown", key);

// ---- one's own kingdom, on demand

export const markMine = () => {
  const on = document.querySelector("[data-mine]")?.getAttribute("aria-pressed") === "true";
  board().classList.toggle("show-mine", on);
  for (const hex of hexes()) hex.classList.toggle("mine", on && camera.isMine(hex));
};

// Pressed again, it leads back to the kingdom if the map has been moved since, else to the whole map.
const pressMine = (button) => {
  const was = button.getAttribute("aria-pressed") === "true";
  const on = !was || !camera.isFitted(camera.kingdom());
  button.setAttribute("aria-pressed", String(on));
  markMine();
  if (on) camera.fit(camera.kingdom());
  else camera.all();
};

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-mine]");
  if (button) pressMine(button);
});
document.addEventListener("keydown", (event) => {
  if (event.key.toLowerCase() !== "m" || hasModifier(event) || isTyping(event)) return;
  document.querySelector("[data-mine]")?.click();
});
