// The newsreel: what happened while nobody looked at the film, as a short list with "Play" and "Jump to now".

import { LINES, summary } from "./film_reel.js";
import { $, make } from "./page.js";

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
  const words = [...node.childNodes].map((each) => each.cloneNode(true));
  where.replaceChildren(...words);
};

const line = (shot) => {
  const row = make("li", { class: shot.isMine ? "mine" : "", "data-kind": shot.kind });
  put(row, shot);
  for (const dice of row.querySelectorAll(".film-dice")) dice.remove();
  return row;
};

let doing = {};

// What the server has told of the time since the viewer's last visit; once only, as later offers are about later shots.
export const toldOnArrival = () => {
  const told = $("since-lines");
  told?.remove();
  return told?.content.firstElementChild ?? null;
};

// Offer these shots, with lines that tell of them if there are any; null takes the offer away.
export const newsreel = (shots, title = "", does = {}, told = null) => {
  const card = $("newsreel");
  card.hidden = shots === null;
  doing = does;
  if (shots === null) return;
  card.querySelector("h2").textContent = title;
  card.querySelector("[data-newsreel=play]").hidden = !shots.length;
  if (told) return card.querySelector(".newsreel-lines").replaceChildren(told);
  const { lines, more } = summary(shots, LINES);
  const rest = more ? [make("p", { class: "small muted" }, `and ${more} more`)] : [];
  card.querySelector(".newsreel-lines").replaceChildren(make("ol", {}, ...lines.map(line)), ...rest);
};

document.addEventListener("click", (event) => doing[event.target.closest?.("[data-newsreel]")?.dataset.newsreel]?.());
