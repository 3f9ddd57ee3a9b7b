// The page of Kings & Things*: a control for everything on offer. The server says what may be done (#offers-data); picking
// happens here, and one whole action is sent. Nothing that cannot be taken back happens on a single press: a choice on the
// map or among counters is shown first, and then confirmed.
(() => {
  const { $, state, board, act, say, on: when } = globalThis.kadab.table;

  let data = { offers: [] };
  let near = {};
  let chosenHex = null; // the hex whose panel is open
  let picked = []; // tags picked in panels, in order
  let plan = []; // counters to be placed: [tag, place]
  let walk = null; // the stack about to march: { place, offer }
  let pending = null; // an action that waits to be confirmed: { action, text }
  let targets = new Map(); // place -> what pressing it means

  const make = (name, attributes = {}, ...children) => {
    const node = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (key === "on") node.addEventListener("click", value);
      else if (value !== false && value !== undefined) node.setAttribute(key, value === true ? "" : value);
    }
    node.append(...children.flat().filter((each) => each !== null && each !== undefined && each !== ""));
    return node;
  };
  const button = (text, press, kind = "") => make("button", { type: "button", class: `button ${kind}`, on: press }, text);
  const line = (...children) => make("div", { class: "control-row" }, ...children);
  const block = (title, ...children) => make("section", { class: "control" }, title ? make("h3", {}, title) : "", ...children);
  const hint = (text) => make("p", { class: "small muted" }, text);

  // ---- words

  const known = (tag) => data.names?.[tag];
  const nameOf = (tag) => {
    if (tag === "fort") return "Fort";
    const counter = known(tag);
    return counter ? counter.name + (counter.value ? ` ${counter.value}` : "") : tag;
  };
  const wherePart = (tag) => (known(tag)?.place?.startsWith("h") ? ` in ${known(tag).place}` : "");
  const isPlace = (word) => data.map && word in data.map;
  const wordFor = (what) => {
    if (isPlace(what)) return `${what}, ${data.map[what] || "face down"}`;
    if (known(what)) return nameOf(what) + wherePart(what);
    return data.labels?.[what] ?? data.seats?.[what] ?? what;
  };
  const title = (text) => text.charAt(0).toUpperCase() + text.slice(1).replaceAll("_", " ");

  // ---- sending

  const send = (action) => {
    reset();
    act(action);
  };

  const confirmFirst = (action, text) => {
    pending = { action, text };
    draw();
    $("controls").querySelector("[data-confirm]")?.focus({ preventScroll: false });
  };

  const reset = () => {
    picked = [];
    plan = [];
    walk = null;
    pending = null;
  };

  // ---- controls, one for each kind of offer

  const GO = {
    choose: "Choose",
    engage: "Resolve it",
    build: "Build in",
    claim: "Claim",
    replace_sea: "Replace",
    assassinate: "Strike in",
    steal: "Rob",
    discharge: "Discharge",
    cash: "Cash in",
    remove_income: "Take back",
    challenge: "Challenge",
    give: "Give it to",
    play_item: "Play it on",
    play_event: "Play it at",
    ask_proof: "Ask for proof in",
    add_gold: "Pay",
  };

  const BARE = {
    done: "Done",
    undo: "Take back the last step",
    resign: "Leave the game",
    agree_end: "Agree to end the game",
    decline_end: "Play on",
    play_item: "Play",
    play_event: "Play",
  };

  const DONE = {
    march: "Finish moving",
    recruit: "Recruit nobody",
    add_gold: "Leave it",
    event: "Play no event",
    ready: "Ready: begin the round",
    retreat: "Stay and fight",
    build: "Finish building",
    react: "Let it pass",
    place: "Finish placing",
    dust: "No dust",
    warlord: "Call nobody",
    assassinate: "Not this turn",
    steal: "Not this turn",
    endangered_income: "Leave it there",
    replace_sea: "Keep the rest",
    arm: "Nobody",
  };

  const nameOfAction = (action) => {
    if (action.do === "done") return DONE[data.question] ?? "Done";
    const what = action.item ?? action.event;
    return `${BARE[action.do] ?? title(action.do)}${what ? ` the ${nameOf(what)}` : ""}`;
  };

  const exactly = (offer) => {
    const { action } = offer;
    const quiet = action.do === "done" || action.do === "undo";
    const press = () => (quiet ? send(action) : confirmFirst(action, nameOfAction(action)));
    return line(button(nameOfAction(action), press, action.do === "done" ? "primary" : ""));
  };

  const oneOf = (offer) => {
    const about = offer.fixed?.item ?? offer.fixed?.event;
    const go = GO[offer.do] ?? title(offer.do);
    const heading = about ? nameOf(about) : "";
    const choose = (what) => () =>
      confirmFirst({ do: offer.do, ...offer.fixed, [offer.field]: what }, `${heading ? `${heading}: ` : ""}${go} ${wordFor(String(what))}`);
    for (const what of offer.choices) if (isPlace(what)) targets.set(what, choose(what));
    const many = offer.choices.length > 14 && offer.choices.every(isPlace);
    const buttons = many ? [hint("Pick a lit hex on the map.")] : offer.choices.map((what) => button(wordFor(String(what)), choose(what), "small"));
    return block(heading || (offer.choices.length > 1 || offer.do !== "choose" ? go : ""), make("div", { class: "chips" }, ...buttons));
  };

  const chips = (tags, most) =>
    make(
      "div",
      { class: "chips" },
      ...tags.map((tag) => {
        const at = picked.indexOf(tag);
        const text = nameOf(tag) + wherePart(tag) + (at >= 0 && most > 1 ? ` · ${at + 1}` : "");
        return make("button", { type: "button", class: "button small chip", "aria-pressed": String(at >= 0), "data-chip": tag, on: () => toggle(tag, most) }, text);
      }),
    );

  const toggle = (tag, most = 99) => {
    if (picked.includes(tag)) picked = picked.filter((each) => each !== tag);
    else if (most === 1) picked = [tag];
    else if (picked.length < most) picked = [...picked, tag];
    draw();
  };

  const some = (offer) => {
    const mine = picked.filter((tag) => offer.choices.includes(tag));
    const enough = mine.length >= offer.least && mine.length <= offer.most;
    const words = {
      exchange: mine.length ? `Exchange ${mine.length}` : "Exchange nothing",
      discard: `Give back ${mine.length}`,
      reveal: mine.length ? `Show ${mine.length}` : "Show nothing",
      fly_past: `Fly on with ${mine.length}`,
    };
    const go = button(words[offer.do] ?? title(offer.do), () => send({ do: offer.do, ...offer.fixed, [offer.field]: mine }), "primary");
    go.disabled = !enough;
    return block(offer.do === "fly_past" ? "Fly past enemies" : "", chips(offer.choices, offer.most), line(go));
  };

  const place = (offer) => {
    const waiting = [...offer.creatures, ...Object.keys(offer.income)].filter((tag) => !plan.some(([each]) => each === tag));
    const ready = picked.filter((tag) => waiting.includes(tag));
    const room = (where) => offer.room[where] - plan.filter(([tag, at]) => at === where && offer.creatures.includes(tag)).length;
    const fits = (tag, where) =>
      tag in offer.income ? offer.income[tag].includes(where) && !plan.some(([each, at]) => at === where && each in offer.income) : room(where) > 0;
    const hexes = new Set([...Object.keys(offer.room), ...Object.values(offer.income).flat()]);
    for (const where of hexes) {
      if (ready.length && ready.every((tag) => fits(tag, where))) {
        targets.set(where, () => {
          for (const tag of ready) if (fits(tag, where)) plan.push([tag, where]);
          picked = [];
          draw();
        });
      }
    }
    const most = offer.most === 1 ? 1 : 99;
    const rows = plan.map(([tag, where], at) => line(`${nameOf(tag)} → ${where}`, button("×", () => { plan.splice(at, 1); draw(); }, "small quiet")));
    const sure = button(`Place ${plan.length || ""}`, () => send({ do: "place", counters: plan.map(([tag]) => tag), places: plan.map(([, where]) => where) }), "primary");
    sure.disabled = !plan.length;
    const all = offer.creatures.filter((tag) => waiting.includes(tag));
    return block(
      "Place counters",
      hint(ready.length ? "Now pick a lit hex." : "Pick counters, then a hex."),
      chips(waiting, most),
      all.length > 1 && most > 1 ? line(button("Pick all creatures", () => { picked = all; draw(); }, "small")) : "",
      ...rows,
      line(sure),
    );
  };

  const recruit = (offer) => {
    const hero = make("select", { "aria-label": "Hero" }, ...offer.heroes.map((tag) => make("option", { value: tag }, nameOf(tag))));
    const gold = make("select", { "aria-label": "Gold before the roll" });
    for (let amount = 0; amount <= Math.min(offer.most_gold, 60); amount += 5) gold.append(make("option", { value: amount }, `${amount} gold`));
    const odds = make("span", { class: "small muted" });
    const show = () => {
      const need = 2 * (known(hero.value)?.value ?? 6) - Number(gold.value) / 5;
      let ways = 0;
      for (let a = 1; a <= 6; a++) for (let b = 1; b <= 6; b++) ways += a + b >= need;
      odds.textContent = `needs ${Math.max(2, need)} on two dice: ${Math.round((100 * ways) / 36)} %`;
    };
    hero.addEventListener("change", show);
    gold.addEventListener("change", show);
    show();
    return block("Recruit", line(hero, gold, odds), line(button("Roll", () => send({ do: "recruit", hero: hero.value, gold: Number(gold.value) }), "primary")));
  };

  const drawThings = (offer) => {
    const paid = make("select", { "aria-label": "Paid draws" });
    for (let count = 0; count <= offer.most_paid; count++) paid.append(make("option", { value: count }, count ? `${count} paid (${5 * count} gold)` : "none paid"));
    const traded = picked.filter((tag) => offer.tradable.includes(tag));
    const go = button("", () => send({ do: "draw", paid: Number(paid.value), traded }), "primary");
    const show = () => {
      go.textContent = `Draw ${offer.free + Number(paid.value) + Math.floor(traded.length / 2)}`;
      go.disabled = traded.length % 2 === 1 || traded.length > offer.most_traded;
    };
    paid.addEventListener("change", show);
    show();
    return block(
      "",
      line(`${offer.free} free`, paid),
      offer.tradable.length > 1 ? hint("Two counters from your rack buy one more draw; everybody sees what you trade in.") : "",
      offer.tradable.length > 1 ? chips(offer.tradable, offer.most_traded) : "",
      line(go),
    );
  };

  const lose = (offer) => {
    // Walls can be named as often as they can take hits.
    const left = (tag) => offer.targets[tag] - picked.filter((each) => each === tag).length;
    const tags = Object.keys(offer.targets);
    const list = make("div", { class: "chips" }, ...tags.map((tag) => {
      const add = make("button", { type: "button", class: "button small chip", "data-chip": tag, "aria-pressed": String(picked.includes(tag)), on: () => {
        if (left(tag) > 0 && picked.length < offer.count) picked = [...picked, tag];
        else picked = picked.filter((each) => each !== tag);
        draw();
      } }, nameOf(tag) + (offer.targets[tag] > 1 ? ` ×${offer.targets[tag]}` : "") + (picked.includes(tag) ? ` · ${picked.flatMap((each, at) => (each === tag ? [at + 1] : [])).join(", ")}` : ""));
      return add;
    }));
    const mine = picked.filter((tag) => tag in offer.targets);
    const go = button(`${mine.length} of ${offer.count}: confirm`, () => send({ do: "lose", counters: mine }), "primary");
    go.disabled = mine.length < offer.least || mine.length > offer.count;
    return block("", list, line(go));
  };

  const bribe = (offer) => {
    const mine = picked.filter((tag) => tag in offer.prices);
    const cost = mine.reduce((sum, tag) => sum + offer.prices[tag], 0);
    const list = make("div", { class: "chips" }, ...Object.entries(offer.prices).map(([tag, price]) =>
      make("button", { type: "button", class: "button small chip", "data-chip": tag, "aria-pressed": String(mine.includes(tag)), on: () => toggle(tag) }, `${nameOf(tag)}: ${price} gold`)));
    const go = button(mine.length ? `Pay ${cost} of ${offer.gold} gold` : "Bribe nobody: fight", () => send({ do: "bribe", counters: mine }), "primary");
    go.disabled = cost > offer.gold;
    return block("", list, line(go));
  };

  const retreat = (offer) => {
    const foot = make("select", { "aria-label": "Where to" }, ...offer.places.map((where) => make("option", { value: where }, wordFor(where))));
    const air = make("select", { "aria-label": "The Balloon goes to" }, ...offer.balloon.map((where) => make("option", { value: where }, `Balloon to ${wordFor(where)}`)));
    for (const where of offer.places) {
      targets.set(where, () => confirmFirst({ do: "retreat", to: where, balloon: offer.balloon.length ? air.value : "" }, `Retreat to ${where}`));
    }
    const go = button("Retreat", () => confirmFirst({ do: "retreat", to: foot.value ?? "", balloon: air.value ?? "" }, "Retreat with everybody"));
    return block("Retreat", line(offer.places.length ? foot : "", offer.balloon.length ? air : "", go));
  };

  const charm = (offer) => {
    const roll = data.roll;
    const buttons = offer.charms.map(([thrower, die, change]) => {
      const face = roll?.faces?.[thrower]?.[die];
      const who = roll?.names?.[thrower]?.[die] ?? data.seats[roll?.throwers?.[thrower]] ?? "Wild defenders";
      const sum = roll?.bonus ? roll.faces[thrower].reduce((a, b) => a + b, 0) : 0;
      const text = offer.charms.length <= 4 && roll?.faces?.[thrower]?.length > 1 && !roll.needs?.length ? `${who}: total ${sum} → ${sum + change}` : `${who}: ${face} → ${face + change}`;
      return button(text, () => confirmFirst({ do: "play_item", item: offer.item, thrower, die, change }, `Lucky Charm: ${text}`), "small");
    });
    return block(nameOf(offer.item), make("div", { class: "chips" }, ...buttons));
  };

  const spell = (offer) => {
    const caster = make("select", { "aria-label": "Who works the magic" }, ...Object.keys(offer.reach).map((tag) => make("option", { value: tag }, nameOf(tag) + wherePart(tag))));
    const where = make("select", { "aria-label": "Hex" });
    const fill = () => where.replaceChildren(...offer.reach[caster.value].map((each) => make("option", { value: each }, wordFor(each))));
    caster.addEventListener("change", fill);
    fill();
    const go = button("Play", () => confirmFirst({ do: "play_event", event: offer.event, target: where.value, caster: caster.value }, `${nameOf(offer.event)} at ${where.value}`));
    return block(nameOf(offer.event), line(caster, where, go));
  };

  const defection = (offer) => {
    const hero = make("select", { "aria-label": "Hero" }, ...[...offer.pool, ...offer.owned].map((tag) => make("option", { value: tag }, nameOf(tag) + wherePart(tag))));
    const roller = make("select", { "aria-label": "Who rolls for the hero" }, ...offer.rollers.map((seat) => make("option", { value: seat }, `${data.seats[seat]} rolls for the hero`)));
    const go = button("Play", () => {
      const caster = offer.pool.includes(hero.value) ? roller.value : "";
      confirmFirst({ do: "play_event", event: offer.event, target: hero.value, caster }, `${nameOf(offer.event)}: ${nameOf(hero.value)}`);
    });
    return block(nameOf(offer.event), line(hero, offer.pool.length ? roller : "", go));
  };

  const ascend = (offer) => {
    const start = Object.keys(offer.passengers).find((where) => picked.some((tag) => offer.passengers[where].includes(tag)));
    const riders = start ? picked.filter((tag) => offer.passengers[start].includes(tag)).slice(0, 3) : [];
    const to = make("select", { "aria-label": "Where to" }, ...(start ? offer.targets[start] : []).map((where) => make("option", { value: where }, wordFor(where))));
    const go = button("Fly", () => confirmFirst({ do: "ascend", item: offer.item, counters: riders, to: to.value }, `Balloon with ${riders.length} to ${to.value}`));
    go.disabled = !riders.length;
    return make("details", { class: "control" }, make("summary", {}, "Balloon"), chips(Object.values(offer.passengers).flat(), 3), line(to, go));
  };

  // ---- marching

  const price = (offer, path, led) => (led ? path.length : path.reduce((sum, where) => sum + offer.cost[where], 0));

  const reachOf = (offer, stack) => {
    // Every path of up to four steps is tried; the cheapest to each hex is kept.
    const found = new Map();
    const walkers = stack.map((tag) => offer.walkers[tag]);
    if (!walkers.length) return found;
    const led = walkers.some((each) => each.is_deerhunter);
    if (walkers.some((each) => each.only_led) && !led) return found;
    if (offer.bound.length && stack.some((tag) => offer.bound.includes(tag)) && !offer.bound.every((tag) => stack.includes(tag))) return found;
    const fly = walkers.every((each) => each.flies);
    const flying = walkers.some((each) => each.flies);
    const seas = new Set(offer.seas);
    const stops = new Set(offer.stops);
    const start = walkers[0].place;
    const afford = (path) => walkers.every((each) => price(offer, path, led && each.with_deerhunter) <= each.points);
    const go = (path) => {
      for (const next of near[path.at(-1) ?? start] ?? []) {
        const longer = [...path, next];
        if (!afford(longer) || (seas.has(next) && !fly)) continue;
        const full = !seas.has(next) && next !== start && offer.room[next] < walkers.length;
        if (full && flying) continue;
        const cost = Math.max(...walkers.map((each) => price(offer, longer, led && each.with_deerhunter)));
        if (!seas.has(next) && !full && next !== start && (!found.has(next) || found.get(next).cost > cost)) found.set(next, { path: longer, cost });
        if (!stops.has(next) && longer.length < 4) go(longer);
      }
    };
    go([]);
    return found;
  };

  const march = (offer) => {
    const stacks = {};
    for (const each of Object.values(offer.walkers)) (stacks[each.place] ??= []).push(each.tag);
    if (walk && !stacks[walk.place]) walk = null;
    for (const [where, tags] of Object.entries(stacks)) {
      if (walk?.place !== where) targets.set(where, () => startWalk(where, tags));
    }
    if (!walk) {
      const list = Object.entries(stacks).map(([where, tags]) => button(`${where}: ${tags.length}`, () => startWalk(where, tags), "small"));
      return block("Move", hint("Pick a stack here or on the map."), make("div", { class: "chips" }, ...list));
    }
    const stack = picked.filter((tag) => stacks[walk.place].includes(tag));
    const reach = reachOf(offer, stack);
    for (const [where, { path, cost }] of reach) targets.set(where, () => send({ do: "march", counters: stack, path }), cost);
    lit = reach;
    const where = [...reach].map(([each, { path, cost }]) => button(`${each} (${cost})`, () => send({ do: "march", counters: stack, path }), "small"));
    return block(
      `Stack in ${walk.place}`,
      hint(stack.length ? `${stack.length} go. Pick a lit hex; the number is what it costs.` : "Pick who goes."),
      chips(stacks[walk.place]),
      make("details", { class: "small" }, make("summary", {}, "Hexes within reach"), make("div", { class: "chips" }, ...where)),
      line(button("Another stack", () => { walk = null; picked = []; draw(); }, "small")),
    );
  };

  const startWalk = (where, tags) => {
    walk = { place: where };
    picked = [...tags];
    open(where);
    draw();
  };

  let lit = new Map();

  // ---- all controls

  const control = (offer) => {
    if (offer.charms) return charm(offer);
    if (offer.walkers) return march(offer);
    if (offer.passengers) return ascend(offer);
    if (offer.reach) return spell(offer);
    if (offer.rollers) return defection(offer);
    if (offer.heroes) return recruit(offer);
    if (offer.prices) return bribe(offer);
    if (offer.do === "draw") return drawThings(offer);
    if (offer.do === "place") return place(offer);
    if (offer.do === "lose") return lose(offer);
    if (offer.do === "retreat") return retreat(offer);
    if (offer.action) return exactly(offer);
    if ("least" in offer) return some(offer);
    return oneOf(offer);
  };

  const LESS = ["resign", "propose_end", "set_order"];

  const draw = () => {
    targets = new Map();
    lit = new Map();
    const box = $("controls");
    if (!box) return;
    const main = data.offers.filter((offer) => !offer.aside);
    const beside = data.offers.filter((offer) => offer.aside && !LESS.includes(offer.do));
    const rare = data.offers.filter((offer) => offer.do === "propose_end");
    const last = (offer) => (offer.do === "done" ? 1 : 0);
    const nodes = main.sort((a, b) => last(a) - last(b)).map(control);
    const more = beside.map(control);
    const bar = pending
      ? make("div", { class: "confirm" }, make("strong", {}, pending.text), line(
          make("button", { type: "button", class: "button primary", "data-confirm": true, on: () => send(pending.action) }, "Confirm"),
          button("Cancel", () => { pending = null; draw(); }),
        ))
      : "";
    const rest = rare.length ? make("details", { class: "small" }, make("summary", {}, "End the game by agreement"), ...rare.map(control)) : "";
    box.replaceChildren(...[bar, ...nodes, ...more, rest].filter(Boolean));
    light();
    drawOrders();
  };

  const light = () => {
    for (const hex of board().querySelectorAll(".hex")) {
      const where = hex.dataset.place;
      hex.classList.toggle("target", targets.has(where) && !lit.has(where));
      hex.classList.toggle("reach", lit.has(where));
      hex.classList.toggle("picked", where === chosenHex || where === walk?.place || JSON.stringify(pending?.action ?? {}).includes(`"${where}"`));
    }
    for (const each of document.querySelectorAll("[data-tag]")) {
      const on = picked.includes(each.dataset.tag);
      each.setAttribute("aria-pressed", String(on));
      each.classList.toggle("picked", on);
    }
  };

  const drawOrders = () => {
    const box = $("orders");
    if (!box || !data.order_words || box.contains(document.activeElement)) return;
    box.replaceChildren(...Object.entries(data.order_words).map(([about, [label, choices]]) => {
      const select = make("select", { "aria-label": label }, ...Object.entries(choices).map(([how, words]) =>
        make("option", { value: how, selected: data.orders[about] === how }, words)));
      select.addEventListener("change", () => act({ do: "set_order", about, how: select.value }));
      return make("label", { class: "field small" }, label, select);
    }));
  };

  // ---- hexes

  const open = (where) => {
    chosenHex = where;
    const panel = $("hex-panel");
    panel.hidden = !where;
    for (const each of panel.querySelectorAll(".in-hex")) each.hidden = each.dataset.place !== where;
  };

  const press = (where) => {
    const means = targets.get(where);
    open(where);
    if (means) means();
    else light();
    const hex = $(`hex-${where}`);
    say(hex?.getAttribute("aria-label") ?? where);
  };

  const load = () => {
    const text = $("offers-data")?.dataset.offers;
    data = text ? JSON.parse(text) : { offers: [] };
    for (const tag of [...picked]) if (!known(tag) && tag !== "fort") picked = picked.filter((each) => each !== tag);
  };

  when("arrived", (was, now) => {
    if (was.decision !== now.decision) reset();
    plan = [];
    pending = null;
  });

  when("settled", () => {
    load();
    if (walk) {
      // The stack that has just moved is at hand again.
      const walkers = data.offers.find((offer) => offer.walkers)?.walkers ?? {};
      picked = picked.filter((tag) => tag in walkers);
    }
    if (chosenHex) open(chosenHex);
    draw();
    markMine();
  });

  // ---- zoom and pan: the map's viewBox is the camera

  let whole = null;
  let camera = null;
  const show = () => board().setAttribute("viewBox", camera.map((n) => n.toFixed(1)).join(" "));
  const zoom = (factor, at) => {
    const [x, y, w, h] = camera;
    const width = Math.min(whole[2], Math.max(whole[2] / 6, w * factor));
    const scale = width / w;
    const [cx, cy] = at ?? [x + w / 2, y + h / 2];
    camera = [cx - (cx - x) * scale, cy - (cy - y) * scale, width, h * scale];
    hold();
    show();
  };
  const hold = () => {
    camera[0] = Math.min(Math.max(camera[0], whole[0]), whole[0] + whole[2] - camera[2]);
    camera[1] = Math.min(Math.max(camera[1], whole[1]), whole[1] + whole[3] - camera[3]);
  };
  const pointAt = (event) => {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(board().getScreenCTM().inverse());
    return [at.x, at.y];
  };

  const fingers = new Map();
  let dragging = null;
  let moved = false;

  const down = (event) => {
    fingers.set(event.pointerId, event);
    moved = false;
    dragging = { from: pointAt(event), x: event.clientX, y: event.clientY };
  };
  const move = (event) => {
    if (!fingers.has(event.pointerId)) return;
    const before = fingers.get(event.pointerId);
    if (fingers.size === 2) {
      const [other] = [...fingers.values()].filter((each) => each.pointerId !== event.pointerId);
      const was = Math.hypot(before.clientX - other.clientX, before.clientY - other.clientY);
      const now = Math.hypot(event.clientX - other.clientX, event.clientY - other.clientY);
      if (now > 0) zoom(was / now, pointAt(event));
      moved = true;
    } else if (dragging && Math.hypot(event.clientX - dragging.x, event.clientY - dragging.y) > 6 && camera[2] < whole[2]) {
      const [x, y] = pointAt(event);
      camera[0] += dragging.from[0] - x;
      camera[1] += dragging.from[1] - y;
      hold();
      show();
      moved = true;
    }
    fingers.set(event.pointerId, event);
  };
  const up = (event) => {
    fingers.delete(event.pointerId);
    if (!fingers.size) dragging = null;
  };

  const markMine = () => {
    const on = document.querySelector("[data-mine]")?.getAttribute("aria-pressed") === "true";
    board().classList.toggle("show-mine", on);
    for (const hex of board().querySelectorAll(".hex")) hex.classList.toggle("mine", on && hex.dataset.owner === state().seat && state().seat !== "");
  };

  // ---- listening

  const STEPS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
  const centre = (hex) => hex.getAttribute("transform").match(/-?[\d.]+/g).map(Number);
  const beside = (hex, [dx, dy]) => {
    const [x, y] = centre(hex);
    let best = null;
    for (const each of board().querySelectorAll(".hex")) {
      const [a, b] = centre(each);
      const ahead = (a - x) * dx + (b - y) * dy;
      const aside = Math.abs((a - x) * dy) + Math.abs((b - y) * dx);
      if (ahead > 1 && (!best || ahead + 2 * aside < best.far)) best = { each, far: ahead + 2 * aside };
    }
    return best?.each;
  };

  document.addEventListener("keydown", (event) => {
    const hex = event.target.closest?.("#board .hex");
    if (event.key === "Escape" && (pending || walk || picked.length)) {
      reset();
      draw();
      return;
    }
    if (!hex || event.ctrlKey || event.metaKey || event.altKey) return;
    if (STEPS[event.key]) beside(hex, STEPS[event.key])?.focus();
    else if (event.key === "Enter" || event.key === " ") press(hex.dataset.place);
    else return;
    event.preventDefault();
  });

  document.addEventListener("click", (event) => {
    const at = (selector) => event.target.closest?.(selector);
    const hex = at("#board .hex");
    if (hex && !moved) press(hex.dataset.place);
    const counter = at("[data-tag]");
    if (counter && !at("#board")) document.querySelector(`[data-chip="${CSS.escape(counter.dataset.tag)}"]`)?.click();
    if (at("[data-close-hex]")) {
      open(null);
      light();
    }
    const zooming = at("[data-zoom]")?.dataset.zoom;
    if (zooming === "in") zoom(0.7);
    if (zooming === "out") zoom(1 / 0.7);
    if (zooming === "all") {
      camera = [...whole];
      show();
    }
    const mine = at("[data-mine]");
    if (mine) {
      mine.setAttribute("aria-pressed", String(mine.getAttribute("aria-pressed") !== "true"));
      markMine();
    }
  });

  document.addEventListener("DOMContentLoaded", () => {
    if (!$("table") || !board()) return;
    near = JSON.parse($("near").dataset.near);
    whole = board().getAttribute("viewBox").split(" ").map(Number);
    camera = [...whole];
    for (const hex of board().querySelectorAll(".hex")) hex.setAttribute("tabindex", "0");
    board().addEventListener("wheel", (event) => {
      event.preventDefault();
      zoom(event.deltaY > 0 ? 1.15 : 1 / 1.15, pointAt(event));
    }, { passive: false });
    board().addEventListener("pointerdown", down);
    addEventListener("pointermove", move);
    addEventListener("pointerup", up);
    addEventListener("pointercancel", up);
  });
})();
