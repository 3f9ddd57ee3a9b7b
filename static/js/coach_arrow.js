// The arrow of a guided lesson: it stays at what the coach's card talks about, also while the map moves under it.

import { $ } from "./page.js";

const SIZE = 44; // px; as wide as high
const WIDE = 992; // px; 62rem, as in the style sheets
const TALL = 0.4; // of the window: what is taller is pointed at from its side

let about = null;
let frame = 0;

// Where the arrow stands, and where it points: from above if there is room, else from the left, or from below. What hangs
// at the top of the window has titles below it.
export const standing = ({ left, top, bottom, width, height }, window) => {
  // At the end of what is broad, so that it does not lie on the buttons above it.
  const middle = width > window.width / 2 ? left + width - SIZE - 8 : left + width / 2 - SIZE / 2;
  if (height > window.height * TALL && left > SIZE) return { x: left - SIZE, y: top + 24, way: "right" };
  if (top >= SIZE) return { x: middle, y: top - SIZE, way: "down" };
  if (left > SIZE && window.width > WIDE) return { x: left - SIZE, y: top + height / 2 - SIZE / 2, way: "right" };
  return { x: middle, y: Math.min(bottom, window.height - SIZE), way: "up" };
};

const follow = () => {
  const arrow = $("coach-arrow");
  const isSeen = about?.isConnected && about.checkVisibility();
  arrow.toggleAttribute("hidden", !isSeen); // an svg has no property of that name
  if (isSeen) {
    const { x, y, way } = standing(about.getBoundingClientRect(), { width: innerWidth, height: innerHeight });
    arrow.dataset.way = way;
    arrow.style.translate = `${Math.round(x)}px ${Math.round(y)}px`;
  }
  frame = about ? requestAnimationFrame(follow) : 0;
};

// Point at a part of the page; null points at nothing.
export const pointAt = (part) => {
  about = part;
  if (!frame && $("coach-arrow")) follow();
};
