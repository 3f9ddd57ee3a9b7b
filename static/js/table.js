// The page of one table, whatever is played on it: applies news in the right order, sends one whole action at a time and
// sends it again if no answer came, keeps the socket, shows who is here. A game's own script (gambit.js, kings.js) turns
// clicks, drags and keys into actions, and hangs on by kadab.table.on("arrived" | "settled", …).
(() => {
  const { keep, kept } = globalThis.kadab;
  const $ = (id) => document.getElementById(id);
  const state = () => $("page-state")?.dataset ?? {};
  // What a page shows goes by the game's revision, and by what its own seat has done since that nobody else is told.
  const place = (revision, silent) => Number(revision || -1) * 1e6 + Number(silent || 0);
  const here = () => place(state().revision ?? -1, state().silent);
  const board = () => $("board");

  const listeners = { arrived: [], settled: [] };
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
    if (!fits(event.detail.message)) event.preventDefault();
    else remember();
  });

  document.addEventListener("htmx:beforeSwap", (event) => {
    const { xhr, requestConfig } = event.detail;
    if (!ours(requestConfig.elt)) return;
    if (!fits(xhr.responseText)) {
      // The socket was quicker with the news; whether the action was refused is only said here.
      const refusal = xhr.responseText.match(/<div hx-swap-oob="innerHTML:#refusal">[^]*$/)?.[0];
      event.detail.shouldSwap &&= Boolean(refusal);
      event.detail.serverResponse = refusal ?? "";
      return;
    }
    if (event.detail.shouldSwap) remember();
  });

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

  // ---- what this page shows, told with every request ----

  const ours = (form) => ["act-form", "move-form", "pulse-form", "chat-form"].includes(form?.id);

  const token = () => {
    const bytes = crypto.getRandomValues(new Uint8Array(18));
    return btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_");
  };

  document.addEventListener("htmx:configRequest", (event) => {
    const { parameters, elt } = event.detail;
    if (!ours(elt)) return;
    parameters.revision ??= state().revision;
    parameters.silent ??= state().silent;
    parameters.seat = state().seat;
    parameters.mark = state().mark;
    parameters.talk = $("presence")?.dataset.talk ?? "";
    if (elt.id === "pulse-form") parameters.visible = document.hidden ? "0" : "1";
    if (elt.id === "act-form" || elt.id === "move-form") {
      parameters.decision ??= state().decision;
      parameters.token ??= token();
      event.detail.elt.sent = { ...Object.fromEntries(Object.entries(parameters)) };
      board()?.classList.add("sending");
      // Closed only now: closing moves the focus, and htmx would forget which button it was.
      for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
    }
  });

  const send = (form, values) => {
    const sending = htmx.ajax("POST", $("table").dataset.act, { source: form, swap: "none", values });
    sending.catch(() => {}); // htmx:afterRequest hears of it, too
  };

  const act = (action) => {
    const form = $("act-form");
    form.tries = 0;
    send(form, { action: JSON.stringify(action) });
  };

  // ---- a submission that got no answer is sent again with the same token: it counts once, whatever arrived ----

  const again = (form) => {
    form.tries = (form.tries ?? 0) + 1;
    showConnection(false);
    const wait = Math.min(8000, 400 * 2 ** form.tries);
    setTimeout(() => send(form, form.sent), wait);
  };

  document.addEventListener("htmx:afterRequest", (event) => {
    const form = event.detail.elt;
    if (form.id === "act-form" || form.id === "move-form") {
      const status = event.detail.xhr.status;
      if (status === 0 || [502, 503, 504].includes(status)) return again(form);
      form.tries = 0;
      board()?.classList.remove("sending");
      if (status < 300 && form.id === "move-form") form.reset();
      if (status >= 500) globalThis.kadab.toast("Something went wrong here. Your move was not made; please try again.", "error");
    }
    if (form.id === "chat-form" && event.detail.successful) form.reset();
    if (ours(form) && event.detail.xhr.status) {
      polled = Date.now();
      showConnection(true);
    }
  });

  // ---- the socket: brings news, and is opened again whatever closed it, unless this visitor may not look any more ----

  const [LOGGED_OUT, NO_SUCH_TABLE, TOO_MANY, NEEDS_UPGRADE] = [4401, 4404, 4429, 4503];
  const BY_ITSELF = [1006, 1011, 1012, 1013]; // after these the extension opens a new socket
  const LASTED = 10000;
  let socket = null;
  let openedAt = Infinity;
  let tries = 0;
  let polled = Date.now();

  if (globalThis.htmx) {
    htmx.createWebSocket = (url) => {
      const { revision: v = "", silent = "", seat = "", mark = "" } = state();
      const talk = $("presence")?.dataset.talk ?? "";
      const query = new URLSearchParams({ v, silent, seat, mark, talk });
      return new WebSocket(`${url}?${query}`);
    };
    htmx.config.wsReconnectDelay = () => pause(300, 10000);
  }

  // The server opens every socket and closes it with a reason, so "open" alone is no success: the delay grows until a
  // socket has lasted.
  const pause = (shortest, longest) => {
    if (Date.now() - openedAt > LASTED) tries = 0;
    openedAt = Infinity;
    return Math.min(longest, shortest * 2 ** tries++) * (0.5 + Math.random() / 2);
  };

  document.addEventListener("htmx:wsOpen", (event) => {
    socket = event.detail.socketWrapper;
    openedAt = Date.now();
    showConnection(true);
    looking();
  });

  document.addEventListener("htmx:wsClose", (event) => {
    const { code } = event.detail.event;
    const wrapper = event.detail.socketWrapper ?? socket;
    socket = null;
    // The page itself says what is wrong when it is loaded again.
    if ([LOGGED_OUT, NO_SUCH_TABLE, NEEDS_UPGRADE].includes(code)) return location.reload();
    // With too many windows open, this page asks every few seconds until it is given a socket.
    if (code === TOO_MANY) return setTimeout(() => wrapper?.reconnect(), pause(2000, 60000));
    setTimeout(() => socket === null && showConnection(Date.now() - polled < 12000), 3000);
    if (!BY_ITSELF.includes(code)) setTimeout(() => wrapper?.reconnect(), pause(1000, 10000));
  });

  const showConnection = (good) => {
    const line = $("connection");
    if (line) line.hidden = good;
  };

  const looking = () => socket?.send(JSON.stringify({ looking: !document.hidden }));
  setInterval(looking, 30000);
  document.addEventListener("visibilitychange", () => {
    looking();
    if (!document.hidden) pulse();
  });
  addEventListener("online", () => pulse());

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
    const tab = $("tab-chat");
    if (newest !== null && data.newest !== newest && tab.getAttribute("aria-selected") !== "true" && !tab.querySelector(".unread")) {
      const dot = document.createElement("span");
      dot.className = "unread";
      dot.title = "New messages";
      tab.append(dot);
    }
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

  globalThis.kadab.table = { $, state, board, act, say, calm, on: (name, run) => listeners[name].push(run) };

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
})();
