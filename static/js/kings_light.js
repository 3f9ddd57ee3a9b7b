// What the map, the rack and the panel of a hex show of the decision: what can be pressed, what it costs, what is picked.

import * as camera from "./kings_camera.js";
import * as confirm from "./kings_confirm.js";
import { all, hexButtons, one, planned, pressed, quoted, stack } from "./kings_controls.js";
import * as map from "./kings_map.js";
import { pairs } from "./kings_read.js";
import { $ } from "./page.js";

let chosenHex = null; // the hex whose panel is open
let wasDark = false; // nothing was asked, lit or opened

// `lit` is the reach of a stack as it came with the question; without it, the controls say what is within reach.
export const light = (lit = null) => {
  const [targets, reach] = [new Map(), new Map(lit ?? [])];
  for (const each of hexButtons()) {
    const { hex, cost, odds } = each.dataset;
    if (!lit && cost !== undefined && !reach.has(hex)) reach.set(hex, { cost, odds });
    else if (!targets.has(hex)) targets.set(hex, each);
  }
  const isDark = !(
    targets.size ||
    reach.size ||
    planned().size ||
    chosenHex ||
    stack() ||
    confirm.hex() ||
    one("[data-control]")
  );
  if (isDark && wasDark) return map.keepStop(); // what comes from the server is dark
  wasDark = isDark;
  const waits = (where) => confirm.hex() === where;
  const chosen = (where) => where === chosenHex || where === stack() || waits(where);
  map.light({ targets, reach, planned: planned(), waits, chosen });
  lightCounters();
};

// The whole stack's reach comes with the question: it is lit before the server has answered.
export const showReach = (text) => {
  if (text === undefined) return;
  light(pairs(text).map(([where, cost]) => [where, { cost }]));
  camera.showAsked();
};

const lightCounters = () => {
  const left = JSON.parse(one("[data-left]")?.dataset.left ?? "{}");
  const plan = new Map((JSON.parse($("picks")?.value || "{}").place?.plan ?? []).map((each) => each.split("@")));
  const on = new Set(pressed().map((each) => each.dataset.chip));
  const chips = new Map(all("[data-chip]:not(:disabled)").map((each) => [each.dataset.chip, each.dataset.order]));
  for (const counter of document.querySelectorAll("button.counter[data-tag]")) {
    const { tag } = counter.dataset;
    if (counter.ariaPressed !== String(on.has(tag))) counter.ariaPressed = String(on.has(tag));
    counter.classList.toggle("picked", on.has(tag));
    counter.classList.toggle("planned", plan.has(tag));
    counter.classList.toggle("open", chips.has(tag));
    if (chips.get(tag)) counter.dataset.order = chips.get(tag);
    else delete counter.dataset.order;
    const note = plan.has(tag) ? `→ ${nameOf(plan.get(tag))}` : tag in left ? `${left[tag]} left` : null;
    annotate(counter.querySelector(".name"), note);
  }
};

const nameOf = (where) => one(`[data-in="${quoted(where)}"]`)?.textContent ?? "";

const annotate = (name, note) => {
  if (!name) return;
  if (note === null) delete name.dataset.left;
  else name.dataset.left = note;
};

export const openHex = (where) => {
  chosenHex = where;
  const panel = $("hex-panel");
  panel.hidden = !where;
  for (const each of panel.querySelectorAll(".in-hex")) each.hidden = each.dataset.place !== where;
};

export const openHexAgain = () => chosenHex && openHex(chosenHex); // it was drawn anew
