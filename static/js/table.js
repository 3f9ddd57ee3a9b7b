// The page of one table, whatever is played on it: applies news in the right order and shows who is here. Sending and
// the socket are table_link.js's. A game's own script (gambit.js, kings.js) turns clicks, drags and keys into actions,
// and hangs on by kadab.table.on("arrived" | "settled" | "sent" | "answered", …).
(() => {
  const { keep, kept } = globalThis.kadab;
  const $ = (id) => document.getElementById(id);
  const state = () => $("page-state")?.dataset ?? {};
  // What a page shows goes by the game's revision, and by what its own seat has done since that nobody else is told.
  const place = (revision, silent) => Number(revision || -1) * 1e6 + Number(silent || 0);
  const here = () => place(state().revision ?? -1, state().silent);
  const board = () => $("board");

  const listeners = { arrived: [], settled: [], sent: [], answered: [] };
  const tell = (name, ...facts) => listeners[name].forEach((each) => each(...facts));
  const calm = matchMedia("(prefers-reduced-motion: reduce)");

  // ---- going elsewhere: what this seat saw must be gone at once, and Back must not bring it back ----

  const leaveFor = (url) => {
    const table = $("table");
    if (table) table.hidden = true;
    location.replace(url);
  };

  // A page that is kept in memory must not flash up when it comes back, before it is read anew.
  addEventListener("pagehide", () => {
    const table = $("table");
    if (table) table.hidden = true;
  });

  addEventListener("pageshow", (event) => {
    if (event.persisted) location.reload();
  });

  document.addEventListener("htmx:beforeOnLoad", (event) => {
    const url = event.detail.xhr.getResponseHeader("HX-Redirect");
    if (!url) return;
    event.preventDefault();
    leaveFor(url);
  });

  // ---- news: a message says what it starts from and where it leads; anything else would spoil the page ----

  const read = (text, name) => text.match(/<div id="page-state"[^>]*>/)?.[0].match(new RegExp(` data-${name}="([^"]*)"`))?.[1];

  const fits = (text) => {
    const go = read(text, "go");
    if (go) {
      leaveFor(go);
      return false;
    }
    const revision = read(text, "revision");
    if (revision === undefined) return true; // talk and refusals go with any position
    const to = place(revision, read(text, "silent"));
    const base = read(text, "base");
    if (base === "") return to >= here();
    if (to <= here()) return false;
    if (place(base, read(text, "base-silent")) === here()) return true;
    pulse(); // it starts from something this page does not show: ask for what fits
    return false;
  };

  const pulse = () => globalThis.htmx && htmx.trigger($("pulse-form"), "pulse");

  document.addEventListener("htmx:wsBeforeMessage", (event) => {
    const { message } = event.detail;
    if (message && fits(message)) return remember();
    event.preventDefault();
    const refusal = refusalIn(message);
    if (refusal) htmx.swap($("table"), refusal, { swapStyle: "none" });
  });

  document.addEventListener("htmx:beforeSwap", (event) => {
    const { xhr, requestConfig } = event.detail;
    if (!ours(requestConfig.elt)) return;
    if (!fits(xhr.responseText)) {
      const refusal = refusalIn(xhr.responseText);
      event.detail.shouldSwap &&= Boolean(refusal);
      event.detail.serverResponse = refusal;
      return;
    }
    if (event.detail.shouldSwap) remember();
  });

  // Something else was quicker with the news; whether the action was refused is only said in its answer.
  const refusalIn = (text) => text.match(/<div hx-swap-oob="innerHTML:#refusal">[^]*$/)?.[0] ?? "";

  // Whose answers and requests are the table's own.
  const ours = (form) => ["act-form", "move-form", "pulse-form", "chat-form"].includes(form?.id);

  // What the page showed when all was settled last. An answer settles a moment after it is swapped in, and another
  // message may come in between: what the first has changed must still be seen as changed then.
  let before = {};
  let unsettled = false;
  const focused = () => (board()?.contains(document.activeElement) ? document.activeElement.id : "");
  const remembered = () => ({ ...state(), focus: focused() });
  const remember = () => {
    if (!unsettled) before.focus = focused();
    unsettled = true;
  };

  const settle = () => {
    const now = state();
    if (now.revision !== before.revision || now.silent !== before.silent || now.side !== before.side) arrived(before, now);
    if ($("tools") && (now.mark !== before.mark || now.over !== before.over)) htmx.trigger($("tools"), "tools");
    // The board may have been drawn anew under the hand: whatever it held, it holds again.
    if (before.focus && document.activeElement === document.body) $(before.focus)?.focus();
    before = remembered();
    unsettled = false;
    showPresence();
    tell("settled");
  };

  // One message fires many events; they are answered once.
  let settling = false;
  const settleSoon = () => {
    if (settling) return;
    settling = true;
    queueMicrotask(() => {
      settling = false;
      settle();
    });
  };

  for (const name of ["htmx:afterSettle", "htmx:wsAfterMessage"]) {
    document.addEventListener(name, (event) => {
      if ($("table") && !event.target.closest?.("#past")) settleSoon();
    });
  }

  const arrived = (was, now) => {
    tell("arrived", was, now);
    if (was.turn === "no" && now.turn === "yes") beep();
  };

  // ---- who is here, and what was said ----

  let newest = null;
  const showPresence = () => {
    const data = $("presence")?.dataset;
    if (!data) return;
    const here = data.here.split(" ");
    for (const dot of document.querySelectorAll(".presence[data-seat]")) {
      const on = here.includes(dot.dataset.seat);
      dot.classList.toggle("here", on);
      dot.title = on ? "Here now" : "Not here now";
    }
    if (newest !== null && data.newest !== newest) globalThis.kadab.markUnread($("tab-chat"), "New messages");
    newest = data.newest;
  };

  // ---- sound ----

  // Until it is said here, the account's wish holds.
  const wantsSound = () => (kept("sound") ?? $("table").dataset.sound) === "yes";

  const showSound = (on) => {
    const button = document.querySelector("[data-sound-toggle]");
    button?.setAttribute("aria-pressed", String(on));
  };

  const toggleSound = () => {
    const on = !(document.querySelector("[data-sound-toggle]").getAttribute("aria-pressed") === "true");
    keep("sound", on ? "yes" : "no");
    showSound(on);
    if (on) beep();
  };

  let audio = null;
  const beep = () => {
    if (document.querySelector("[data-sound-toggle]")?.getAttribute("aria-pressed") !== "true") return;
    audio ??= new AudioContext();
    for (const [pitch, when] of [[660, 0], [880, 0.12]]) {
      const tone = audio.createOscillator();
      const loud = audio.createGain();
      tone.frequency.value = pitch;
      const from = audio.currentTime + when;
      loud.gain.setValueAtTime(0.0001, from);
      loud.gain.exponentialRampToValueAtTime(0.15, from + 0.02);
      loud.gain.exponentialRampToValueAtTime(0.0001, from + 0.25);
      tone.connect(loud).connect(audio.destination);
      tone.start(from);
      tone.stop(from + 0.3);
    }
  };

  const say = (text) => {
    const line = $("spoken");
    if (line) line.textContent = text;
  };

  // ---- what a game's script may use ----

  globalThis.kadab.table = { $, state, board, ours, pulse, tell, say, calm, on: (name, run) => listeners[name].push(run) };

  document.addEventListener("click", (event) => {
    if (event.target.closest?.("[data-sound-toggle]")) toggleSound();
  });

  document.addEventListener("DOMContentLoaded", () => {
    if (!$("table") || !board()) return;
    before = remembered();
    showSound(wantsSound());
    showPresence();
    tell("settled");
    $("table").classList.add("live");
  });

  // What somebody has unfolded among the tools stays open when they are drawn anew.
  let unfolded = [];
  const folds = () => [...($("tools")?.querySelectorAll("details") ?? [])];
  const named = (each) => each.querySelector("summary")?.textContent.trim();
  document.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (detail.target?.id === "tools") unfolded = folds().filter((each) => each.open).map(named);
  });
  document.addEventListener("htmx:afterSwap", ({ detail }) => {
    if (detail.target?.id === "tools") for (const each of folds()) each.open ||= unfolded.includes(named(each));
  });
})();
