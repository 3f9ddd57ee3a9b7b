// Which card of a guided lesson comes next.

import assert from "node:assert/strict";
import { test } from "node:test";

import { due, ideaOf } from "../../static/js/kings_lesson.js";

const SCRIPT = { ideas: ["lesson_gold", "lesson_battle"], end: "lesson_end" };
const cards = (...names) => names.map((name) => ({ name }));
const told =
  (...names) =>
  (name) =>
    names.includes(ideaOf(name));

test("an idea is told once, whichever way", () => {
  const fitting = cards("lesson_gold", "lesson_battle.later");
  assert.deepEqual(due(fitting, SCRIPT, told()), ["lesson_gold", "lesson_battle.later"]);
  assert.deepEqual(due(fitting, SCRIPT, told("lesson_gold")), ["lesson_battle.later"]);
  assert.deepEqual(due(fitting, SCRIPT, told("lesson_battle")), ["lesson_gold"]);
});

test("the end comes after every idea, and once", () => {
  const end = cards("lesson_end");
  assert.deepEqual(due(end, SCRIPT, told("lesson_gold")), []);
  assert.deepEqual(due(end, SCRIPT, told("lesson_gold", "lesson_battle")), ["lesson_end"]);
  assert.deepEqual(due(end, SCRIPT, told("lesson_gold", "lesson_battle", "lesson_end")), []);
});
