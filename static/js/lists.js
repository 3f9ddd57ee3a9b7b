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

// Whoever has scrolled back to read is left in peace.
const noteReading = ({ target }) => {
  if (!target.matches?.("[data-keep-end]")) return;
  target.isBeingRead = target.scrollHeight - target.scrollTop - target.clientHeight > NEAR_END;
};
document.addEventListener("scroll", noteReading, true);
