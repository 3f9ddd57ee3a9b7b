// Short sounds made of tones and noise with Web Audio: no recordings. A sound is a list of voices. Each says when it
// begins and how long it lasts, in seconds, how loud it is (1 is as loud as anything), and what is heard: a `pitch` in Hz
// with its `wave`, or noise around a `band`; either may slide `to` another.

const tone = (at, length, loud, pitch, more = {}) => ({ at, length, loud, pitch, ...more });
const noise = (at, length, loud, band, more = {}) => ({ at, length, loud, band, ...more });

export const SOUNDS = {
  turn: [tone(0, 0.25, 0.5, 660), tone(0.12, 0.25, 0.5, 880)],
  // Knocks on wood that come ever closer, each with a little rattle.
  dice: [0, 0.11, 0.19, 0.25, 0.29].flatMap((at, knock) => [
    noise(at, 0.05, 0.5 - 0.06 * knock, 2400 + 300 * (knock % 3)),
    tone(at, 0.04, 0.25 - 0.03 * knock, 210 + 25 * (knock % 2), { wave: "triangle" }),
  ]),
  // Partials that are no multiples of each other ring like metal.
  steel: [
    noise(0, 0.06, 0.35, 5200),
    ...[1170, 1930, 2780, 4110].map((pitch, at) =>
      tone(0, 0.38 - 0.06 * at, 0.22 - 0.04 * at, pitch, { wave: "square" }),
    ),
  ],
  coins: [0, 0.07, 0.13, 0.22].flatMap((at, coin) => [
    tone(at, 0.16, 0.22, 2640 + 230 * (coin % 3)),
    tone(at, 0.1, 0.12, 4290 + 310 * (coin % 2)),
  ]),
  horn: [
    ...[1, 1.5, 2].map((part, at) => tone(0, 0.32, 0.2 - 0.05 * at, 196 * part, { wave: "sawtooth", soft: 900 })),
    ...[1, 1.5, 2].map((part, at) => tone(0.3, 0.6, 0.24 - 0.06 * at, 294 * part, { wave: "sawtooth", soft: 1100 })),
  ],
  page: [noise(0, 0.22, 0.3, 900, { to: 4200 }), noise(0.16, 0.08, 0.18, 3000)],
};

const SILENCE = 0.0001;
const LOUDEST = 0.3; // of all that the machine can do
const RISE = 0.012;

let hiss = null; // one second of noise, for all voices of one machine
const noiseOf = (audio) => {
  if (hiss?.audio === audio) return hiss.sound;
  const sound = audio.createBuffer(1, audio.sampleRate, audio.sampleRate);
  const samples = sound.getChannelData(0);
  for (let at = 0; at < samples.length; at++) samples[at] = 2 * Math.random() - 1;
  hiss = { audio, sound };
  return sound;
};

const slide = (what, { to, at, length }, from) => {
  if (to) what.exponentialRampToValueAtTime(to, from + at + length);
};

const sourceOf = (audio, voice, now) => {
  if (voice.pitch) {
    const source = audio.createOscillator();
    source.type = voice.wave ?? "sine";
    source.frequency.setValueAtTime(voice.pitch, now + voice.at);
    slide(source.frequency, voice, now);
    return [source, voice.soft ? filterOf(audio, "lowpass", voice.soft, voice, now) : null];
  }
  const source = audio.createBufferSource();
  source.buffer = noiseOf(audio);
  return [source, filterOf(audio, "bandpass", voice.band, voice, now)];
};

const filterOf = (audio, type, frequency, voice, now) => {
  const filter = audio.createBiquadFilter();
  filter.type = type;
  filter.frequency.setValueAtTime(frequency, now + voice.at);
  if (type === "bandpass") slide(filter.frequency, voice, now);
  return filter;
};

// `volume` from 0 to 1.
export const play = (audio, name, volume) => {
  const now = audio.currentTime + 0.01;
  for (const voice of volume > 0 ? SOUNDS[name] : []) {
    const { at, length, loud } = voice;
    const gain = audio.createGain();
    gain.gain.setValueAtTime(SILENCE, now + at);
    gain.gain.exponentialRampToValueAtTime(Math.max(SILENCE, loud * volume * LOUDEST), now + at + RISE);
    gain.gain.exponentialRampToValueAtTime(SILENCE, now + at + length);
    const [source, filter] = sourceOf(audio, voice, now);
    (filter ? source.connect(filter) : source).connect(gain).connect(audio.destination);
    source.start(now + at);
    source.stop(now + at + length + 0.02);
  }
};
