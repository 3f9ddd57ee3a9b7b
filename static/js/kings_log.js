// The log of Kings & Things*: which of its lines are shown. The server has marked each with what it is about; the rest is
// done by the style sheet, so lines that arrive later are right at once.

import { $ } from "./page.js";
import { keep, kept } from "./storage.js";

const log = $("log");
const chips = [...document.querySelectorAll("[data-log]")];
const show = (sort) => {
  log.dataset.show = sort;
  for (const chip of chips) chip.setAttribute("aria-pressed", String(chip.dataset.log === sort));
  const list = log.closest("[data-keep-end]");
  if (list) list.scrollTop = list.scrollHeight;
};

document.addEventListener("click", (event) => {
  const chip = event.target.closest?.("[data-log]");
  if (!chip) return;
  show(chip.dataset.log);
  keep("log", chip.dataset.log);
});

chips[0].parentElement.hidden = false;
show(chips.some((chip) => chip.dataset.log === kept("log")) ? kept("log") : "");
