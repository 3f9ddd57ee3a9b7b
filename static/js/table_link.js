// How a table's page talks with the server. Actions go by the open socket, or by POST without one; each is sent again
// with the same token until it is answered, and counts once. The socket is opened again whatever closed it. While it
// lives the page asks for nothing; without it, the page asks every few seconds.
(() => {
  const { $, state, board, ours, pulse, tell } = globalThis.kadab.table;

  // ---- what this page shows, told with every request ----

  const token = () => {
    const bytes = crypto.getRandomValues(new Uint8Array(18));
    return btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_");
  };

  const complete = (values, form) => {
    const { revision, silent, seat, mark, decision } = state();
    values.revision ??= revision;
    values.silent ??= silent;
    values.seat = seat;
    values.mark = mark;
    values.talk = $("presence")?.dataset.talk ?? "";
    if (form.id === "pulse-form") values.visible = document.hidden ? "0" : "1";
    if (!acts(form)) return;
    values.decision ??= decision;
    values.token ??= token();
    form.sent = { ...Object.fromEntries(Object.entries(values)) };
    board()?.classList.add("sending");
    tell("sent");
    // Closed only now: closing moves the focus, and htmx would forget which button it was.
    for (const dialog of document.querySelectorAll("dialog[open]")) dialog.close();
  };

  const acts = (form) => form.id === "act-form" || form.id === "move-form";

  document.addEventListener("htmx:configRequest", (event) => {
    const { parameters, elt } = event.detail;
    if (ours(elt)) complete(parameters, elt);
  });

  // ---- acting ----

  const PATIENCE = 4000; // then the answer is asked for by POST
  let waiting = null; // for the answer to what went by the socket

  const act = (action) => {
    const form = $("act-form");
    form.tries = 0;
    send(form, { action: JSON.stringify(action) });
  };

  const send = (form, values) => {
    if (!isOpen() || form.tries) return post(form, values);
    complete(values, form);
    waiting = { form, token: form.sent.token, timer: setTimeout(giveUp, PATIENCE) };
    raw.send(JSON.stringify(form.sent));
  };

  // The socket said nothing, or is gone: the same action once more, by POST.
  const giveUp = () => {
    if (!waiting) return;
    const { form, timer } = waiting;
    clearTimeout(timer);
    waiting = null;
    post(form, form.sent);
  };

  const post = (form, values) => {
    const sending = htmx.ajax("POST", $("table").dataset.act, { source: form, swap: "none", values });
    sending.catch(() => {}); // htmx:afterRequest hears of it, too
  };

  document.addEventListener("htmx:wsBeforeMessage", (event) => {
    heardAt = Date.now();
    const { message } = event.detail;
    const answer = message.match(/<div id="answer"[^>]* data-token="([^"]*)" data-status="([^"]*)"/);
    if (!waiting || answer?.[1] !== waiting.token) return;
    const { form, timer } = waiting;
    clearTimeout(timer);
    waiting = null;
    answered(form, Number(answer[2]), / data-go="/.test(message));
    showConnection(true);
  });

  // Only the answer itself ends the waiting: what others do meanwhile must not let the same thing be sent twice.
  const answered = (form, status, leaves) => {
    form.tries = 0;
    board()?.classList.remove("sending");
    tell("answered", { status, leaves, action: form.sent?.action ?? "" });
  };

  // A POST that got no answer is sent again with the same token: it counts once, whatever arrived.
  const again = (form) => {
    form.tries = (form.tries ?? 0) + 1;
    showConnection(false);
    setTimeout(() => send(form, form.sent), Math.min(8000, 400 * 2 ** form.tries));
  };

  document.addEventListener("htmx:afterRequest", (event) => {
    const form = event.detail.elt;
    const { status } = event.detail.xhr;
    if (acts(form)) {
      if (status === 0 || [502, 503, 504].includes(status)) return again(form);
      answered(form, status, Boolean(event.detail.xhr.getResponseHeader("HX-Redirect")));
      if (status < 300 && form.id === "move-form") form.reset();
      if (status >= 500) globalThis.kadab.toast("Something went wrong here. Your move was not made; please try again.", "error");
    }
    if (form.id === "chat-form" && event.detail.successful) form.reset();
    if (ours(form) && status) {
      polled = Date.now();
      showConnection(true);
    }
  });

  // ---- the socket ----

  const [LOGGED_OUT, NO_SUCH_TABLE, TOO_MANY, NEEDS_UPGRADE] = [4401, 4404, 4429, 4503];
  const BY_ITSELF = [1006, 1011, 1012, 1013]; // after these the extension opens a new socket
  const LASTED = 10000;
  const [PULSE, PING, DEAF] = [10000, 25000, 40000];
  let raw = null; // the newest WebSocket
  let socket = null; // the extension's wrapper, while it is open
  let openedAt = Infinity;
  let heardAt = 0;
  let tries = 0;
  let polled = Date.now();

  const isOpen = () => socket !== null && raw?.readyState === WebSocket.OPEN;

  if (globalThis.htmx) {
    htmx.createWebSocket = (url) => {
      const { revision: v = "", silent = "", seat = "", mark = "" } = state();
      const talk = $("presence")?.dataset.talk ?? "";
      raw = new WebSocket(`${url}?${new URLSearchParams({ v, silent, seat, mark, talk })}`);
      return raw;
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
    openedAt = heardAt = Date.now();
    showConnection(true);
    looking();
  });

  document.addEventListener("htmx:wsClose", (event) => {
    const { code } = event.detail.event;
    const wrapper = event.detail.socketWrapper ?? socket;
    socket = null;
    // The page itself says what is wrong when it is loaded again.
    if ([LOGGED_OUT, NO_SUCH_TABLE, NEEDS_UPGRADE].includes(code)) return location.reload();
    giveUp();
    // With too many windows open, this page asks every few seconds until it is given a socket.
    if (code === TOO_MANY) return setTimeout(() => wrapper?.reconnect(), pause(2000, 60000));
    setTimeout(() => socket === null && showConnection(Date.now() - polled < 12000), 3000);
    if (!BY_ITSELF.includes(code)) setTimeout(() => wrapper?.reconnect(), pause(1000, 10000));
  });

  // A laptop that slept, or a network that went away without a word, leaves a socket that looks open and is deaf.
  const check = () => {
    if (!isOpen()) return pulse();
    if (Date.now() - heardAt < DEAF) return;
    const wrapper = socket;
    socket = null;
    giveUp();
    pulse();
    wrapper.reconnect();
  };

  setInterval(check, PULSE);
  setInterval(() => isOpen() && raw.send("ping"), PING);

  const showConnection = (good) => {
    const line = $("connection");
    if (line) line.hidden = good;
  };

  const looking = () => isOpen() && raw.send(JSON.stringify({ looking: !document.hidden }));
  document.addEventListener("visibilitychange", () => {
    looking();
    if (!document.hidden) pulse();
  });
  addEventListener("online", () => pulse());

  globalThis.kadab.table.act = act;
})();
