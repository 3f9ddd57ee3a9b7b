// Lists that keep their newest line (data-keep-end) or their current line (data-keep-current) in sight.

import { beforeFrame } from "./page.js";

const NEAR_END = 40; // pixels

export const scrollLists = beforeFrame(() => {
  for (const list of document.querySelectorAll("[data-keep-end]")) {
    if (!list.isBeingRead) list.scrollTop = list.scrollHeight;
  }
  for (const list of document.querySelectorAll("[data-keep-current]")) {
    const line = list.querySelector("[aria-current]");
    if (line) list.scrollTop = line.offsetTop - list.offsetTop - list.clientHeight / 2;
  }
});

// A list that its reader has scrolled back is left alone. The browser itself also scrolls a list up, when lines leave it or
// the window changes: only a list that is touched at that time is being read.
const LATELY = 1500; // milliseconds; a flick goes on for so long
const isAtEnd = (list) => list.scrollHeight - list.scrollTop - list.clientHeight <= NEAR_END;
const noteScroll = ({ target }) => {
  if (!target.matches?.("[data-keep-end]")) return;
  if (isAtEnd(target)) target.isBeingRead = false;
  else if (performance.now() - (target.touchedAt ?? -LATELY) < LATELY) target.isBeingRead = true;
};
document.addEventListener("scroll", noteScroll, true);

// A wheel may have scrolled the list before its event arrives.
const noteTouch = ({ target }) => {
  const list = target.closest?.("[data-keep-end]");
  if (!list) return;
  list.touchedAt = performance.now();
  list.isBeingRead = !isAtEnd(list);
};
for (const name of ["wheel", "touchmove", "pointerdown", "keydown"]) {
  document.addEventListener(name, noteTouch, { capture: true, passive: true });
}
