// The cards of a guided lesson as far as they need no page. The server says with each question which cards fit it, each
// with what it points at; which of them have been shown is known to this browser alone.

// An idea may be told in one of two ways, and is told once.
export const ideaOf = (name) => name.split(".")[0];

// The names of the cards that are still to be shown, in their order. The end comes when every idea has been told.
export const due = (cards, { ideas, end }, hasSeen) => {
  const isTold = ideas.every(hasSeen);
  return cards.map(({ name }) => name).filter((name) => !hasSeen(name) && (name !== end || isTold));
};
