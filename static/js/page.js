// Small helpers that every script of a page uses.

export const $ = (id) => document.getElementById(id);

const dress = (node, attributes) => {
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  return node;
};

export const make = (name, attributes = {}, ...children) => {
  const node = dress(document.createElement(name), attributes);
  node.append(...children);
  return node;
};

// Writing even the same value makes the browser style the element again.
export const setHidden = (node, isHidden) => {
  if (node.hidden !== isHidden) node.hidden = isHidden;
};

const SVG = "http://www.w3.org/2000/svg";

export const draw = (name, attributes = {}, ...children) => {
  const node = dress(document.createElementNS(SVG, name), attributes);
  node.append(...children);
  return node;
};

// Once before the next frame is drawn, however often it is asked for: what needs the layout of the page then finds it
// worked out once, and not anew for every message.
export const beforeFrame = (run) => {
  let isWaiting = false;
  return () => {
    if (isWaiting) return;
    isWaiting = true;
    requestAnimationFrame(() => {
      isWaiting = false;
      run();
    });
  };
};

// The numbers of a transform: where a hex, a square or a counter lies.
export const numbersOf = (node) =>
  node
    .getAttribute("transform")
    .match(/-?[\d.]+/g)
    .map(Number);

export const hasModifier = (event) => event.ctrlKey || event.metaKey || event.altKey;

// A key that is typed into a field, or pressed in a dialog, is no shortcut.
export const isTyping = (event) => Boolean(event.target.closest?.("input, textarea, select, dialog"));
