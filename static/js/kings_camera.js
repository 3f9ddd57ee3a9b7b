// The camera over the map of Kings & Things*: zoom, pan, "all", "here", and how much detail there is room for. Moving it
// sets one transform. Where a counter would be too small to read, its hex shows piles instead (class `far`).
(() => {
  const { $, board } = globalThis.kadab.table;

  const SMALLEST = 24; // pixels of a counter that can still be read
  const CLOSEST = 340; // pixels of a hex as wide as it may get
  const HEX = 200; // units of the map
  const CHIT = 40; // units a counter is drawn in before it is scaled
  const REST = 160; // milliseconds without movement, after which the map is drawn sharp again

  const view = { k: 1, x: 0, y: 0 }; // how much larger than "all", and how far moved, in pixels
  let free = { left: 0, top: 0, width: 1, height: 1 }; // the part of the window that no card covers
  let box = [0, 0, 1, 1]; // what the map measures in its own units
  let timer = 0;

  // ---- arithmetic

  const clamp = (value, low, high) => Math.min(Math.max(value, low), high);
  const unit = () => Math.min(free.width / box[2], free.height / box[3]); // pixels of one unit at "all"
  const most = () => Math.max(1, CLOSEST / (HEX * unit()));

  const hold = () => {
    view.k = clamp(view.k, 1, most());
    view.x = clamp(view.x, free.width * (1 - view.k), 0);
    view.y = clamp(view.y, free.height * (1 - view.k), 0);
  };

  // A point of the map, in pixels of the free part at "all".
  const placed = ([x, y]) => [
    free.width / 2 + (x - box[0] - box[2] / 2) * unit(),
    free.height / 2 + (y - box[1] - box[3] / 2) * unit(),
  ];

  const centre = (hex) => hex.getAttribute("transform").match(/-?[\d.]+/g).map(Number);

  // ---- showing

  const show = () => {
    hold();
    const camera = $("camera");
    camera.style.transform = view.k === 1 ? "" : `translate(${view.x}px, ${view.y}px) scale(${view.k})`;
    camera.classList.add("moving");
    clearTimeout(timer);
    timer = setTimeout(rest, REST);
  };

  const rest = () => {
    $("camera").classList.remove("moving");
    detail();
  };

  const detail = () => {
    const scale = unit() * view.k;
    for (const hex of board().querySelectorAll(".hex")) {
      const ranks = hex.querySelector(":scope > .ranks");
      const isFar = ranks !== null && sizeOf(ranks.firstElementChild) * scale < SMALLEST;
      const piles = hex.querySelector(":scope > .piles");
      hex.classList.toggle("far", isFar);
      if (!isFar) piles?.remove();
      else if (!piles) ranks.after(pilesOf(ranks));
    }
  };

  const sizeOf = (chit) => CHIT * Number(chit.getAttribute("transform").match(/scale\(([\d.]+)/)[1]);

  const OWNERS = ["yellow", "grey", "green", "red", "wild"];
  const ownerOf = (chit) => OWNERS.find((each) => chit.classList.contains(each));

  // How many each side has; where not all of them are drawn, the server says it.
  const counted = (ranks) => {
    if (ranks.dataset.piles) return ranks.dataset.piles.split(" ").map((each) => each.split(":"));
    const found = new Map();
    for (const chit of ranks.querySelectorAll(".chit")) {
      const number = chit.matches(".back") ? Number(chit.querySelector(".value").textContent) : 1;
      found.set(ownerOf(chit), (found.get(ownerOf(chit)) ?? 0) + number);
    }
    return [...found];
  };

  // A pile for each side: one of its counters, a hero if there is one, and how many there are.
  const SIZES = [0, 72, 68, 56, 48, 42];
  const pilesOf = (ranks) => {
    const sides = counted(ranks);
    const [size, group] = [SIZES[sides.length], document.createElementNS(ranks.namespaceURI, "g")];
    group.setAttribute("class", "piles");
    sides.forEach(([side, count], at) => {
      const top = topOf(ranks, side)?.cloneNode(true);
      if (!top) return;
      const x = (at - sides.length / 2) * (size + 2);
      top.setAttribute("transform", `translate(${x} ${8 - size / 2}) scale(${size / CHIT})`);
      if (count > 1) numbered(top, count);
      group.append(top);
    });
    return group;
  };

  // Of a side that a full hex has no room for, a back stands for all; wild defenders come before any back.
  const topOf = (ranks, side) =>
    ranks.querySelector(`.chit.${side}.t-hero`) ?? ranks.querySelector(`.chit.${side}`) ?? document.querySelector(`[data-ghost].${side}`);

  const numbered = (chit, count) => {
    const value = chit.querySelector(".value") ?? chit.appendChild(document.createElementNS(chit.namespaceURI, "text"));
    value.setAttribute("class", "value");
    value.setAttribute("x", 32);
    value.setAttribute("y", 37);
    value.textContent = count;
  };

  const measure = () => {
    const [frame, camera] = [$("board-frame").getBoundingClientRect(), $("camera")];
    free = { left: frame.left + camera.offsetLeft, top: frame.top + camera.offsetTop, width: camera.offsetWidth, height: camera.offsetHeight };
    show();
    detail();
  };

  // ---- moving

  const pan = (dx, dy) => {
    view.x += dx;
    view.y += dy;
    show();
  };

  // Whatever lies under a point of the window stays there.
  const zoom = (factor, clientX = free.left + free.width / 2, clientY = free.top + free.height / 2) => {
    const [px, py] = [clientX - free.left, clientY - free.top];
    const k = clamp(view.k * factor, 1, most());
    Object.assign(view, { k, x: px - ((px - view.x) * k) / view.k, y: py - ((py - view.y) * k) / view.k });
    show();
  };

  const all = () => {
    Object.assign(view, { k: 1, x: 0, y: 0 });
    show();
  };

  // As near as all these hexes allow.
  const fit = (hexes) => {
    if (!hexes.length) return all();
    const points = hexes.map((hex) => placed(centre(hex)));
    const [half, xs, ys] = [(HEX / 2) * unit(), points.map(([x]) => x), points.map(([, y]) => y)];
    const [left, right] = [Math.min(...xs) - half, Math.max(...xs) + half];
    const [top, bottom] = [Math.min(...ys) - half, Math.max(...ys) + half];
    view.k = clamp(Math.min(free.width / (right - left), free.height / (bottom - top)), 1, most());
    view.x = free.width / 2 - ((left + right) / 2) * view.k;
    view.y = free.height / 2 - ((top + bottom) / 2) * view.k;
    show();
  };

  // Move no more than is needed to have a hex in sight.
  const reveal = (hex) => {
    const [x, y] = placed(centre(hex));
    const half = (HEX / 2) * unit() * view.k;
    view.x = clamp(view.x, half - x * view.k, free.width - half - x * view.k);
    view.y = clamp(view.y, half - y * view.k, free.height - half - y * view.k);
    show();
  };

  // Where it happens: the hex in question, else what can be chosen, else where the last step was taken.
  const here = () => {
    const place = document.querySelector("#prompt [data-here]")?.dataset.here;
    const asked = place && $(`hex-${place}`);
    if (asked) return [asked];
    return [...board().querySelectorAll(".hex.picked, .hex.reach, .hex.target")];
  };

  const showHere = () => {
    const [hexes, near] = [here(), Math.min(2.2, most())];
    fit(hexes);
    if (hexes.length !== 1) return;
    const [x, y] = placed(centre(hexes[0]));
    Object.assign(view, { k: near, x: free.width / 2 - x * near, y: free.height / 2 - y * near });
    show();
  };

  // ---- listening

  const TOOLS = { in: () => zoom(1.4), out: () => zoom(1 / 1.4), all, here: showHere };
  const KEYS = { "+": TOOLS.in, "=": TOOLS.in, "-": TOOLS.out, 0: all, h: showHere };

  const key = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest?.("input, textarea, select, dialog")) return;
    if (event.key.toLowerCase() === "m") document.querySelector("[data-mine]")?.click();
    else KEYS[event.key.toLowerCase()]?.();
  };

  globalThis.kadab.camera = { pan, zoom, all, fit, reveal, detail, here };

  document.addEventListener("DOMContentLoaded", () => {
    if (!$("camera") || !board()) return;
    box = board().getAttribute("viewBox").split(" ").map(Number);
    new ResizeObserver(measure).observe($("camera"));
    measure();
    document.addEventListener("keydown", key);
    document.addEventListener("click", (event) => TOOLS[event.target.closest?.("[data-zoom]")?.dataset.zoom]?.());
    $("board-frame").addEventListener("wheel", (event) => {
      event.preventDefault();
      zoom(event.deltaY > 0 ? 1 / 1.15 : 1.15, event.clientX, event.clientY);
    }, { passive: false });
  });
})();
