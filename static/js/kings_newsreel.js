// The newsreel: what happened while nobody looked at the film, as a short list with "Play" and "Jump to now".

import { LINES, summary } from "./film_reel.js";
import { $, make } from "./page.js";
import { note, noteOf } from "./storage.js";
import { seatHere } from "./table.js";

export const numberOf = (node) => Number(node?.id.match(/\d+$/) ?? -1);

// A shot as the server has written it.
export const read = (node) => ({
  node,
  number: numberOf(node),
  kind: node.dataset.kind,
  words: node.textContent.length,
  isMine: node.classList.contains("mine"),
  isOwn: node.classList.contains("own"),
  weight: ["greatest", "great"].find((each) => node.classList.contains(each)) ?? "",
  places: node.dataset.place?.split(" ") ?? [],
  path: node.dataset.path?.split(" ") ?? [],
  seat: node.dataset.seat,
  count: Number(node.dataset.count ?? 1),
});

// The caption of a shot, in place of what is there.
export const put = (where, { node }) => {
  const words = [...node.childNodes]
    .filter(({ nodeName }) => nodeName !== "TEMPLATE")
    .map((each) => each.cloneNode(true));
  where.replaceChildren(...words);
};

const line = (shot) => {
  const row = make("li", { class: shot.isMine ? "mine" : "", "data-kind": shot.kind });
  put(row, shot);
  for (const dice of row.querySelectorAll(".film-dice")) dice.remove();
  return row;
};

let doing = {};
let isTold = false; // by the server: its lines name every own loss and gain, also what this page has no shots of
let asked = 0; // times

// What the server has told of the time since the viewer's last visit, unless they have answered that in this browser; once
// only, as later offers are about later shots.
let visit = ""; // where the last visit ended, which names this one
export const toldOnArrival = () => {
  const told = $("since-lines");
  visit = told?.dataset.left;
  told?.remove();
  return told && noteOf("answered", seatHere()) !== visit ? told.content.firstElementChild : null;
};

const write = (...lines) =>
  $("newsreel")
    .querySelector(".newsreel-lines")
    .replaceChildren(...lines);

const writeSummary = (shots) => {
  const { lines, more } = summary(shots, LINES);
  const rest = more ? [make("p", { class: "small muted" }, `and ${more} more`)] : [];
  write(make("ol", {}, ...lines.map(line)), ...rest);
};

// Once a frame, however many messages come.
let due = 0;
const writeSoon = (shots) => {
  cancelAnimationFrame(due);
  due = requestAnimationFrame(() => isOffered() && !isTold && writeSummary(shots));
};

// The server's lines as they are now; if it can't be asked, the page says what it knows itself.
const askAnew = async (shots) => {
  const mine = ++asked;
  const answer = await fetch(`${$("table").dataset.url}since/`, { credentials: "same-origin" }).catch(() => null);
  const text = answer?.ok ? await answer.text() : "";
  if (mine !== asked || !isTold) return; // asked again, or answered, meanwhile
  const lines = make("div");
  lines.innerHTML = text;
  if (lines.firstElementChild) write(lines.firstElementChild);
  else writeSummary(shots);
};

export const isOffered = () => $("newsreel")?.hidden === false;

// Offer these shots, with lines that tell of them if there are any; null takes the offer away. An offer that is still
// there keeps its name.
export const newsreel = (shots, title = "", does = {}, told = null) => {
  const card = $("newsreel");
  const wasOffered = isOffered();
  card.hidden = shots === null;
  doing = does;
  if (isTold && shots === null) note("answered", seatHere(), visit);
  isTold = shots !== null && (isTold || told !== null);
  if (shots === null) return;
  if (!wasOffered) card.querySelector("h2").textContent = title;
  card.querySelector("[data-newsreel=play]").hidden = !shots.length;
  if (told) write(told);
  else if (isTold) askAnew(shots);
  else if (wasOffered) writeSoon(shots);
  else writeSummary(shots);
};

document.addEventListener("click", (event) => doing[event.target.closest?.("[data-newsreel]")?.dataset.newsreel]?.());
