// Earlier positions of Kings & Things*: a layer over the live map, which goes on underneath. The log leads there, too.
(() => {
  const { $, state } = globalThis.kadab.table;

  let shown = null; // the revision that is looked at, or null for now

  const look = async (to, key = "back") => {
    shown = to;
    $("table").classList.toggle("looking-back", to !== null);
    if (to === null) return $("past").replaceChildren();
    await htmx.ajax("GET", `${$("table").dataset.url}at/${to}/`, { target: "#past", swap: "innerHTML" });
    if (shown === null) $("past").replaceChildren(); // it was left before the answer came
    const again = $("past").querySelector(`[data-key="${key}"]:not(:disabled)`) ?? $("past").querySelector("[data-past]:not(:disabled)");
    again?.focus({ preventScroll: true });
  };

  const step = (how) => $("past").querySelector(`[data-key="${how}"]:not(:disabled)`)?.click();

  document.addEventListener("click", (event) => {
    const button = event.target.closest?.("[data-past]");
    const row = event.target.closest?.("#log [data-at] > span");
    if (row) return look(row.parentNode.dataset.at);
    if (!button) return;
    const { past, key } = button.dataset;
    if (past === "now" || (past === "latest" && shown !== null)) {
      look(null);
      document.querySelector('[data-past="latest"]').focus();
    } else look(past === "latest" ? state().revision : past, key);
  });

  document.addEventListener("keydown", (event) => {
    if (shown === null || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape") look(null);
    else if (!$("past").contains(event.target)) return;
    else if (event.key === "ArrowLeft") step("back");
    else if (event.key === "ArrowRight") step("on");
    else return;
    event.preventDefault();
  });
})();
