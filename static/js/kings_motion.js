// What moves on the page of Kings & Things*: stacks glide, counters are put down, hits land, dice tumble. The page holds
// the new position before any of it begins; this lies on top, takes no click, and is gone after half a second. News that
// arrives meanwhile ends it: however fast bots play, nothing piles up.
(() => {
  const { keep, kept } = globalThis.kadab;
  const { $, board, calm, on: when } = globalThis.kadab.table;
  const SVG = "http://www.w3.org/2000/svg";
  const FACES = "⚀⚁⚂⚃⚄⚅";
  const GLIDE = 450; // ms
  const TUMBLE = 500;
  const ROLLING = 80; // how long a die shows one face

  let ends = []; // what brings each running motion to its end at once

  // ---- whether it is wanted

  const isOff = () => kept("motion") === "no";
  const isWanted = () => !calm.matches && !isOff() && !document.hidden;

  const toggle = () => {
    keep("motion", isOff() ? "yes" : "no");
    if (isOff()) stop();
    showToggle();
  };

  const showToggle = () => {
    const button = document.querySelector("[data-motion-toggle]");
    if (!button) return;
    button.hidden = false;
    button.disabled = calm.matches;
    button.title = calm.matches ? "Your device asks for less motion, so nothing moves here" : "Show how counters and dice move";
    button.setAttribute("aria-pressed", String(!calm.matches && !isOff()));
  };

  // ---- moving one thing

  const stop = () => {
    const now = ends;
    ends = [];
    for (const end of now) end();
  };

  const run = (node, frames, options, tidy = () => {}) => {
    const motion = node.animate(frames, options);
    let over = false;
    const end = () => {
      if (over) return;
      over = true;
      ends = ends.filter((each) => each !== end);
      motion.cancel();
      tidy();
    };
    motion.onfinish = end;
    ends.push(end);
  };

  const layer = () => {
    const found = board().querySelector(":scope > .ghosts");
    if (found) return found;
    const made = document.createElementNS(SVG, "g");
    made.setAttribute("class", "ghosts");
    made.setAttribute("aria-hidden", "true");
    board().append(made);
    return made;
  };

  const fly = (node, frames, options) => {
    layer().append(node);
    run(node, frames, options, () => {
      const over = node.parentNode;
      node.remove();
      if (over && !over.childNodes.length) over.remove();
    });
  };

  const middle = (place) => $(`hex-${place}`)?.getAttribute("transform").match(/-?[\d.]+/g).map(Number);
  const at = ([x, y], scale = 1) => `translate(${x}px, ${y}px) scale(${scale})`;

  // ---- what there is to see

  const shape = (name, attributes) => {
    const node = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    return node;
  };

  // A stack's back with its number, its middle at 0 0.
  const ghost = (seat, count) => {
    const form = document.querySelector(`[data-ghost="${seat}"]`).cloneNode(true);
    form.removeAttribute("data-ghost");
    form.setAttribute("transform", "translate(-30 -30) scale(1.5)");
    form.querySelector(".value").textContent = count;
    if (count < 2) form.querySelector(".under")?.remove();
    const node = shape("g", { class: "ghost" });
    node.append(form);
    return node;
  };

  const move = ({ seat, count, path }) => {
    const way = path.map(middle);
    if (!way.every(Boolean)) return;
    const frames = way.map((where) => ({ transform: at(where) }));
    fly(ghost(seat, count), frames, { duration: GLIDE, easing: "ease-in-out" });
  };

  const land = ({ place, seat, count }) => {
    const where = middle(place);
    if (!where) return;
    if (count) fly(ghost(seat, count), [{ transform: at(where, 2), opacity: 0 }, { transform: at(where), opacity: 1 }], { duration: 250, easing: "ease-in" });
    fly(shape("circle", { class: "ring", r: 60 }), [{ transform: at(where, 0.5), opacity: 1 }, { transform: at(where, 1.5), opacity: 0 }], { duration: 400, easing: "ease-out" });
  };

  const hit = ({ place }) => {
    const where = middle(place);
    const edge = $(`hex-${place}`)?.querySelector(".edge");
    const blow = [{ opacity: 1 }, { opacity: 0.3, offset: 0.4 }, { opacity: 0.9, offset: 0.6 }, { opacity: 0 }];
    if (where && edge) fly(shape("polygon", { class: "blow", points: edge.getAttribute("points") }), blow.map((each) => ({ ...each, transform: at(where) })), { duration: 400 });
    strike(0);
  };

  // Who is hit in the battle shakes: those with hits to take, else all of them.
  const strike = (delay) => {
    const sides = [...document.querySelectorAll("#battle .battle-side")];
    const hurt = sides.filter((each) => each.querySelector(".hits"));
    const frames = [0, -5, 5, -3, 0].map((x) => ({ transform: `translateX(${x}px)` }));
    for (const side of hurt.length ? hurt : delay ? [] : sides) run(side, frames, { duration: 300, delay });
  };

  const dice = () => {
    const thrown = [...document.querySelectorAll("#battle .die")];
    if (!thrown.length) return;
    const show = () => {
      for (const die of thrown) die.dataset.face = FACES[Math.floor(6 * Math.random())];
    };
    show();
    const rolling = setInterval(show, ROLLING);
    const tumble = [{ transform: "translateY(-0.6rem) rotate(-540deg)" }, { transform: "translateY(0.1rem) rotate(-60deg)", offset: 0.7 }, { transform: "none" }];
    for (const die of thrown) {
      die.classList.add("tumbling");
      run(die, tumble, { duration: TUMBLE, easing: "ease-out" }, () => {
        clearInterval(rolling);
        die.classList.remove("tumbling");
        die.removeAttribute("data-face");
      });
    }
    strike(TUMBLE);
  };

  const MOTIONS = { move, land, hit, dice };

  when("arrived", (was, now) => {
    stop();
    const { at: revision, motions } = JSON.parse($("motion").textContent);
    // A page that was drawn as a whole (loaded anew, another seat) has seen nothing happen.
    if (!isWanted() || now.base === "" || revision <= Number(was.revision)) return;
    for (const motion of motions) MOTIONS[motion.kind](motion);
  });

  // ---- listening

  calm.addEventListener("change", () => {
    stop();
    showToggle();
  });
  document.addEventListener("visibilitychange", () => document.hidden && stop());
  document.addEventListener("click", (event) => {
    if (event.target.closest?.("[data-motion-toggle]")) toggle();
  });
  if ($("motion")) showToggle();
})();
