// New content put in its place without ceremony. htmx fires events for each element that goes and looks through each that
// comes: hundreds of events a message on the page of Kings & Things*, a third of its time. Where neither the old content
// nor the new has anything of htmx in it, nobody needs that; the rest of a message is left to htmx.

import { renew } from "./renew.js";

const LIVE = "[hx-get], [hx-post], [hx-trigger], [hx-preserve], [ws-send], [ws-connect], form, [type=submit][form]";
const FILLED = "input, select, textarea, details";

const isPlain = (node) => !node.matches(LIVE) && !node.querySelector(LIVE);

// A hex keeps its ground while its terrain is the same: the ground has more shapes than all that stands on it.
const redraw = (hex, part) => {
  const [old, fresh] = [hex, part].map((each) => each.querySelector(":scope > .terrain"));
  if (!old || !fresh || !old.isEqualNode(fresh)) return hex.replaceChildren(...part.childNodes);
  for (const node of [...hex.childNodes]) if (node !== old) node.remove();
  const nodes = [...part.childNodes];
  const at = nodes.indexOf(fresh);
  old.before(...nodes.slice(0, at));
  old.after(...nodes.slice(at + 1));
};

// How to put a part of a message in its place, by the first word of its hx-swap-oob.
const WAYS = {
  innerHTML: (target, part) => {
    // What somebody has typed or unfolded is not in the markup, and of hexes the film keeps the old drawing: they come anew.
    if (target.matches(".hex")) redraw(target, part);
    else if (target.querySelector(FILLED) || target.closest("#board")) target.replaceChildren(...part.childNodes);
    else renew(target, part);
  },
  beforeend: (target, part) => target.append(...part.childNodes),
  delete: (target) => target.remove(),
  true: (target, part) => renew(target, part, true),
};

const putDown = (part) => {
  const [how, where] = part.getAttribute("hx-swap-oob")?.split(":#") ?? [];
  const target = document.getElementById(where ?? part.id);
  if (!WAYS[how] || !target || !isPlain(part)) return;
  if (how !== "beforeend" && !isPlain(target)) return; // what is there already may stay as it is
  part.removeAttribute("hx-swap-oob");
  WAYS[how](target, part);
  part.remove();
};

// What came by the socket. An answer to a request is htmx's as a whole.
const transformResponse = (text, request) => {
  if (request) return text;
  const message = document.createElement("template");
  message.innerHTML = text;
  for (const part of [...message.content.children]) putDown(part);
  return message.innerHTML;
};

globalThis.htmx?.defineExtension("quiet", { transformResponse });
