// The film of Kings & Things* as far as it needs no page: how long a shot lasts, when a hex shows what came of it, and
// which of many shots stand in a newsreel. Everything here follows from its arguments alone.

export const SPEEDS = { slow: 1.7, normal: 1, fast: 0.4, off: 0 };
const OWN = 450; // ms: what one has just done oneself is shown in passing
const [LEAST, MOST] = [600, 4500];
const [START, LETTER, HEX] = [350, 20, 160]; // ms for looking there, for reading a letter, and for a hex of the way
const PASSING = ["place", "draw", "note", "turn", "march", "roll", "explore", "fort", "hero", "bribe", "income"];
const WEIGHTS = { great: 1.2, greatest: 2 };
const [PASSED, OTHERS] = [0.5, 0.75]; // how much of that is left to what does not concern the viewer
const CROWD = 8; // shots that wait: with more of them all go faster, up to twice as fast
const SOUNDS = {
  dice: ["strike", "roll", "explore"],
  steel: ["losses", "walls", "hero-lost", "out"],
  coins: ["income", "bribe"],
  horn: ["battle", "citadel", "won"],
  page: ["event", "magic", "bluff"],
};
export const FAR_BEHIND = 60; // shots: nobody wants to sit through more

// What is heard with a shot; most are silent.
export const soundOf = ({ kind }) => Object.keys(SOUNDS).find((name) => SOUNDS[name].includes(kind));

export const lengthOf = (shot, speed, waiting = 0) => {
  const { kind, words, isMine, isOwn, weight, path } = shot;
  if (isOwn) return OWN * Math.min(1, SPEEDS[speed]);
  const whole = (START + LETTER * words + HEX * path.length) * (WEIGHTS[weight] ?? 1);
  const needed = whole * (isMine || weight === "greatest" ? 1 : PASSING.includes(kind) ? PASSED : OTHERS);
  const hurried = weight === "greatest" ? needed : needed * Math.max(0.5, Math.min(1, CROWD / (waiting || 1)));
  return SPEEDS[speed] * Math.min(MOST, Math.max(LEAST, hurried));
};

// When each hex is to show what came of all this: with the last shot that names it, and where a stack sets out, as soon as
// it does. A hex that no shot names is left out: it changes with the last shot of all.
export const settling = (shots) => {
  const found = new Map();
  shots.forEach(({ places, path }, at) => {
    for (const place of places) found.set(place, { at, isEarly: false });
    path.forEach((place, step) => found.set(place, { at, isEarly: step === 0 && path.lastIndexOf(place) === 0 }));
  });
  return found;
};

// The shots that stand in a list of so many: what concerns the viewer first, then what everybody looks up for.
export const summary = (shots, most) => {
  const worth = ({ isMine, weight }) => (isMine ? 2 : 0) + (weight ? 1 : 0) + (weight === "greatest" ? 2 : 0);
  const told = shots.filter(({ isOwn }) => !isOwn);
  const ranked = told.map((shot, at) => [worth(shot), at]).sort(([a, i], [b, j]) => b - a || j - i);
  const kept = new Set(ranked.slice(0, most).map(([, at]) => at));
  return { lines: told.filter((_, at) => kept.has(at)), more: told.length - kept.size };
};

export const LINES = 12; // of a newsreel
const MINUTE = 60_000; // ms: no newsreel plays for longer

// What a newsreel plays: at most as many shots as it has lines, and how much faster than else they must go to be over in
// a minute.
export const reelOf = (shots, speed) => {
  const { lines } = summary(shots, LINES);
  const whole = lines.reduce((sum, shot) => sum + lengthOf(shot, speed), 0);
  return { lines, pace: whole > MINUTE ? MINUTE / whole : 1 };
};

// Whether a question waits for any of these: not for what the viewer has just done.
export const holdsBack = (shots) => shots.some(({ isOwn }) => !isOwn);
