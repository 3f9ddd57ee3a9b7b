// The arithmetic of the camera over the map (kings_camera.js). A stage says how large the part of the window is that no
// card covers, in pixels, and what the map measures in its own units. A view says how many times larger than the whole map
// something is shown (k), and how far it is moved (x, y, in pixels). A battle may cover the upper part of a stage (covered,
// in pixels), and on a phone buttons its lower edge (below): the map can then be moved further down, or up. Everything here
// follows from its arguments alone.

export const HEX = 200; // units a hex is wide
const CLOSEST = 340; // pixels a hex may get wide
const SMALL = 40; // pixels: a narrower hex is hard to read, and harder to press
const LEAST = 50; // pixels: a hex that a thumb just hits
const HANDY = 72; // pixels: a hex that a thumb hits easily
const NEAR = 2.2; // how large a single hex is shown when somebody asks for it

export const WHOLE = { k: 1, x: 0, y: 0 };

const clamp = (value, low, high) => Math.min(Math.max(value, low), high);

// Pixels of one unit while the whole map is shown.
export const unit = ({ width, height, box }) => Math.min(width / box[2], height / box[3]);

const most = (stage, widest = CLOSEST) => Math.max(1, widest / (HEX * unit(stage)));

// Whether hexes are too small to press while the whole map is shown.
export const isTooSmall = (stage) => HEX * unit(stage) < SMALL;

// The view, no nearer and no further off than it may be.
export const held = (stage, { k, x, y }) => {
  const near = clamp(k, 1, most(stage));
  const [highest, lowest] = [stage.below ?? 0, stage.covered ?? 0];
  return {
    k: near,
    x: clamp(x, stage.width * (1 - near), 0),
    y: clamp(y, stage.height * (1 - near) - highest, lowest),
  };
};

// Where a point of the map lies while the whole map is shown.
export const placed = (stage, [x, y]) => [
  stage.width / 2 + (x - stage.box[0] - stage.box[2] / 2) * unit(stage),
  stage.height / 2 + (y - stage.box[1] - stage.box[3] / 2) * unit(stage),
];

// Whatever lies under a point of the window stays there.
export const zoomed = (stage, view, factor, [px, py]) => {
  const k = clamp(view.k * factor, 1, most(stage));
  return { k, x: px - ((px - view.x) * k) / view.k, y: py - ((py - view.y) * k) / view.k };
};

const free = ({ height, below = 0 }) => height - below;

const around = (stage, k, [x, y]) => ({ k, x: stage.width / 2 - x * k, y: free(stage) / 2 - y * k });

// As near as all these hexes allow.
export const fitted = (stage, centres, widest = CLOSEST) => {
  if (!centres.length) return WHOLE;
  const points = centres.map((each) => placed(stage, each));
  const half = (HEX / 2) * unit(stage);
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const [left, right] = [Math.min(...xs) - half, Math.max(...xs) + half];
  const [top, bottom] = [Math.min(...ys) - half, Math.max(...ys) + half];
  const k = clamp(Math.min(stage.width / (right - left), free(stage) / (bottom - top)), 1, most(stage, widest));
  return around(stage, k, [(left + right) / 2, (top + bottom) / 2]);
};

// All these hexes as large as a thumb needs; if they don't fit like that, the first is in the middle.
export const handy = (stage, centres) => {
  const all = fitted(stage, centres, HANDY);
  const least = Math.min(LEAST / (HEX * unit(stage)), most(stage));
  return all.k < least ? around(stage, least, placed(stage, centres[0])) : all;
};

export const isSame = (one, other) => ["k", "x", "y"].every((each) => Math.abs(one[each] - other[each]) < 1);

// The same part of the map, as large as before, where the stage has another size now.
export const resized = (old, stage, { k, x, y }) => {
  if (k === 1) return WHOLE;
  const middle = [(old.width / 2 - x) / k, (free(old) / 2 - y) / k]; // of the window, on the whole map as it was shown
  const scale = unit(stage) / unit(old);
  const [atX, atY] = placed(stage, [0, 0]);
  const [wasX, wasY] = placed(old, [0, 0]);
  return around(stage, k / scale, [atX + (middle[0] - wasX) * scale, atY + (middle[1] - wasY) * scale]);
};

// One hex in the middle, large, but with its surroundings.
export const closeUp = (stage, centre) => around(stage, Math.min(NEAR, most(stage)), placed(stage, centre));

// Moved no more than is needed to have a hex in sight.
export const revealed = (stage, { k, x, y }, centre) => {
  const [px, py] = placed(stage, centre);
  const half = (HEX / 2) * unit(stage) * k;
  const top = stage.covered ?? 0;
  const high = Math.min(half, (free(stage) - top) / 2);
  return {
    k,
    x: clamp(x, half - px * k, stage.width - half - px * k),
    y: clamp(y, top + high - py * k, free(stage) - high - py * k),
  };
};
