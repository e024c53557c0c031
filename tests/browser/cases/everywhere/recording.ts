// Recordings: each decoded frame is the still of its time.

import { createViewer, type Viewer, type ViewerOptions } from 'gambol';
import {
  record,
  recordFormats,
  recordSession,
  replaySession,
  sheetLayout,
  type RecordFormat,
  type RecordOptions,
  type Session,
} from 'gambol/record';
import { OTHERS, browser, longTests, test, type T } from '../../page/api.ts';
import { Loss } from '../support/loss.ts';
import { model } from '../support/model.ts';
import { byImageDecoder, drawn, premultiplied, psnr, unpng, unvideo, type Decoded } from '../support/recordings.ts';
import { Scene, through } from '../support/scene.ts';
import { countGlObjects } from '../support/watch.ts';

const WHITE = [1, 1, 1, 1] as const;
longTests(OTHERS);

/** Small, because software renders in the tests. */
const SMALL = { width: 64, height: 48, fps: 5 } as const;

async function sample(t: T, options: ViewerOptions = {}): Promise<Viewer> {
  // The tests read files by the library with which the package writes them, in a copy of their own.
  t.expectTrouble(/Mediabunny was loaded twice/);
  const viewer = await createViewer(t.canvas(80, 60), { maxDpr: 1, background: WHITE, ...options });
  await viewer.load('/sample.glb');
  viewer.clip = 'Walk';
  // The camera frames the clip.
  await t.frames(2);
  return viewer;
}

type Size = { readonly width: number; readonly height: number };

/** The straight pixels of a still. */
async function still(t: T, viewer: Viewer, time: number, { width, height }: Size): Promise<ImageData> {
  return t.pixels(await viewer.renderAt(time, { width, height }));
}

/**
 * The number of values of frames that differ from the stills of their times. The canvas by which stills are read rounds transparent
 * pixels in Firefox otherwise than to the nearest value.
 */
async function differences(
  t: T,
  viewer: Viewer,
  frames: readonly Decoded[],
  from: number,
  fps: number,
): Promise<number> {
  let count = 0;
  for (const [i, frame] of frames.entries()) {
    const { data } = await still(t, viewer, from + i / fps, frame);
    const expected = premultiplied(data);
    const rounds = (at: number): boolean => browser === 'firefox' && at % 4 < 3 && data[at - (at % 4) + 3] !== 255;
    const differs = (value: number, at: number): boolean =>
      Math.abs(value - (expected[at] ?? NaN)) > (rounds(at) ? 1 : 0);
    count += premultiplied(frame.data).filter(differs).length;
  }
  return count;
}

const pixelsOf = async (blob: Blob): Promise<Omit<Decoded, 'time' | 'duration'>> => {
  const bitmap = await createImageBitmap(blob, { colorSpaceConversion: 'none', premultiplyAlpha: 'none' });
  return drawn(bitmap, bitmap.width, bitmap.height);
};

// ---- options

test('recording: invalid options are refused, and nothing is drawn', async (t) => {
  const viewer = await sample(t);
  const live = viewer.liveObjects();
  const refuse = (options: object, code = 'argument/invalid'): Promise<unknown> =>
    t.throws(() => record(viewer, options as RecordOptions), code);
  await t.throws(() => record(null as never), 'argument/invalid');
  await refuse({ clip: 'nope' }, 'clip/not-found');
  for (const options of [
    { nope: 1 },
    { format: 'avi' },
    { fps: 0 },
    { fps: NaN },
    { fps: 241 },
    { fps: 60, format: 'gif' },
    { width: 0 },
    { height: 1.5 },
    { from: -1 },
    { from: 1, to: 0.5 },
    { to: 1e9 },
    { to: NaN },
    { samples: 3 },
    { turntable: 'x' },
    { cameraName: 'nope' },
    { loop: 1 },
    { warmup: -1 },
    { warmup: 1, loop: false },
    { background: 'nope' },
    { quality: 2 },
    { bitrate: 0 },
    { codec: 'avc', format: 'webm' },
    { codec: 'vp9', format: 'gif' },
    { audio: {} },
    { columns: 0 },
    { signal: {} },
    { onProgress: 1 },
    { clip: null },
    { clip: null, from: 1 },
    { session: {} },
    { session: { version: 3, duration: 1, calls: [{ time: 0, topic: 'stage', name: 'free', args: [] }] } },
    { format: 'sprite-sheet', width: 4096, columns: 5 },
  ])
    await refuse(options);
  t.equal(viewer.liveObjects(), live);
  viewer.dispose();
  await t.throws(() => record(viewer), 'viewer/disposed');
});

// ---- lossless formats

for (const renderer of ['own', 'shared', 'worker'] as const) {
  test(
    `recording: frame i of an APNG is the still at from + i / fps, to the bit (${renderer})`,
    async (t) => {
      const viewer = await sample(t, { renderer, antialias: true });
      viewer.play('Run');
      const { now } = viewer;
      const file = await record(viewer, { ...SMALL, clip: 'Walk', from: 0.1, to: 0.7, format: 'apng' });
      t.equal(file.type, 'image/apng');
      t.ok(viewer.now >= now && viewer.clip?.id === 'Run' && !viewer.paused, 'playback goes on');
      viewer.pause();
      viewer.clip = 'Walk';
      const { frames, plays } = await unpng(file);
      // 0.1, 0.3 and 0.5: the frame at 0.7 is the first one of the next pass.
      t.equal([frames.length, plays], [3, 0]);
      t.close(
        frames.map(({ time }) => time),
        [0, 0.2, 0.4],
      );
      t.equal(await differences(t, viewer, frames, 0.1, 5), 0);
      t.ok((await differences(t, viewer, frames, 0.15, 5)) > 0, 'another time is another picture');
      const browsers = await byImageDecoder(new Blob([file], { type: 'image/png' }));
      if (browsers)
        t.equal(
          browsers.map(({ data }) => [...data]),
          frames.map(({ data }) => [...data]),
        );
    },
    { all: renderer === 'own' ? false : OTHERS },
  );
}

test('recording: a loop has no frame at its end, and lasts as long as the clip', async (t) => {
  const viewer = await sample(t);
  const duration = viewer.clip?.duration ?? 0;
  const size = { width: 16, height: 16, format: 'apng' } as const;
  // A whole number of frames, and a remainder.
  for (const fps of [4 / duration, 7.3]) {
    const closed = (await unpng(await record(viewer, { ...size, fps }))).frames;
    t.equal(closed.length, Math.ceil(duration * fps - 1e-6));
    const last = closed.at(-1);
    t.close((last?.time ?? 0) + (last?.duration ?? 0), duration, 1e-4);
    const open = await unpng(await record(viewer, { ...size, fps, loop: false }));
    t.equal([open.frames.length, open.plays], [Math.floor(duration * fps + 1e-6) + 1, 1]);
  }
  const one = await unpng(await record(viewer, { ...size, from: 0.3, to: 0.3 }));
  t.equal(one.frames.length, 1);
});

test('recording: a transparent background is kept with all bits of alpha', async (t) => {
  const viewer = await sample(t);
  const options = { ...SMALL, to: 0.4, background: null } as const;
  const { frames } = await unpng(await record(viewer, { ...options, format: 'apng' }));
  const alphas = new Set(frames[0]?.data.filter((_, i) => i % 4 === 3));
  t.ok(alphas.has(0) && alphas.has(255) && alphas.size > 2, 'smooth edges');
  viewer.background = null;
  t.equal(await differences(t, viewer, frames, 0, SMALL.fps), 0);
});

test('recording: a sequence is an archive of one PNG for each frame', async (t) => {
  const viewer = await sample(t);
  const file = await record(viewer, { ...SMALL, to: 0.6, format: 'png-sequence' });
  const other = await record(viewer, { ...SMALL, to: 0.6, format: 'png-sequence' });
  t.equal([file.type, file.size], ['application/zip', other.size]);
  const view = new DataView(await file.arrayBuffer());
  const names: string[] = [];
  const frames: Decoded[] = [];
  // Stored files without a descriptor, or with one whose sizes are in the central directory.
  const end = view.byteLength - 22;
  t.equal(view.getUint32(end, true), 0x06054b50);
  for (let at = view.getUint32(end + 16, true); at < end; ) {
    const [size, name, extra, comment, local] = [
      view.getUint32(at + 24, true),
      view.getUint16(at + 28, true),
      view.getUint16(at + 30, true),
      view.getUint16(at + 32, true),
      view.getUint32(at + 42, true),
    ];
    names.push(new TextDecoder().decode(new Uint8Array(view.buffer, at + 46, name)));
    const begin = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    frames.push(...(await unpng(new Blob([new Uint8Array(view.buffer, begin, size)]))).frames);
    at += 46 + name + extra + comment;
  }
  t.equal(names, ['frame-0000.png', 'frame-0001.png', 'frame-0002.png']);
  t.equal(await differences(t, viewer, frames, 0, SMALL.fps), 0);
});

test('recording: a sprite sheet holds its layout, and plays as a flip-book', async (t) => {
  const viewer = await sample(t);
  const sheet = await record(viewer, { ...SMALL, to: 0.8, format: 'sprite-sheet', columns: 3 });
  const layout = await sheetLayout(sheet);
  const { columns, rows, frames, fps, loop, width, height, duration, times } = layout;
  t.equal([columns, rows, frames, fps, loop, width, height, duration], [3, 2, 4, 5, true, 64, 48, 0.8]);
  t.close(times, [0, 0.2, 0.4, 0.6]);
  const whole = await pixelsOf(sheet);
  t.equal([whole.width, whole.height], [192, 96]);
  const cut = Array.from({ length: frames }, (_, i): Decoded => {
    const [x, y] = [width * (i % columns), height * Math.floor(i / columns)];
    const rows = Array.from({ length: height }, (_, row) => {
      const at = 4 * ((y + row) * whole.width + x);
      return [...whole.data.subarray(at, at + 4 * width)];
    });
    return { width, height, data: Uint8Array.from(rows.flat()), time: 0, duration: 0 };
  });
  t.equal(await differences(t, viewer, cut, 0, SMALL.fps), 0);
  await viewer.addSprite(sheet, { flipbook: { columns, rows, frames, fps } });
  await t.throws(() => sheetLayout(new Blob(['nothing'])), 'argument/invalid');
  await t.throws(() => sheetLayout(null as never), 'argument/invalid');
});

// ---- pictures

test('recording: samples are the mean of larger stills', async (t) => {
  const viewer = await sample(t);
  const { frames } = await unpng(
    await record(viewer, { width: 40, height: 30, from: 0.5, to: 0.5, samples: 4, format: 'apng' }),
  );
  const large = await still(t, viewer, 0.5, { width: 80, height: 60 });
  const at = (x: number, y: number, c: number): number => large.data[4 * (y * 80 + x) + c] ?? 0;
  const expected = Array.from({ length: 4 * 40 * 30 }, (_, i) => {
    const [c, x, y] = [i % 4, 2 * ((i >> 2) % 40), 2 * Math.floor((i >> 2) / 40)];
    return Math.round((at(x, y, c) + at(x + 1, y, c) + at(x, y + 1, c) + at(x + 1, y + 1, c)) / 4);
  });
  t.close(frames[0]?.data ?? [], expected, 1);
});

test('recording: a turntable turns the camera once, and closes', async (t) => {
  const viewer = await sample(t);
  const options = { width: 48, height: 48, fps: 4, clip: null, to: 1, format: 'apng', turntable: 1 } as const;
  const { camera } = viewer;
  const closed = await unpng(await record(viewer, { ...options, loop: true }));
  const open = await unpng(await record(viewer, options));
  t.equal([closed.frames.length, open.frames.length], [4, 5]);
  t.equal([...(open.frames[4]?.data ?? [])], [...(open.frames[0]?.data ?? [])], 'a whole turn');
  t.ok(psnr(open.frames[2] as Decoded, open.frames[0] as Decoded) < 30, 'the back is another picture');
  const other = await unpng(await record(viewer, { ...options, turntable: -1 }));
  t.ok(psnr(other.frames[3] as Decoded, open.frames[1] as Decoded) > 40, 'the other way round');
  t.equal(viewer.camera, camera, 'the camera of the viewer has not turned');
});

test('recording: crowds and other actors go on from the present moment', async (t) => {
  const viewer = await sample(t);
  viewer.timeline = 'manual';
  const actor = await viewer.add(viewer.model as NonNullable<Viewer['model']>, { position: [1, 0, 0] });
  actor.play('Run');
  await viewer.addCrowd('/sample.glb', {
    positions: [-1, 0, 0, -1, 0, -1],
    clips: ['Walk', 'Dance'],
    times: [0.2, 0.7],
    updateRate: 'full',
  });
  viewer.play('Walk', { transition: 'cut' });
  viewer.advance(0.25);
  viewer.frame();
  const options = { ...SMALL, clip: null, to: 0.4, format: 'apng' } as const;
  const { frames } = await unpng(await record(viewer, options));
  t.equal(frames.length, 3);
  for (const [i, frame] of frames.entries()) {
    const shown = t.pixels(await createImageBitmap(await viewer.toBlob({ width: 64, height: 48 })));
    t.equal([...frame.data], [...shown.data], `frame ${i}`);
    viewer.advance(0.2);
  }
});

test('recording: springs of a loop swing before its first frame', async (t) => {
  const viewer = await sample(t);
  viewer.joint('Tail1').spring({ stiffness: 0.5, drag: 0.2 });
  const first = async (warmup: number): Promise<Decoded> => {
    const options = { width: 96, height: 96, fps: 10, format: 'apng', warmup } as const;
    return t.some((await unpng(await record(viewer, options))).frames[0]);
  };
  const [none, two, three] = [await first(0), await first(1.6), await first(2.4)];
  const [settled, begun] = [psnr(two, three), psnr(none, three)];
  t.ok(settled > begun, `${settled.toFixed(1)} dB after two passes, ${begun.toFixed(1)} dB after none`);
  t.equal([...(await first(1.6)).data], [...two.data], 'the same each time');
});

test('recording: a state machine goes on, if what plays is recorded', async (t) => {
  const viewer = await createViewer(t.canvas(64, 48), { maxDpr: 1, background: WHITE });
  viewer.timeline = 'manual';
  await viewer.load(model().glb);
  const states = { Rise: { clip: 'Short', loop: 'once' }, Fall: { clip: 'Slide', rate: 2 } };
  const transitions = [{ from: 'Rise', to: 'Fall', exitTime: 1, mode: 'cut' }];
  await viewer.loadStates({ format: 'gambol-states', version: 1, layers: [{ name: 'base', states, transitions }] });
  viewer.advance(0.05);
  viewer.frame();
  const { frames } = await unpng(
    await record(viewer, { width: 64, height: 48, fps: 10, clip: null, to: 0.3, format: 'apng' }),
  );
  t.equal([frames.length, viewer.states?.current()], [4, 'Rise']);
  for (const [i, frame] of frames.entries()) {
    const shown = t.pixels(await createImageBitmap(await viewer.toBlob({ width: 64, height: 48 })));
    t.equal([...frame.data], [...shown.data], `frame ${i}`);
    viewer.advance(0.1);
  }
  t.equal(viewer.states?.current(), 'Fall');
  // A clip is recorded without its machine.
  const clip = await unpng(await record(viewer, { width: 16, height: 16, fps: 20, clip: 'Short', format: 'apng' }));
  t.equal([clip.frames.length, viewer.states?.current()], [3, 'Fall']);
});

test('recording: a camera of the file is used, and the viewer keeps its own', async (t) => {
  const scene = new Scene();
  scene.node({ mesh: scene.square(scene.unlit([1, 0.2, 0])), scale: [0.5, 0.5, 0.5] });
  const viewer = await through(t, scene, { background: WHITE });
  const size = { width: 40, height: 40 };
  const expected = t.pixels(await createImageBitmap(await viewer.toBlob(size)));
  viewer.activeCamera = null;
  const options = { ...size, clip: null, to: 0, format: 'apng' } as const;
  const [eye] = (await unpng(await record(viewer, { ...options, cameraName: 'Eye' }))).frames;
  t.equal([...(eye?.data ?? [])], [...expected.data]);
  t.equal(viewer.activeCamera, null);
  const [own] = (await unpng(await record(viewer, options))).frames;
  t.ok(
    own?.data.some((value, i) => value !== eye?.data[i]),
    'the own camera shows another picture',
  );
  await t.throws(() => record(viewer, { ...options, cameraName: 'Eye', turntable: 1 }), 'argument/invalid');
});

// ---- life

test(
  'recording: an aborted one leaves nothing alive',
  async (t) => {
    const live = countGlObjects();
    const viewer = await sample(t);
    // Loads the scripts, and the programs of the first still.
    await record(viewer, { ...SMALL, to: 0.1, format: 'apng' });
    const before = [live(), viewer.liveObjects()];
    const encoders: VideoEncoder[] = [];
    if (typeof VideoEncoder === 'function') {
      const given = VideoEncoder;
      globalThis.VideoEncoder = class extends given {
        constructor(...init: ConstructorParameters<typeof given>) {
          super(...init);
          encoders.push(this);
        }
      };
      t.after(() => {
        globalThis.VideoEncoder = given;
      });
    }
    for (const format of await recordFormats()) {
      const controller = new AbortController();
      const seen: number[] = [];
      const running = record(viewer, {
        ...SMALL,
        format,
        signal: controller.signal,
        onProgress: ({ frame, frames }) => {
          seen.push(frame, frames);
          if (frame === 2) controller.abort();
        },
      });
      const error = (await t.throws(() => running, 'record/aborted')) as Error;
      t.equal([error.name, seen.length], ['AbortError', 4], format);
    }
    await t.throws(() => record(viewer, { signal: AbortSignal.abort() }), 'record/aborted');
    await t.frames(2);
    t.equal([live(), viewer.liveObjects()], before);
    t.ok(encoders.length > 0 || !(await recordFormats()).includes('webm'), 'videos have encoders');
    t.ok(
      encoders.every(({ state }) => state === 'closed'),
      'all encoders are closed',
    );
  },
  { all: false },
);

test('recording: a viewer that is disposed of ends it, and everything is freed', async (t) => {
  const live = countGlObjects();
  const none = live();
  const viewer = await sample(t);
  const running = record(viewer, { ...SMALL, format: 'apng', onProgress: () => viewer.dispose() });
  await t.throws(() => running, 'viewer/disposed');
  t.equal(live(), none);
});

test('recording: another model may be loaded meanwhile', async (t) => {
  const viewer = await sample(t);
  const options = { ...SMALL, to: 0.8, format: 'apng' } as const;
  const calm = await record(viewer, options);
  let loading: Promise<void> | undefined;
  const busy = await record(viewer, {
    ...options,
    onProgress: () => {
      loading ??= viewer.load('/sample.glb');
      viewer.orbit(1, 0);
      viewer.background = '#f00';
    },
  });
  await loading;
  t.equal([...new Uint8Array(await busy.arrayBuffer())], [...new Uint8Array(await calm.arrayBuffer())]);
});

test(
  'recording: goes on after a lost context',
  async (t) => {
    const viewer = await sample(t);
    const options = { ...SMALL, to: 0.8, format: 'apng' } as const;
    const calm = await record(viewer, options);
    const loss = new Loss(t, viewer.canvas);
    const lossy = await record(viewer, { ...options, onProgress: ({ frame }) => frame === 2 && loss.take() });
    t.equal(loss.times, 1);
    t.equal([...new Uint8Array(await lossy.arrayBuffer())], [...new Uint8Array(await calm.arrayBuffer())]);
  },
  { all: false },
);

// ---- lossy formats

/** Records three frames; returns the least PSNR, and the decoded frames. */
async function measured(
  t: T,
  viewer: Viewer,
  format: RecordFormat,
  decode: (file: Blob) => Promise<readonly Decoded[]>,
  options: RecordOptions = {},
): Promise<{ readonly worst: number; readonly frames: readonly Decoded[] }> {
  const { width = 128, height = 96 } = options;
  const size = { width, height };
  const file = await record(viewer, { ...size, fps: 5, from: 0.1, to: 0.7, format, ...options });
  const frames = await decode(file);
  let worst = Infinity;
  for (const [i, frame] of frames.entries()) {
    t.equal([frame.width, frame.height], [width, height]);
    worst = Math.min(worst, psnr(frame, await still(t, viewer, 0.1 + i / 5, size)));
  }
  await t.save(`recording.${format}`, file);
  return { worst, frames };
}

// Chroma of half the size limits small pictures: 34 dB at 128 × 96, 41 dB at 640 × 480. At 640 × 480, Chromium's encoder of AVC and
// Firefox's encoder of VP9 have 38 dB with any bitrate.
const VIDEOS: readonly RecordOptions[] = [
  { format: 'webm', width: 1600, height: 1200, to: 0.3 },
  { format: 'mp4', width: 1600, height: 1200, to: 0.3 },
  { format: 'webm', chroma: '4:4:4' },
  { format: 'webm', codec: 'av1', chroma: '4:4:4' },
  { format: 'mp4', codec: 'av1', chroma: '4:4:4' },
];

for (const options of VIDEOS) {
  const { format = 'webm', codec = 'default codec', chroma = '4:2:0' } = options;
  test(`recording: frame i of ${format} is the still of its time, with more than 40 dB (${codec}, ${chroma})`, async (t) => {
    const viewer = await sample(t);
    const decode = async (file: Blob): Promise<Decoded[]> => (await unvideo(file)).frames;
    const { worst, frames } = await measured(t, viewer, format, decode, options).catch((error: { code?: string }) => {
      if (error.code !== 'record/unsupported') throw error;
      return t.skip(String(error));
    });
    t.close(
      frames.map(({ time }) => time),
      [0, 0.2, 0.4].slice(0, frames.length),
      1e-9,
    );
    await t.save(`recording-${format}-${codec}-${chroma.replaceAll(':', '')}.txt`, `${worst.toFixed(1)} dB`);
    t.ok(worst > 40, `${worst.toFixed(1)} dB`);
  });
}

/** Decoders of each format whose frames can be read pixel by pixel. */
const DECODERS: Partial<Record<RecordFormat, (file: Blob) => Promise<readonly Decoded[]>>> = {
  webm: async (file) => (await unvideo(file)).frames,
  mp4: async (file) => (await unvideo(file)).frames,
  gif: async (file) => (await byImageDecoder(file)) ?? [],
  apng: async (file) => (await unpng(file)).frames,
  'sprite-sheet': async (file) => (await unpng(file)).frames,
};

for (const background of [null, 'rgb(0 0 255 / 0.5)', '#00f'] as const) {
  test(`recording: translucent parts and their edges are right in every format (background ${background})`, async (t) => {
    // A red square whose alpha falls from 1 at the left to 0 at the right, with room around it.
    const scene = new Scene();
    const alphas = [1, 0, 0, 1].flatMap((alpha) => [1, 1, 1, alpha]);
    const material = scene.unlit([1, 0, 0]);
    Object.assign(scene.json.materials[material], { alphaMode: 'BLEND' });
    const square = scene.square(material, { COLOR_0: scene.accessor('VEC4', alphas) });
    scene.node({ mesh: square, scale: [0.75, 0.75, 1] });
    t.expectTrouble(/Mediabunny was loaded twice/);
    const viewer = await through(t, scene, { background: WHITE });
    const size = { width: 160, height: 160 } as const;
    /** Colours over black, of the row in the middle: outside, at the left edge, and along the square. */
    const row = (
      { data }: { readonly data: ArrayLike<number> },
      visible = (alpha: number): number => alpha,
    ): number[] =>
      [10, 30, 50, 80, 110, 134, 150].flatMap((x) => {
        const at = 4 * (80 * size.width + x);
        const alpha = visible(data[at + 3] ?? 0) / 255;
        return [0, 1, 2].map((channel) => alpha * (data[at + channel] ?? 0));
      });
    viewer.background = background;
    const expected = t.pixels(await viewer.renderAt(0, size));
    viewer.background = WHITE;
    for (const [format, decode] of Object.entries(DECODERS) as [RecordFormat, (typeof DECODERS)['webm'] & {}][]) {
      const options = { ...size, clip: null, to: 0.1, fps: 10, loop: true, format, background };
      const file = await record(viewer, options).catch((error: { code?: string }) => {
        if (error.code !== 'record/unsupported') throw error;
      });
      const [frame] = file ? await decode(file) : [];
      if (!frame) continue;
      // GIF has no alpha but 0 and 1.
      const wanted = row(expected, format === 'gif' ? (alpha) => (alpha < 128 ? 0 : 255) : undefined);
      const off = row(frame).map((value, i) => Math.abs(value - (wanted[i] ?? NaN)));
      t.ok(
        Math.max(...off) <= (format === 'webm' || format === 'mp4' ? 12 : 3),
        `${format}: ${row(frame)} not ${wanted}`,
      );
    }
  });
}

test(
  'recording: a lower quality, and a bitrate, make smaller videos',
  async (t) => {
    const viewer = await sample(t);
    const lines: string[] = [];
    for (const format of ['webm', 'mp4'] as const) {
      /** The bytes of a film; undefined without an encoder. */
      const bytes = async (options: RecordOptions): Promise<number | undefined> => {
        const film = { width: 640, height: 480, fps: 10, to: 0.7, format, ...options };
        const file = await record(viewer, film).catch((error: { code?: string }) => {
          if (error.code !== 'record/unsupported') throw error;
        });
        if (!file) return undefined;
        const [, frame] = (await unvideo(file)).frames;
        const ratio = frame ? psnr(frame, await still(t, viewer, 0.1, film)) : 0;
        lines.push(`${format} ${JSON.stringify(options)}: ${file.size} bytes, ${ratio.toFixed(1)} dB`);
        return file.size;
      };
      const usual = await bytes({});
      if (usual === undefined) continue;
      const [smaller = NaN, low = NaN] = [await bytes({ quality: 0.3 }), await bytes({ bitrate: 200_000 })];
      t.ok(smaller < 0.6 * usual && low < usual, lines.join('; '));
    }
    await t.save('recording-sizes.txt', lines.join('\n'));
  },
  { all: true },
);

test('recording: WebM keeps alpha', async (t) => {
  const viewer = await sample(t);
  // Firefox's encoder needs more pixels for 40 dB, see above.
  const size = browser === 'firefox' ? { width: 1600, height: 1200 } : { width: 640, height: 480 };
  const options = { ...size, fps: 5, to: 0.4, background: null, format: 'webm' } as const;
  const file = await record(viewer, options).catch((error: { code?: string }) => {
    if (error.code !== 'record/unsupported') throw error;
    return t.skip('no encoder for VP9 or VP8');
  });
  const { frames } = await unvideo(file);
  t.equal(frames.length, 2);
  viewer.background = null;
  for (const [i, frame] of frames.entries()) {
    const expected = (await still(t, viewer, i / 5, size)).data;
    // Alpha as an opaque grey picture.
    const alpha = (data: ArrayLike<number>): Uint8Array =>
      Uint8Array.from({ length: data.length }, (_, at) => (at % 4 === 3 ? 255 : (data[at - (at % 4) + 3] ?? 0)));
    const off = psnr({ data: alpha(frame.data) }, { data: alpha(expected) });
    t.ok(off > 40, `alpha of frame ${i}: ${off.toFixed(1)} dB`);
    t.ok(
      psnr(frame, { data: expected }) > 40,
      `colours of frame ${i}: ${psnr(frame, { data: expected }).toFixed(1)} dB`,
    );
  }
});

test('recording: frame i of a GIF is the still of its time in 256 colours', async (t) => {
  const viewer = await sample(t);
  let decoded = true;
  const { worst, frames } = await measured(t, viewer, 'gif', async (file) => {
    const frames = await byImageDecoder(file);
    decoded = frames !== undefined;
    return frames ?? [{ ...(await pixelsOf(file)), time: 0, duration: 0 }];
  });
  if (decoded)
    t.close(
      frames.map(({ time }) => time),
      [0, 0.2, 0.4],
      1e-9,
    );
  await t.save('recording-gif.txt', `${worst.toFixed(1)} dB`);
  t.ok(worst > 40, `${worst.toFixed(1)} dB`);
});

test('recording: a GIF keeps pixels that are at least half opaque', async (t) => {
  const viewer = await sample(t);
  const file = await record(viewer, { ...SMALL, to: 0.4, format: 'gif', background: null });
  const frames = (await byImageDecoder(file)) ?? t.skip('no ImageDecoder');
  viewer.background = null;
  for (const [i, frame] of frames.entries()) {
    const { data } = await still(t, viewer, i / SMALL.fps, SMALL);
    const wrong = frame.data.filter((value, at) => at % 4 === 3 && value !== ((data[at] ?? 0) >= 128 ? 255 : 0));
    t.equal(wrong.length, 0, `alpha of frame ${i}`);
  }
});

for (const format of ['webm', 'mp4'] as const) {
  test(`recording: ${format} has the sound of an AudioBuffer`, async (t) => {
    const viewer = await sample(t);
    const audio = new AudioBuffer({ length: 48_000, sampleRate: 48_000, numberOfChannels: 2 });
    for (const channel of [0, 1])
      audio.copyToChannel(
        Float32Array.from({ length: 48_000 }, (_, i) => 0.5 * Math.sin(i / 20)),
        channel,
      );
    const file = await record(viewer, { ...SMALL, to: 0.4, format, audio }).catch((error: { code?: string }) => {
      if (error.code !== 'record/unsupported') throw error;
      return t.skip(String(error));
    });
    const { frames, hasSound, duration } = await unvideo(file);
    t.equal([frames.length, hasSound], [2, true]);
    // Encoders of sound add some silence.
    t.close(duration, 0.4, 0.1);
  });
}

test(
  'recording: a browser without encoders of videos says which formats it has',
  async (t) => {
    const viewer = await sample(t);
    const { VideoEncoder } = globalThis;
    Reflect.deleteProperty(globalThis, 'VideoEncoder');
    t.after(() => {
      if (VideoEncoder) globalThis.VideoEncoder = VideoEncoder;
    });
    const usable = ['gif', 'apng', 'png-sequence', 'sprite-sheet'];
    t.equal(await recordFormats(), usable as RecordFormat[]);
    for (const format of ['webm', 'mp4'] as const) {
      const error = (await t.throws(() => record(viewer, { format }), 'record/unsupported')) as {
        formats?: unknown;
        message?: string;
      };
      t.equal(error.formats, usable);
      t.ok(error.message?.includes('It can write gif, apng, png-sequence, sprite-sheet.'), error.message);
    }
  },
  { all: false },
);

// ---- sessions

for (const renderer of ['own', 'worker'] as const) {
  test(
    `recording: a session repeats what was done, with the same poses (${renderer})`,
    async (t) => {
      const state = (viewer: Viewer): unknown => [
        viewer.poseHash(),
        viewer.camera,
        viewer.background,
        viewer.clip?.id,
        viewer.currentTime,
        viewer.paused,
      ];
      const viewer = await sample(t, { renderer });
      viewer.timeline = 'manual';
      viewer.play('Walk', { transition: 'cut' });
      viewer.advance(0.1);
      const recording = await recordSession(viewer);
      viewer.advance(0.2);
      viewer.orbit(0.5, 0.1);
      viewer.play('Run', { transitionDuration: 0.3 });
      viewer.advance(0.15);
      viewer.currentTime = 0.3;
      viewer.repetitions = Infinity;
      viewer.advance(0.1);
      viewer.background = '#ff0';
      const layer = viewer.layers.add('Wave', { weight: 0.5, fade: 0.2 });
      viewer.advance(0.1);
      layer.playbackRate = 2;
      viewer.advance(0.15);
      const session = recording.stop();
      t.equal(recording.stop(), session, 'the same one');
      const done = state(viewer);
      t.close(session.duration, 0.7);
      viewer.pause();
      layer.remove();
      const count = session.calls.length;
      viewer.seek(0).catch(() => undefined);
      t.equal(session.calls.length, count, 'later calls are not part of it');

      // It is plain data.
      const copy = JSON.parse(JSON.stringify(session)) as Session;
      t.equal(copy, session);
      const other = await sample(t);
      await replaySession(other, copy);
      t.equal(state(other), done);
      t.equal(other.timeline, 'auto');
      // The clip goes on, and the first picture of a page waits for its script.
      other.timeline = 'manual';
      const shown = t.pixels(await createImageBitmap(await other.toBlob({ width: 64, height: 48 })));

      const before = state(viewer);
      const { frames } = await unpng(await record(viewer, { ...SMALL, session: copy, fps: 10, format: 'apng' }));
      t.equal(frames.length, 8);
      t.equal([...(frames[7]?.data ?? [])], [...shown.data], 'the last frame is the end of the session');
      t.equal(state(viewer), before);
    },
    { all: renderer === 'own' ? false : OTHERS },
  );
}

test('recording: a session has the time of the page while nothing plays, and a replay can be aborted', async (t) => {
  const viewer = await sample(t);
  const recording = await recordSession(viewer);
  await t.sleep(150);
  viewer.orbit(0.4, 0);
  const session = recording.stop();
  t.ok(session.duration >= 0.14 && session.calls.at(-1)?.name === 'orbit', JSON.stringify(session.calls.at(-1)));
  t.equal(session.timeline, 0);
  const controller = new AbortController();
  const running = replaySession(viewer, { ...session, duration: 60 }, { signal: controller.signal });
  await t.frames(2);
  controller.abort();
  await t.throws(() => running, 'record/aborted');
  await t.throws(() => replaySession(viewer, {} as Session), 'argument/invalid');
  await t.throws(() => recordSession({} as Viewer), 'argument/invalid');
});

/** A session of one call at its start. */
const sessionOf = (topic: string, name: string, args: readonly unknown[]): Session =>
  ({
    version: 3,
    duration: 0,
    timeline: 0,
    calls: [{ time: 0, timeline: 0, topic, name, args }],
  }) as unknown as Session;

test('recording: layers and state machines of a replayed session are those of the page', async (t) => {
  const viewer = await sample(t);
  viewer.timeline = 'manual';
  const rest = (): unknown => {
    viewer.play('Idle', { transition: 'cut' });
    viewer.seek(0).catch(() => undefined);
    viewer.pause();
    viewer.advance(0);
    return [viewer.poseHash(), viewer.layers.size, viewer.states, viewer.transition, viewer.rootMotion, viewer.place];
  };
  const clean = rest();
  const recording = await recordSession(viewer);
  viewer.play('Run');
  viewer.transition = 'crossfade';
  viewer.layers.add('Wave', { weight: 1, mask: { '*': 0.5 }, fade: 0, mode: 'additive' });
  const space = viewer.blendSpace({
    clips: [
      ['Walk', 0],
      ['Run', 1],
    ],
  });
  const blend = viewer.layers.add(space, { mode: 'average', weight: 0.5 });
  space.value = 0.3;
  viewer.advance(0.1);
  blend.fadeTo(0.2, 0.1);
  viewer.layers.add('Jump', { fade: 0 }).remove({ fade: 0 });
  viewer.advance(0.1);
  viewer.place = { position: [1, 0, 0] };
  viewer.setRootMotion('accumulate', { contact: false });
  const session = JSON.parse(JSON.stringify(recording.stop())) as Session;
  const end = viewer.poseHash();
  viewer.layers.clear({ fade: 0 });
  viewer.transition = 'inertial';
  viewer.setRootMotion('keep');
  viewer.place = {};
  t.equal(rest(), clean);
  for (let i = 0; i < 2; i++) {
    await replaySession(viewer, session);
    t.equal(viewer.poseHash(), end, `replay ${i}`);
    const weights = [...viewer.layers].map(({ weight, mode }) => [mode, weight]);
    t.equal(
      weights,
      [
        ['additive', 1],
        ['average', 0.2],
      ],
      `replay ${i}`,
    );
    t.equal([viewer.transition, viewer.rootMotion, viewer.place.position], ['crossfade', 'accumulate', [1, 0, 0]]);
    viewer.layers.clear({ fade: 0 });
    viewer.transition = 'inertial';
    viewer.setRootMotion('keep');
    viewer.place = {};
    t.equal(rest(), clean, `replay ${i}`);
  }

  const machine = { format: 'gambol-states', version: 1, layers: [{ states: { A: { clip: 'Run' } } }] };
  const other = await recordSession(viewer);
  await viewer.loadStates(JSON.stringify(machine));
  const states = other.stop();
  viewer.states?.remove();
  t.equal(viewer.states, null);
  await replaySession(viewer, states);
  t.equal(viewer.states?.current(), 'A');
  viewer.states?.remove();
  t.equal(rest(), clean, 'after the machine');
});

test('recording: light, debug views, crowds and markers of a replayed session are those of the page', async (t) => {
  const viewer = await sample(t);
  viewer.timeline = 'manual';
  const crowd = await viewer.addCrowd('/sample.glb', { count: 2 });
  const settings = (): unknown => [
    viewer.environmentRotation,
    viewer.environmentIntensity,
    viewer.exposure,
    viewer.toneMapping,
    viewer.skybox,
    viewer.skyboxBlur,
    viewer.skyboxHeight,
    viewer.shadowIntensity,
    viewer.shadowSoftness,
    viewer.environment,
    viewer.skyboxImage,
    viewer.debug,
    viewer.cameraPadding,
    viewer.clip?.markers,
    [crowd.count, crowd.loopMode, crowd.transitionDuration, crowd.updateRate, crowd.baked, crowd.paused],
  ];
  const reset = async (): Promise<void> => {
    Object.assign(viewer, { environmentRotation: 0, environmentIntensity: 1, exposure: 1, toneMapping: 'neutral' });
    Object.assign(viewer, { skybox: false, skyboxBlur: 0, skyboxHeight: 0, shadowIntensity: 0, shadowSoftness: 0.5 });
    Object.assign(viewer, { debug: 'none', cameraPadding: {} });
    Object.assign(crowd, { count: 2, loopMode: 'repeat', transitionDuration: 0, updateRate: 'auto', baked: false });
    crowd.play();
    viewer.setMarkers('Walk', []);
    await viewer.setEnvironment('studio');
    await viewer.setSkyboxImage(null);
  };
  await reset();
  const clean = settings();
  const recording = await recordSession(viewer);
  Object.assign(viewer, { environmentRotation: 0.5, environmentIntensity: 2, exposure: 0.75, toneMapping: 'agx' });
  Object.assign(viewer, {
    skybox: true,
    skyboxBlur: 0.25,
    skyboxHeight: 1.5,
    shadowIntensity: 1,
    shadowSoftness: 0.125,
  });
  viewer.debug = ['skeleton', 'grid', 'weights:Head'];
  viewer.cameraPadding = { left: 8, bottom: 4 };
  viewer.setMarkers('Walk', [{ name: 'left', time: 0.25 }]);
  Object.assign(crowd, { count: 3, loopMode: 'once', transitionDuration: 0.5, updateRate: 'full', baked: true });
  crowd.pause();
  await viewer.setEnvironment(null);
  await viewer.setSkyboxImage('studio');
  const done = settings();
  const picture = async (): Promise<number[]> => [
    ...t.pixels(await createImageBitmap(await viewer.toBlob({ width: 40, height: 30 }))).data,
  ];
  const shown = await picture();
  const session = JSON.parse(JSON.stringify(recording.stop())) as Session;
  await reset();
  t.equal(settings(), clean, 'reset');
  const same = (done as unknown[]).filter(
    (value, i) => JSON.stringify(value) === JSON.stringify((clean as unknown[])[i]),
  );
  t.equal(same, [], 'each setting was changed');
  await replaySession(viewer, session);
  t.equal(settings(), done, 'the page knows the values of the session');
  t.equal(await picture(), shown);
  // Numbers that the properties refuse change nothing.
  const light = [0, 1, -1, 'neutral', false, 0, 0, 0, 2];
  await t.throws(() => replaySession(viewer, sessionOf('lighting', 'set', light)), 'argument/invalid');
  t.equal(settings(), done);
  // A later change of one value keeps the others, which the page sends together.
  viewer.exposure = 0.75;
  t.equal(await picture(), shown);
});

test('recording: the page knows the joint to which a replayed session attaches an actor', async (t) => {
  const viewer = await sample(t);
  viewer.timeline = 'manual';
  const hat = await viewer.add('/sample.glb');
  const at = (): readonly number[] => hat.joint(0).world.slice(12, 15) as unknown as readonly number[];
  const none = at();
  const recording = await recordSession(viewer);
  const early = viewer.joint('Head').attach(hat, [0, 0.5, 0]);
  const session = JSON.parse(JSON.stringify(recording.stop())) as Session;
  viewer.advance(0);
  const onHead = at();
  t.ok(Math.hypot(...onHead.map((value, i) => value - (none[i] ?? 0))) > 0.1, 'it follows');
  early();
  hat.place = {};
  viewer.advance(0);
  t.close(at(), none);
  const release = viewer.joint(0).attach(hat);
  await replaySession(viewer, session);
  t.close(at(), onHead);
  // The attachment of the page was replaced, so its function does nothing.
  release();
  viewer.advance(0);
  t.close(at(), onHead);
  // The actor follows the joint of this name in the next model.
  await viewer.load('/sample.glb');
  viewer.advance(0);
  viewer.joint('Head').override({ translation: [0, 3, 0] }, { space: 'model' });
  viewer.advance(0);
  t.ok((at()[1] ?? 0) > 2.5, `it follows the head: ${at().join(' ')}`);
  // A session that only detaches, too.
  const other = await recordSession(viewer);
  viewer.joint('Head').attach(hat)();
  const detaching = other.stop();
  viewer.joint('Head').attach(hat, [0, 0.5, 0]);
  await replaySession(viewer, { ...detaching, calls: detaching.calls.filter(({ name }) => name === 'detach') });
  viewer.joint('Head').override({ translation: [0, 9, 0] }, { space: 'model' });
  viewer.advance(0);
  t.ok((at()[1] ?? 99) < 8, 'it stays');
});

test('recording: a session makes no call that is not one of sessions, whatever its data say', async (t) => {
  const viewer = await sample(t);
  viewer.timeline = 'manual';
  const names = (start: object): Set<string> => {
    const found = new Set<string>();
    for (let one: unknown = start; one; one = Object.getPrototypeOf(one))
      for (const name of Object.getOwnPropertyNames(one)) found.add(name);
    return found;
  };
  const objects = new Map<string, object>();
  viewer.engine.readOrThrow((stage) => {
    objects.set('stage', stage);
    for (const topic of ['playback', 'layers', 'joints', 'camera', 'lighting', 'crowds'] as const)
      objects.set(topic, stage[topic]);
  });
  const inherited = new Set([...names({}), ...names(() => undefined), ...names([]), 'free', '__proto__']);
  const known = [
    'place',
    'teleport',
    'setVariant',
    'attach',
    'detach',
    'setRootMotion',
    'resetRootMotion',
    'setBackground',
    'setSkinning',
    'setDebug',
    'scrub',
  ];
  const left = ['setEnvironment', 'setSkyPicture', 'checkCount', 'listen', 'make', 'prepare', 'setMeshLevels'];
  const refuse = async (topic: string, name: string, args: readonly unknown[]): Promise<void> => {
    const error = (await t.throws(
      () => replaySession(viewer, sessionOf(topic, name, args)),
      'argument/invalid',
    )) as Error;
    t.ok(error.message.includes('call 0'), `${topic}.${name}: ${error.message}`);
  };
  let count = 0;
  for (const [topic, object] of objects) {
    for (const name of new Set([...names(object), ...inherited])) {
      const isCall = topic === 'stage' ? known.includes(name) : !inherited.has(name) && !/^_|^constructor$/.test(name);
      if (isCall && !left.includes(name)) continue;
      count += 1;
      for (const args of [[], [0], [0, 0], ['play', 'x']]) await refuse(topic, name, args);
    }
  }
  t.ok(count > 200, String(count));
  for (const topic of ['query', 'events', 'mirror', '__proto__', 'constructor', 'toString', ''])
    await refuse(topic, 'free', []);
  // Arguments of other kinds than the call takes.
  for (const [topic, name, ...args] of [
    ['camera', 'zoom'],
    ['camera', 'zoom', 0],
    ['camera', 'zoom', -1],
    ['camera', 'zoom', '2'],
    ['camera', 'zoom', 2, 2],
    ['camera', 'zoom', { list: 'number', values: ['NaN'] }],
    ['camera', 'orbit', 0, { list: 'number', values: ['Infinity'] }],
    ['camera', 'setFraming', 'everything'],
    ['camera', 'setFraming', 'constructor'],
    ['playback', 'seek', 0, 0, null],
    ['playback', 'seek', 0, 0.5, 0],
    ['playback', 'seek', -1, 0, 0],
    ['playback', 'seek', { list: 'number', values: ['0'] }, 0, 0],
    ['playback', 'setClip', 0, 1e10],
    ['playback', 'configure', 0, 0, { fields: { rate: 1, loopMode: 'toString', repetitions: 1 } }],
    [
      'playback',
      'configure',
      0,
      0,
      { fields: { rate: { list: 'number', values: ['NaN'] }, loopMode: 'once', repetitions: 1 } },
    ],
    ['playback', 'setMarkers', 0, 0, ['a']],
    ['playback', 'setMarkers', 0, 0, { list: 'text', values: [1] }],
    ['playback', 'setMarkers', 0, 0, { list: 'values', values: [{ fields: { name: 1, time: 0 } }] }],
    ['playback', 'setMarkers', 0, 0, { list: 'values', values: [{ fields: { name: 'a' } }] }],
    ['playback', 'setMarkers', 0, 0, { list: 'values', values: { length: 1e9 } }],
    ['playback', 'setTransition', 0, { mode: 'cut', duration: 0 }],
    ['playback', 'setTransition', 0, { fields: null }],
    ['playback', 'setTransition', 0, { fields: ['cut', 0] }],
    ['playback', 'setTransition', 0, { fields: { mode: 'cut' } }],
    ['playback', 'setTransition', 0, { fields: { mode: 'cut', duration: '0' } }],
    ['playback', 'setTransition', 0, { fields: { mode: 'cut', duration: 0, more: 0 } }],
    ['playback', 'setTransition', 0, { fields: JSON.parse('{ "mode": "cut", "duration": 0, "__proto__": 0 }') }],
    ['playback', 'setTransition', 0, { fields: { mode: 'cut', duration: 0, toString: null } }],
    ['joints', 'setOverride', 0, 1, { list: 'constructor', values: [1] }, null, null, 'local', 1],
    ['joints', 'setOverride', 0, 1, { list: 'f32', values: 'abc' }, null, null, 'local', 1],
    ['joints', 'setOverride', 0, 1, { list: 'f32', values: ['x'] }, null, null, 'local', 1],
    ['joints', 'setOverride', 0, 1, { list: 'f32', values: ['NaN', 0, 0] }, null, null, 'local', 1],
    ['joints', 'setOverride', 0, 1, { length: 1e9 }, null, null, 'local', 1],
    ['joints', 'setBlinks', 0, { fields: { seed: -1, interval: 4 } }],
    ['joints', 'setBlinks', 0, { fields: { seed: null, interval: 4 } }],
    ['stage', 'setBackground', { list: 'f32', values: ['NaN', 0, 0, 1] }],
    ['layers', 'setStates', 0, {}],
    ['lighting', 'setStudio', 1],
  ] as const)
    await refuse(topic, name, args);
  for (const change of [
    { calls: [null] },
    { calls: {} },
    { calls: [{ time: NaN, timeline: 0, topic: 'camera', name: 'reset', args: [] }] },
    { calls: [{ time: 0, timeline: 0, topic: 'camera', name: 'reset', args: [], layer: 'x' }] },
    {
      calls: [
        { time: 1, timeline: 0, topic: 'camera', name: 'reset', args: [] },
        { time: 0, timeline: 0, topic: 'camera', name: 'reset', args: [] },
      ],
    },
    { duration: Infinity },
    { version: 2 },
    { version: 4 },
  ])
    await t.throws(
      () => replaySession(viewer, { ...sessionOf('camera', 'reset', []), ...change } as unknown as Session),
      'argument/invalid',
    );
  await t.throws(
    () => record(viewer, { ...SMALL, session: sessionOf('camera', 'constructor', []), format: 'apng' }),
    'argument/invalid',
  );
  // The viewer is as it was.
  viewer.play('Run', { transition: 'cut' });
  viewer.orbit(0.1, 0);
  viewer.joint(3).override({ rotation: [0, 0, 0, 1] });
  await replaySession(viewer, sessionOf('camera', 'zoom', [2]));
  t.ok((await viewer.toBlob({ width: 16, height: 16 })).size > 0);
  viewer.dispose();
});
