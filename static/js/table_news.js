// Whether a message fits what a page shows. A message says what it starts from and where it leads; anything else would
// spoil the page. Everything here follows from its arguments alone.

const SILENT = 1e6; // more than a seat acts between two revisions

// What a page shows goes by the game's revision, and by what its own seat has done since that nobody else is told.
export const placeOf = (revision, silent) => Number(revision || -1) * SILENT + Number(silent || 0);

const stateIn = (text) => text.match(/<div id="page-state"[^>]*>/)?.[0] ?? "";
const read = (state, name) => state.match(new RegExp(` data-${name}="([^"]*)"`))?.[1];

// What to do with a message: `go` there, apply it (`fits`), or ask again because something is missing (`isGap`).
export const judge = (text, shown) => {
  const state = stateIn(text);
  const [go, revision, base] = ["go", "revision", "base"].map((name) => read(state, name));
  if (go) return { go, fits: false };
  if (revision === undefined) return { fits: true }; // talk and refusals go with any position
  const leadsTo = placeOf(revision, read(state, "silent"));
  if (base === "") return { fits: leadsTo >= shown }; // the page as a whole
  if (leadsTo <= shown) return { fits: false };
  const isNext = placeOf(base, read(state, "base-silent")) === shown;
  return { fits: isNext, isGap: !isNext };
};

// Something else was quicker with the news; whether the action was refused is only said in its answer.
export const refusalIn = (text) => text.match(/<div hx-swap-oob="innerHTML:#refusal">[^]*$/)?.[0] ?? "";
