// Clocks count down on their own: the server has said until when, and is not asked.
import { $ } from "./page.js";
import { countdown } from "./countdown.js";

// How much the clock of this machine is behind the server's.
let behind = null;

const tick = () => {
  const clocks = $("clock");
  if (!clocks) return;
  behind ??= Number(clocks.dataset.now) * 1000 - Date.now();
  for (const time of clocks.querySelectorAll("time[data-until]")) {
    time.dataset.says ??= time.textContent;
    const left = Date.parse(time.dataset.until) - Date.now() - behind;
    const text = countdown(left) ?? time.dataset.says;
    if (time.textContent !== text) time.textContent = text;
    time.title = time.dataset.says;
    time.closest(".clock").classList.toggle("short", left < 60_000);
  }
};

document.addEventListener("DOMContentLoaded", tick);
setInterval(tick, 1000);
