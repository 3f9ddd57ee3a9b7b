// What the attributes of the server's controls say.

import assert from "node:assert/strict";
import { test } from "node:test";

import { filled, pairs, straightTo } from "../../static/js/kings_read.js";

test("pairs are read in their order", () => {
  assert.deepEqual(pairs("h1:2 h7:4"), [
    ["h1", "2"],
    ["h7", "4"],
  ]);
  assert.deepEqual(pairs(""), []);
  assert.deepEqual(pairs(undefined), []);
});

test("a question mark stands for what is pressed, wherever it is", () => {
  assert.deepEqual(filled('{"do":"march","path":["?"],"note":"?!"}', "h9"), { do: "march", path: ["h9"], note: "?!" });
  assert.equal(filled(undefined, "h9"), undefined);
});

// a - b - c
//  \     /
//   d - e - f
const near = { a: ["b", "d"], b: ["a", "c"], c: ["b", "e"], d: ["a", "e"], e: ["c", "d", "f"], f: ["e"] };

test("the way is the shortest, without where it starts", () => {
  assert.deepEqual(straightTo(near, "a", "f"), ["d", "e", "f"]);
  assert.deepEqual(straightTo(near, "a", "b"), ["b"]);
  assert.deepEqual(straightTo(near, "a", "a"), []);
});
