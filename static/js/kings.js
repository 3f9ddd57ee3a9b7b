// The page of Kings & Things*: a control for everything on offer. The server says what may be done (#offers-data); picking
// happens here, and one whole action is sent. Nothing that cannot be taken back happens on a single press: a choice on the
// map or among counters is shown first, and then confirmed.
(() => {
  const { $, state, act, say, on: when } = globalThis.kadab.table;
  const { near, hands, light: lightMap, markMine } = globalThis.kadab.map;

  let data = { offers: [] };
  let words = { labels: {}, seats: {}, orders: {} };
  let drawnAt = ""; // what the page showed when the controls were drawn
  let drawnFrom = null; // the offers they were drawn from; null when they have to be drawn anew
  let busy = false; // an action is on its way
  let chosenHex = null; // the hex whose panel is open
  let picked = []; // tags picked in panels, in order
  let plan = []; // counters to be placed: [tag, place]
  let walk = null; // the stack about to march: { place, offer }
  let pending = null; // an action that waits to be confirmed: { action, text, from }
  let aiming = ""; // the offer that hexes are picked for, where there are several
  let kept = new Map(); // what lists were set to and which parts are unfolded: redrawing must not forget it
  let targets = new Map(); // place -> what pressing it means
  let lit = new Map(); // place -> the way there and what it costs, for a stack that is about to march
  let isNew = false; // a question that has just arrived
  let wouldBe = null; // place -> the action that pressing it would be if it were allowed, to ask why it is not

  const make = (name, attributes = {}, ...children) => {
    const node = document.createElement(name);
    for (const [key, value] of Object.entries(attributes)) {
      if (key === "on") node.addEventListener("click", value);
      else if (value !== false && value !== undefined) node.setAttribute(key, value === true ? "" : value);
    }
    node.append(...children.flat().filter((each) => each !== null && each !== undefined && each !== ""));
    return node;
  };
  // A control's key stays the same when its text changes, so that the focus finds it again.
  const button = (text, press, kind = "", key = text) =>
    make("button", { type: "button", class: `button ${kind}`, "data-key": key, on: press }, text);
  const line = (...children) => make("div", { class: "control-row" }, ...children);
  const block = (title, ...children) => make("section", { class: "control" }, title ? make("h3", {}, title) : "", ...children);
  const hint = (text) => make("p", { class: "small muted" }, text);
  // Two lists that ask for the same in different matters have the same label, but each a key of its own.
  const list = (label, options, changed = () => {}, key = label) => {
    const node = make("select", { "aria-label": label, "data-key": key }, ...options.map(([value, text]) => make("option", { value }, text)));
    if (kept.has(key) && options.some(([value]) => String(value) === kept.get(key))) node.value = kept.get(key);
    node.addEventListener("change", () => {
      kept.set(key, node.value);
      changed();
    });
    return node;
  };
  const fold = (title, ...children) => {
    const key = `fold ${title}`;
    // The browser tells of "toggle" some time after the press: a redraw in between would fold the part again.
    const summary = make("summary", { "data-key": title, on: () => kept.set(key, !node.open) }, title);
    const node = make("details", { class: "small", open: kept.get(key) === true }, summary, ...children);
    node.addEventListener("toggle", () => kept.set(key, node.open));
    return node;
  };

  // ---- words

  const known = (tag) => {
    const [name, place, value, gold] = data.names?.[tag] ?? [];
    return name && { name, place, value, gold };
  };
  const nameOf = (tag) => {
    if (tag === "fort") return "Fort";
    const counter = known(tag);
    return counter ? counter.name + (counter.value ? ` ${counter.value}` : "") : tag;
  };
  // Whether it is a bluff stands on the counter itself.
  const isBluff = (tag) => document.querySelector(`button.counter.bluff[data-tag="${CSS.escape(tag)}"]`) !== null;
  const wherePart = (tag) => (known(tag)?.place?.startsWith("h") ? ` in ${known(tag).place}` : "");
  const isPlace = (word) => word in near;
  const AIM = { 5: "Shoot as usual: 5 or less hits", 2: "Aim: 2 or less hits whom you choose" };
  const wordFor = (what) => {
    if (data.question === "aim" && what in AIM) return AIM[what]; // magic may be played there too
    if (isPlace(what)) return `${what}, ${data.map[what] || "face down"}`;
    if (known(what)) return nameOf(what) + wherePart(what);
    return words.labels[what] ?? words.seats[what] ?? what;
  };
  const title = (text) => text.charAt(0).toUpperCase() + text.slice(1).replaceAll("_", " ");

  // ---- sending

  const shownNow = () => `${state().revision} ${state().silent}`;

  // The page may be newer than its controls for a moment: what was pressed then meant something else.
  const send = (action) => {
    if (busy || drawnAt !== shownNow()) return;
    busy = true;
    $("controls").setAttribute("aria-busy", "true");
    reset();
    act(action);
  };

  const ready = () => {
    busy = false;
    $("controls")?.removeAttribute("aria-busy");
  };

  const confirmFirst = (action, text) => {
    pending = { action, text, from: document.activeElement };
    draw();
    const confirm = $("controls").querySelector("[data-confirm]");
    confirm?.focus({ preventScroll: true });
    confirm?.closest(".confirm").scrollIntoView({ block: "nearest" });
  };

  const cancel = () => {
    const from = pending?.from;
    pending = null;
    draw();
    if (from?.isConnected) from.focus();
    else $("controls").focus();
  };

  const reset = () => {
    picked = [];
    plan = [];
    walk = null;
    pending = null;
    aiming = "";
    drawnFrom = null;
    showWhyNot();
  };

  // ---- controls, one for each kind of offer

  const GO = {
    choose: "Choose",
    engage: "Resolve it",
    build: "Build in",
    replace_sea: "Replace",
    assassinate: "Strike in",
    steal: "Rob",
    discharge: "Discharge",
    propose_end: "Propose:",
    challenge: "Challenge",
    give: "Give it to",
    play_item: "Play it on",
    play_event: "Play it at",
    ask_proof: "Ask for proof in",
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
    add_gold: "Let the hero go",
    event: "Play no event",
    ready: "Ready: begin the round",
    retreat: "Stay and fight",
    losses: "Let it fall",
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
    const name = nameOfAction(action);
    const unplaced = data.offers.find((each) => each.do === "place")?.creatures.length ?? 0;
    const press = () => {
      if (action.do === "done" && unplaced) confirmFirst(action, `${name}: ${unplaced} creature${unplaced > 1 ? "s" : ""} stay${unplaced > 1 ? "" : "s"} on your rack`);
      else if (quiet) send(action);
      else confirmFirst(action, name);
    };
    const node = button(name, press, action.do === "done" && !unplaced && !walk ? "primary" : "");
    node.dataset.do = action.do;
    return line(node);
  };

  // What the next level costs there, and what it brings.
  const fortWords = (where) => {
    const level = (data.forts[where] ?? 0) + 1;
    const cost = data.question === "tower" ? "free" : `${words.fort_price} gold`;
    return `${wordFor(where)}: ${words.forts[level]}, ${cost}, +1 income, ${level === 4 ? "and a citadel can win" : `defends with ${level}`}`;
  };

  const idOf = (offer) => `${offer.do} ${offer.event ?? ""} ${JSON.stringify(offer.fixed ?? {})}`;
  const isAimed = (offer) => !offer.aside && offer.field && !("least" in offer) && offer.choices?.some(isPlace);

  // Where several things could be meant, the player first says which of them the map is for.
  const onTheMap = (offer) => {
    const isAiming = aiming === idOf(offer);
    const aim = () => {
      aiming = isAiming ? "" : idOf(offer);
      draw();
    };
    return make("button", { type: "button", class: "button small chip", "data-key": `map ${idOf(offer)}`, "aria-pressed": String(isAiming), on: aim }, "Pick on the map");
  };

  const oneOf = (offer) => {
    const about = offer.fixed?.item ?? offer.fixed?.event;
    const go = GO[offer.do] ?? title(offer.do);
    const heading = about ? nameOf(about) : "";
    const choose = (what) => () =>
      confirmFirst({ do: offer.do, ...offer.fixed, [offer.field]: what }, `${heading ? `${heading}: ` : ""}${go} ${offer.do === "build" ? fortWords(what) : wordFor(String(what))}`);
    // Several offers may want a hex: then the player first says which of them they mean.
    const rivals = data.offers.filter(isAimed).length > 1 || (isAimed(offer) && data.offers.some((each) => each.walkers || each.do === "place"));
    const mine = !rivals || aiming === idOf(offer);
    if (mine && !offer.aside) for (const what of offer.choices) if (isPlace(what)) targets.set(what, choose(what));
    if (mine && isAimed(offer) && offer.do !== "ask_proof") wouldBe = (where) => ({ do: offer.do, ...offer.fixed, [offer.field]: where });
    const many = offer.choices.length > 14 && offer.choices.every(isPlace);
    const buttons = offer.choices.map((what) => button(offer.do === "build" ? fortWords(what) : wordFor(String(what)), choose(what), "small", wordFor(String(what))));
    return block(
      heading || (offer.do === "choose" ? "" : go), // the question itself is the heading of a choice
      offer.do === "ask_proof" ? hint("Face-down enemies pin your counters there. Whoever can show no supported creature must let them go.") : "",
      rivals && isAimed(offer) ? line(onTheMap(offer)) : "",
      many && !rivals ? hint("Pick a lit hex on the map.") : "",
      many ? fold(`All ${offer.choices.length} hexes${heading ? ` for ${heading}` : ""}`, make("div", { class: "chips" }, ...buttons)) : make("div", { class: "chips" }, ...buttons),
    );
  };

  const addGold = (offer) =>
    line(...offer.choices.map((gold) => button(`Pay ${gold} of ${data.gold} gold: the hero is yours`, () => confirmFirst({ do: offer.do, gold }, `Pay ${gold} gold`), "primary", "pay")));

  // Beside whatever is asked: each counter with what would become of it.
  const ASIDES = {
    cash: ["treasure", (tag) => `Cash in the ${nameOf(tag)} for ${known(tag)?.gold} gold`],
    remove_income: ["counter", (tag) => `Return the ${known(tag)?.name ?? tag}${wherePart(tag)} to the cup`],
    challenge: ["counter", (tag) => `Challenge the ${nameOf(tag)}${wherePart(tag)}`],
  };

  const aside = (offer) => {
    const [field, say] = ASIDES[offer.do] ?? [];
    if (!field) return control(offer);
    const buttons = offer.choices.map((tag) => button(say(tag), () => confirmFirst({ do: offer.do, [field]: tag }, say(tag)), "small", `${offer.do} ${tag}`));
    const rows = make("div", { class: "chips" }, ...buttons);
    return buttons.length > 2 || offer.do === "remove_income" ? fold({ cash: "Cash in treasure", remove_income: "Return special income", challenge: "Challenge" }[offer.do], rows) : rows;
  };

  const chips = (tags, most, where = wherePart) =>
    make(
      "div",
      { class: "chips" },
      ...tags.map((tag) => {
        const at = picked.indexOf(tag);
        return make("button", { type: "button", class: "button small chip", "aria-pressed": String(at >= 0), "data-chip": tag, "data-key": `chip ${tag}`, on: () => toggle(tag, most) }, (isBluff(tag) ? "? " : "") + nameOf(tag) + where(tag));
      }),
    );

  const toggle = (tag, most = 99) => {
    $("refusal").replaceChildren();
    if (picked.includes(tag)) picked = picked.filter((each) => each !== tag);
    else if (most === 1) picked = [tag];
    else if (picked.length < most) picked = [...picked, tag];
    showWhyNot();
    draw();
  };

  const some = (offer) => {
    const mine = picked.filter((tag) => offer.choices.includes(tag));
    const enough = mine.length >= offer.least && mine.length <= offer.most && !(offer.even && mine.length % 2);
    const words = {
      exchange: mine.length ? `Exchange ${mine.length}` : "Exchange nothing",
      discard: `Give back ${mine.length}`,
      reveal: mine.length ? `Show ${mine.length}` : "Show nothing",
      fly_past: `Fly on with ${mine.length}`,
    };
    const go = button(words[offer.do] ?? title(offer.do), () => send({ do: offer.do, ...offer.fixed, [offer.field]: mine }), "primary", offer.do);
    go.disabled = !enough;
    if (offer.do !== "fly_past") return block("", chips(offer.choices, offer.most), line(go));
    const why = hint("Enemies hold them there. Show flyers: each enemy flyer shown against them holds one, the others go on.");
    return block(`Fly past enemies${wherePart(offer.choices[0])}`, why, chips(offer.choices, offer.most, () => ""), line(go));
  };

  const place = (offer) => {
    const nowhere = Object.keys(offer.income).filter((tag) => !offer.income[tag].length);
    const able = [...offer.creatures, ...Object.keys(offer.income).filter((tag) => offer.income[tag].length)];
    const waiting = able.filter((tag) => !plan.some(([each]) => each === tag));
    const isOnly = offer.least === 1 && offer.most === 1 && able.length === 1; // a hero just won: there is nothing to pick but the hex
    const ready = isOnly ? able : picked.filter((tag) => waiting.includes(tag));
    const room = (where) => offer.room[where] - plan.filter(([tag, at]) => at === where && offer.creatures.includes(tag)).length;
    // All of them together: as many creatures as there is room for, and one special income counter.
    const take = (tags, where) => {
      const income = tags.filter((tag) => tag in offer.income);
      const isFree = income.length < 2 && !plan.some(([each, at]) => at === where && each in offer.income);
      return (where in offer.room ? room(where) : 0) >= tags.length - income.length && (!income.length || (isFree && offer.income[income[0]].includes(where)));
    };
    const hexes = new Set([...Object.keys(offer.room), ...Object.values(offer.income).flat()]);
    const put = (where) => () => {
      if (isOnly) return confirmFirst({ do: "place", counters: ready, places: [where] }, `Place ${nameOf(ready[0])} in ${wordFor(where)}`);
      plan.push(...ready.map((tag) => [tag, where]));
      picked = [];
      draw();
    };
    for (const where of hexes) if (ready.length && take(ready, where)) targets.set(where, put(where));
    if (ready.length) wouldBe = (where) => ({ do: "place", counters: ready, places: ready.map(() => where) });
    const takers = make("div", { class: "chips" }, ...[...targets].map(([where, go]) => button(wordFor(where), go, "small")));
    if (isOnly) return block("", hint(`Pick a lit hex for ${nameOf(ready[0])}.`), takers);
    const most = offer.most === 1 ? 1 : 99;
    const all = offer.creatures.filter((tag) => waiting.includes(tag));
    return block(
      "Place counters",
      waiting.length ? hint(ready.length ? "Now pick a lit hex." : "Pick counters, then a hex.") : "",
      chips(waiting, most),
      all.length > 1 && most > 1 ? line(button("Pick all creatures", () => { picked = all; draw(); }, "small")) : "",
      ready.length && targets.size ? fold("Hexes that take them", takers) : "",
      nowhere.length ? hint(`You have no hex for now that takes ${nowhere.map(nameOf).join(", ")}.`) : "",
      ...(plan.length ? planned(offer) : []),
    );
  };

  // What goes where, before it is sent: a line for each hex, and a press takes a counter off again.
  const planned = (offer) => {
    const places = [...new Set(plan.map(([, where]) => where))];
    const takeOff = (tag) => () => {
      plan = plan.filter(([each]) => each !== tag);
      draw();
    };
    const off = (tag, where) =>
      make("button", { type: "button", class: "button small chip", "aria-label": `Do not place ${nameOf(tag)} in ${where}`, "data-key": `off ${tag}`, on: takeOff(tag) }, `${nameOf(tag)} ×`);
    const rows = places.map((where) => line(make("strong", {}, `${where}:`), ...plan.filter(([, at]) => at === where).map(([tag]) => off(tag, where))));
    const sure = button(`Place ${plan.length}`, () => send({ do: "place", counters: plan.map(([tag]) => tag), places: plan.map(([, where]) => where) }), "primary", "place");
    sure.disabled = plan.length < offer.least || plan.length > offer.most;
    return [...rows, line(sure, button("Put all back", () => { plan = []; draw(); }))];
  };

  const recruit = (offer) => {
    const odds = make("span", { class: "small muted" });
    const amounts = [];
    for (let amount = 0; amount <= Math.min(offer.most_gold, 60); amount += 5) amounts.push([amount, `${amount} gold`]);
    const show = () => {
      const spent = Number(gold.value);
      const need = 2 * known(hero).value - spent / 5;
      let ways = 0;
      for (let a = 1; a <= 6; a++) for (let b = 1; b <= 6; b++) ways += a + b >= need;
      odds.textContent = `needs ${Math.max(2, need)} on two dice: ${Math.round((100 * ways) / 36)} %; leaves ${data.gold - spent} of ${data.gold} gold`;
    };
    const hero = offer.heroes.includes(kept.get("Hero")) ? kept.get("Hero") : offer.heroes[0];
    const gold = list("Gold before the roll", amounts, () => show());
    show();
    const roll = button(`Roll for ${nameOf(hero)}`, () => send({ do: "recruit", hero, gold: Number(gold.value) }), "primary", "roll");
    const [, powers] = cardOf(inPool(hero)?.dataset.kind);
    return block(
      "Recruit",
      make("div", { class: "counters heroes-to-pick" }, ...offer.heroes.map((tag) => heroToPick(tag, tag === hero))),
      hint(`${known(hero).name}: ${powers.join(" ")}`),
      line(gold),
      odds,
      line(roll),
    );
  };

  const inPool = (tag) => $("pool").querySelector(`[data-tag="${CSS.escape(tag)}"]`);

  // The hero's own counter, as it lies among those who serve nobody.
  const heroToPick = (tag, isChosen) => {
    const node = inPool(tag)?.cloneNode(true) ?? button(nameOf(tag), () => {}, "small");
    delete node.dataset.tag;
    node.dataset.key = `hero ${tag}`;
    node.setAttribute("aria-pressed", String(isChosen));
    node.classList.toggle("picked", isChosen);
    node.addEventListener("click", () => {
      kept.set("Hero", tag);
      draw();
    });
    return node;
  };

  const drawThings = (offer) => {
    const counts = [...Array(offer.most_paid + 1).keys()].map((count) => [count, count ? `${count} paid (${5 * count} gold)` : "none paid"]);
    const traded = picked.filter((tag) => offer.tradable.includes(tag));
    const go = button("", () => send({ do: "draw", paid: Number(paid.value), traded }), "primary", "draw");
    const show = () => {
      go.textContent = `Draw ${offer.free + Number(paid.value) + Math.floor(traded.length / 2)}`;
      go.disabled = traded.length % 2 === 1 || traded.length > offer.most_traded;
    };
    const paid = list("Paid draws", counts, () => show());
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
    // Walls can be named as often as they can take hits, and where some must be used up first they come first (X21).
    // A city that is lost pays for two, so pressing it names it twice (X9).
    // Where everything is hit there is nothing to pick; only magic could still change it.
    const everything = Object.entries(offer.targets).flatMap(([tag, most]) => Array(most).fill(tag));
    const chosen = picked.filter((tag) => tag in offer.targets);
    const forced = data.question === "losses" && everything.length <= offer.count;
    const mine = forced && !chosen.length ? everything : chosen;
    const times = (tag) => mine.filter((each) => each === tag).length;
    const isNext = (tag) => offer.first.includes(tag) || offer.first.every((each) => times(each) === offer.targets[each]);
    const isEnough = (tags) => offer.enough.length > 0 && offer.enough.every((tag) => tags.includes(tag));
    const withWhole = (tag) => {
      const [kept, rest] = [mine.filter((each) => offer.first.includes(each)), mine.filter((each) => !offer.first.includes(each))];
      const all = Array(offer.targets[tag]).fill(tag);
      return [...kept, ...rest.slice(0, offer.count - kept.length - all.length), ...all];
    };
    const press = (tag) => () => {
      if (offer.whole.includes(tag) && !times(tag) && isNext(tag)) picked = withWhole(tag);
      else if (times(tag) < offer.targets[tag] && mine.length < offer.count && isNext(tag)) picked = [...mine, tag];
      else picked = mine.filter((each) => each !== tag && (!offer.first.includes(tag) || offer.first.includes(each)));
      if (isEnough(picked)) picked = [...offer.enough]; // nothing more is owed
      draw();
    };
    const chip = (tag) => {
      const at = mine.flatMap((each, n) => (each === tag ? [n + 1] : [])).join(", ");
      const text = nameOf(tag) + (offer.targets[tag] > 1 ? ` ×${offer.targets[tag]}` : "");
      const node = make("button", { type: "button", class: "button small chip", "data-order": at, "data-chip": tag, "data-key": `chip ${tag}`, "aria-pressed": String(at !== ""), on: press(tag) }, text);
      node.disabled = !at && (!isNext(tag) || isEnough(mine));
      return node;
    };
    const many = isEnough(mine) ? `All ${mine.length} creature${mine.length === 1 ? "" : "s"}` : `${mine.length} of ${offer.count}`;
    const go = button(`${many}: confirm`, () => send({ do: "lose", counters: mine }), "primary", "lose");
    go.disabled = mine.length !== offer.count && !isEnough(mine);
    return block("", make("div", { class: "chips" }, ...Object.keys(offer.targets).map(chip)), line(go));
  };

  const bribe = (offer) => {
    const mine = picked.filter((tag) => tag in offer.prices);
    const cost = mine.reduce((sum, tag) => sum + offer.prices[tag], 0);
    const prices = make("div", { class: "chips" }, ...Object.entries(offer.prices).map(([tag, price]) =>
      make("button", { type: "button", class: "button small chip", "data-chip": tag, "data-key": `chip ${tag}`, "aria-pressed": String(mine.includes(tag)), on: () => toggle(tag) }, `${nameOf(tag)}: ${price} gold`)));
    const go = button(mine.length ? `Pay ${cost} of ${offer.gold} gold` : "Bribe nobody: fight", () => send({ do: "bribe", counters: mine }), "primary", "bribe");
    go.disabled = cost > offer.gold;
    return block("", prices, line(go));
  };

  const retreat = (offer) => {
    const foot = list("Where to", offer.places.map((where) => [where, wordFor(where)]));
    const air = list("The Balloon goes to", offer.balloon.map((where) => [where, `Balloon to ${wordFor(where)}`]));
    for (const where of offer.places) {
      targets.set(where, () => confirmFirst({ do: "retreat", to: where, balloon: offer.balloon.length ? air.value : "" }, `Retreat to ${where}`));
    }
    wouldBe = (where) => ({ do: "retreat", to: where, balloon: "" });
    const go = button("Retreat", () => confirmFirst({ do: "retreat", to: foot.value ?? "", balloon: air.value ?? "" }, "Retreat with everybody"));
    return block("Retreat", line(offer.places.length ? foot : "", offer.balloon.length ? air : "", go));
  };

  const charm = (offer) => {
    const roll = data.roll;
    const buttons = offer.charms.map(([thrower, die, change]) => {
      const face = roll?.faces?.[thrower]?.[die];
      const who = roll?.names?.[thrower]?.[die] ?? words.seats[roll?.throwers?.[thrower]] ?? "Wild defenders";
      const sum = roll?.bonus ? roll.faces[thrower].reduce((a, b) => a + b, 0) : 0;
      const text = offer.charms.length <= 4 && roll?.faces?.[thrower]?.length > 1 && !roll.needs?.length ? `${who}: total ${sum} → ${sum + change}` : `${who}: ${face} → ${face + change}`;
      return button(text, () => confirmFirst({ do: "play_item", item: offer.item, thrower, die, change }, `Lucky Charm: ${text}`), "small");
    });
    return block(nameOf(offer.item), make("div", { class: "chips" }, ...buttons));
  };

  const spell = (offer) => {
    const named = (tag) => nameOf(tag) + wherePart(tag) + (isBluff(tag) ? ", a bluff" : "");
    const caster = list("Who works the magic", Object.keys(offer.reach).map((tag) => [tag, named(tag)]), () => draw(), `caster ${offer.event}`);
    const where = list("Hex", offer.reach[caster.value].map((each) => [each, wordFor(each)]), undefined, `hex ${offer.event}`);
    const cast = (target) =>
      confirmFirst({ do: "play_event", event: offer.event, target, caster: caster.value }, `${nameOf(offer.event)} at ${wordFor(target)}, by ${named(caster.value)}`);
    const go = button("Play", () => cast(where.value), "", `play ${offer.event}`);
    if (aiming === idOf(offer)) for (const each of offer.reach[caster.value]) targets.set(each, () => cast(each));
    return block(nameOf(offer.event), line(caster, onTheMap(offer)), line(where, go));
  };

  const defection = (offer) => {
    const hero = list("Hero to defect", [...offer.pool, ...offer.owned].map((tag) => [tag, nameOf(tag) + wherePart(tag)]));
    const roller = list("Who rolls for the hero", offer.rollers.map((seat) => [seat, `${words.seats[seat]} rolls for the hero`]));
    const go = button("Play", () => {
      const caster = offer.pool.includes(hero.value) ? roller.value : "";
      confirmFirst({ do: "play_event", event: offer.event, target: hero.value, caster }, `${nameOf(offer.event)}: ${nameOf(hero.value)}`);
    }, "", `play ${offer.event}`);
    return block(nameOf(offer.event), line(hero, offer.pool.length ? roller : "", go));
  };

  const ascend = (offer) => {
    const start = Object.keys(offer.passengers).find((where) => picked.some((tag) => offer.passengers[where].includes(tag)));
    const riders = start ? picked.filter((tag) => offer.passengers[start].includes(tag)).slice(0, 3) : [];
    const room = (where) => !(where in offer.room) || offer.room[where] >= riders.length;
    const to = list("Land at", (start ? offer.targets[start].filter(room) : []).map((where) => [where, wordFor(where)]));
    const fly = (where) => confirmFirst({ do: "ascend", item: offer.item, counters: riders, to: where }, `Balloon with ${riders.length} to ${where}`);
    const go = button("Fly", () => fly(to.value));
    go.disabled = !riders.length || !to.value;
    if (riders.length && !walk) for (const { value } of to.options) targets.set(value, () => fly(value));
    return fold("Balloon", chips(Object.values(offer.passengers).flat(), 3), line(to, go));
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
      if (walk?.place !== where && !targets.has(where)) targets.set(where, () => startWalk(where, tags));
    }
    if (!walk) {
      if (!Object.keys(stacks).length) return block("Move", hint("None of your counters can move now."));
      const starts = Object.entries(stacks).map(([where, tags]) => button(`${where}: ${tags.length}`, () => startWalk(where, tags), "small"));
      return block("Move", hint("Pick a stack here or on the map."), make("div", { class: "chips" }, ...starts));
    }
    const stack = picked.filter((tag) => stacks[walk.place].includes(tag));
    const reach = reachOf(offer, stack);
    for (const [where, { path }] of reach) targets.set(where, () => send({ do: "march", counters: stack, path }));
    lit = reach;
    if (stack.length) wouldBe = (where) => ({ do: "march", counters: stack, path: straightTo(walk.place, where) });
    const where = [...reach].map(([each, { path, cost }]) => button(`${wordFor(each)} (${cost})`, () => send({ do: "march", counters: stack, path }), "small", `to ${each}`));
    return block(
      `Stack in ${walk.place}`,
      hint(stack.length ? `${stack.length} go. Pick a lit hex; the number is what it costs.` : "Pick who goes."),
      chips(stacks[walk.place], undefined, () => ""),
      where.length ? fold("Hexes within reach", make("div", { class: "chips" }, ...where)) : hint("There is nowhere they can go together."),
      line(
        stack.length ? button("None of them", () => { picked = []; draw(); }, "small") : button("All of them", () => { picked = [...stacks[walk.place]]; draw(); }, "small"),
        button("Another stack", () => { walk = null; picked = []; draw(); }, "small"),
      ),
    );
  };

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

  const startWalk = (where, tags) => {
    walk = { place: where };
    picked = [...tags];
    open(where);
    draw();
  };

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
    if (offer.do === "add_gold") return addGold(offer);
    if (offer.do === "place") return place(offer);
    if (offer.do === "lose") return lose(offer);
    if (offer.do === "retreat") return retreat(offer);
    if (offer.action) return exactly(offer);
    if ("least" in offer) return some(offer);
    return oneOf(offer);
  };

  // A proposal to end the game: who made it and for whom, so that nobody agrees to something else.
  const proposal = (replies) => {
    const { by, winner } = data.proposal ?? {};
    const what = winner >= 0 ? `${words.seats[winner]} has won` : "nobody has won";
    return block(`${words.seats[by] ?? "Somebody"} proposes to end the game: ${what}`, ...replies.map(exactly));
  };

  const end = (offer) =>
    make("div", { class: "chips" }, ...offer.choices.map((winner) => {
      const text = winner < 0 ? "Nobody has won" : `${words.seats[winner]} has won`;
      return button(text, () => confirmFirst({ do: "propose_end", winner }, `Propose to end the game: ${text}`), "small", `end ${winner}`);
    }));

  const LESS = ["resign", "propose_end", "set_order"];

  const draw = () => {
    targets = new Map();
    lit = new Map();
    wouldBe = null;
    const box = $("controls");
    if (!box) return;
    const focus = focusIn(box);
    // What is planned is placed or put back before anything is finished.
    const main = data.offers.filter((offer) => !offer.aside && !(plan.length && offer.do === "done"));
    const replies = data.offers.filter((offer) => offer.reply);
    const beside = data.offers.filter((offer) => offer.aside && !offer.reply && !LESS.includes(offer.do));
    const rare = data.offers.filter((offer) => offer.do === "propose_end");
    const last = (offer) => (offer.do === "done" ? 1 : 0);
    const nodes = main.sort((a, b) => last(a) - last(b)).map(control);
    const group = [
      ...beside.map(aside),
      rare.length ? fold("End the game by agreement", ...rare.map(end)) : "",
    ].filter(Boolean);
    const more = group.length ? make("section", { class: "asides", "aria-label": "Besides" }, ...group) : "";
    // The strip to confirm comes last: nothing that is pressed without asking may slide under the hand.
    box.replaceChildren(...[replies.length ? proposal(replies) : "", ...nodes, more, confirmBar()].filter(Boolean));
    onePrimary(box);
    light();
    drawOrders();
    focusAgain(box, focus);
  };

  const confirmBar = () => {
    if (!pending) return null;
    const { action, text } = pending;
    return make("div", { class: "confirm", role: "group", "aria-label": "Confirm" }, make("strong", {}, text), line(
      make("button", { type: "button", class: "button primary", "data-confirm": true, "data-key": "confirm", on: () => send(action) }, "Confirm"),
      button("Cancel", cancel),
    ));
  };

  // The one thing that most likely comes next stands out, and nothing else.
  const onePrimary = (box) => {
    const able = [...box.querySelectorAll(".button.primary")];
    const chosen = able.find((each) => !each.disabled);
    for (const each of able) if (each !== chosen) each.classList.remove("primary");
  };

  // ---- the focus, which redrawing would lose

  const focusIn = (box) => (box.contains(document.activeElement) ? document.activeElement.dataset.key ?? "" : null);
  const focusAgain = (box, key) => {
    if (key === null || box.contains(document.activeElement)) return;
    const same = key && box.querySelector(`[data-key="${CSS.escape(key)}"]:not(:disabled)`);
    (same || box).focus({ preventScroll: true });
  };

  const walkersNow = () => data.offers.find((offer) => offer.walkers)?.walkers ?? {};

  const light = () => {
    const named = JSON.stringify(pending?.action ?? {});
    const waits = (where) => named.includes(`"${where}"`);
    const counts = new Map();
    for (const [, where] of plan) counts.set(where, (counts.get(where) ?? 0) + 1);
    lightMap({ targets, reach: lit, planned: counts, waits, chosen: (where) => where === chosenHex || where === walk?.place || waits(where) });
    const walkers = walkersNow();
    for (const each of document.querySelectorAll("button.counter[data-tag]")) {
      const on = picked.includes(each.dataset.tag);
      each.setAttribute("aria-pressed", String(on));
      each.classList.toggle("picked", on);
      const left = walkers[each.dataset.tag]?.points;
      const to = plan.find(([tag]) => tag === each.dataset.tag)?.[1];
      each.classList.toggle("planned", to !== undefined);
      const name = each.querySelector(".name");
      if (left !== undefined || to) name.dataset.left = to ? `→ ${to}` : `${left} left`;
      else if (name) delete name.dataset.left;
    }
  };

  const drawOrders = () => {
    const box = $("orders");
    if (!box || box.contains(document.activeElement)) return;
    if (!data.orders) return box.replaceChildren(); // the game is over, or somebody else's
    box.replaceChildren(...Object.entries(words.orders).map(([about, [label, choices]]) => {
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
    showWhyNot();
    $("refusal").replaceChildren();
    if (means) means();
    else {
      light();
      askWhyNot(wouldBe?.(where));
    }
    say($(`hex-${where}`)?.querySelector("title")?.textContent ?? where);
  };

  // ---- dragging: a stack to a hex within its reach, or a counter of the rack to where it is placed

  const grab = ({ place: where, tag }) => {
    if (tag) return grabCounter(tag);
    const here = Object.values(walkersNow()).filter((each) => each.place === where).map((each) => each.tag);
    if (!here.length) return null;
    if (walk?.place !== where || !picked.length) startWalk(where, here);
    return String(picked.length);
  };

  const grabCounter = (tag) => {
    const offer = data.offers.find((each) => each.do === "place");
    if (!offer || !(offer.creatures.includes(tag) || tag in offer.income) || plan.some(([each]) => each === tag)) return null;
    if (!picked.includes(tag)) toggle(tag, offer.most === 1 ? 1 : 99);
    return picked.length > 1 ? `${nameOf(tag)} and ${picked.length - 1} more` : nameOf(tag);
  };

  const drop = (where) => {
    if (walk && !lit.has(where)) askWhyNot(wouldBe?.(where));
    else press(where);
  };

  Object.assign(hands, { press, grab, drop, release: () => light() });

  // ---- why not? The server is asked what it would say, and nothing is done.

  let asked = 0;
  const askServer = async (action) => {
    const mine = ++asked;
    if (!action) return null;
    const told = new FormData($("act-form"));
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
    const box = $("why-not");
    box.replaceChildren();
    if (!why) return;
    const link = rule ? make("a", { href: `${$("table").dataset.rules}#${rule}`, target: "_blank", rel: "noopener" }, `Rule ${rule}`) : "";
    box.append(...[make("strong", {}, "Why not? "), `${why} `, link].filter(Boolean));
  };

  const load = (text) => {
    data = text ? JSON.parse(text) : { offers: [] };
    drawnAt = shownNow();
    drawnFrom = text;
    picked = picked.filter((tag) => known(tag) || tag === "fort");
    plan = plan.filter(([tag]) => known(tag));
  };

  when("arrived", (was, now) => {
    // While the question is the same, what others do meanwhile does not disturb what is being picked here.
    if (was.decision === now.decision) return;
    reset();
    isNew = now.turn === "yes";
    kept = new Map([...kept].filter(([key]) => key.startsWith("fold ")));
  });

  when("answered", ready);

  // A new question is read from its top, however far down somebody was in the column; not while they are writing.
  const side = document.querySelector(".kings-side");
  const showQuestion = () => {
    if (isNew && !document.activeElement?.matches("input, textarea")) side.scrollTop = 0;
    isNew = false;
  };

  // What stays in sight below the question needs to know how much room that takes.
  new ResizeObserver(([{ target }]) => side.style.setProperty("--asked", `${target.offsetHeight}px`)).observe($("prompt"));

  // The phase that is on stays in sight where the bar is wider than the page.
  const showPhase = () => {
    const bar = document.querySelector(".phase-bar");
    const now = bar?.querySelector(".now");
    if (now) bar.scrollLeft = now.offsetLeft - bar.offsetLeft - (bar.clientWidth - now.clientWidth) / 2;
  };

  when("settled", () => {
    const text = $("offers-data")?.textContent ?? "";
    // Odds, talk or a look have come, and nothing about the question: a button that is being pressed must stay.
    if (drawnFrom === text && drawnAt === shownNow()) {
      light();
      return;
    }
    load(text);
    if (walk) {
      // The stack that has just moved is at hand again.
      const walkers = walkersNow();
      picked = picked.filter((tag) => tag in walkers);
    }
    if (chosenHex) open(chosenHex);
    draw();
    showQuestion();
    markMine();
    showPhase();
    const leave = document.querySelector('[data-dialog="resign"]');
    if (leave) leave.hidden = !data.offers.some((offer) => offer.do === "resign");
  });

  // ---- help cards: what a counter is

  const FACE_DOWN = ["Counter", ["Its face is known to its owner only. It turns up when it fights, or when its owner shows it."], "H2"];
  const cardOf = (kind) => globalThis.kadab.handbook?.cards[kind] ?? FACE_DOWN;

  const showCard = (node) => {
    const [sort, lines, rule] = cardOf(node.dataset.kind);
    const copy = node.cloneNode(true);
    const picture = make("span", { class: copy.className });
    picture.classList.remove("picked");
    picture.append(...copy.childNodes);
    const note = node.classList.contains("bluff") ? ["A bluff: you own no hex of its terrain, and no Terrain Lord of it is here."] : node.classList.contains("supported") ? ["Supported: it serves you."] : [];
    $("card-why").textContent = "";
    $("card-title").textContent = node.querySelector(".name")?.textContent ?? "Face down";
    $("card-sort").textContent = sort;
    // A counter's symbols are told first, in the order in which they are drawn on it.
    const marks = [...node.querySelectorAll(".marks .mark")].map((mark) => mark.cloneNode(true));
    for (const mark of marks) mark.setAttribute("aria-hidden", "true");
    $("card-lines").replaceChildren(...[...lines, ...note].map((text, at) => make("li", {}, marks[at], text)));
    $("card-picture").replaceChildren(picture);
    $("card-rules").href = `${$("card-rules").dataset.rules}#${rule}`;
    $("card").showModal();
  };

  let asking = false;
  const ask = (on) => {
    asking = on;
    document.body.classList.toggle("asking", on);
    for (const each of document.querySelectorAll("[data-what]")) each.setAttribute("aria-pressed", String(on));
  };

  // A counter that can be picked now is picked; any other tells what it is, and so does a long press on each.
  const pressCounter = (node) => {
    const chip = document.querySelector(`[data-chip="${CSS.escape(node.dataset.tag)}"]`);
    if (asking || !chip) {
      showCard(node);
      if (!asking) whyNotPicked(node.dataset.tag);
    }
    else chip.click();
    ask(false);
  };

  // The counters that something is asked about now, as an action that would name this one.
  const wouldPick = (tag) => {
    const some = data.offers.find((offer) => !offer.aside && ("least" in offer || offer.walkers || offer.prices));
    if (!some || known(tag)) return null;
    if (some.walkers) return { do: "march", counters: [tag], path: [] };
    if (some.do === "place") return { do: "place", counters: [tag], places: [Object.keys(some.room)[0] ?? "h1"] };
    return { do: some.do, ...some.fixed, [some.field ?? "counters"]: [tag] };
  };

  const whyNotPicked = async (tag) => {
    const { why } = (await askServer(wouldPick(tag))) ?? {};
    $("card-why").textContent = why ? `Not now: ${why}` : "";
  };

  document.addEventListener("contextmenu", (event) => {
    const counter = event.target.closest?.("button.counter");
    if (!counter) return;
    event.preventDefault();
    showCard(counter);
  });

  // ---- listening

  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && pending) return cancel();
    if (event.key === "Escape" && (walk || picked.length || asking)) {
      ask(false);
      reset();
      draw();
      return;
    }
    // A key held down must not confirm what it has just asked for.
    if (event.repeat && (event.key === "Enter" || event.key === " ")) return event.preventDefault();
    if (event.key === "?" && event.target.matches?.("button.counter[data-tag]")) return showCard(event.target);
  });

  // The second press of a double click may meet another button than the first: what comes next is not meant by it.
  document.addEventListener("click", (event) => {
    if (event.detail > 1 && event.target.closest?.("#controls button:not(.chip)")) event.stopPropagation();
  }, true);

  document.addEventListener("click", (event) => {
    const at = (selector) => event.target.closest?.(selector);
    const counter = at("button.counter[data-tag]");
    if (counter) pressCounter(counter);
    if (at("[data-what]")) ask(!asking);
    if (at("[data-close-hex]")) {
      open(null);
      light();
    }
  });

  // Deferred scripts run when all of the page is there: before table.js says for the first time that it has settled.
  if ($("words")) words = JSON.parse($("words").textContent);
})();
