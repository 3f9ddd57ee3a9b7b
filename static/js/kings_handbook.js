// The handbook: help cards, lessons and legend, in the server's words (games/painting/kings/handbook.py). The page works
// while it is on its way, and without it.

import { $ } from "./page.js";

export const handbook = { cards: {}, lessons: {}, met: {}, legend: "", script: { ideas: [], filmed: {} } };

export const opened = import($("table").dataset.handbook).then(
  (module) => Object.assign(handbook, module.default),
  () => {},
);
