// What the attributes of the server's controls say, read. Everything here follows from its arguments alone.

// "h1:2 h7:4" as pairs.
export const pairs = (text) => (text ? text.split(" ").map((each) => each.split(":")) : []);

// A control says what pressing another hex, or another counter, would be: "?" stands for it.
export const filled = (text, what) => text && JSON.parse(text, (_, value) => (value === "?" ? what : value));

// The shortest way over whatever lies there: what it runs into first is the reason to be told.
export const straightTo = (near, start, end) => {
  const cameFrom = new Map([[start, null]]);
  for (const where of cameFrom.keys()) {
    if (where === end) break;
    for (const next of near[where]) if (!cameFrom.has(next)) cameFrom.set(next, where);
  }
  const path = [];
  for (let where = end; where !== start; where = cameFrom.get(where)) path.unshift(where);
  return path;
};
