// The coach of Kings & Things*: a lesson when something is met for the first time in this browser. It stands beside the
// controls, never in their way, and goes when it is understood: by "Got it", or by doing what it is about.
(() => {
  const { keep, kept } = globalThis.kadab;
  const { $, state, say, on: when } = globalThis.kadab.table;

  // Help cards, lessons and legend come by a script of their own (games/painting/kings/handbook.py), which may fail.
  const { lessons = {}, met = {}, legend = "" } = globalThis.kadab.handbook ?? {};
  let shown = ""; // the lesson on the page
  let asked = false; // the player asked for it: then it stays until they close it or play on
  let opener = null; // where the focus goes back to

  // ---- what this browser remembers

  const SEEN = "coach-seen";
  const seen = () => (kept(SEEN) ?? "").split(" ");
  const remember = (name) => seen().includes(name) || keep(SEEN, [...seen(), name].join(" ").trim());

  // Spectators are left alone unless they ask for it.
  const watches = () => (state().seat ?? "") === "";
  const wish = () => (watches() ? "coach-watching" : "coach");
  const isOn = () => (kept(wish()) ?? (watches() ? "off" : "on")) === "on";

  // ---- which lessons fit

  const question = () => $("picks")?.dataset.question ?? "";
  const phase = () => document.querySelector("#phases .now [data-lesson]")?.dataset.lesson ?? "setup";
  const fitting = () => (state().over === "yes" ? ["winning"] : met[question()] ?? [phase()]).filter((name) => lessons[name]);
  const unseen = () => fitting().find((name) => !seen().includes(name)) ?? "";
  const concerned = () => state().over !== "yes" && (watches() || question() !== "");

  // ---- the card

  const show = (name) => {
    const [title, words, tip, rule] = lessons[name];
    shown = name;
    $("coach-title").querySelector("span").textContent = title;
    $("coach-words").textContent = words;
    $("coach-tip").textContent = tip;
    $("coach-rules").href = `${$("coach-rules").dataset.rules}#${rule}`;
    document.querySelector("[data-coach=off]").hidden = !isOn();
    $("coach").hidden = false;
  };

  const hide = () => {
    const had = $("coach").contains(document.activeElement);
    shown = "";
    asked = false;
    $("coach").hidden = true;
    const back = opener?.checkVisibility() ? opener : opener?.closest("details")?.querySelector("summary"); // a line of the menu
    if (had) (back ?? $("controls")).focus({ preventScroll: true });
    opener = null;
  };

  // Spectators see phases fly by: a lesson stays until they have read it.
  const look = () => {
    showWish();
    if (asked) return;
    const unread = shown && !seen().includes(shown);
    const next = isOn() && concerned() ? unseen() : "";
    if (!isOn() || (!next && !unread)) return shown && hide();
    if (!next || next === shown || (unread && watches())) return;
    show(next);
    say(`Coach: ${lessons[next][0]}`);
  };

  const understood = () => {
    remember(shown);
    const more = isOn() && concerned() ? unseen() : "";
    if (!more) return hide();
    asked = false;
    show(more);
    $("coach").focus({ preventScroll: true });
  };

  // The player asks: now the card may take the focus, and it gives it back.
  const explain = (name, from) => {
    if (!lessons[name]) return;
    show(name);
    asked = true;
    opener = from;
    $("coach").focus({ preventScroll: true });
    $("coach").scrollIntoView({ block: "nearest" });
  };

  const showWish = () => document.querySelector("[data-coach=toggle]")?.setAttribute("aria-pressed", String(isOn()));

  const turn = (on) => {
    keep(wish(), on ? "on" : "off");
    if (!on && shown) hide();
    look();
    $("coach").scrollIntoView({ block: "nearest" });
  };

  // What is asked now comes before what leads up to it; pressed once more, the other.
  const LEADS_UP = ["welcome", "battle"];
  const again = (from) => {
    const names = fitting();
    const own = names.find((name) => !LEADS_UP.includes(name)) ?? names[0];
    explain(own === shown ? names.find((name) => name !== own) ?? own : own, from);
  };

  const DO = { got: understood, off: () => turn(false), toggle: () => turn(!isOn()), again };

  document.addEventListener("click", (event) => {
    const pressed = event.target.closest?.("[data-coach]");
    if (pressed) DO[pressed.dataset.coach](pressed);
    const phase = event.target.closest?.("#phases [data-lesson]");
    if (phase) explain(phase.dataset.lesson, phase);
    if (event.target.closest?.("[data-dialog=legend]")) fillLegend();
  });

  // The legend is drawn when somebody opens it for the first time.
  const fillLegend = () => {
    const groups = document.querySelector(".legend-groups");
    if (!groups.childElementCount) groups.innerHTML = legend;
  };

  // Whoever has done it has understood it.
  when("sent", () => {
    if (!shown) return;
    if (asked || fitting().includes(shown)) remember(shown);
    asked = false;
  });

  when("settled", look);
})();
