// The page of plans: pressing a hex of the map presses its button among the controls, and the page stays where it is.

import "./fresh.js";

const page = () => document.getElementById("plans-page");
const buttons = () => [...document.querySelectorAll("#controls button[data-hex]:not(:disabled)")];

const light = () => {
  const open = new Set(buttons().map((each) => each.dataset.hex));
  for (const hex of document.querySelectorAll("#plans-board .hex[data-still]"))
    hex.classList.toggle("target", open.has(hex.dataset.still));
};

// What a form leads to is put in place of the page; without scripts, or a connection, the browser goes there itself.
const send = async (form, button) => {
  const body = new FormData(form, button);
  try {
    const answer = await fetch(form.getAttribute("action"), { method: "POST", body, credentials: "same-origin" });
    const next = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("plans-page");
    if (!answer.ok || !next) throw new Error("refused");
    page().replaceWith(document.importNode(next, true));
    light();
  } catch {
    form.dataset.plain = "";
    form.requestSubmit(button);
  }
};

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!page().contains(form) || form.dataset.plain !== undefined) return;
  event.preventDefault();
  send(form, event.submitter);
});
document.addEventListener("click", (event) => {
  const hex = event.target.closest?.("#plans-board .hex[data-still]");
  if (hex)
    buttons()
      .find((each) => each.dataset.hex === hex.dataset.still)
      ?.click();
});
light();
