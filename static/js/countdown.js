// How much time is left, in words: nothing while it is more than a day, when the date says more.

const two = (number) => String(number).padStart(2, "0");

export const countdown = (milliseconds) => {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  if (seconds >= 24 * 3600) return null;
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  if (hours >= 1) return `${hours} h ${two(minutes)} min`;
  return `${minutes}:${two(seconds % 60)}`;
};
