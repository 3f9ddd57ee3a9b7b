// What the service worker shows of a pushed message, and where a press on it leads.

import assert from "node:assert/strict";
import { test } from "node:test";

const heard = {};
const shown = [];
const opened = [];
let pages = [];
globalThis.self = {
  location: { origin: "https://games.example.org" },
  registration: { showNotification: async (title, more) => shown.push([title, more]) },
  clients: { matchAll: async () => pages, openWindow: async (url) => opened.push(url) },
  addEventListener: (name, listener) => (heard[name] = listener),
};
await import("../../static/js/push_worker.js");

const happens = async (name, facts) => {
  const under = [];
  heard[name]({ ...facts, waitUntil: (promise) => under.push(promise) });
  await Promise.all(under);
};
const pushed = (data) => happens("push", { data: { json: () => JSON.parse(data) } });
const pressed = (path) => happens("notificationclick", { notification: { close: () => {}, data: { path } } });

test("a message shows the table and the deadline, the newest of each table only", async () => {
  await pushed('{"table": "Kings with ben", "path": "/tables/x/", "deadline": "Mon 2 March, 21:00"}');
  assert.deepEqual(shown.pop(), [
    "Kings with ben",
    { body: "Until Mon 2 March, 21:00", tag: "/tables/x/", data: { path: "/tables/x/" } },
  ]);
});

test("a message without a deadline, or that cannot be read, shows what there is", async () => {
  await pushed('{"table": "Kings with ben", "path": "/tables/x/", "deadline": ""}');
  assert.equal(shown.pop()[1].body, "");
  await pushed("not JSON");
  assert.equal(shown.pop()[0], "Kadab");
});

test("a press opens the table, or the page that shows it already, and never another site", async () => {
  await pressed("/tables/x/");
  assert.deepEqual(opened, ["https://games.example.org/tables/x/"]);
  let focused = 0;
  pages = [{ url: "https://games.example.org/tables/x/?v=1", focus: () => (focused += 1) }];
  await pressed("/tables/x/");
  assert.deepEqual([opened.length, focused], [1, 1]);
  await pressed("https://evil.example/");
  assert.equal(opened.length, 1);
});
