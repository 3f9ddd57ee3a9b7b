// The page of plans: pressing a hex of the map presses its button among the controls, and the page stays where it is.

import "./fresh.js";
import { ask, light, press } from "./kings_plan_map.js";
import { $ } from "./page.js";

const lightUp = () => light($("plans-board"), $("plans-side"));

// What a form leads to is put in place of the page; without scripts, or a connection, the browser goes there itself.
const send = async (form, button) => {
  const body = new FormData(form, button);
  try {
    const { plans } = await ask(form.getAttribute("action"), { method: "POST", body });
    if (!plans) throw new Error("refused");
    $("plans-page").replaceWith(document.importNode(plans, true));
    lightUp();
  } catch {
    form.dataset.plain = "";
    form.requestSubmit(button);
  }
};

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!$("plans-page").contains(form) || form.dataset.plain !== undefined) return;
  event.preventDefault();
  send(form, event.submitter);
});
document.addEventListener("click", (event) => {
  const hex = event.target.closest?.("#plans-board .hex[data-still]");
  if (hex) press(hex, $("plans-side"));
});
lightUp();
