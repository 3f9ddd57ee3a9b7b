// The hexes that a button is about are ringed on the map while the button is hovered or has the focus.

import { $ } from "./page.js";
import { on } from "./table.js";

const BUTTONS = "#controls :is([data-points], [data-hex])";
let shown = null; // the button

const ring = (button) => {
  shown = button;
  const places = button ? (button.dataset.points ?? button.dataset.hex).split(" ") : [];
  for (const each of document.querySelectorAll("#board .hex.pointed"))
    if (!places.includes(each.dataset.place)) each.classList.remove("pointed");
  for (const place of places) $(`hex-${place}`)?.classList.add("pointed");
};

const found = (node) => node?.closest?.(BUTTONS) ?? null;
const focused = () => found(document.activeElement);

document.addEventListener("pointerover", ({ target }) => {
  const button = found(target) ?? focused();
  if (button !== shown) ring(button);
});
document.addEventListener("focusin", ({ target }) => ring(found(target)));
document.addEventListener("focusout", () => ring(null));

// What is drawn anew has lost its ring, and a button that is gone is about nothing.
for (const news of ["settled", "picked"]) on(news, () => shown && ring(shown.isConnected ? shown : null));
