// Short notes that go by themselves.

import { $, make } from "./page.js";

const LASTS = 5000; // milliseconds

export const toast = (text, kind = "") => {
  const line = make("div", { class: `toast ${kind}` }, text);
  $("toasts")?.append(line);
  setTimeout(() => line.remove(), LASTS);
};

document.addEventListener("toast", ({ detail }) => toast(detail.value ?? detail)); // HX-Trigger: {"toast": "…"}
