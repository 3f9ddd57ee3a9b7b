// A page the browser kept in memory may show what is over by now: read it anew when it comes back.
addEventListener("pageshow", (event) => {
  if (event.persisted) location.reload();
});
