// Tidings: cards that the server has written about what the player must not miss. A card shows once the film has come to
// it, and stays until it is read. Which cards have been read is known to this browser alone.

import * as camera from "./kings_camera.js";
import { stillToShow } from "./kings_film.js";
import { openHex } from "./kings_light.js";
import { $ } from "./page.js";
import { note, noteOf } from "./storage.js";
import { on, seatHere } from "./table.js";

const MOST = 3; // cards at a time

const one = (selector) => document.querySelector(selector);

const cards = () => [...$("news").querySelectorAll(".tiding")];
const keyOf = (card) => card.dataset.key;
const read = () => new Set(noteOf("tidings", seatHere()) ?? []);
const isDue = (card) => !card.closest("#tidings") || Number(keyOf(card)) < stillToShow();

const show = () => {
  const done = read();
  const unread = cards().filter((card) => !done.has(keyOf(card)) && isDue(card));
  const open = new Set(unread.slice(-MOST));
  for (const card of cards()) card.hidden = !open.has(card);
  $("news").hidden = !unread.length;
  one("[data-tiding=all]").hidden = unread.length < 2;
  const count = one("[data-tiding=open]");
  count.hidden = !unread.length;
  count.textContent = `News ${unread.length}`;
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
  show();
};

const lookAt = ({ dataset: { place } }) => {
  const hex = $(`hex-${place}`);
  if (!hex) return;
  camera.reveal(hex);
  openHex(place);
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
