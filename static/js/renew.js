// Make an element what a new one is, and keep every node of it that stays the same: what is kept is neither parsed, nor
// styled, nor laid out again, and what has the focus or is scrolled stays so.

// `isWhole`: its attributes too, not only what is inside.
export const renew = (old, fresh, isWhole = false) => {
  if (isWhole) dress(old, fresh);
  const [goes, comes] = [[...old.childNodes], [...fresh.childNodes]];
  const [first, last] = unchanged(goes, comes);
  const end = goes[goes.length - last] ?? null;
  const [olds, news] = [goes.slice(first, goes.length - last), comes.slice(first, comes.length - last)];
  news.forEach((each, at) => {
    if (at < olds.length) become(olds[at], each);
    else old.insertBefore(each, end);
  });
  for (const each of olds.slice(news.length)) each.remove();
};

// How many nodes are the same at the beginning, and how many more at the end.
const unchanged = (goes, comes) => {
  const most = Math.min(goes.length, comes.length);
  let [first, last] = [0, 0];
  while (first < most && goes[first].isEqualNode(comes[first])) first++;
  while (last < most - first && goes.at(-1 - last).isEqualNode(comes.at(-1 - last))) last++;
  return [first, last];
};

const become = (old, fresh) => {
  // What is in a template is none of its children.
  if (old.nodeName !== fresh.nodeName || old.nodeName === "TEMPLATE") old.replaceWith(fresh);
  else if (old.nodeType === Node.ELEMENT_NODE) renew(old, fresh, true);
  else if (old.data !== fresh.data) old.data = fresh.data;
};

// What `data-own` names is a script's own, such as the mark of who is here.
const dress = (old, fresh) => {
  const own = fresh.dataset.own?.split(" ") ?? [];
  const goes = [...old.attributes].filter(({ name }) => !fresh.hasAttribute(name) && !own.includes(name));
  const comes = [...fresh.attributes].filter(
    ({ name, value }) => old.getAttribute(name) !== value && !own.includes(name),
  );
  for (const { name } of goes) old.removeAttribute(name);
  for (const { name, value } of comes) old.setAttribute(name, value);
};
