// `gambol/lips`: visemes by cues, and by an analysis of the sound.

import { createViewer, type Viewer } from 'gambol';
import { cueWeights, lips, type LipCue, type LipsOptions, type LipsPerformer, type LipsSource } from 'gambol/lips';
import { test, type T } from '../page/api.ts';
import { audioOf, hears, sound, wav } from './support/sound.ts';

const VISEMES = ['PP', 'FF', 'TH', 'DD', 'kk', 'CH', 'SS', 'nn', 'RR', 'aa', 'ee', 'ih', 'oh', 'ou'];
const CUES: readonly LipCue[] = [
  { time: 0.1, viseme: 'aa' },
  { time: 0.3, viseme: 'PP', weight: 0.8 },
  { time: 0.4, viseme: 'viseme_E' },
  { time: 0.6, viseme: 'sil' },
];
const RATE = 48000;

/** The frog with ARKit's shapes; only the test advances time. */
async function fen(t: T): Promise<Viewer> {
  const viewer = await createViewer(t.canvas(64, 64));
  viewer.timeline = 'manual';
  await viewer.load('/fen.glb');
  return viewer;
}

/** The visemes that are not 0. */
const mouthOf = (performer: LipsPerformer): Record<string, number> =>
  Object.fromEntries(
    VISEMES.map((name) => [name, performer.expression(name).weight] as const).filter(([, weight]) => weight !== 0),
  );

const strongest = (mouth: Record<string, number>): string | undefined =>
  Object.entries(mouth).sort(([, a], [, b]) => b - a)[0]?.[0];

/** A voice: pulses through resonances at the formants of a vowel, in Hz. */
function vowel(formants: readonly number[], pitch: number, seconds: number): Float32Array {
  const samples = new Float32Array(seconds * RATE);
  let [phase, first, second] = [0, 0, 0];
  const glottis = Math.exp((-2 * Math.PI * 100) / RATE);
  for (let i = 0; i < samples.length; i++) {
    phase += pitch / RATE;
    first = glottis * first + (phase >= 1 ? 1 : 0);
    phase %= 1;
    const before = second;
    second = glottis * second + first;
    samples[i] = second - before;
  }
  [...formants, 3500].forEach((formant, n) => {
    const radius = Math.exp((-Math.PI * (80 + 20 * n)) / RATE);
    const [b, c] = [2 * radius * Math.cos((2 * Math.PI * formant) / RATE), -radius * radius];
    let [one, two] = [0, 0];
    for (let i = 0; i < samples.length; i++) {
      [one, two] = [(1 - b - c) * (samples[i] ?? 0) + b * one + c * two, one];
      samples[i] = one;
    }
  });
  return scaled(samples, 0.5);
}

function scaled(samples: Float32Array, peak: number): Float32Array {
  const most = samples.reduce((all, sample) => Math.max(all, Math.abs(sample)), 0);
  return samples.map((sample) => (peak / most) * sample);
}

/** Noise from a seed; with `hiss`, its high frequencies. */
function noise(seconds: number, peak: number, hiss = false): Float32Array {
  let seed = 1;
  let before = 0;
  const samples = new Float32Array(seconds * RATE).map(() => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    const sample = seed / 2 ** 31 - 1;
    const high = sample - before;
    before = sample;
    return hiss ? high : sample;
  });
  return scaled(samples, peak);
}

function joined(...parts: readonly Float32Array[]): Float32Array {
  const all = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

test('lips: invalid arguments are errors without effect', async (t) => {
  const viewer = await fen(t);
  const hash = viewer.poseHash();
  const audio = new Audio();
  for (const [source, options] of [
    [null, {}],
    [() => 0, {}],
    [audio, { cues: 7 }],
    [audio, { cues: [{ time: 0, viseme: 'xx' }] }],
    [audio, { cues: [], fade: -1 }],
    [audio, { cues: [], fade: NaN }],
    [audio, { cue: [] }],
    [audio, null],
    ['speech.wav', { cues: [] }],
    [new OfflineAudioContext(1, 1, RATE).createGain(), { cues: [] }],
  ] as unknown as [LipsSource, LipsOptions][])
    await t.throws(() => lips(viewer, source, options), 'argument/invalid');
  await viewer.load('/sample.glb');
  await t.throws(() => lips(viewer, audio, { cues: [] }), 'expression/not-found');
  viewer.unload();
  await t.throws(() => lips(viewer, audio, { cues: [] }), 'actor/removed');
  await viewer.load('/fen.glb');
  t.equal(viewer.poseHash(), hash);
});

test('lips: cues move the mouth by the time of the sound, and silence closes it', async (t) => {
  const viewer = await fen(t);
  const other = await viewer.add(t.some(viewer.model));
  const [hash, others] = [viewer.poseHash(), other.poseHash()];
  let time = 0;
  const mouth = lips(viewer, () => time, { cues: CUES });
  // Any order of times: the mouth has no memory.
  for (time of [0, 0.3, 0.12, 0.34, 0.05, 0.7, 0.41, 0.5]) {
    mouth.update();
    const want = Object.fromEntries(
      Object.entries(cueWeights(CUES, time)).map(([name, weight]) => [name, Math.fround(weight)] as const),
    );
    const got = mouthOf(viewer);
    t.equal(Object.keys(got).sort(), Object.keys(want).sort(), `${time}`);
    for (const name of Object.keys(want)) t.close(got[name] ?? 0, want[name] ?? 0, 1e-7, `${time}: ${name}`);
  }
  t.ok(viewer.morph('jawOpen').weight > 0.05, 'open');
  time = 0.7;
  await t.until(() => viewer.morph('jawOpen').weight === 0, 'each frame follows the time');
  t.equal(mouthOf(viewer), {}, 'silence');
  t.equal(other.poseHash(), others, 'another actor has a mouth of its own');
  // With other expressions.
  time = 0.2;
  mouth.update();
  viewer.expression('happy', { weight: 1 });
  t.equal(viewer.expression('aa').weight, 1);
  t.ok(viewer.morph('mouthSmileLeft').weight > 0.7, 'it smiles as well');
  viewer.expression('happy').override(null);
  mouth.stop();
  mouth.stop();
  time = 0.5;
  mouth.update();
  viewer.advance(0.1);
  t.equal(mouthOf(viewer), {}, 'the end');
  t.equal(viewer.poseHash(), hash, 'the clip again');
});

test('lips: follow another model, and end with the viewer', async (t) => {
  const viewer = await fen(t);
  const actor = await viewer.add('/fen.glb');
  let calls = 0;
  const clock = (): number => {
    calls += 1;
    return 0.2;
  };
  lips(viewer, clock, { cues: CUES });
  lips(actor, clock, { cues: CUES });
  t.equal([mouthOf(viewer), mouthOf(actor)], [{ aa: 1 }, { aa: 1 }]);
  await viewer.load('/sample.glb');
  await t.frames(2);
  await viewer.load('/fen.glb');
  await t.until(() => viewer.expression('aa').weight === 1, 'the mouth of the next model');
  actor.remove();
  viewer.dispose();
  await t.frames(2);
  const before = calls;
  await t.frames(3);
  t.equal(calls, before, 'no frame asks for the time');
});

test('lips: an <audio> with cues, also after a seek', async (t) => {
  const viewer = await fen(t);
  const audio = await audioOf(t, new Float32Array(RATE), RATE);
  const mouth = lips(viewer, audio, { cues: CUES });
  audio.currentTime = 0.25;
  await t.until(() => mouthOf(viewer)['aa'] === 1, 'aa');
  audio.currentTime = 0.8;
  await t.until(() => Object.keys(mouthOf(viewer)).length === 0, 'silence');
  mouth.stop();
});

test('lips: the analysis tells vowels, hiss and silence of a WAV apart', async (t) => {
  if (!('suspend' in OfflineAudioContext.prototype)) t.skip('this browser cannot stop an OfflineAudioContext');
  const parts = [
    ['aa', vowel([730, 1090, 2440], 130, 0.5)],
    ['', new Float32Array(RATE / 2)],
    ['ee', vowel([270, 2290, 3010], 180, 0.5)],
    ['ih', vowel([390, 1990, 2550], 110, 0.5)],
    ['', noise(0.5, 0.002)],
    ['oh', vowel([570, 840, 2410], 150, 0.5)],
    ['ou', vowel([300, 870, 2240], 200, 0.5)],
    ['SS', noise(0.5, 0.3, true)],
    ['', new Float32Array(RATE / 2)],
  ] as const;
  const viewer = await fen(t);
  const context = new OfflineAudioContext(1, (parts.length * RATE) / 2, RATE);
  const source = context.createBufferSource();
  source.buffer = await context.decodeAudioData(
    await wav(joined(...parts.map(([, samples]) => samples)), RATE).arrayBuffer(),
  );
  source.connect(context.destination);
  const mouth = lips(viewer, source);
  t.equal(mouthOf(viewer), {}, 'before the sound');
  const told: (string | undefined)[] = [];
  const opened: number[] = [];
  parts.forEach(
    (_, i) =>
      void context.suspend(i / 2 + 0.4).then(async () => {
        mouth.update();
        told.push(strongest(mouthOf(viewer)));
        opened.push(viewer.morph('jawOpen').weight);
        await context.resume();
      }),
  );
  source.start();
  await context.startRendering();
  t.equal(
    told,
    parts.map(([viseme]) => viseme || undefined),
  );
  parts.forEach(([viseme], i) => t.equal((opened[i] ?? 0) > 0, viseme !== '', `${i}: jaw ${opened[i]}`));
  mouth.stop();
  viewer.advance(0.2);
  t.equal(mouthOf(viewer), {});
});

test('lips: the mouth opens and closes with the sound of an <audio>', async (t) => {
  const viewer = await fen(t);
  const speech = joined(vowel([730, 1090, 2440], 120, 1), new Float32Array(2 * RATE), vowel([570, 840, 2410], 120, 9));
  const audio = await audioOf(t, speech, RATE);
  const mouth = lips(viewer, audio);
  await t.frames(2);
  t.equal(mouthOf(viewer), {}, 'before it plays');
  await sound(t, audio);
  await hears(t);
  const jaw = viewer.morph('jawOpen');
  await t.until(() => jaw.weight > 0.1, 'open');
  await t.until(() => audio.currentTime > 1.1 && audio.currentTime < 2.9 && jaw.weight === 0, 'closed');
  await t.until(() => jaw.weight > 0.1, 'open again');
  // A second mouth at the same element.
  const other = await viewer.add('/fen.glb');
  const second = lips(other, audio);
  await t.until(() => other.morph('jawOpen').weight > 0.1, 'another mouth');
  second.stop();
  audio.pause();
  await t.until(() => jaw.weight === 0, 'a pause is silence');
  mouth.stop();
});
