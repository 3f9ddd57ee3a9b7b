// The lobby's pages: what only a browser can know. Without this file they work, only less conveniently.

// ---- a seat's name is asked for only where somebody sits at this device
const showSeatFields = () => {
  let shared = false;
  for (const seat of document.querySelectorAll("[data-seat]")) {
    const kind = seat.querySelector("select").value;
    for (const field of seat.querySelectorAll("[data-for]")) {
      field.hidden = field.dataset.for !== kind;
      if (!field.hidden) shared = true;
    }
  }
  for (const field of document.querySelectorAll("[data-shared-device]")) field.hidden = !shared;
};
document.addEventListener("change", (event) => {
  if (event.target.closest?.("[data-seat]")) showSeatFields();
});
document.addEventListener("DOMContentLoaded", showSeatFields);

// ---- a room that is no longer there for this visitor
document.addEventListener("htmx:responseError", (event) => {
  if (event.target.id === "room" && event.detail.xhr.status === 404) location.replace("/");
});
