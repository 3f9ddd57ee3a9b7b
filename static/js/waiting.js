// The number of games that wait for the visitor, in the header of every page. The server is asked for it when the page
// comes back to sight or out of the browser's memory, when the turn changes on this page or in another tab, and every
// few seconds while somebody looks at a page that is no table: an open table must cost nothing while nothing happens.
// An answer to an older question is dropped. At a table where nothing waits for the visitor, a link leads to the next one.

import { $ } from "./page.js";

const EVERY = 15000;
const badge = () => $("waiting-count");
const state = () => $("page-state")?.dataset ?? {};
const tabs = new BroadcastChannel("waiting");
let asked = 0;

// The link to the next table, once this one needs no answer.
const showNext = (url) => {
  const link = $("next-table");
  if (!link) return;
  if (url !== undefined) link.setAttribute("href", url);
  link.hidden = !link.getAttribute("href") || state().turn === "yes";
};

const show = (waiting) => {
  const shown = badge();
  if (!shown || shown.textContent === waiting) return;
  shown.textContent = waiting;
  shown.hidden = waiting === "0";
  const lists = $("lists");
  if (lists && waiting !== state().waiting) htmx.trigger(lists, "lists"); // the front page lists what waits
};

// Coming back to a page fires several events at once; they are one question.
let timer = null;
const ask = () => {
  clearTimeout(timer);
  timer = setTimeout(askNow, 50);
};

const askNow = async () => {
  const shown = badge();
  if (!shown || document.hidden) return; // whoever comes back to the page asks then
  const number = ++asked;
  try {
    const at = $("next-table") ? `?at=${$("next-table").dataset.here}` : "";
    const answer = await fetch(shown.dataset.ask + at, { credentials: "same-origin", cache: "no-store" });
    const counted = answer.ok ? await answer.json() : null;
    if (number !== asked || counted === null) return;
    show(String(counted.waiting));
    showNext(counted.next);
  } catch {
    // No network: asked again in a moment.
  }
};

// What this page was told of the turn the last time.
const told = () => `${state().turn} ${state().decision} ${state().over} ${state().waiting}`;
let before = "";

const follow = () => {
  if (told() === before) return;
  before = told();
  showNext();
  tabs.postMessage("changed");
  if (state().waiting === undefined) return ask();
  asked++; // the lists are newer than any answer under way
  show(state().waiting);
};

document.addEventListener("DOMContentLoaded", () => {
  before = told();
  showNext();
  tabs.postMessage("changed"); // a page is often loaded because something was done
});
for (const name of ["htmx:afterSettle", "htmx:wsAfterMessage"]) document.addEventListener(name, follow);
document.addEventListener("visibilitychange", ask);
// Back shows a page as it was, from the browser's memory or from its cache.
const cameBack = () => performance.getEntriesByType("navigation")[0]?.type === "back_forward";
addEventListener("pageshow", (event) => (event.persisted || cameBack()) && ask());
addEventListener("focus", ask);
addEventListener("online", ask);
tabs.addEventListener("message", ask);
if (!$("table")) setInterval(ask, EVERY);
