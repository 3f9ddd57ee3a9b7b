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

// Whoever has scrolled back to read is left in peace. Lines that arrive before the list has been scrolled to its end also
// leave it away from its end, but they do not move it up.
const noteReading = ({ target }) => {
  if (!target.matches?.("[data-keep-end]")) return;
  const isUp = target.scrollTop < (target.wasAt ?? 0);
  target.wasAt = target.scrollTop;
  if (target.scrollHeight - target.scrollTop - target.clientHeight <= NEAR_END) target.isBeingRead = false;
  else if (isUp) target.isBeingRead = true;
};
document.addEventListener("scroll", noteReading, true);
