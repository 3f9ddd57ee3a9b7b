// The map of Kings & Things* under the hand: arrow keys, pressing hexes, dragging a stack or a counter onto one, and what
// is lit. It knows nothing of the rules: kings.js says what pressing and dragging mean. Zoom and pan: kings_camera.js.
(() => {
  const { $, board } = globalThis.kadab.table;
  const camera = globalThis.kadab.camera;

  const near = $("near") ? JSON.parse($("near").textContent) : {};
  const hands = { press: () => {}, grab: () => null, drop: () => {}, release: () => {} };
  const hexes = () => board().querySelectorAll(".hex");
  const hexAt = (node) => node?.closest?.("#board .hex") ?? null;

  // ---- what is lit: targets, hexes within reach with what they cost, what is planned and what is chosen

  const SVG = "http://www.w3.org/2000/svg";
  const drawn = (name, attributes, text = "") => {
    const node = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    node.textContent = text;
    return node;
  };

  const light = ({ targets, reach, planned, chosen, waits }) => {
    for (const old of board().querySelectorAll(".cost")) old.remove();
    for (const hex of hexes()) {
      const where = hex.dataset.place;
      hex.classList.toggle("target", targets.has(where) && !reach.has(where));
      hex.classList.toggle("reach", reach.has(where));
      hex.classList.toggle("picked", chosen(where));
      hex.classList.toggle("waits", waits(where));
      if (reach.has(where)) hex.append(tag(reach.get(where).cost));
      if (planned.has(where)) hex.append(tag(`+${planned.get(where)}`, "planned"));
    }
    keepStop();
  };

  // A number on a small banner: what it costs to go there, or how many are about to be placed.
  const tag = (text, kind = "") => {
    const node = drawn("g", { class: `cost ${kind}`, transform: `translate(${kind ? 52 : 0} -64)` });
    node.append(drawn("path", { d: "M-24-19h48v34l-24-7l-24 7z" }), drawn("text", { y: 5 }, text));
    return node;
  };

  // ---- the keyboard: the map is one stop of the Tab key; arrows lead on from there

  const stopAt = (hex) => {
    for (const each of board().querySelectorAll('.hex[tabindex="0"]')) if (each !== hex) each.setAttribute("tabindex", "-1");
    hex?.setAttribute("tabindex", "0");
  };

  const keepStop = () => {
    if (board().contains(document.activeElement)) return;
    const best = board().querySelector(".hex.target, .hex.reach") ?? board().querySelector('.hex[tabindex="0"]') ?? board().querySelector(".hex");
    stopAt(best);
  };

  const STEPS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
  const centre = (hex) => hex.getAttribute("transform").match(/-?[\d.]+/g).map(Number);

  // The neighbour that lies most in that direction. Left and right have two as good: the upper, and at the edge the lower.
  const beside = (hex, [dx, dy]) => {
    const [x, y] = centre(hex);
    let best = null;
    for (const where of near[hex.dataset.place] ?? []) {
      const [a, b] = centre($(`hex-${where}`));
      const ahead = (a - x) * dx + (b - y) * dy;
      if (ahead > 1 && (!best || ahead > best.ahead + 1 || (Math.abs(ahead - best.ahead) <= 1 && b < best.b))) best = { where, ahead, b };
    }
    return best && $(`hex-${best.where}`);
  };

  const key = (event) => {
    const hex = hexAt(event.target);
    if (!hex || event.ctrlKey || event.metaKey || event.altKey) return;
    if (STEPS[event.key]) beside(hex, STEPS[event.key])?.focus();
    else if (event.key !== "Enter" && event.key !== " ") return;
    // A key held down must not confirm what it has just asked for.
    else if (!event.repeat) hands.press(hex.dataset.place);
    event.preventDefault();
  };

  // ---- pointers: two fingers pinch; one drags what it holds, or the map where that is larger than its window.
  // A finger does not drag counters, since it moves the map with the same movement: there two taps do it.

  const FAR = 6; // pixels that make a press a drag
  const fingers = new Map();
  let from = null; // where the first pointer went down: { id, x, y, onBoard, source }
  let ghost = null; // what is dragged, under the pointer
  let moved = false; // whether the press that ends now was a drag

  const sourceAt = (event) => {
    if (event.pointerType === "touch" || event.button !== 0) return null;
    const counter = event.target.closest?.("#rack button.counter[data-tag]");
    if (counter) return { tag: counter.dataset.tag };
    const hex = hexAt(event.target);
    return hex && { place: hex.dataset.place };
  };

  const down = (event) => {
    const onBoard = board().contains(event.target);
    if (!onBoard && !event.target.closest?.("#rack")) return;
    moved = false;
    if (onBoard) fingers.set(event.pointerId, event);
    from = { id: event.pointerId, x: event.clientX, y: event.clientY, onBoard, source: sourceAt(event) };
  };

  const move = (event) => {
    if (fingers.size === 2 && fingers.has(event.pointerId)) return pinch(event);
    if (from?.id !== event.pointerId) return;
    if (ghost) return carry(event);
    if (!moved && Math.hypot(event.clientX - from.x, event.clientY - from.y) <= FAR) return;
    const text = !moved && from.source && hands.grab(from.source);
    if (text) {
      lift(text);
      carry(event);
    } else if (from.onBoard) {
      camera.pan(event.clientX - from.x, event.clientY - from.y);
      Object.assign(from, { x: event.clientX, y: event.clientY, source: null });
    }
    moved = true;
    if (fingers.has(event.pointerId)) fingers.set(event.pointerId, event);
  };

  const pinch = (event) => {
    const before = fingers.get(event.pointerId);
    const [other] = [...fingers.values()].filter((each) => each.pointerId !== event.pointerId);
    const was = Math.hypot(before.clientX - other.clientX, before.clientY - other.clientY);
    const now = Math.hypot(event.clientX - other.clientX, event.clientY - other.clientY);
    if (was > 0) camera.zoom(now / was, (event.clientX + other.clientX) / 2, (event.clientY + other.clientY) / 2);
    moved = true;
    fingers.set(event.pointerId, event);
  };

  const lift = (text) => {
    ghost = document.createElement("div");
    ghost.className = "drag-ghost";
    ghost.setAttribute("aria-hidden", "true");
    ghost.textContent = text;
    document.body.append(ghost);
    document.body.classList.add("dragging");
  };

  const hexUnder = (event) => hexAt(document.elementFromPoint(event.clientX, event.clientY));

  const carry = (event) => {
    ghost.style.left = `${event.clientX}px`;
    ghost.style.top = `${event.clientY}px`;
    const over = hexUnder(event);
    for (const hex of board().querySelectorAll(".hex.over")) if (hex !== over) hex.classList.remove("over");
    over?.classList.add("over");
  };

  const letGo = () => {
    ghost?.remove();
    ghost = null;
    document.body.classList.remove("dragging");
    for (const hex of board().querySelectorAll(".hex.over")) hex.classList.remove("over");
  };

  const up = (event) => {
    fingers.delete(event.pointerId);
    if (from?.id !== event.pointerId) return;
    const held = ghost && event.type === "pointerup";
    const over = held && hexUnder(event);
    const source = from.source;
    from = null;
    if (!ghost) return;
    letGo();
    if (over && over.dataset.place !== source.place) hands.drop(over.dataset.place);
    else hands.release();
  };

  // The click that ends a drag is none.
  const click = (event) => {
    if (moved) {
      moved = false;
      if (board().contains(event.target) || event.target.closest?.("#rack")) event.stopPropagation();
      return;
    }
    const hex = hexAt(event.target);
    if (hex) hands.press(hex.dataset.place);
  };

  // ---- one's own kingdom, on demand

  const isMine = (hex) => {
    const { colour } = $("table").dataset; // of this seat; whoever only watches has none
    return Boolean(colour) && hex.querySelector(`:scope > .seat.${colour}`) !== null;
  };

  const markMine = () => {
    const on = document.querySelector("[data-mine]")?.getAttribute("aria-pressed") === "true";
    board().classList.toggle("show-mine", on);
    for (const hex of hexes()) hex.classList.toggle("mine", on && isMine(hex));
  };

  const pressMine = (button) => {
    const on = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(on));
    markMine();
    if (on) camera.fit([...hexes()].filter(isMine));
    else camera.all();
  };

  const pressTool = (event) => {
    const mine = event.target.closest?.("[data-mine]");
    if (mine) pressMine(mine);
  };

  // ---- what kings.js may use

  globalThis.kadab.map = { near, light, markMine, hands };

  document.addEventListener("DOMContentLoaded", () => {
    if (!$("table") || !board()) return;
    // On the document: an svg that listens for the focus itself becomes a stop of its own.
    document.addEventListener("focusin", (event) => {
      const hex = hexAt(event.target);
      if (!hex) return;
      stopAt(hex);
      if (hex.matches(":focus-visible")) camera.reveal(hex);
    });
    document.addEventListener("keydown", key);
    document.addEventListener("click", click, true);
    document.addEventListener("click", pressTool);
    document.addEventListener("pointerdown", down);
    addEventListener("pointermove", move);
    addEventListener("pointerup", up);
    addEventListener("pointercancel", up);
  });
})();
