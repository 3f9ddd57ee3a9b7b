// How a table's page talks with the server. Actions go by the open socket, or by POST without one; each is sent again
// with the same token until it is answered, and counts once; until then the page says that it is not saved yet. The
// socket is opened again whatever closed it. While it lives the page asks for nothing; without it, the page asks every
// few seconds.

import { $ } from "./page.js";
import { board, ours, pulse, say, state, tell } from "./table.js";
import { toast } from "./toasts.js";

// ---- what this page shows, told with every request ----

const token = () => {
  const bytes = crypto.getRandomValues(new Uint8Array(18));
  return btoa(String.fromCharCode(...bytes))
    .replace(/\+/g, "-")
    .replace(/\//g, "_");
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
const AWAY = [0, 502, 503, 504]; // no answer, or one that says "later"
const LONGEST_REST = 4000; // between two tries
let waiting = null; // for the answer to what went by the socket
let unsaved = null; // the form whose action got no answer yet, and the timer of its next try

export const act = (action) => {
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
  unsaved = { form };
  showConnection();
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
  const status = Number(answer[2]);
  if (AWAY.includes(status)) return again(form);
  isLost = false;
  answered(form, status, / data-go="/.test(message));
});

// Only the answer itself ends the waiting: what others do meanwhile must not let the same thing be sent twice.
const answered = (form, status, leaves) => {
  form.tries = 0;
  if (unsaved && status < 300) {
    toast("Saved.");
    say("Saved.");
  }
  clearTimeout(unsaved?.timer);
  unsaved = null;
  showConnection();
  board()?.classList.remove("sending");
  tell("answered", { status, leaves, action: form.sent?.action ?? "" });
};

// What got no answer is sent again with the same token: it counts once, whatever arrived.
const again = (form) => {
  form.tries = (form.tries ?? 0) + 1;
  const rest = Math.min(LONGEST_REST, 300 * 2 ** form.tries) * (0.75 + Math.random() / 2);
  clearTimeout(unsaved?.timer);
  unsaved = { form, timer: setTimeout(tryNow, rest) };
  showConnection();
};

const tryNow = () => {
  if (!unsaved?.timer) return; // nothing is unsaved, or its next try is under way
  const { form, timer } = unsaved;
  clearTimeout(timer);
  unsaved = { form };
  send(form, form.sent);
};

document.addEventListener("htmx:afterRequest", (event) => {
  const form = event.detail.elt;
  const { status } = event.detail.xhr;
  if (acts(form)) {
    if (AWAY.includes(status)) return again(form);
    answered(form, status, Boolean(event.detail.xhr.getResponseHeader("HX-Redirect")));
    if (status < 300 && form.id === "move-form") form.reset();
    if (status >= 500) toast("Something went wrong here. Your move was not made; please try again.", "error");
  }
  if (form.id === "chat-form" && event.detail.successful) form.reset();
  if (ours(form) && !AWAY.includes(status)) {
    polled = Date.now();
    isLost = false;
    showConnection();
  }
});

// ---- the socket ----

const [LOGGED_OUT, NO_SUCH_TABLE, TOO_MANY, NEEDS_UPGRADE] = [4401, 4404, 4429, 4503];
const BY_ITSELF = [1006, 1011, 1012, 1013]; // after these the extension opens a new socket
const LASTED = 10000;
const [PULSE, PING, DEAF] = [10000, 25000, 40000];
const [TICK, ASLEEP, NO_ECHO, NO_HANDSHAKE, NO_ANSWER] = [1000, 4000, 1200, 4000, 10000];
const SOON = 60000; // so long a lost socket is tried every 1.5 s: whoever's network is back is not to wait
let raw = null; // the newest WebSocket
let socket = null; // the extension's wrapper, while it is open
let openedAt = Infinity;
let heardAt = 0;
let triedAt = 0; // to open the newest one
let lostAt = null;
let tries = 0;
let polled = Date.now();
let isLost = false; // the page says so

const isOpen = () => socket !== null && raw?.readyState === WebSocket.OPEN;

if (globalThis.htmx) {
  htmx.createWebSocket = (url) => {
    const { revision: v = "", silent = "", seat = "", mark = "" } = state();
    const talk = $("presence")?.dataset.talk ?? "";
    raw = new WebSocket(`${url}?${new URLSearchParams({ v, silent, seat, mark, talk })}`);
    triedAt = Date.now();
    return raw;
  };
  htmx.config.wsReconnectDelay = () => pause(300, Date.now() - (lostAt ?? Date.now()) < SOON ? 1500 : 8000);
  htmx.config.timeout = NO_ANSWER; // a cable that was cut says nothing
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
  lostAt = null;
  isLost = false;
  showConnection();
  looking();
  tryNow();
});

document.addEventListener("htmx:wsClose", (event) => {
  const { code, target } = event.detail.event;
  if (target !== raw) return; // an older one, given up before
  const wrapper = event.detail.socketWrapper ?? socket;
  socket = null;
  lostAt ??= Date.now();
  // The page itself says what is wrong when it is loaded again.
  if ([LOGGED_OUT, NO_SUCH_TABLE, NEEDS_UPGRADE].includes(code)) return location.reload();
  giveUp();
  // With too many windows open, this page asks every few seconds until it is given a socket.
  if (code === TOO_MANY) return setTimeout(() => wrapper?.reconnect(), pause(2000, 60000));
  setTimeout(() => {
    if (socket !== null) return;
    isLost = Date.now() - polled >= 12000;
    showConnection();
  }, 3000);
  if (!BY_ITSELF.includes(code)) setTimeout(() => wrapper?.reconnect(), pause(1000, 10000));
});

// A laptop that slept, or a network that went away without a word, leaves a socket that looks open and is deaf.
const check = () => {
  if (!isOpen()) return pulse();
  if (Date.now() - heardAt >= DEAF) openAnew();
};

const openAnew = () => {
  const wrapper = socket;
  socket = null;
  raw.onclose = null; // its end may come a minute late, and is nobody's concern then
  giveUp();
  pulse();
  wrapper.reconnect();
};

// After a sleep nobody waits for the next ping: a socket that does not echo at once is given up.
const probe = () => {
  if (!isOpen()) return;
  const [asked, asking] = [Date.now(), raw];
  raw.send("ping");
  setTimeout(() => isOpen() && raw === asking && heardAt < asked && openAnew(), NO_ECHO);
};

let ticked = Date.now();
const tick = () => {
  const slept = Date.now() - ticked > ASLEEP;
  ticked = Date.now();
  if (slept) probe();
  // A handshake that hangs would be waited for until the browser gives up, for minutes.
  if (raw?.readyState === WebSocket.CONNECTING && Date.now() - triedAt > NO_HANDSHAKE) raw.close();
};

const isBack = () => {
  if (lostAt !== null) [lostAt, tries] = [Date.now(), 0];
  probe();
  pulse();
  tryNow();
};

setInterval(check, PULSE);
setInterval(tick, TICK);
setInterval(() => isOpen() && raw.send("ping"), PING);

const showConnection = () => {
  const line = $("connection");
  if (!line) return;
  line.hidden = !unsaved && !isLost;
  const words = unsaved ? "Not saved yet. Trying again…" : "Connection lost. Trying again…";
  const said = line.querySelector("span");
  if (said.textContent !== words) said.textContent = words;
};

const looking = () => isOpen() && raw.send(JSON.stringify({ looking: !document.hidden }));
document.addEventListener("visibilitychange", () => {
  looking();
  if (!document.hidden) isBack();
});
document.addEventListener("resume", isBack); // a page the browser had frozen
addEventListener("online", isBack);
