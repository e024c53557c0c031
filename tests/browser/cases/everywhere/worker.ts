// Viewers that a worker draws: the same results and pictures as on the main thread, and features that only workers
// have.

import { createViewer, type Viewer, type ViewerOptions } from 'gambol';
import { OTHERS, test, type T } from '../../page/api.ts';
import { details, placed } from '../support/element.ts';
import { model, png } from '../support/model.ts';
import { picture, recorded } from '../support/watch.ts';
import { needsWorkers, remote, workers } from '../support/workers.ts';

const BACKGROUND = [0.9, 0.9, 0.9, 1] as const;

/** One viewer here, one in a worker; only the test advances their time. */
async function both(t: T, options: ViewerOptions = {}): Promise<readonly [Viewer, Viewer]> {
  const there = await remote(t, { background: BACKGROUND, ...options });
  const here = await createViewer(t.canvas(), { maxDpr: 1, background: BACKGROUND, ...options });
  for (const viewer of [here, there]) viewer.timeline = 'manual';
  return [here, there];
}

async function samePictures(t: T, here: Viewer, there: Viewer): Promise<void> {
  t.samePixels(await picture(t, there), await picture(t, here));
}

/** `true` if a picture shows more than its background. */
function showsSomething({ data }: ImageData): boolean {
  return data.some((value, i) => i % 4 < 3 && value !== data[i % 4]);
}

test('worker: if none starts, the main thread draws, with one warning', async (t) => {
  t.expectTrouble(/./);
  for (const script of [
    '/gambol/dist/nowhere.js',
    '/sample.glb',
    'https://other.invalid/worker.js',
    '/__tests/worker.js?refuse',
  ]) {
    const alive = workers(t, script);
    const viewer = await createViewer(t.canvas(), { maxDpr: 1, renderer: 'worker' });
    const warnings = details(viewer, 'warning');
    await viewer.load(model().glb);
    t.ok(showsSomething(await picture(t, viewer)), 'a picture');
    t.equal(
      warnings.map(({ code }) => code),
      ['render/no-worker'],
      script,
    );
    viewer.play();
    await t.until(() => viewer.currentTime > 0, 'it plays');
    viewer.dispose();
    viewer.canvas.remove();
    t.equal(alive.size, 0, 'workers');
  }
});

test('worker: if it does not answer, the main thread draws, with one warning', async (t) => {
  const alive = workers(t, '/__tests/worker.js?silent');
  // The timeout of half a minute elapses immediately.
  const { setTimeout: later } = window;
  window.setTimeout = ((run: () => void, after: number) =>
    later(run, after === 30_000 ? 1 : after)) as typeof setTimeout;
  const viewer = await createViewer(t.canvas(), { maxDpr: 1, renderer: 'worker' });
  window.setTimeout = later;
  const warnings = details(viewer, 'warning');
  await viewer.load(model().glb);
  t.ok(showsSomething(await picture(t, viewer)), 'a picture');
  t.equal(
    warnings.map(({ code }) => code),
    ['render/no-worker'],
  );
  t.equal(alive.size, 0, 'workers');
});

test(
  'worker: without OffscreenCanvas, the main thread draws, with one warning',
  async (t) => {
    delete (HTMLCanvasElement.prototype as Partial<HTMLCanvasElement>).transferControlToOffscreen;
    const element = placed({ src: '/sample.glb', renderer: 'worker', autoplay: '', 'reduced-motion': 'ignore' });
    const warnings = details(element, 'warning');
    await t.until(() => element.modelIsVisible && element.currentTime > 0, 'it plays');
    t.equal(
      warnings.map(({ code }) => code),
      ['render/no-worker'],
    );
  },
  { fresh: 'it removes a method of canvases' },
);

test('worker: a canvas that has a context is refused', async (t) => {
  await needsWorkers(t);
  const alive = workers(t);
  const canvas = t.canvas();
  canvas.getContext('2d');
  await t.throws(() => createViewer(canvas, { renderer: 'worker' }), 'argument/invalid');
  const viewer = await createViewer(t.canvas(), { renderer: 'worker' });
  viewer.dispose();
  await t.throws(() => createViewer(viewer.canvas, { renderer: 'worker' }), 'argument/invalid');
  await t.until(() => alive.size === 0, 'their ends');
});

test('worker: an invalid file is the same error, and the viewer still works', async (t) => {
  const [here, there] = await both(t);
  const sources = [
    new Uint8Array(),
    new Uint8Array([1, 2, 3]),
    new Blob(['{"asset":{"version":"2.0"},"nodes":[{"mesh":7}],"scenes":[{"nodes":[0]}]}']),
    '/nowhere.glb',
  ];
  for (const source of sources) {
    const errors = [];
    for (const viewer of [here, there]) {
      const { code, pointer } = (await t.throws(() => viewer.load(source))) as { code: string; pointer?: string };
      errors.push([code, pointer]);
    }
    t.equal(errors[1], errors[0]);
  }
  await Promise.all([here.load('/sample.glb'), there.load('/sample.glb')]);
  await samePictures(t, here, there);
});

test(
  'worker: shadows, layers, actors and another model look as on the main thread',
  async (t) => {
    const [here, there] = await both(t);
    const all = async (act: (viewer: Viewer) => unknown): Promise<void> => {
      for (const viewer of [here, there]) await act(viewer);
      await samePictures(t, here, there);
    };
    await all((viewer) => viewer.load('/sample.glb'));
    t.ok(showsSomething(await picture(t, there)), 'a picture');
    await all((viewer) => viewer.seek(0.7));
    await all((viewer) => {
      viewer.play('Walk');
      for (let i = 0; i < 20; i++) viewer.advance(1 / 60);
    });
    await all((viewer) => {
      // During a transition, with a layer.
      viewer.play('Run', { transition: 'inertial', transitionDuration: 1 });
      viewer.layers.add('Wave', { mask: 'Chest/**', fade: 0 });
      viewer.advance(0.2);
    });
    await all((viewer) => {
      viewer.shadowIntensity = 1;
      viewer.exposure = 1.3;
      viewer.orbit(0.4, -0.1);
    });
    await all(async (viewer) => {
      const other = await viewer.add(t.some(viewer.model), { position: [0.8, 0, 0] });
      other.clip = 'Dance';
      other.currentTime = 1;
      viewer.joint('Head').override({ rotation: [0, 0.38, 0, 0.92] });
      viewer.debug = 'skeleton';
    });
    await all((viewer) => {
      viewer.debug = 'none';
      viewer.skinning = 'dual-quaternion';
    });
    await all(async (viewer) => {
      await viewer.setEnvironment(null);
      await viewer.load(
        new Map([
          ['a.gltf', model({ imageUri: 'a.png' }).gltf],
          ['a.png', await png(64, '#08f')],
        ]),
      );
    });
    await all((viewer) => viewer.setEnvironment('studio'));
  },
  { all: true },
);

test('worker: times, events, joints and places are those of the main thread', async (t) => {
  const [here, there] = await both(t);
  const events = [here, there].map((viewer) => recorded(viewer));
  const answers: unknown[][] = [[], []];
  for (const [i, viewer] of [here, there].entries()) {
    const note = (...values: unknown[]): void => void answers[i]?.push(...values);
    await viewer.load('/sample.glb');
    note(
      viewer.clips.map(({ id, duration }) => [id, duration]),
      viewer.joints,
      viewer.camera,
    );
    viewer.repetitions = 2;
    viewer.loopMode = 'repeat';
    const playback = viewer.play('Walk');
    for (let step = 0; step < 40; step++) {
      viewer.advance(0.1);
      note(viewer.currentTime, viewer.paused);
      if (step % 10 === 3) {
        const { actor, ...hit } = t.some(viewer.pick(128, 128));
        t.equal(actor, viewer);
        note(viewer.poseHash(), viewer.joint('Head').world, viewer.project([0, 1, 0], 'Head'), hit);
      }
    }
    await playback.finished;
    viewer.play('Run', { transition: 'inertial', transitionDuration: 0.5 });
    for (let step = 0; step < 5; step++) {
      viewer.advance(0.05);
      await t.frames(2);
      note(viewer.poseHash());
    }
    await viewer.seek(0.25);
    viewer.playbackRate = -1;
    note(viewer.currentTime, viewer.duration, viewer.now);
    await t.throws(() => viewer.joint('nobody').world, 'joint/not-found');
  }
  t.equal(answers[1], answers[0]);
  t.equal(events[1], events[0]);
});

test('worker: an element follows a joint', async (t) => {
  const viewer = await remote(t);
  await viewer.load('/sample.glb');
  const follower = document.createElement('div');
  document.body.append(follower);
  viewer.joint('Head').attach(follower);
  viewer.play('Dance');
  await t.until(() => follower.hasAttribute('data-visible'), 'it is shown');
  const { translate } = follower.style;
  await t.until(() => follower.style.translate !== translate, 'it moves');
});

test('worker: promises wait for its picture, and an idle page requests none', async (t) => {
  const viewer = await remote(t);
  await viewer.load('/sample.glb');
  t.ok(viewer.stats.frames > 0, 'load() waits for the picture');
  await t.sleep(200);
  const { frames } = viewer.stats;
  await t.sleep(300);
  t.equal(viewer.stats.frames, frames, 'nothing changes');
  await viewer.seek(0.5);
  t.ok(viewer.stats.frames > frames, 'seek() waits for it');
  viewer.play();
  const from = viewer.stats.frames;
  await t.until(() => viewer.stats.frames > from + 5, 'frames');
  t.ok(viewer.stats.drawCalls > 0 && viewer.liveObjects()['programs'], 'what is only known there');
});

test('worker: the canvas of the page shows its picture and has its size', async (t) => {
  const viewer = await remote(t, { background: [0, 0, 1, 1] }, [120, 80]);
  await viewer.load('/sample.glb');
  const { canvas } = viewer;
  for (const [width, height] of [
    [120, 80],
    [200, 150],
    [40, 60],
  ] as const) {
    Object.assign(canvas.style, { width: `${width}px`, height: `${height}px` });
    await t.frames(2);
    const still = await picture(t, viewer);
    t.equal([still.width, still.height], [width, height]);
    await t.until(() => canvas.width === width && canvas.height === height, 'the canvas has the size');
    await t.frames(2);
    const seen = await t.screenshot();
    const { left, top } = canvas.getBoundingClientRect();
    const at = (x: number, y: number): number[] =>
      [...seen.data.slice(4 * (Math.round(top + y) * seen.width + Math.round(left + x)))].slice(0, 4);
    t.equal(at(2, 2), [0, 0, 255, 255], 'the background is seen');
    const middle = at(width / 2, height / 2);
    const expected = still.data.slice(4 * (Math.round(height / 2) * width + width / 2)).slice(0, 4);
    t.close(middle, [...expected], 40, 'and so is the model');
  }
  const url = viewer.toDataURL();
  t.ok(url.startsWith('data:image/png'), 'an address');
});

test(
  'worker: a crowd looks as on the main thread',
  async (t) => {
    const [here, there] = await both(t);
    const counts: unknown[] = [];
    for (const viewer of [here, there]) {
      const crowd = await viewer.addCrowd('/sample.glb', {
        positions: Float32Array.from({ length: 60 }, (_, i) => (i % 3 === 1 ? 0 : ((i * 7) % 11) - 5)),
        clips: ['Walk', 'Run', 'Dance', 'Wave', 'Idle'].flatMap((clip) => Array<string>(4).fill(clip)),
      });
      const positions = new Float32Array(6);
      crowd.set({ first: 3, positions });
      // Later changes of the array must have no effect.
      positions.fill(1e6);
      viewer.camera = { target: [0, 1, 0], distance: 14, azimuth: 0.3, polar: 1.2 };
      viewer.advance(0.4);
      await picture(t, viewer);
      await viewer.seek(0);
      const picked = Array.from({ length: 16 }, (_, i) => crowd.pick(16 * i, 128));
      t.ok(picked.some(Boolean), 'somebody is seen');
      counts.push([crowd.count, [...crowd.times()], crowd.visibleCount, picked]);
    }
    t.equal(counts[1], counts[0]);
    await samePictures(t, here, there);
  },
  { all: true },
);

test(
  'worker: ends with its viewer',
  async (t) => {
    await needsWorkers(t);
    const alive = workers(t);
    // More than the number of contexts that browsers allow a page.
    for (let i = 0; i < 20; i++) {
      const viewer = await createViewer(t.canvas(32, 32), { maxDpr: 1, renderer: 'worker' });
      t.equal(alive.size, 1);
      const loading = viewer.load(model().glb);
      if (i % 2 === 0) await loading;
      viewer.dispose();
      if (i % 2 === 1) await t.throws(() => loading, /load\/aborted|viewer\/disposed/);
      viewer.dispose();
      await t.throws(() => viewer.toBlob(), 'viewer/disposed');
      viewer.canvas.remove();
      await t.until(() => alive.size === 0, 'its end');
    }
  },
  { all: true },
);

test('worker: does not run ahead of its GPU', async (t) => {
  await needsWorkers(t);
  workers(t, '/__tests/worker.js?channel=behind');
  const channel = new BroadcastChannel('behind');
  const viewer = await remote(t);
  await viewer.load(model().glb);
  viewer.play();
  const pictures = (): Promise<number> =>
    new Promise((resolve) => {
      channel.onmessage = ({ data }) => resolve(data as number);
      channel.postMessage('count');
    });
  const more = async (count: number): Promise<void> => {
    const before = await pictures();
    while ((await pictures()) < before + count) await t.frames();
  };
  await more(10);
  channel.postMessage('behind');
  const [before, begun] = [await pictures(), performance.now()];
  await t.frames(30);
  // The wait is limited: two pictures a second if the GPU does not answer.
  const most = 2 + 2 * Math.ceil((performance.now() - begun) / 1000);
  const made = (await pictures()) - before;
  t.ok(made <= most, `${made} pictures in 30 frames, at most ${most}`);
  await viewer.toBlob();
  t.ok(viewer.currentTime > 0, 'what is waited for is drawn, and time goes on');
  channel.postMessage('done');
  await more(10);
});

test('worker: a context loss restores all content', async (t) => {
  await needsWorkers(t);
  workers(t, '/__tests/worker.js?channel=loss');
  const channel = new BroadcastChannel('loss');
  const [here, there] = await both(t);
  const events = recorded(there, ['contextlost', 'contextrestored', 'error', 'warning']);
  const files = new Map([
    ['a.gltf', model({ imageUri: 'a.png' }).gltf],
    ['a.png', await png(64, '#fa0')],
  ]);
  for (const viewer of [here, there]) {
    await viewer.load(files);
    await viewer.seek(0.5);
  }
  const { left, top } = there.canvas.getBoundingClientRect();
  const seen = async (): Promise<number[]> => {
    await t.frames(3);
    const { data, width } = await t.screenshot();
    return [40, 128, 200].flatMap((x) => [
      ...data.slice(4 * (Math.round(top + 128) * width + Math.round(left + x))).slice(0, 3),
    ]);
  };
  const before = await seen();
  channel.postMessage('take');
  await t.until(() => events.length === 1, 'the loss');
  t.close(await seen(), before, 2, 'what was seen stays');
  there.currentTime = here.currentTime = 1;
  const waiting = there.toBlob();
  channel.postMessage('give');
  await t.until(() => events.length === 2, 'the return');
  t.equal(events, ['contextlost', 'contextrestored']);
  t.ok((await waiting).size > 0, 'toBlob() waits for it');
  await samePictures(t, here, there);
  // During the load of a model.
  const loading = there.load('/sample.glb');
  channel.postMessage('take');
  await t.until(() => events.length === 3, 'another loss');
  channel.postMessage('give');
  await loading;
  await here.load('/sample.glb');
  await samePictures(t, here, there);
  t.equal(
    events.filter((name) => !name.startsWith('context')),
    [],
  );
});

test('worker: a stop is an error and ends the viewer, and the next one works', async (t) => {
  await needsWorkers(t);
  const alive = workers(t, '/__tests/worker.js?channel=trap');
  const viewer = await createViewer(t.canvas(), { maxDpr: 1, renderer: 'worker' });
  const errors = details(viewer, 'error');
  await viewer.load('/sample.glb');
  new BroadcastChannel('trap').postMessage('trap');
  viewer.play();
  await t.until(() => errors.length > 0, 'the error');
  t.equal(
    errors.map(({ code }) => code),
    ['wasm/panic'],
  );
  await t.throws(() => viewer.seek(0), 'wasm/panic');
  await t.until(() => alive.size === 0, 'its end');
  viewer.dispose();
  const next = await createViewer(t.canvas(), { maxDpr: 1 });
  await next.load('/sample.glb');
  next.play();
  await t.until(() => next.currentTime > 0, 'it plays');
});

test('worker: draws an element', async (t) => {
  await needsWorkers(t);
  const alive = workers(t);
  const element = placed({
    src: '/sample.glb',
    renderer: 'worker',
    autoplay: '',
    controls: '',
    'camera-controls': '',
    'reduced-motion': 'ignore',
    'max-dpr': '1',
  });
  const warnings = details(element, 'warning');
  await t.until(() => element.modelIsVisible && element.currentTime > 0, 'it plays');
  t.equal(alive.size, 1);
  t.ok(showsSomething(t.pixels(await createImageBitmap(await element.toBlob()))), 'a picture');
  element.src = '/sample.glb?2';
  await t.until(() => !element.loaded || element.currentTime > 0, 'another');
  const again = document.createElement('div');
  element.remove();
  await t.until(() => alive.size === 0, 'its worker ends');
  again.append(element);
  document.body.append(again);
  await t.until(() => element.modelIsVisible && alive.size === 1, 'it comes back');
  t.equal(warnings, []);
});

/** Blocks the page, as a long task does. */
function block(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

/** The number of frames that the worker has drawn, after it has come to rest. */
async function framesAtRest(t: T, viewer: Viewer): Promise<number> {
  for (let last = -1; last !== viewer.stats.frames; await t.sleep(400)) last = viewer.stats.frames;
  return viewer.stats.frames;
}

test(
  'worker: the picture goes on while the page is blocked, and the state is that of the page',
  async (t) => {
    const there = await remote(t, { background: BACKGROUND });
    await there.load('/sample.glb');
    there.play('Dance');
    await t.until(() => there.currentTime > 0.2, 'it plays');
    // The count of frames arrives a moment after it was asked for, so frames that the page requested count from then on.
    await t.until(() => there.stats.frames > 0, 'a count');
    let asked = 0;
    there.addEventListener('before-render', () => asked++);
    const { frames } = there.stats;
    const { now } = there;
    block(2500);
    t.equal(there.now, now, 'the page has no frames');
    there.pause();
    t.ok(there.now - now >= 2.5, `no time is left out: ${there.now - now}`);
    const drawn = (await framesAtRest(t, there)) - frames;
    t.ok(drawn > asked + 3, `frames: ${drawn}, requested by the page: ${asked}`);

    // A call after a blocked page applies to the picture that is seen.
    there.play('Dance');
    await t.frames(3);
    block(1500);
    there.play('Wave', { transition: 'inertial', transitionDuration: 0.4 });
    await t.frames(2);
    t.ok(there.currentTime < 1.4, `the clip starts from its beginning: ${there.currentTime}`);
    there.play('Walk', { transition: 'cut' });
    await t.frames(3);
    block(300);
    there.pause();
    await framesAtRest(t, there);

    const here = await createViewer(t.canvas(), { maxDpr: 1, background: BACKGROUND });
    await here.load('/sample.glb');
    here.play('Walk', { transition: 'cut' });
    here.pause();
    await here.seek(there.currentTime);
    await samePictures(t, here, there);
  },
  { all: OTHERS },
);

test(
  'worker: a viewer out of view draws no previews',
  async (t) => {
    const there = await remote(t);
    await there.load('/sample.glb');
    there.play('Dance');
    await t.until(() => there.currentTime > 0.1, 'it plays');
    there.canvas.style.display = 'none';
    await t.sleep(200);
    const frames = await framesAtRest(t, there);
    block(500);
    t.equal(await framesAtRest(t, there), frames);
  },
  { all: true },
);

test('worker: dispose() frees a viewer whose frame is late, and loads of it end', async (t) => {
  const there = await remote(t);
  // Bytes, since models of one address are freed in a later task.
  await there.load(await (await fetch('/sample.glb')).arrayBuffer());
  there.play('Dance');
  await t.until(() => there.currentTime > 0.1, 'it plays');
  const crowd = there.addCrowd(model().glb, { count: 2 });
  block(500);
  there.dispose();
  block(500);
  await t.throws(() => crowd, 'load/aborted');
});

test('worker: clips of other files come and go', async (t) => {
  const [here, there] = await both(t);
  const blob = await (await fetch('/sample.glb')).blob();
  for (const viewer of [here, there]) {
    await viewer.load('/sample.glb');
    const { clips } = t.some(await viewer.model?.addClips(blob, { clips: ['Wave', 'Run'] }));
    viewer.play(clips[1] ?? 0);
    await viewer.seek(0.3);
  }
  await samePictures(t, here, there);
  t.equal(there.poseHash(), here.poseHash());
  for (const viewer of [here, there]) {
    await viewer.model?.removeClip('Run~2');
    viewer.play('Wave~2', { transition: 'cut' });
    await viewer.seek(0.4);
    t.equal(viewer.clip?.id, 'Wave~2');
  }
  await samePictures(t, here, there);
  for (const viewer of [here, there]) viewer.dispose();
});

test('worker: clips from numbers play as without one', async (t) => {
  const [here, there] = await both(t);
  for (const viewer of [here, there]) {
    await viewer.load('/sample.glb');
    await viewer.model?.createClip({
      name: 'Change',
      tracks: [
        { node: 'Head', path: 'rotation', times: [0, 1], values: [0, 0, 0, 1, 0, 0.6, 0, 0.8] },
        {
          pointer: '/materials/0/pbrMetallicRoughness/baseColorFactor',
          times: [0, 1],
          values: [1, 1, 1, 1, 1, 0, 0, 1],
        },
      ],
    });
    viewer.play('Change', { transition: 'cut' });
    await viewer.seek(0.8);
  }
  await samePictures(t, here, there);
  t.equal(there.poseHash(), here.poseHash());
  for (const viewer of [here, there]) viewer.dispose();
});
