// The log of Kings & Things*: which of its lines are shown. The server has marked each with what it is about; the rest is
// done by the style sheet, so lines that arrive later are right at once. And where the lines begin that are new since the
// reader's own last step. Lines of what the film has still to show wait, so that the film tells nothing that was read.

import { stillToShow } from "./kings_film.js";
import { numberOf } from "./kings_newsreel.js";
import { scrollLists } from "./lists.js";
import { $ } from "./page.js";
import { keep, kept } from "./storage.js";
import { on, state } from "./table.js";

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

// ---- since your last step

const isNew = (row) => Number(row.dataset.at ?? 0) > Number(state().acted);

const markNews = () => {
  log.querySelector(".since")?.classList.remove("since");
  if (!state().seat || state().acted === "0") return;
  let first = null;
  for (
    let row = log.lastElementChild;
    row && (row.dataset.at === undefined || isNew(row));
    row = row.previousElementSibling
  )
    if (row.dataset.at !== undefined) first = row;
  first?.classList.add("since");
};
on("settled", markNews);

// ---- no sooner than the film

const holdBack = () => {
  const limit = stillToShow();
  let row = log.lastElementChild;
  for (; row && numberOf(row) >= limit; row = row.previousElementSibling) row.classList.add("ahead");
  for (; row?.classList.contains("ahead"); row = row.previousElementSibling) row.classList.remove("ahead");
  scrollLists();
};
on("settled", holdBack);
on("filmed", holdBack);
