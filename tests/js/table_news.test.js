// Which messages a page may apply: the next one, a whole page that is as new, and what has no position.

import assert from "node:assert/strict";
import { test } from "node:test";

import { judge, placeOf, refusalIn } from "../../static/js/table_news.js";

const message = (facts) => {
  const attributes = Object.entries(facts).map(([name, value]) => ` data-${name}="${value}"`);
  return `<div id="page-state" hx-swap-oob="true"${attributes.join("")}></div><p>7</p>`;
};
const SHOWN = placeOf("7", "2"); // revision 7, and two steps that nobody else was told of

test("the next message fits", () => {
  const next = message({ revision: "8", silent: "0", base: "7", "base-silent": "2" });
  assert.deepEqual(judge(next, SHOWN), { fits: true, isGap: false });
});

test("a step that nobody else is told of fits", () => {
  const own = message({ revision: "7", silent: "3", base: "7", "base-silent": "2" });
  assert.equal(judge(own, SHOWN).fits, true);
});

test("what is known already does not fit, and nothing is asked for", () => {
  for (const [revision, silent] of [
    ["7", "2"],
    ["7", "1"],
    ["6", "9"],
  ]) {
    const old = message({ revision, silent, base: "5", "base-silent": "0" });
    assert.deepEqual(judge(old, SHOWN), { fits: false });
  }
});

test("a message that starts from something else asks for what is missing", () => {
  const later = message({ revision: "9", silent: "0", base: "8", "base-silent": "0" });
  assert.deepEqual(judge(later, SHOWN), { fits: false, isGap: true });
});

test("a whole page fits unless it is older", () => {
  assert.equal(judge(message({ revision: "7", silent: "2", base: "" }), SHOWN).fits, true);
  assert.equal(judge(message({ revision: "12", silent: "0", base: "" }), SHOWN).fits, true);
  assert.equal(judge(message({ revision: "7", silent: "1", base: "" }), SHOWN).fits, false);
});

test("talk goes with any position", () => {
  assert.equal(judge("<ul id=chat><li data-revision='1'>hi</li></ul>", SHOWN).fits, true);
});

test("a page that must go elsewhere applies nothing", () => {
  assert.deepEqual(judge(message({ go: "/tables/x/", revision: "8", base: "7" }), SHOWN), {
    go: "/tables/x/",
    fits: false,
  });
});

test("a page without a position takes any whole page", () => {
  assert.equal(judge(message({ revision: "0", silent: "0", base: "" }), placeOf(undefined, undefined)).fits, true);
});

test("a refusal is found at the end of an answer", () => {
  const refusal = '<div hx-swap-oob="innerHTML:#refusal"><p>Too\nlate</p></div>';
  assert.equal(refusalIn(message({ revision: "8" }) + refusal), refusal);
  assert.equal(refusalIn(message({ revision: "8" })), "");
});
