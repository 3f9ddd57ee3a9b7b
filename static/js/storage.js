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
