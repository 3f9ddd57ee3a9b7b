// What a counter is: its card opens by a press, a long press, or "?" and then a press. While a pointer rests on a counter,
// kings_peek.js shows the same lines.

import { handbook } from "./kings_handbook.js";
import { $, make } from "./page.js";

const FACE_DOWN = [
  "Counter",
  ["Its face is known to its owner only. It turns up when it fights, or when its owner shows it."],
  "H2",
];
const cardOf = (kind) => handbook.cards[kind] ?? FACE_DOWN;
const NOTES = {
  bluff: "A bluff: you own no hex of its terrain, and no Terrain Lord of it is here.",
  supported: "Supported: it serves you.",
};

const nameOf = (node) => node.querySelector(".name")?.textContent ?? "Face down";

// What it can do, and whether it serves its owner. Symbols come first, in the order in which they are drawn on it.
const told = (node) => {
  const notes = Object.keys(NOTES)
    .filter((each) => node.classList.contains(each))
    .map((each) => NOTES[each]);
  const marks = [...node.querySelectorAll(".marks .mark")].map((mark) => mark.cloneNode(true));
  for (const mark of marks) mark.setAttribute("aria-hidden", "true");
  return [...cardOf(node.dataset.kind)[1], ...notes].map((text, at) =>
    make("li", {}, ...(marks[at] ? [marks[at]] : []), text),
  );
};

// A picture of a counter: it takes no press, and is no second button of its counter.
export const pictureOf = (counter) => {
  const picture = make("span", { class: counter.className }, ...counter.cloneNode(true).childNodes);
  picture.classList.remove("picked", "planned", "fresh");
  return picture;
};

// What can be done with it now, as the controls offer it: cash it in, return it, challenge it.
const deeds = (tag) => [...document.querySelectorAll(`#controls [data-concerns="${CSS.escape(tag ?? "")}"]`)];

const deedButton = ({ textContent, value }) => make("button", { type: "button", class: "button", value }, textContent);

$("card-deeds").addEventListener("click", ({ target }) => {
  const { value } = target.closest("button") ?? {};
  $("card").close();
  [...document.querySelectorAll("#controls [data-concerns]")].find((each) => each.value === value)?.click();
});

const show = (node) => {
  const [sort, , rule] = cardOf(node.dataset.kind);
  $("card-why").textContent = "";
  $("card-title").textContent = nameOf(node);
  $("card-sort").textContent = sort;
  $("card-lines").replaceChildren(...told(node));
  $("card-picture").replaceChildren(pictureOf(node));
  $("card-deeds").replaceChildren(...deeds(node.dataset.tag).map(deedButton));
  $("card-rules").href = `${$("card-rules").dataset.rules}#${rule}`;
  $("card").showModal();
};

export const lines = (node) => [
  make("h3", {}, nameOf(node)),
  make("p", {}, cardOf(node.dataset.kind)[0]),
  make("ul", {}, ...told(node)),
];

// "?" was pressed: the next counter tells what it is, even if it could be picked. Says whether anything changed.
let asking = false;
export const ask = (on) => {
  const changed = asking !== on;
  asking = on;
  document.body.classList.toggle("asking", on);
  for (const each of document.querySelectorAll("[data-what]")) each.setAttribute("aria-pressed", String(on));
  return changed;
};

// A counter that can be picked now is picked; any other tells what it is, and why it cannot be picked.
export const press = async (node, chip, why) => {
  const wantsCard = asking || !chip;
  const wantsReason = !asking && !chip;
  ask(false);
  if (!wantsCard) return chip.click();
  show(node);
  const answer = wantsReason ? await why() : null;
  $("card-why").textContent = answer?.why ? `Not now: ${answer.why}` : "";
};

document.addEventListener("contextmenu", (event) => {
  const counter = event.target.closest?.("button.counter");
  if (!counter) return;
  event.preventDefault();
  if (!$("card").open) show(counter);
});

// A long press of a finger: iPhones have no context menu to ask for.
const LONG = 500;
let timer = 0;
let from = null;
const letGo = () => clearTimeout(timer);
document.addEventListener("pointerdown", (event) => {
  const counter = event.target.closest?.("button.counter");
  letGo();
  if (!counter || event.pointerType !== "touch") return;
  from = [event.clientX, event.clientY];
  timer = setTimeout(() => {
    addEventListener("click", (click) => click.stopPropagation(), { capture: true, once: true }); // of the finger that is lifted
    setTimeout(() => show(counter), 0);
  }, LONG);
});
document.addEventListener(
  "pointermove",
  (event) => from && Math.hypot(event.clientX - from[0], event.clientY - from[1]) > 8 && letGo(),
);
for (const name of ["pointerup", "pointercancel"]) document.addEventListener(name, letGo);

document.addEventListener("keydown", (event) => {
  if (event.key === "?" && event.target.matches?.("button.counter[data-tag]")) show(event.target);
});

document.addEventListener("click", (event) => {
  if (event.target.closest?.("[data-what]")) ask(!asking);
});
