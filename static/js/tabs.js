// Tabs: role=tablist > role=tab[aria-controls]. A press, arrows, Home and End open one; a dot marks one with unread lines.

import { $, make } from "./page.js";
import { scrollLists } from "./lists.js";

const tabsBeside = (tab) => [...tab.closest("[role=tablist]").querySelectorAll("[role=tab]")];

const open = (tab) => {
  for (const each of tabsBeside(tab)) {
    each.setAttribute("aria-selected", String(each === tab));
    each.tabIndex = each === tab ? 0 : -1;
    const panel = $(each.getAttribute("aria-controls"));
    if (panel) panel.hidden = each !== tab;
  }
  tab.querySelector(".unread")?.remove();
  scrollLists();
};

export const markUnread = (tab, words) => {
  if (tab.getAttribute("aria-selected") === "true" || tab.querySelector(".unread")) return;
  tab.append(make("span", { class: "unread", title: words, role: "img", "aria-label": words }));
};

const next = (tabs, at, key) =>
  ({
    ArrowRight: (at + 1) % tabs.length,
    ArrowLeft: (at - 1 + tabs.length) % tabs.length,
    Home: 0,
    End: tabs.length - 1,
  })[key];

document.addEventListener("keydown", (event) => {
  const tab = event.target.closest?.("[role=tab]");
  if (!tab) return;
  const tabs = tabsBeside(tab);
  const to = next(tabs, tabs.indexOf(tab), event.key);
  if (to === undefined) return;
  event.preventDefault();
  open(tabs[to]);
  tabs[to].focus();
});

document.addEventListener("click", (event) => {
  const tab = event.target.closest("[role=tab]");
  if (tab) open(tab);
});
