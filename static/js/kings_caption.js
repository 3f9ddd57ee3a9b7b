// Where the film's caption lies: at the one end of the map or at the other, wherever it hides less of what it tells of.

import { $, beforeFrame } from "./page.js";

let about = []; // hexes

const boxes = () => about.map((place) => $(`hex-${place}`)?.getBoundingClientRect()).filter(Boolean);

// How much of the hexes it hides; the last one is where it ends, and counts for two.
const hidden = (isAside) => {
  const bar = $("film-bar");
  bar.classList.toggle("aside", isAside);
  const { left, right, top, bottom } = bar.getBoundingClientRect();
  const parts = boxes().map((hex, at, all) => {
    const wide = Math.min(hex.right, right) - Math.max(hex.left, left);
    const high = Math.min(hex.bottom, bottom) - Math.max(hex.top, top);
    return Math.max(0, wide) * Math.max(0, high) * (at === all.length - 1 ? 2 : 1);
  });
  return parts.reduce((sum, each) => sum + each, 0);
};

// It stays at its end as long as that is no worse. While a battle is on, the arena lies at the other one.
const place = () => {
  const bar = $("film-bar");
  if (bar.hidden) return;
  const isFighting = $("table").classList.contains("fighting");
  const now = bar.classList.contains("aside");
  if (isFighting || !about.length) return bar.classList.toggle("aside", !isFighting && now);
  const [here, there] = [hidden(now), hidden(!now)];
  bar.classList.toggle("aside", there < here ? !now : now);
};

const placeSoon = beforeFrame(place);

export const stepAside = ({ places, path }) => {
  about = [...new Set([...path, ...places])];
  place();
};

// The sheet of a phone goes down while the film runs, and the map moves with it.
if ($("film-bar")) {
  new ResizeObserver(placeSoon).observe($("board-frame"));
}
