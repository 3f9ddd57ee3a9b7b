// Plans as the server draws them, for their own page and for the switch at the table: asking for them, and pressing a hex of
// the map instead of its button.

import { chance, tag } from "./kings_tags.js";

// What the server answers to a form, or to an address: its plans page, if it is one.
export const ask = async (address, options = {}) => {
  const answer = await fetch(address, { credentials: "same-origin", ...options });
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  return { status: answer.status, page, plans: answer.ok ? page.getElementById("plans-page") : null };
};

const buttons = (side) => [...side.querySelectorAll(".controls button[data-hex]:not(:disabled)")];
const hexes = (map) => map.querySelectorAll(".hex[data-still]");

export const light = (map, side) => {
  const open = new Map(buttons(side).map((each) => [each.dataset.hex, each.dataset]));
  for (const old of map.querySelectorAll(".cost")) old.remove();
  for (const hex of hexes(map)) {
    const { cost, odds } = open.get(hex.dataset.still) ?? {};
    hex.classList.toggle("target", open.has(hex.dataset.still) && cost === undefined);
    hex.classList.toggle("reach", cost !== undefined);
    if (cost !== undefined) hex.append(tag(cost), ...chance(odds));
  }
};

export const press = (hex, side) =>
  buttons(side)
    .find((each) => each.dataset.hex === hex.dataset.still)
    ?.click();
