// Tidings: cards that the server has written about what the player must not miss. A card shows once the film has come to
// it, and stays until it is read. A note that it is no longer true shows once the film has come to what it tells. This
// browser notes which cards have been read. The server is told up to which line all have, so that the player's other
// browsers do not show them again.

import * as camera from "./kings_camera.js";
import { stillToShow } from "./kings_film.js";
import { openHex } from "./kings_light.js";
import { $, setHidden } from "./page.js";
import { note, noteOf } from "./storage.js";
import { on, seatHere, state } from "./table.js";

const MOST = 3; // cards at a time

const one = (selector) => document.querySelector(selector);

const cards = () => [...$("news").querySelectorAll(".tiding")];
const keyOf = (card) => card.dataset.key;
const read = () => new Set(noteOf("tidings", seatHere()) ?? []);
const upTo = () => Number($("table").dataset.read ?? -1); // as the server knew when it drew the page
const isRead = (card, done) => done.has(keyOf(card)) || (isNumbered(card) && Number(keyOf(card)) <= upTo());
const isNumbered = (card) => Boolean(card.closest("#tidings"));
const isDue = (card) => !isNumbered(card) || Number(keyOf(card)) < stillToShow();

const show = () => {
  const done = read();
  const unread = cards().filter((card) => !isRead(card, done) && isDue(card));
  const open = new Set(unread.slice(-MOST));
  for (const card of cards()) setHidden(card, !open.has(card));
  for (const each of $("news").querySelectorAll("[data-note]"))
    setHidden(each, Number(each.dataset.note) >= stillToShow());
  setHidden($("news"), !unread.length);
  setHidden(one("[data-tiding=all]"), unread.length < 2);
  const count = one("[data-tiding=open]");
  setHidden(count, !unread.length);
  if (unread.length) count.textContent = `News ${unread.length}`;
};

// Cards that have left the page need no note.
const markRead = (which) => {
  const done = read();
  for (const card of which) done.add(keyOf(card));
  const here = new Set(cards().map(keyOf));
  note(
    "tidings",
    seatHere(),
    [...done].filter((key) => here.has(key)),
  );
  tellServer(done);
  show();
};

// The last card before the first unread one.
const tellServer = (done) => {
  const numbered = cards().filter(isNumbered);
  const unread = numbered.findIndex((card) => !isRead(card, done));
  const last = numbered[unread < 0 ? numbered.length - 1 : unread - 1];
  const { noteRead } = $("table").dataset;
  if (!last || Number(keyOf(last)) <= upTo()) return;
  const body = new FormData($("act-form"));
  body.set("seat", state().seat);
  body.set("line", keyOf(last));
  $("table").dataset.read = keyOf(last);
  fetch(noteRead, { method: "POST", body, credentials: "same-origin" }).catch(() => {}); // this browser knows it, in any case
};

const lookAt = ({ dataset: { place } }) => {
  const hex = $(`hex-${place}`);
  if (!hex) return;
  camera.reveal(hex);
  openHex(place);
  $("hex-panel").scrollIntoView({ block: "nearest" });
};

const DOES = {
  read: (button) => markRead([button.closest(".tiding")]),
  all: () => markRead(cards().filter(isDue)),
  show: lookAt,
  open: () => {
    one("[data-bare][aria-pressed=true]")?.click();
    $("news").scrollIntoView({ block: "nearest" });
  },
};

if ($("news")) {
  document.addEventListener("click", ({ target }) => {
    const button = target.closest?.("[data-tiding]");
    if (button) DOES[button.dataset.tiding](button);
  });
  for (const name of ["settled", "filmed"]) on(name, show);
}
