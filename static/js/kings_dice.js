// Dice that tumble before they lie still.

// The text of a die is its true face at all times; another one lies over it while it tumbles.
const FACES = "⚀⚁⚂⚃⚄⚅";
export const tumble = (die) => {
  die.classList.add("tumbling");
  const roll = () => (die.dataset.face = FACES[Math.floor(6 * Math.random())]);
  roll();
  const rolling = setInterval(roll, 80);
  const frames = [{ transform: "rotate(-360deg)" }, { transform: "none" }];
  die.animate(frames, { duration: 420, easing: "ease-out" }).onfinish = () => {
    clearInterval(rolling);
    die.classList.remove("tumbling");
    die.removeAttribute("data-face");
  };
};
