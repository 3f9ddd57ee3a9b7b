// The page of one table, whatever is played on it: applies news in the right order and shows who is here. Sending and
// the socket are table_link.js's. A game's own script (gambit.js, kings.js) turns clicks, drags and keys into actions,
// and hangs on by on("arrived", …).

import "./clock.js";
import { $ } from "./page.js";
import "./quiet_swap.js";
import { sound } from "./sound.js";
import { judge, placeOf, refusalIn } from "./table_news.js";
import { markUnread } from "./tabs.js";

export const state = () => $("page-state")?.dataset ?? {};
// What this page shows: the game's revision, and how often its own seat has acted since without anybody being told.
const shown = () => placeOf(state().revision, state().silent);
export const board = () => $("board");
// What this browser's notes about this table and seat are filed under (storage.js).
export const seatHere = () => `${$("table").dataset.url}${state().seat}`;

// What happens at the table is told as an event of the document: table:arrived, table:settled, table:sent, table:answered.
export const tell = (name, ...facts) => document.dispatchEvent(new CustomEvent(`table:${name}`, { detail: facts }));
export const on = (name, run) => document.addEventListener(`table:${name}`, (event) => run(...event.detail));
export const calm = matchMedia("(prefers-reduced-motion: reduce)");

// ---- going elsewhere: what this seat saw must be gone at once, and Back must not bring it back ----

const leaveFor = (url) => {
  const table = $("table");
  if (table) table.hidden = true;
  location.replace(url);
};

// A page that is kept in memory must not flash up when it comes back, before it is read anew.
addEventListener("pagehide", () => {
  const table = $("table");
  if (table) table.hidden = true;
});

addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});

document.addEventListener("htmx:beforeOnLoad", (event) => {
  const url = event.detail.xhr.getResponseHeader("HX-Redirect");
  if (!url) return;
  event.preventDefault();
  leaveFor(url);
});

// ---- news: a message says what it starts from and where it leads; anything else would spoil the page ----

const fits = (text) => {
  const { go, fits: isRight, isGap } = judge(text, shown());
  if (go) leaveFor(go);
  if (isGap) pulse(); // ask for what fits
  return isRight;
};

export const pulse = () => globalThis.htmx && htmx.trigger($("pulse-form"), "pulse");

document.addEventListener("htmx:wsBeforeMessage", (event) => {
  const { message } = event.detail;
  if (message && fits(message)) return remember();
  event.preventDefault();
  const refusal = refusalIn(message);
  if (refusal) htmx.swap($("table"), refusal, { swapStyle: "none" });
});

document.addEventListener("htmx:beforeSwap", (event) => {
  const { xhr, requestConfig } = event.detail;
  if (!ours(requestConfig.elt)) return;
  if (!fits(xhr.responseText)) {
    const refusal = refusalIn(xhr.responseText);
    event.detail.shouldSwap &&= Boolean(refusal);
    event.detail.serverResponse = refusal;
    return;
  }
  if (event.detail.shouldSwap) remember();
});

// Whose answers and requests are the table's own.
export const ours = (form) => ["act-form", "move-form", "pulse-form", "chat-form"].includes(form?.id);

// What the page showed when all was settled last. An answer settles a moment after it is swapped in, and another
// message may come in between: what the first has changed must still be seen as changed then.
let before = {};
let unsettled = false;
const focused = () => (board()?.contains(document.activeElement) ? document.activeElement.id : "");
const remembered = () => ({ ...state(), focus: focused() });
const remember = () => {
  if (!unsettled) before.focus = focused();
  unsettled = true;
};

const settle = () => {
  const now = state();
  if (now.revision !== before.revision || now.silent !== before.silent || now.side !== before.side)
    arrived(before, now);
  if ($("tools") && (now.mark !== before.mark || now.over !== before.over)) htmx.trigger($("tools"), "tools");
  // The board may have been drawn anew under the hand: whatever it held, it holds again.
  if (before.focus && document.activeElement === document.body) $(before.focus)?.focus();
  before = remembered();
  unsettled = false;
  showPresence();
  tell("settled");
};

// One message fires many events; they are answered once.
let settling = false;
const settleSoon = () => {
  if (settling) return;
  settling = true;
  queueMicrotask(() => {
    settling = false;
    settle();
  });
};

for (const name of ["htmx:afterSettle", "htmx:wsAfterMessage"]) {
  document.addEventListener(name, (event) => {
    if ($("table") && !event.target.closest?.("#past")) settleSoon();
  });
}

const arrived = (was, now) => {
  tell("arrived", was, now);
  if (was.turn === "no" && now.turn === "yes") sound("turn");
};

// ---- who is here, and what was said ----

let newest = null;
const showPresence = () => {
  const data = $("presence")?.dataset;
  if (!data) return;
  const here = data.here.split(" ");
  for (const dot of document.querySelectorAll(".presence[data-seat]")) {
    const on = here.includes(dot.dataset.seat);
    dot.classList.toggle("here", on);
    dot.title = on ? "Here now" : "Not here now";
  }
  if (newest !== null && data.newest !== newest) markUnread($("tab-chat"), "New messages");
  newest = data.newest;
};

export const say = (text) => {
  const line = $("spoken");
  if (line) line.textContent = text;
};

document.addEventListener("DOMContentLoaded", () => {
  if (!$("table") || !board()) return;
  before = remembered();
  showPresence();
  tell("settled");
  $("table").classList.add("live");
});

// What somebody has unfolded among the tools stays open when they are drawn anew.
let unfolded = [];
const folds = () => [...($("tools")?.querySelectorAll("details") ?? [])];
const named = (each) => each.querySelector("summary")?.textContent.trim();
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  if (detail.target?.id === "tools")
    unfolded = folds()
      .filter((each) => each.open)
      .map(named);
});
document.addEventListener("htmx:afterSwap", ({ detail }) => {
  if (detail.target?.id === "tools") for (const each of folds()) each.open ||= unfolded.includes(named(each));
});
