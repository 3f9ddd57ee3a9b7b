// Small banners over the hexes of a map of Kings & Things*.

import { draw } from "./page.js";

// A number on a small banner: what it costs to go there, or how many are about to be placed.
export const tag = (text, kind = "") =>
  draw(
    "g",
    { class: `cost ${kind}`, transform: `translate(${kind ? 24 : 0} -64)` },
    draw("path", { d: "M-24-19h48v34l-24-7l-24 7z" }),
    draw("text", { y: 5 }, text),
  );

// How likely those who go are to win there, below what it costs.
export const chance = (odds) =>
  odds
    ? [
        draw(
          "g",
          { class: "cost chance", transform: "translate(0 -28)" },
          draw("rect", { x: -38, y: -17, width: 76, height: 30, rx: 9 }),
          draw("text", { y: 6 }, odds),
        ),
      ]
    : [];
