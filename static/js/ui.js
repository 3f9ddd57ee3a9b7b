// Behaviour shared by all pages, bound to data attributes and roles; nothing here knows a game.

import { scrollLists } from "./lists.js";
import { $ } from "./page.js";
import "./tabs.js";
import { toast } from "./toasts.js";

// ---- copying

const copy = async (button) => {
  const source = $(button.dataset.copy);
  try {
    await navigator.clipboard.writeText(source.value ?? source.textContent.trim());
  } catch {
    source.select?.(); // no clipboard without https: select the text, so that Ctrl+C copies it
    toast("Press Ctrl+C to copy.");
    return;
  }
  toast("Copied.");
};

// ---- dialogs, menus, notes

const openMenus = () => document.querySelectorAll("details.menu[open]");

document.addEventListener("click", (event) => {
  const on = (selector) => event.target.closest(selector);
  const copied = on("[data-copy]");
  if (copied) copy(copied);
  const opener = on("[data-dialog]");
  if (opener) $(opener.dataset.dialog)?.showModal();
  if (on("[data-close-dialog]")) on("dialog")?.close();
  if (event.target.matches?.("dialog")) event.target.close(); // the backdrop
  if (on("[data-dismiss]")) on(".alert, .toast")?.remove();
  for (const menu of openMenus()) if (!menu.contains(event.target)) menu.open = false;
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const menu of openMenus()) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
});

// ---- whoever looks up a rule while playing stays at the table

const openBeside = (event) => {
  const link = event.target.closest?.(".at-table main a[href*='/rules/']");
  if (link) Object.assign(link, { target: "_blank", rel: "noopener" });
};
document.addEventListener("click", openBeside, true);

// ---- title and favicon: <div id="page-state" data-title="…" data-turn="yes|no"> tells them

const showState = () => {
  const [state, icon] = [$("page-state"), $("favicon")];
  if (!state || !icon) return;
  const { title, turn } = state.dataset;
  const sign = turn === "yes" ? icon.dataset.turn : icon.dataset.calm;
  if (title && title !== document.title) document.title = title;
  if (icon.getAttribute("href") !== sign) icon.setAttribute("href", sign);
};

const settle = () => {
  scrollLists();
  showState();
};
document.addEventListener("DOMContentLoaded", settle);
for (const name of ["htmx:afterSettle", "htmx:wsAfterMessage"]) document.addEventListener(name, settle);
