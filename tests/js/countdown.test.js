import assert from "node:assert/strict";
import { test } from "node:test";

import { countdown } from "../../static/js/countdown.js";

const HOUR = 3600_000;

test("counts minutes and seconds, then hours, and leaves days to the date", () => {
  assert.equal(countdown(0), "0:00");
  assert.equal(countdown(-5000), "0:00");
  assert.equal(countdown(61_999), "1:01");
  assert.equal(countdown(HOUR - 1), "59:59");
  assert.equal(countdown(HOUR), "1 h 00 min");
  assert.equal(countdown(24 * HOUR - 1), "23 h 59 min");
  assert.equal(countdown(24 * HOUR), null);
});
