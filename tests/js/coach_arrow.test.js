// Where the arrow of a guided lesson stands: beside what it points at, and inside the window.

import assert from "node:assert/strict";
import { test } from "node:test";

import { standing } from "../../static/js/coach_arrow.js";

const WINDOW = { width: 400, height: 800 };
const box = (left, top, width, height) => ({ left, top, width, height, bottom: top + height });

test("from above, where there is room", () => {
  assert.deepEqual(standing(box(100, 300, 80, 60), WINDOW), { x: 118, y: 256, way: "down" });
});

test("from below at the top of the window; where there is room from the left, so that it lies on no title", () => {
  assert.deepEqual(standing(box(100, 4, 80, 40), WINDOW), { x: 118, y: 44, way: "up" });
  assert.deepEqual(standing(box(100, 4, 80, 40), { width: 1280, height: 720 }), { x: 56, y: 2, way: "right" });
});

test("from the left of what is tall, and at the end of what is broad", () => {
  assert.equal(standing(box(200, 50, 190, 600), WINDOW).way, "right");
  assert.equal(standing(box(0, 700, 400, 100), WINDOW).x, 348);
});
