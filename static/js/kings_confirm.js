// What cannot be undone and is easily pressed by mistake is said once more, and then done.

import { all, box, one } from "./kings_controls.js";
import { make } from "./page.js";

let pending = null; // { action, text, from, hex }

export const action = () => pending?.action;
export const hex = () => pending?.hex;

export const begin = (button, what) => {
  const { ask } = button.dataset;
  const text = ask ? `${ask} ${button.textContent.replace(/^The /, "the ")}` : button.textContent;
  pending = { action: what, text, from: document.activeElement, hex: button.dataset.hex };
};

// Where the focus came from.
export const end = () => {
  const from = pending?.from;
  pending = null;
  return from;
};

const button = (text, name, look) =>
  make("button", { type: "button", class: `button ${look}`, [`data-${name}`]: "", "data-key": name }, text);

// It comes last: nothing that is pressed without asking may slide under the hand.
export const draw = () => {
  one(".confirm")?.remove();
  for (const each of all("[data-stands-out]")) each.classList.toggle("primary", !pending);
  if (!pending) return;
  for (const each of all(".button.primary")) {
    each.dataset.standsOut = "";
    each.classList.remove("primary");
  }
  const row = make(
    "div",
    { class: "control-row" },
    button("Confirm", "confirm", "primary"),
    button("Cancel", "cancel", ""),
  );
  const question = make("strong", {}, pending.text);
  box().append(make("div", { class: "confirm", role: "group", "aria-label": "Confirm" }, question, row));
};

export const focus = () => {
  one("[data-confirm]").focus({ preventScroll: true });
  one(".confirm").scrollIntoView({ block: "nearest" });
};
