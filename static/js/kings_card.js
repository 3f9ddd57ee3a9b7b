// What a counter is: its card opens by a press, a long press, or "?" and then a press.
(() => {
  const { $ } = globalThis.kadab.table;

  const FACE_DOWN = ["Counter", ["Its face is known to its owner only. It turns up when it fights, or when its owner shows it."], "H2"];
  const cardOf = (kind) => globalThis.kadab.handbook?.cards[kind] ?? FACE_DOWN;
  const NOTES = {
    bluff: "A bluff: you own no hex of its terrain, and no Terrain Lord of it is here.",
    supported: "Supported: it serves you.",
  };

  const item = (mark, text) => {
    const node = document.createElement("li");
    node.append(...(mark ? [mark] : []), text);
    return node;
  };

  const show = (node) => {
    const [sort, lines, rule] = cardOf(node.dataset.kind);
    const picture = document.createElement("span");
    picture.className = node.className;
    picture.classList.remove("picked");
    picture.append(...node.cloneNode(true).childNodes);
    const notes = Object.keys(NOTES).filter((each) => node.classList.contains(each)).map((each) => NOTES[each]);
    $("card-why").textContent = "";
    $("card-title").textContent = node.querySelector(".name")?.textContent ?? "Face down";
    $("card-sort").textContent = sort;
    // A counter's symbols are told first, in the order in which they are drawn on it.
    const marks = [...node.querySelectorAll(".marks .mark")].map((mark) => mark.cloneNode(true));
    for (const mark of marks) mark.setAttribute("aria-hidden", "true");
    $("card-lines").replaceChildren(...[...lines, ...notes].map((text, at) => item(marks[at], text)));
    $("card-picture").replaceChildren(picture);
    $("card-rules").href = `${$("card-rules").dataset.rules}#${rule}`;
    $("card").showModal();
  };

  // "?" was pressed: the next counter tells what it is, even if it could be picked. Says whether anything changed.
  let asking = false;
  const ask = (on) => {
    const changed = asking !== on;
    asking = on;
    document.body.classList.toggle("asking", on);
    for (const each of document.querySelectorAll("[data-what]")) each.setAttribute("aria-pressed", String(on));
    return changed;
  };

  // A counter that can be picked now is picked; any other tells what it is, and why it cannot be picked.
  const press = async (node, chip, why) => {
    const wantsCard = asking || !chip;
    const wantsReason = !asking && !chip;
    ask(false);
    if (!wantsCard) return chip.click();
    show(node);
    const answer = wantsReason ? await why() : null;
    $("card-why").textContent = answer?.why ? `Not now: ${answer.why}` : "";
  };

  document.addEventListener("contextmenu", (event) => {
    const counter = event.target.closest?.("button.counter");
    if (!counter) return;
    event.preventDefault();
    show(counter);
  });

  document.addEventListener("keydown", (event) => {
    if (event.key === "?" && event.target.matches?.("button.counter[data-tag]")) show(event.target);
  });

  document.addEventListener("click", (event) => {
    if (event.target.closest?.("[data-what]")) ask(!asking);
  });

  globalThis.kadab.card = { press, ask };
})();
