// The camera's arithmetic: what is asked for is in sight, and nothing is shown beside the map.

import assert from "node:assert/strict";
import { test } from "node:test";

import * as lens from "../../static/js/kings_lens.js";

// A window of 1000 by 500 pixels over a map of 2000 by 2000 units, whose middle is at 0 0: a quarter of a pixel a unit.
const stage = { width: 1000, height: 500, box: [-1000, -1000, 2000, 2000] };

const shownAt = (view, point) => {
  const [x, y] = lens.placed(stage, point);
  return [view.x + x * view.k, view.y + y * view.k];
};

const near = (found, wanted) => {
  assert.ok(
    found.every((each, at) => Math.abs(each - wanted[at]) < 0.001),
    `${found} is not ${wanted}`,
  );
};

test("the whole map lies in the middle of the window", () => {
  assert.equal(lens.unit(stage), 0.25);
  near(lens.placed(stage, [0, 0]), [500, 250]);
  near(lens.placed(stage, [-1000, 1000]), [250, 500]);
});

test("nothing is shown smaller than the whole map, or larger than a hex may get", () => {
  assert.deepEqual(lens.held(stage, { k: 0.2, x: 30, y: -30 }), { k: 1, x: 0, y: 0 });
  const { k } = lens.held(stage, { k: 100, x: 0, y: 0 });
  assert.equal(lens.HEX * lens.unit(stage) * k, 340);
});

test("the map can't be pushed out of the window", () => {
  assert.deepEqual(lens.held(stage, { k: 2, x: 50, y: 50 }), { k: 2, x: 0, y: 0 });
  assert.deepEqual(lens.held(stage, { k: 2, x: -5000, y: -5000 }), { k: 2, x: -1000, y: -500 });
  assert.deepEqual(lens.held(stage, { k: 2, x: -400, y: -100 }), { k: 2, x: -400, y: -100 });
});

test("a zoom leaves what lies under the pointer where it is", () => {
  const before = { k: 2, x: -300, y: -120 };
  const after = lens.zoomed(stage, before, 1.5, [420, 130]);
  const under = (view) => [(420 - view.x) / view.k, (130 - view.y) / view.k];
  assert.equal(after.k, 3);
  near(under(after), under(before));
});

test("hexes that are asked for are all in sight, as near as can be", () => {
  const centres = [
    [-400, -300],
    [200, 100],
  ];
  const view = lens.fitted(stage, centres);
  const half = (lens.HEX / 2) * lens.unit(stage) * view.k;
  for (const each of centres) {
    const [x, y] = shownAt(view, each);
    assert.ok(x >= half - 0.001 && x <= 1000 - half + 0.001, `x ${x}`);
    assert.ok(y >= half - 0.001 && y <= 500 - half + 0.001, `y ${y}`);
  }
  near(shownAt(view, [-100, -100]), [500, 250]); // their middle is the window's
  assert.ok(Math.abs(500 - (shownAt(view, [200, 100])[1] + half)) < 0.001, "the window's height is used up");
});

test("without hexes the whole map is shown", () => {
  assert.deepEqual(lens.fitted(stage, []), lens.WHOLE);
});

test("a single hex comes to the middle", () => {
  const view = lens.closeUp(stage, [300, -200]);
  near(shownAt(view, [300, -200]), [500, 250]);
  assert.equal(view.k, 2.2);
});

test("a hex in sight moves nothing, and another moves no more than it must", () => {
  const view = { k: 2, x: -500, y: -250 };
  assert.deepEqual(lens.revealed(stage, view, [0, 0]), view);
  const moved = lens.revealed(stage, view, [900, 0]);
  const [x] = shownAt(moved, [900, 0]);
  near([x + (lens.HEX / 2) * 0.25 * 2, moved.y], [1000, view.y]);
});

test("under a battle that covers the upper part of the map, the hex in question is below it", () => {
  const covered = { ...stage, covered: 300 };
  const top = [0, -700]; // at 75 pixels, under the battle
  const view = lens.held(covered, lens.revealed(covered, lens.WHOLE, top));
  const [, y] = shownAt(view, top);
  assert.ok(y >= 300 + 25 && y <= 500 - 25, `${y}`);
  assert.deepEqual(lens.held(stage, view), lens.WHOLE); // and back when the battle is over
  assert.deepEqual(lens.revealed(covered, lens.WHOLE, [0, 700]), lens.WHOLE); // what is in sight stays where it is
});

test("hexes that would be too small for a thumb are enlarged, but no further than a thumb needs", () => {
  const phone = { width: 360, height: 160, box: [-1000, -1000, 2000, 2000] };
  assert.ok(lens.isTooSmall(phone));
  const view = lens.handy(phone, [[0, 0]]);
  assert.equal(Math.round(lens.HEX * lens.unit(phone) * view.k), 72);
  assert.ok(!lens.isTooSmall(stage));
});

test("where they do not fit, the first is in the middle and a thumb still hits it", () => {
  const phone = { width: 360, height: 160, box: [-1000, -1000, 2000, 2000] };
  const [here, far] = [
    [200, 100],
    [-800, -800],
  ];
  const view = lens.handy(phone, [here, far]);
  assert.equal(Math.round(lens.HEX * lens.unit(phone) * view.k), 50);
  const [x, y] = lens.placed(phone, here);
  near([view.x + x * view.k, view.y + y * view.k], [180, 80]);
});

test("buttons over the lower edge hide no hex that is asked for", () => {
  const phone = { width: 360, height: 160, box: [-1000, -1000, 2000, 2000], below: 44 };
  const lowest = [0, 850];
  const at = (view) => lens.placed(phone, lowest)[1] * view.k + view.y;
  const shown = lens.held(phone, lens.handy(phone, [lowest]));
  assert.ok(at(shown) < 160 - 44, `${at(shown)}`);
  const revealed = lens.held(phone, lens.revealed(phone, { k: 3, x: 0, y: 0 }, lowest));
  assert.ok(at(revealed) < 160 - 44, `${at(revealed)}`);
  assert.deepEqual(lens.held(phone, lens.WHOLE), lens.WHOLE);
});

test("a stage of another size shows the same part, as large as before", () => {
  const view = lens.fitted(stage, [[400, -300]]);
  const lower = { ...stage, width: 600, height: 300 };
  const next = lens.resized(stage, lower, view);
  const [x, y] = lens.placed(lower, [400, -300]);
  near([next.x + x * next.k, next.y + y * next.k], [300, 150]);
  near([next.k * lens.unit(lower)], [view.k * lens.unit(stage)]);
  assert.equal(lens.resized(stage, lower, lens.WHOLE), lens.WHOLE);
});
