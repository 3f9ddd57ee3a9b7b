// Why not? The server is asked what it would say to an action, and nothing is done.

import { $, make } from "./page.js";

let asked = 0;

// The reason against an action, or null: there is none, the server can't be reached, or something else was asked since.
export const reasonAgainst = async (action) => {
  const mine = ++asked;
  if (!action) return null;
  const told = new FormData($("control-form") ?? $("act-form"));
  told.set("action", JSON.stringify(action));
  try {
    const answer = await fetch($("table").dataset.why, { method: "POST", body: told, credentials: "same-origin" });
    return answer.ok && mine === asked ? await answer.json() : null;
  } catch {
    return null; // without a connection there is nothing to explain; the page says so elsewhere
  }
};

export const dropReason = () => {
  asked++;
  $("why-not").replaceChildren();
};

export const showReason = async (action) => {
  dropReason();
  const { why, rule } = (await reasonAgainst(action)) ?? {};
  if (!why) return;
  $("why-not").append(make("strong", {}, "Why not? "), `${why} `);
  if (rule) $("why-not").append(make("a", { href: `${$("table").dataset.rules}#${rule}` }, `Rule ${rule}`));
};
