// The finale of Kings & Things*: the server's card about the end lies over the map once the film has come to it, until
// the viewer closes it; in this browser it comes once.

import { stillToShow } from "./kings_film.js";
import { $ } from "./page.js";
import { note, noteOf } from "./storage.js";
import { on, seatHere, state } from "./table.js";

const rematch = () => document.querySelector('#tools form[action$="/rematch/"] [type=submit]:not([name])');
const isDue = () =>
  state().over === "yes" && stillToShow() === Infinity && $("newsreel").hidden && $("finale").childElementCount > 0;

const show = () => {
  if (!isDue()) return;
  const button = $("finale").querySelector("[data-finale=rematch]");
  button.hidden = !rematch();
  if ($("finale").open || noteOf("finale", seatHere())) return;
  $("finale").show();
};

const close = () => {
  note("finale", seatHere(), true);
  $("finale").close();
};

const DOES = {
  close,
  rematch: () => {
    close();
    rematch()?.click();
  },
};

if ($("finale")) {
  $("finale").addEventListener("click", ({ target }) => DOES[target.closest("[data-finale]")?.dataset.finale]?.());
  document.addEventListener("keydown", ({ key }) => key === "Escape" && $("finale").open && close());
  for (const name of ["settled", "filmed"]) on(name, show);
}
