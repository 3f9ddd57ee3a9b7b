// Sounds at a table, if this visitor wants to hear them: one switch and a volume, both remembered. Nothing sounds before
// the first press on the page; browsers would not allow it either.

import { $ } from "./page.js";
import { keep, kept } from "./storage.js";
import { play } from "./synth.js";

const USUAL = 60; // of 100

const toggles = () => [...document.querySelectorAll("[data-sound-toggle]")];
const isOn = () => toggles().some((each) => each.getAttribute("aria-pressed") === "true");
const volume = () => {
  const said = Number(kept("volume") ?? USUAL);
  return said >= 0 && said <= 100 ? said : USUAL;
};

const show = (on) => {
  for (const each of toggles()) each.setAttribute("aria-pressed", String(on));
  for (const each of document.querySelectorAll("[data-volume]")) {
    each.value = volume();
    each.disabled = !on;
  }
};

let audio = null;
let wasPressed = false;

export const sound = (name) => {
  if (!isOn() || !wasPressed) return;
  audio ??= new AudioContext();
  if (audio.state === "suspended") audio.resume();
  play(audio, name, volume() / 100);
};

for (const name of ["pointerdown", "keydown"])
  addEventListener(name, () => (wasPressed = true), { capture: true, once: true });

document.addEventListener("click", (event) => {
  if (!event.target.closest?.("[data-sound-toggle]")) return;
  const on = !isOn();
  keep("sound", on ? "yes" : "no");
  show(on);
  sound("turn");
});

document.addEventListener("change", (event) => {
  if (!event.target.matches?.("[data-volume]")) return;
  keep("volume", event.target.value);
  show(isOn());
  sound("turn");
});

// Until something else is said here, the account's wish holds.
if ($("table")) show((kept("sound") ?? $("table").dataset.sound) === "yes");
