// How the film goes: what lasts how long, when a hex may show what came of it, and what a newsreel lists.

import assert from "node:assert/strict";
import { test } from "node:test";

import { FAR_BEHIND, LINES, holdsBack, lengthOf, reelOf, settling, summary } from "../../static/js/film_reel.js";

const shot = (facts = {}) => ({
  kind: "march",
  words: 60,
  isMine: false,
  isOwn: false,
  weight: "",
  places: [],
  path: [],
  ...facts,
});

test("what one has done oneself passes quickly, at any speed", () => {
  for (const speed of ["slow", "normal", "fast"]) assert.ok(lengthOf(shot({ isOwn: true, words: 900 }), speed) <= 450);
});

test("what concerns the viewer, and what is great, lasts longer", () => {
  const passing = lengthOf(shot(), "normal");
  assert.ok(lengthOf(shot({ isMine: true }), "normal") > passing);
  assert.ok(
    lengthOf(shot({ kind: "losses", weight: "great" }), "normal") > lengthOf(shot({ kind: "losses" }), "normal"),
  );
  assert.ok(lengthOf(shot({ kind: "won", weight: "greatest", words: 40 }), "normal") > passing);
});

test("speeds are slow, normal and fast; off lasts no time", () => {
  const [slow, normal, fast, off] = ["slow", "normal", "fast", "off"].map((speed) => lengthOf(shot(), speed));
  assert.ok(slow > normal && normal > fast && fast > off && off === 0);
});

test("a crowd of shots goes faster, at most twice as fast, and never what is greatest", () => {
  const long = shot({ kind: "losses", words: 120 });
  assert.ok(lengthOf(long, "normal", 30) < lengthOf(long, "normal", 3));
  assert.ok(lengthOf(long, "normal", 5000) >= lengthOf(long, "normal") / 2);
  const won = shot({ kind: "won", weight: "greatest" });
  assert.equal(lengthOf(won, "normal", FAR_BEHIND), lengthOf(won, "normal"));
});

test("a caption that is too long to read at leisure still ends", () => {
  assert.ok(lengthOf(shot({ isMine: true, words: 5000 }), "normal") < 5000);
});

test("a hex changes with the last shot that names it, and the one a stack leaves as it leaves", () => {
  const march = shot({ path: ["h1", "h2", "h3"], places: ["h3"] });
  const battle = shot({ kind: "battle", places: ["h3"] });
  const when = settling([march, battle]);
  assert.deepEqual(when.get("h1"), { at: 0, isEarly: true });
  assert.deepEqual(when.get("h2"), { at: 0, isEarly: false });
  assert.deepEqual(when.get("h3"), { at: 1, isEarly: false });
  assert.equal(when.has("h9"), false);
});

test("a stack that comes back to where it began changes that hex when it is back", () => {
  assert.deepEqual(settling([shot({ path: ["h1", "h2", "h1"] })]).get("h1"), { at: 0, isEarly: false });
});

test("a newsreel lists what matters to the viewer, in the order it happened", () => {
  const small = Array.from({ length: 5 }, (_, at) => shot({ number: at }));
  const mine = shot({ number: 5, isMine: true });
  const won = shot({ number: 6, weight: "greatest" });
  const own = shot({ number: 7, isMine: true, isOwn: true });
  const { lines, more } = summary([...small, mine, won, own], 3);
  assert.deepEqual(
    lines.map((each) => each.number),
    [4, 5, 6],
  );
  assert.equal(more, 4);
});

test("a question waits for others' doings, not for one's own", () => {
  assert.equal(holdsBack([shot({ isOwn: true })]), false);
  assert.equal(holdsBack([shot({ isOwn: true }), shot()]), true);
  assert.equal(holdsBack([]), false);
});

test("the newsreel of a week has twelve shots at most and plays in a minute, at any speed", () => {
  const kinds = ["march", "strike", "losses", "won", "event"];
  const week = Array.from({ length: 400 }, (_, number) =>
    shot({
      number,
      kind: kinds[number % kinds.length],
      words: 40 + (number % 300),
      isMine: number % 3 === 0,
      weight: ["", "great", "greatest"][number % 3],
    }),
  );
  for (const speed of ["slow", "normal", "fast"]) {
    const { lines, pace } = reelOf(week, speed);
    assert.equal(lines.length, LINES);
    assert.ok(lines.reduce((sum, each) => sum + pace * lengthOf(each, speed), 0) <= 60_001);
  }
  assert.equal(reelOf([shot()], "slow").pace, 1);
});
