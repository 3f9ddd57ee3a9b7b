// The page of one table. The server says what may be done (#offers) and draws everything; this script turns clicks,
// drags and keys into one whole action, applies news in the right order, and shows earlier positions.
(() => {
  const $ = (id) => document.getElementById(id);
  const state = () => $("page-state")?.dataset ?? {};
  const revision = () => Number(state().revision ?? -1);
  const board = () => $("board");
  const SVG = "http://www.w3.org/2000/svg";
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
    const to = read(text, "revision");
    if (to === undefined) return true; // talk and refusals go with any position
    const base = read(text, "base");
    if (base === "") return Number(to) >= revision();
    if (Number(to) <= revision()) return false;
    if (Number(base) === revision()) return true;
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
  const focused = () => document.activeElement?.dataset?.square;
  const remembered = () => ({ ...state(), focus: focused() });
  const remember = () => {
    if (!unsettled) before.focus = focused();
    unsettled = true;
  };

  const settle = () => {
    const now = state();
    if (now.revision !== before.revision || now.side !== before.side) arrived(before, now);
    if ($("tools") && (now.mark !== before.mark || now.over !== before.over)) htmx.trigger($("tools"), "tools");
    // The board may have been drawn anew under the hand: whatever it held, it holds again.
    if (before.focus && document.activeElement === document.body) square(before.focus)?.focus();
    if (chosen && !square(chosen).classList.contains("selected")) choose(chosen);
    before = remembered();
    unsettled = false;
    showOffers();
    showPresence();
    showSteps();
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
    stopDragging();
    drop();
    if (was.side !== now.side) turned = false;
    turn();
    if (was.last !== now.last) slide(now.last);
    if (was.turn === "no" && now.turn === "yes") beep();
  };

  // A piece glides to where it went, so that the eye sees what happened.
  const slide = (last) => {
    const [from, to] = (last || "").split(" ").map(square);
    const piece = to?.querySelector(".piece");
    if (!piece || !from || calm.matches || dragged) {
      dragged = false;
      return;
    }
    const [a, b] = [corner(from), corner(to)];
    const glide = { duration: 180, easing: "ease-out" };
    const double = piece.cloneNode(); // above all squares, where the piece itself is not
    double.setAttribute("class", "ghost");
    double.setAttribute("x", b.x);
    double.setAttribute("y", b.y);
    board().append(double);
    piece.animate([{ opacity: 0 }, { opacity: 0 }], glide);
    const run = double.animate([{ transform: `translate(${a.x - b.x}px, ${a.y - b.y}px)` }, { transform: "none" }], glide);
    run.onfinish = run.oncancel = () => double.remove();
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
    parameters.seat = state().seat;
    parameters.mark = state().mark;
    parameters.talk = $("presence")?.dataset.talk ?? "";
    if (elt.id === "pulse-form") parameters.visible = document.hidden ? "0" : "1";
    if (elt.id === "act-form" || elt.id === "move-form") {
      parameters.decision ??= state().decision;
      parameters.token ??= token();
      event.detail.elt.sent = { ...Object.fromEntries(Object.entries(parameters)) };
      board().classList.add("sending");
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
      board().classList.remove("sending");
      if (status < 300 && form.id === "move-form") form.reset();
      if (status >= 500) globalThis.kadab.toast("Something went wrong here. Your move was not made; please try again.", "error");
    }
    if (form.id === "chat-form" && event.detail.successful) form.reset();
    if (ours(form) && event.detail.xhr.status) {
      polled = Date.now();
      showConnection(true);
    }
  });

  // ---- the socket: brings news, and is opened again whatever closed it, unless it was told to stay away ----

  const FINAL = [4401, 4403, 4404, 4429];
  let socket = null;
  let polled = Date.now();

  if (globalThis.htmx) {
    htmx.createWebSocket = (url) => {
      const { revision: v = "", seat = "", mark = "" } = state();
      const talk = $("presence")?.dataset.talk ?? "";
      const query = new URLSearchParams({ v, seat, mark, talk });
      return new WebSocket(`${url}?${query}`);
    };
    htmx.config.wsReconnectDelay = (tries) => Math.min(10000, 300 * 2 ** tries) * (0.5 + Math.random() / 2);
  }

  document.addEventListener("htmx:wsOpen", (event) => {
    socket = event.detail.socketWrapper;
    showConnection(true);
    looking();
  });

  document.addEventListener("htmx:wsClose", (event) => {
    const { code } = event.detail.event;
    const wrapper = event.detail.socketWrapper ?? socket;
    socket = null;
    if (FINAL.includes(code)) {
      if (code === 4401 || code === 4404) location.reload();
      return; // too many windows: this one follows by asking every few seconds
    }
    setTimeout(() => socket === null && showConnection(Date.now() - polled < 12000), 3000);
    // The extension comes back by itself after 1006, 1011, 1012 and 1013; after all others it is told to.
    if (![1006, 1011, 1012, 1013].includes(code)) setTimeout(() => wrapper?.reconnect(), 500 + Math.random() * 1500);
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

  // ---- the board: squares, sides ----

  const square = (name) => $(`sq-${name}`);
  const corner = (g) => {
    const [x, y] = g.getAttribute("transform").match(/\d+/g).map(Number);
    return { x, y };
  };

  let turned = false;
  const turn = () => {
    board().classList.toggle("turned", turned);
    $("table-board").classList.toggle("turned", turned);
    const fromDark = (state().side === "1") !== turned;
    for (const g of board().querySelectorAll(".square")) {
      const column = g.dataset.square.charCodeAt(0) - 97;
      const row = Number(g.dataset.square.slice(1)) - 1;
      const [x, y] = fromDark ? [9 - column, row] : [column, 9 - row];
      g.setAttribute("transform", `translate(${x * 100} ${y * 100})`);
    }
  };

  // ---- choosing: first a piece, then where to ----

  let offers = new Map();
  let chosen = null;
  let cursor = null;

  const showOffers = () => {
    offers = new Map();
    for (const line of document.querySelectorAll("#offers [data-from]")) {
      offers.set(line.dataset.from, line.dataset.targets.split(" "));
    }
    for (const g of board().querySelectorAll(".square")) g.classList.toggle("movable", offers.has(g.dataset.square));
    place(cursor ?? [...offers.keys()][0] ?? "a1");
  };

  const drop = () => {
    for (const g of board().querySelectorAll(".selected, .target")) {
      g.classList.remove("selected", "target");
      g.removeAttribute("aria-selected");
    }
    chosen = null;
  };

  const choose = (name) => {
    drop();
    if (!offers.has(name)) return;
    chosen = name;
    square(name).classList.add("selected");
    square(name).setAttribute("aria-selected", "true");
    for (const target of offers.get(name)) square(target).classList.add("target");
    say(`${square(name).querySelector("title").textContent}: can go to ${offers.get(name).join(", ")}.`);
  };

  const press = (name) => {
    if (chosen && offers.get(chosen)?.includes(name)) {
      const source = chosen;
      drop();
      act({ do: "move", source, target: name });
    } else if (name === chosen) drop();
    else choose(name);
  };

  const say = (text) => {
    const line = $("spoken");
    if (line) line.textContent = text;
  };

  // ---- mouse, finger, pen ----

  let drag = null;
  let dragged = false;
  const FAR = 6;

  const squareAt = (event) => document.elementFromPoint(event.clientX, event.clientY)?.closest?.("#board .square")?.dataset.square;

  const start = (event) => {
    const name = event.target.closest?.("#board .square")?.dataset.square;
    if (!name || event.button) return;
    cursor = name;
    if (!offers.has(name) || (chosen && offers.get(chosen).includes(name))) return;
    drag = { name, x: event.clientX, y: event.clientY, was: chosen, ghost: null };
    choose(name);
    event.target.releasePointerCapture?.(event.pointerId);
  };

  const lift = () => {
    drag.ghost = square(drag.name).querySelector(".piece").cloneNode();
    drag.ghost.setAttribute("class", "ghost");
    board().append(drag.ghost);
    square(drag.name).classList.add("dragging");
  };

  const move = (event) => {
    if (!drag) return;
    if (!drag.ghost && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < FAR) return;
    if (!drag.ghost) lift();
    event.preventDefault();
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(board().getScreenCTM().inverse());
    drag.ghost.setAttribute("x", at.x - 50);
    drag.ghost.setAttribute("y", at.y - (event.pointerType === "touch" ? 90 : 50));
    const over = squareAt(event);
    for (const g of board().querySelectorAll(".drag-over")) g.classList.remove("drag-over");
    if (over && offers.get(drag.name)?.includes(over)) square(over).classList.add("drag-over");
  };

  const end = (event) => {
    if (!drag) return;
    const { name, ghost, was } = drag;
    const over = squareAt(event);
    stopDragging();
    if (!ghost) {
      if (was === name) drop(); // a second press lets go
    } else if (over && over !== name && offers.get(name)?.includes(over)) {
      dragged = true;
      drop();
      act({ do: "move", source: name, target: over });
    }
    skipClick = true;
    setTimeout(() => (skipClick = false));
  };

  const stopDragging = () => {
    drag?.ghost?.remove();
    for (const g of board().querySelectorAll(".drag-over, .dragging")) g.classList.remove("drag-over", "dragging");
    drag = null;
  };

  let skipClick = false;

  // ---- keys on the board ----

  const place = (name) => {
    for (const g of board().querySelectorAll("[tabindex='0']")) g.setAttribute("tabindex", "-1");
    cursor = name;
    square(name)?.setAttribute("tabindex", "0");
  };

  const STEPS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

  const neighbour = (g, [dx, dy]) => {
    const { x, y } = corner(g);
    const to = `translate(${x + 100 * dx} ${y + 100 * dy})`;
    return board().querySelector(`.square[transform="${to}"]`);
  };

  const boardKey = (event) => {
    const g = event.target.closest(".square");
    if (STEPS[event.key]) {
      const next = neighbour(g, STEPS[event.key]);
      if (next) {
        place(next.dataset.square);
        next.focus();
      }
    } else if (event.key === "Enter" || event.key === " ") press(g.dataset.square);
    else if (event.key === "Escape") {
      if (chosen) square(chosen).focus();
      drop();
    } else return;
    event.preventDefault();
  };

  // ---- earlier positions: a layer over the live board, which goes on underneath ----

  let at = null; // the revision shown, or null for now

  const revisions = () => [0, ...[...document.querySelectorAll("#moves [data-at]")].map((a) => Number(a.dataset.at))];

  const look = (to) => {
    const all = revisions();
    at = to >= all[all.length - 1] ? null : to;
    showSteps();
    if (at === null) {
      $("past").replaceChildren();
      return;
    }
    const side = Number((state().side === "1") !== turned);
    htmx.ajax("GET", `${$("table").dataset.url}at/${at}/?side=${side}`, { target: "#past", swap: "innerHTML" });
  };

  const step = (how) => {
    const all = revisions();
    const here = at === null ? all.length - 1 : Math.max(0, all.findLastIndex((each) => each <= at));
    const to = { first: 0, back: here - 1, on: here + 1, live: all.length - 1 }[how];
    if (to >= 0 && to < all.length) look(all[to]);
  };

  const showSteps = () => {
    const all = revisions();
    const here = at ?? all[all.length - 1];
    for (const a of document.querySelectorAll("#moves [data-at]")) {
      if (Number(a.dataset.at) === here) a.setAttribute("aria-current", "true");
      else a.removeAttribute("aria-current");
    }
    for (const button of document.querySelectorAll(".stepper [data-step]")) {
      const atEnd = ["on", "live"].includes(button.dataset.step) ? at === null : here === 0;
      button.disabled = atEnd || all.length < 2;
    }
    $("table").classList.toggle("looking-back", at !== null);
    const list = document.querySelector("[data-keep-current]");
    const line = list?.querySelector("[aria-current]");
    if (line) list.scrollTop = line.offsetTop - list.offsetTop - list.clientHeight / 2;
  };

  // ---- sound ----

  const wantsSound = () => {
    try {
      const kept = localStorage.getItem("sound");
      if (kept) return kept === "yes";
    } catch {
      // Storage may be forbidden; the account's wish then holds.
    }
    return $("table").dataset.sound === "yes";
  };

  const showSound = (on) => {
    const button = document.querySelector("[data-sound-toggle]");
    button?.setAttribute("aria-pressed", String(on));
  };

  const toggleSound = () => {
    const on = !(document.querySelector("[data-sound-toggle]").getAttribute("aria-pressed") === "true");
    try {
      localStorage.setItem("sound", on ? "yes" : "no");
    } catch {
      // It then lasts as long as the page.
    }
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

  // ---- listening ----

  const inField = (event) => event.target.closest?.("input, textarea, select, [role=tab], dialog[open], .square");

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest?.("#board .square")) boardKey(event);
    if (event.defaultPrevented || inField(event)) return;
    const how = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "live" }[event.key];
    if (how) step(how);
    else if (event.key === "f" || event.key === "F") flip();
    else if (event.key === "Escape" && at !== null) step("live");
    else return;
    event.preventDefault();
  });

  const flip = () => {
    turned = !turned;
    turn();
    if (at !== null) look(at);
  };

  document.addEventListener("click", (event) => {
    const on = (selector) => event.target.closest?.(selector);
    const stepper = on("[data-step]");
    if (stepper) step(stepper.dataset.step);
    if (on("[data-flip]")) flip();
    if (on("[data-sound-toggle]")) toggleSound();
    const line = on("#moves [data-at]");
    if (line && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault();
      look(Number(line.dataset.at));
    }
    const name = on("#board .square")?.dataset.square;
    if (name && !skipClick) press(name);
  });

  document.addEventListener("DOMContentLoaded", () => {
    if (!$("table") || !board()) return;
    before = remembered();
    showSound(wantsSound());
    showOffers();
    showPresence();
    showSteps();
    board().addEventListener("pointerdown", start);
    // A finger on a piece that can move drags it; anywhere else it scrolls the page. (touch-action inside an SVG
    // is not heeded everywhere.)
    board().addEventListener("touchstart", (event) => drag && event.preventDefault(), { passive: false });
    addEventListener("pointermove", move, { passive: false });
    addEventListener("pointerup", end);
    addEventListener("pointercancel", () => drag && stopDragging());
    board().addEventListener("dragstart", (event) => event.preventDefault());
    $("table").classList.add("live");
  });
})();
