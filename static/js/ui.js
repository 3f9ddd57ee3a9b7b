// Behaviour shared by all pages, bound to data attributes and roles; nothing here knows a game.
(() => {
  // ---- tabs: role=tablist > role=tab[aria-controls]; arrows, Home and End move ----
  const select = (tab, focus = false) => {
    for (const other of tab.closest("[role=tablist]").querySelectorAll("[role=tab]")) {
      const on = other === tab;
      other.setAttribute("aria-selected", String(on));
      other.tabIndex = on ? 0 : -1;
      const panel = document.getElementById(other.getAttribute("aria-controls"));
      if (panel) panel.hidden = !on;
    }
    tab.querySelector(".unread")?.remove();
    if (focus) tab.focus();
    scrollLists();
  };

  // A dot at a tab that is not open, until it is.
  const markUnread = (tab, words) => {
    if (tab.getAttribute("aria-selected") === "true" || tab.querySelector(".unread")) return;
    const dot = document.createElement("span");
    dot.className = "unread";
    dot.title = words;
    dot.setAttribute("role", "img");
    dot.setAttribute("aria-label", words);
    tab.append(dot);
  };

  document.addEventListener("keydown", (event) => {
    const tab = event.target.closest?.("[role=tab]");
    if (!tab) return;
    const tabs = [...tab.closest("[role=tablist]").querySelectorAll("[role=tab]")];
    const at = tabs.indexOf(tab);
    const to = {
      ArrowRight: (at + 1) % tabs.length,
      ArrowLeft: (at - 1 + tabs.length) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    select(tabs[to], true);
  });

  // ---- toasts ----
  const toast = (text, kind = "") => {
    const box = document.getElementById("toasts");
    if (!box) return;
    const line = document.createElement("div");
    line.className = `toast ${kind}`;
    line.textContent = text;
    box.append(line);
    setTimeout(() => line.remove(), 5000);
  };

  // ---- clicks ----
  const copy = async (button) => {
    const source = document.getElementById(button.dataset.copy);
    const text = source.value ?? source.textContent.trim();
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      source.select?.(); // no clipboard without https: select it, so that Ctrl+C does it
      toast("Press Ctrl+C to copy.");
      return;
    }
    toast("Copied.");
  };

  document.addEventListener("click", (event) => {
    const on = (selector) => event.target.closest(selector);
    const tab = on("[role=tab]");
    if (tab) select(tab);
    const copied = on("[data-copy]");
    if (copied) copy(copied);
    const opener = on("[data-dialog]");
    if (opener) document.getElementById(opener.dataset.dialog)?.showModal();
    if (on("[data-close-dialog]")) on("dialog")?.close();
    if (event.target.matches?.("dialog")) event.target.close(); // the backdrop
    if (on("[data-dismiss]")) on(".alert, .toast")?.remove();
    for (const menu of document.querySelectorAll("details.menu[open]")) {
      if (!menu.contains(event.target)) menu.open = false;
    }
  });

  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const menu of document.querySelectorAll("details.menu[open]")) {
      menu.open = false;
      menu.querySelector("summary").focus();
    }
  });

  // ---- lists that keep their newest or current line in sight ----
  const scrollLists = () => {
    for (const list of document.querySelectorAll("[data-keep-end]")) if (!list.isBeingRead) list.scrollTop = list.scrollHeight;
    for (const list of document.querySelectorAll("[data-keep-current]")) {
      const line = list.querySelector("[aria-current]");
      if (line) list.scrollTop = line.offsetTop - list.offsetTop - list.clientHeight / 2;
    }
  };

  // Whoever has scrolled back to read is left in peace.
  document.addEventListener("scroll", ({ target }) => {
    if (target.matches?.("[data-keep-end]")) target.isBeingRead = target.scrollHeight - target.scrollTop - target.clientHeight > 40;
  }, true);

  // ---- whoever looks up a rule while playing stays at the table ----
  document.addEventListener("click", (event) => {
    const link = event.target.closest?.(".at-table main a[href*='/rules/']");
    if (link) Object.assign(link, { target: "_blank", rel: "noopener" });
  }, true);

  // ---- title and favicon: <div id="page-state" data-title="…" data-turn="yes|no"> tells them ----
  const showState = () => {
    const state = document.getElementById("page-state");
    const icon = document.getElementById("favicon");
    if (!state || !icon) return;
    if (state.dataset.title) document.title = state.dataset.title;
    icon.href = state.dataset.turn === "yes" ? icon.dataset.turn : icon.dataset.calm;
  };

  const settle = () => {
    scrollLists();
    showState();
  };
  document.addEventListener("DOMContentLoaded", settle);
  for (const name of ["htmx:afterSettle", "htmx:wsAfterMessage"]) document.addEventListener(name, settle);
  document.addEventListener("toast", (event) => toast(event.detail.value ?? event.detail, "")); // HX-Trigger: {"toast": "…"}

  // ---- what this browser keeps; where nothing may be stored, it lasts as long as the page ----
  const unstored = new Map();
  const keep = (key, value) => {
    try {
      localStorage.setItem(key, value);
      unstored.delete(key);
    } catch {
      unstored.set(key, value);
    }
  };
  const kept = (key) => {
    if (unstored.has(key)) return unstored.get(key);
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  };

  globalThis.kadab = { ...globalThis.kadab, toast, keep, kept, markUnread };
})();
