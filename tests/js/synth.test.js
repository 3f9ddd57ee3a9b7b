// Sounds as they are handed to Web Audio: all of them short, none louder than the volume says.

import assert from "node:assert/strict";
import { test } from "node:test";

import { SOUNDS, play } from "../../static/js/synth.js";

const machine = () => {
  const made = [];
  const valued = () => {
    const steps = [];
    const note = (value, at) => steps.push([value, at]);
    return { steps, setValueAtTime: note, exponentialRampToValueAtTime: note };
  };
  const node = (kind, facts = {}) => {
    const one = {
      kind,
      connect: (next) => next,
      start: (at) => (one.from = at),
      stop: (at) => (one.until = at),
      ...facts,
    };
    made.push(one);
    return one;
  };
  return {
    made,
    currentTime: 5,
    sampleRate: 100,
    destination: {},
    createGain: () => node("gain", { gain: valued() }),
    createOscillator: () => node("tone", { frequency: valued() }),
    createBufferSource: () => node("noise"),
    createBiquadFilter: () => node("filter", { frequency: valued() }),
    createBuffer: () => ({ getChannelData: () => new Float32Array(100) }),
  };
};

for (const name of Object.keys(SOUNDS)) {
  test(`${name} is short, begins at once and ends in silence`, () => {
    const audio = machine();
    play(audio, name, 1);
    const sources = audio.made.filter(({ kind }) => kind === "tone" || kind === "noise");
    assert.equal(sources.length, SOUNDS[name].length);
    assert.ok(Math.min(...sources.map(({ from }) => from)) < 5.02);
    assert.ok(Math.max(...sources.map(({ until }) => until)) < 6.1);
    for (const { gain } of audio.made.filter(({ kind }) => kind === "gain")) {
      assert.ok(
        gain.steps.every(([value]) => value > 0 && value < 0.3),
        "an exponential ramp cannot reach 0",
      );
      assert.equal(gain.steps.at(-1)[0], 0.0001);
    }
  });
}

test("a lower volume is a lower gain, and none is no sound", () => {
  const peak = (volume) => {
    const audio = machine();
    play(audio, "horn", volume);
    return audio.made.filter(({ kind }) => kind === "gain").map(({ gain }) => gain.steps[1][0]);
  };
  assert.ok(peak(0.5)[0] < peak(1)[0]);
  assert.deepEqual(peak(0), []);
});
