// What this browser keeps. Where nothing may be stored, it lasts as long as the page.

const unstored = new Map();

export const keep = (key, value) => {
  try {
    localStorage.setItem(key, value);
    unstored.delete(key);
  } catch {
    unstored.set(key, value);
  }
};

export const kept = (key) => {
  if (unstored.has(key)) return unstored.get(key);
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
};

// ---- a note for each table that this browser has been at; the oldest notes are dropped

const TABLES = 20;
const notes = (name) => {
  try {
    return Object.entries(JSON.parse(kept(name) ?? "{}"));
  } catch {
    return [];
  }
};

export const noteOf = (name, table) => notes(name).find(([each]) => each === table)?.[1];

export const note = (name, table, value) => {
  const others = notes(name).filter(([each]) => each !== table);
  keep(name, JSON.stringify(Object.fromEntries([...others.slice(1 - TABLES), [table, value]])));
};
