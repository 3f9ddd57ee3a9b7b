// A list of time zones in which none is chosen: take the one this browser is set to.

document.addEventListener("DOMContentLoaded", () => {
  const list = document.querySelector("select[data-zone]");
  if (!list || list.value) return;
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  if ([...list.options].some((option) => option.value === zone)) list.value = zone;
});
