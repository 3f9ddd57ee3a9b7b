// The page of Kings & Things*: the controls of a decision, which the server draws. A press acts or picks; a pick asks the
// server for the controls again. The map and the counters are other ways to press the same buttons. No rule lives here.
(() => {
  const { $, state, act, say, on: when } = globalThis.kadab.table;
  const { near, hands, light: lightMap, markMine } = globalThis.kadab.map;
  const { camera } = globalThis.kadab;

  const box = () => $("controls");
  const all = (selector) => [...box().querySelectorAll(selector)];
  const one = (selector) => box().querySelector(selector);
  const facts = () => $("picks")?.dataset ?? {};
  const quoted = (text) => CSS.escape(text);

  let busy = false; // an action is on its way
  let presses = []; // picks that the controls do not show yet
  let isStale = false; // something was picked since the controls were asked for
  let isAsking = false;
  let then = null; // what was pressed while the controls were on their way
  let picksNode = null; // as the controls were drawn last
  let picksText = "";
  let decision = "";
  let pending = null; // a button whose action waits to be confirmed: { action, text, from, hex }
  let aiming = ""; // the control that hexes are picked for, where there are several
  let chosenHex = null; // the hex whose panel is open
  let isNew = false; // a question that has just arrived
  const unfolded = new Map();

  // ---- sending

  const send = (action) => {
    if (busy) return;
    busy = true;
    box().setAttribute("aria-busy", "true");
    forget();
    act(action);
  };

  const forget = () => {
    [presses, isStale, then, pending, aiming, picksText] = [[], false, null, null, "", ""];
    one(".confirm")?.remove();
    showWhyNot();
  };

  when("answered", () => {
    busy = false;
    box()?.removeAttribute("aria-busy");
  });

  const keyOf = (node) => node.dataset.key ?? (node.matches("select") ? node.name : `${node.name} ${node.value}`);
  const byKey = (key) => all("button, select, summary").find((each) => keyOf(each) === key && !each.disabled);

  const doIt = (button) => {
    if (button.getAttribute("aria-disabled") === "true" && !isStale && !isAsking) return;
    if (isStale || isAsking) {
      const key = keyOf(button);
      then = () => byKey(key)?.click();
      return;
    }
    const action = JSON.parse(button.dataset.action ?? button.value);
    if (button.dataset.ask !== undefined) confirmFirst(button, action);
    else send(action);
  };

  // ---- confirming: said once more, and then done

  const make = (name, attributes, ...children) => {
    const node = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    node.append(...children);
    return node;
  };

  const confirmFirst = (button, action) => {
    pending = { action, text: `${button.dataset.ask} ${button.textContent}`.trim(), from: document.activeElement, hex: button.dataset.hex };
    dress();
    one("[data-confirm]").focus({ preventScroll: true });
    one(".confirm").scrollIntoView({ block: "nearest" });
  };

  // It comes last: nothing that is pressed without asking may slide under the hand.
  const drawConfirm = () => {
    one(".confirm")?.remove();
    for (const each of all("[data-stands-out]")) each.classList.toggle("primary", !pending);
    if (!pending) return;
    for (const each of all(".button.primary")) {
      each.dataset.standsOut = "";
      each.classList.remove("primary");
    }
    const yes = make("button", { type: "button", class: "button primary", "data-confirm": "", "data-key": "confirm" }, "Confirm");
    const no = make("button", { type: "button", class: "button", "data-cancel": "", "data-key": "cancel" }, "Cancel");
    const row = make("div", { class: "control-row" }, yes, no);
    box().append(make("div", { class: "confirm", role: "group", "aria-label": "Confirm" }, make("strong", {}, pending.text), row));
  };

  const cancel = () => {
    const from = pending?.from;
    pending = null;
    dress();
    if (from?.isConnected) from.focus();
    else box().focus();
  };

  // ---- picking: the pick shows at once, and the server draws what follows from it

  const pick = (button) => {
    $("refusal").replaceChildren();
    showWhyNot();
    pending = null;
    presses.push(button.value);
    const pressed = button.getAttribute("aria-pressed");
    if (pressed) button.setAttribute("aria-pressed", String(pressed !== "true"));
    showReach(button.dataset.reach);
    ask();
  };

  // One question at a time; what is picked meanwhile is asked about in the next, and the older answer is dropped.
  const ask = async () => {
    isStale = true;
    if (isAsking) return;
    isAsking = true;
    box().dataset.asking = "";
    while (isStale) {
      isStale = false;
      const [sent, about] = [presses.length, state().decision];
      const html = await preview();
      if (about !== state().decision || isStale) continue;
      presses = html === null ? [] : presses.slice(sent);
      if (html !== null) show(html);
      else dress();
    }
    isAsking = false;
    delete box().dataset.asking;
    const next = then;
    then = null;
    next?.();
  };

  const TOO_FAST = 429;
  const preview = async () => {
    const told = new FormData($("control-form"));
    for (const each of presses) told.append("press", each);
    told.set("seat", state().seat);
    try {
      const answer = await fetch($("table").dataset.preview, { method: "POST", body: told, credentials: "same-origin", headers: { "HX-Request": "true" } });
      if (answer.status === TOO_FAST) {
        isStale = true; // asked again a moment later
        await new Promise((soon) => setTimeout(soon, 300));
      }
      return answer.ok ? await answer.text() : null;
    } catch {
      return null; // without a connection nothing can be picked; the page says so elsewhere
    }
  };

  const show = (html) => {
    const key = box().contains(document.activeElement) ? keyOf(document.activeElement) : null;
    box().innerHTML = html;
    dress();
    if (key === null || box().contains(document.activeElement)) return;
    (byKey(key) ?? box()).focus({ preventScroll: true });
  };

  const dress = () => {
    picksNode = $("picks");
    picksText = picksNode?.value ?? "";
    for (const each of all("details[data-fold]")) each.open = unfolded.get(each.dataset.fold) === true;
    for (const each of all("[data-aim]")) each.setAttribute("aria-pressed", String(each.dataset.aim === aiming));
    drawConfirm();
    light();
  };

  // ---- what the map shows of it

  // Where several things could be meant, the player first says which of them the map is for.
  const active = (node) => {
    const control = node.closest("[data-control]");
    return !control?.hasAttribute("data-rival") || control.dataset.control === aiming;
  };
  const hexButtons = () => all("button[data-hex]:not(:disabled)").filter(active);
  const hexButton = (where) => hexButtons().find((each) => each.dataset.hex === where);
  const pairs = (text) => (text ? text.split(" ").map((each) => each.split(":")) : []);
  const stack = () => one("[data-stack]")?.dataset.stack ?? "";

  const light = (lit = null) => {
    const [targets, reach] = [new Map(), new Map(lit ?? [])];
    for (const each of hexButtons()) {
      const { hex, cost } = each.dataset;
      if (!lit && cost !== undefined && !reach.has(hex)) reach.set(hex, { cost });
      else if (!targets.has(hex)) targets.set(hex, each);
    }
    const planned = new Map(pairs(one("[data-planned]")?.dataset.planned));
    const waits = (where) => pending?.hex === where;
    lightMap({ targets, reach, planned, waits, chosen: (where) => where === chosenHex || where === stack() || waits(where) });
    lightCounters();
  };

  // The whole stack's reach comes with the question: it is lit before the server has answered.
  const showReach = (text) => {
    if (text !== undefined) light(pairs(text).map(([where, cost]) => [where, { cost }]));
  };

  const lightCounters = () => {
    const left = JSON.parse(one("[data-left]")?.dataset.left ?? "{}");
    const plan = new Map((JSON.parse(picksText || "{}").place?.plan ?? []).map((each) => each.split("@")));
    const on = new Set(all('[data-chip][aria-pressed="true"]').map((each) => each.dataset.chip));
    for (const each of document.querySelectorAll("button.counter[data-tag]")) {
      const { tag } = each.dataset;
      each.setAttribute("aria-pressed", String(on.has(tag)));
      each.classList.toggle("picked", on.has(tag));
      each.classList.toggle("planned", plan.has(tag));
      const name = each.querySelector(".name");
      if (plan.has(tag)) name.dataset.left = `→ ${one(`[data-in="${quoted(plan.get(tag))}"]`)?.textContent ?? ""}`;
      else if (tag in left) name.dataset.left = `${left[tag]} left`;
      else if (name) delete name.dataset.left;
    }
  };

  const open = (where) => {
    chosenHex = where;
    const panel = $("hex-panel");
    panel.hidden = !where;
    for (const each of panel.querySelectorAll(".in-hex")) each.hidden = each.dataset.place !== where;
  };

  const press = (where) => {
    open(where);
    showWhyNot();
    $("refusal").replaceChildren();
    const button = hexButton(where);
    if (isStale || isAsking) then = () => press(where);
    else if (button) button.click();
    else {
      light();
      askWhyNot(wouldBe(where));
    }
    say($(`hex-${where}`)?.querySelector("title")?.textContent ?? where);
  };

  // ---- dragging: a stack to a hex within its reach, or a counter of the rack to where it is placed

  const grab = ({ place, tag }) => {
    if (tag) return grabCounter(tag);
    if (stack() === place) return String(all('[data-control="march"] [data-chip][aria-pressed="true"]').length || "") || null;
    const start = one(`[data-stack-of][data-hex="${quoted(place)}"]`);
    if (!start) return null;
    open(place);
    start.click();
    return start.dataset.stackOf;
  };

  const grabCounter = (tag) => {
    const chip = one(`[data-control="place"] [data-chip="${quoted(tag)}"]`);
    if (!chip) return null;
    const others = all('[data-control="place"] [data-chip][aria-pressed="true"]').length;
    if (chip.getAttribute("aria-pressed") === "true") return others > 1 ? `${chip.textContent} and ${others - 1} more` : chip.textContent;
    chip.click();
    return others ? `${chip.textContent} and ${others} more` : chip.textContent;
  };

  Object.assign(hands, { press, grab, drop: press, release: () => light() });

  // ---- why not? The server is asked what it would say, and nothing is done.

  let asked = 0;
  const askServer = async (action) => {
    const mine = ++asked;
    if (!action) return null;
    const told = new FormData($("control-form"));
    told.set("action", JSON.stringify(action));
    try {
      const answer = await fetch($("table").dataset.why, { method: "POST", body: told, credentials: "same-origin" });
      return answer.ok && mine === asked ? await answer.json() : null;
    } catch {
      return null; // without a connection there is nothing to explain; the page says so elsewhere
    }
  };

  const askWhyNot = async (action) => {
    showWhyNot();
    const answer = await askServer(action);
    if (answer) showWhyNot(answer);
  };

  const showWhyNot = ({ why, rule } = {}) => {
    const line = $("why-not");
    line.replaceChildren();
    if (!why) return;
    line.append(make("strong", {}, "Why not? "), `${why} `);
    if (rule) line.append(make("a", { href: `${$("table").dataset.rules}#${rule}`, target: "_blank", rel: "noopener" }, `Rule ${rule}`));
  };

  // A control says what pressing another hex, or another counter, would be: "?" stands for it.
  const filled = (text, what) => text && JSON.parse(text, (_, value) => (value === "?" ? what : value));

  const wouldBe = (where) => {
    const action = filled(all("[data-would]").filter(active).at(-1)?.dataset.would, where);
    return action?.path ? { ...action, path: straightTo(stack(), where) } : action;
  };

  const wouldPick = (tag) => filled(one("[data-would-pick]")?.dataset.wouldPick, tag);

  // The shortest way over whatever lies there: what it runs into first is the reason to be told.
  const straightTo = (start, end) => {
    const cameFrom = new Map([[start, null]]);
    for (const where of cameFrom.keys()) {
      if (where === end) break;
      for (const next of near[where]) if (!cameFrom.has(next)) cameFrom.set(next, where);
    }
    const path = [];
    for (let where = end; where !== start; where = cameFrom.get(where)) path.unshift(where);
    return path;
  };

  // ---- news

  when("arrived", (was, now) => {
    if (was.decision !== now.decision) isNew = now.turn === "yes";
  });

  // While the question is the same, what others do meanwhile does not disturb what is being picked here.
  const keepPicks = () => {
    const node = $("picks");
    const isOther = state().decision !== decision;
    decision = state().decision;
    if (isOther) forget();
    if (node === picksNode) return;
    const kept = picksText;
    dress();
    if (!node || !(presses.length || (kept && kept !== "{}" && kept !== node.value))) return;
    node.value = kept || "{}";
    ask();
  };

  // A new question is read from its top, however far down somebody was; not while they are writing. Its hex is in sight.
  const showQuestion = () => {
    if (isNew && !document.activeElement?.matches("input, textarea")) {
      for (const each of [$("sheet"), $("side-scroll"), box()]) each.scrollTop = 0;
      if (camera.here().length === 1) camera.reveal(camera.here()[0]);
    }
    isNew = false;
  };

  // The phase that is on stays in sight where the bar is wider than the page.
  const showPhase = () => {
    const bar = document.querySelector(".phase-bar");
    const now = bar?.querySelector(".now");
    if (now) bar.scrollLeft = now.offsetLeft - bar.offsetLeft - (bar.clientWidth - now.clientWidth) / 2;
  };

  when("settled", () => {
    keepPicks();
    light();
    if (chosenHex) open(chosenHex);
    showQuestion();
    markMine();
    camera.detail();
    showPhase();
    const may = (facts().do ?? "").split(" ");
    for (const [dialog, what] of [["resign", "resign"], ["agree", "propose_end"]]) {
      const opener = document.querySelector(`[data-dialog="${dialog}"]`);
      if (opener) opener.hidden = !may.includes(what);
    }
  });

  // ---- listening

  // A part is unfolded as soon as it is pressed: the browser tells of it later, and a redraw in between would fold it.
  const noteFold = (summary) => unfolded.set(summary.parentElement.dataset.fold, !summary.parentElement.open);

  const pressControl = (event) => {
    const at = (selector) => event.target.closest?.(selector);
    const button = at("#controls button, #agreement button");
    if (at("#controls summary")) return noteFold(at("summary"));
    if (!button) return;
    event.preventDefault();
    if (button.matches("[data-confirm]")) send(pending.action);
    else if (button.matches("[data-cancel]")) cancel();
    else if (button.dataset.aim !== undefined) {
      aiming = aiming === button.dataset.aim ? "" : button.dataset.aim;
      dress();
    } else if (button.name === "press") pick(button);
    else doIt(button);
  };

  // The second press of a double click may meet another button than the first: what comes next is not meant by it.
  document.addEventListener("click", (event) => {
    if (event.detail > 1 && event.target.closest?.("#controls button:not(.chip)")) {
      event.stopPropagation();
      event.preventDefault();
    }
  }, true);

  document.addEventListener("click", (event) => {
    pressControl(event);
    const counter = event.target.closest?.("button.counter[data-tag]");
    if (counter) globalThis.kadab.card.press(counter, one(`[data-chip="${quoted(counter.dataset.tag)}"]`), () => askServer(wouldPick(counter.dataset.tag)));
    if (event.target.closest?.("[data-close-hex]")) {
      open(null);
      light();
    }
  });

  document.addEventListener("change", (event) => {
    if (event.target.matches("#controls select")) ask();
    else if (event.target.matches("select[data-acts]")) act(JSON.parse(event.target.value));
  });

  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && pending) return cancel();
    if (event.key === "Escape" && (globalThis.kadab.card.ask(false) || picksText.length > 2 || aiming)) {
      forget();
      if ($("picks")) $("picks").value = "{}";
      ask();
      return;
    }
    // A key held down must not confirm what it has just asked for.
    if (event.repeat && (event.key === "Enter" || event.key === " ")) event.preventDefault();
  });
})();
