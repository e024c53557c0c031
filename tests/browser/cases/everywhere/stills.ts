// Stills: pictures of any time and size, rendered without a visible effect.

import { createViewer, type Viewer } from 'gambol';
import { OTHERS, test, type T } from '../../page/api.ts';
import { details, heard, shown } from '../support/element.ts';
import { Scene } from '../support/scene.ts';
import { redCentre } from '../support/watch.ts';

const EVENTS = [
  'play',
  'pause',
  'seeking',
  'seeked',
  'finished',
  'ended',
  'ratechange',
  'clipchange',
  'camera-change',
  'frame',
  'before-render',
  'error',
  'warning',
];

async function sample(t: T, options: Parameters<typeof createViewer>[1] = {}): Promise<Viewer> {
  const viewer = await createViewer(t.canvas(200, 100), { maxDpr: 1, ...options });
  await viewer.load('/sample.glb');
  return viewer;
}

/** The pixels of the canvas, without a call to the viewer. */
const visible = (t: T, viewer: Viewer): ImageData => t.pixels(viewer.canvas);

for (const renderer of ['own', 'shared', 'worker'] as const) {
  test(`stills: invalid times, sizes and colours are refused and change nothing (${renderer})`, async (t) => {
    const viewer = await sample(t, { renderer });
    const { width, height } = viewer.canvas;
    const words = 'argument/invalid';
    for (const time of [NaN, Infinity, '1', null] as number[]) await t.throws(() => viewer.renderAt(time), words);
    for (const size of [0, -1, 0.5, NaN, Infinity, '7'] as number[]) {
      await t.throws(() => viewer.renderAt(0, { width: size }), words);
      await t.throws(() => viewer.toBlob({ height: size }), words);
    }
    for (const aspect of [0, -1, NaN, Infinity]) await t.throws(() => viewer.toBlob({ aspect }), words);
    await t.throws(() => viewer.toBlob({ width: 10, height: 10, aspect: 1 }), words);
    await t.throws(() => viewer.toBlob({ background: [2, 0, 0, 1] }), words);
    await t.throws(() => viewer.toBlob({ background: [0, 0, 0] as never }), words);
    await t.throws(() => viewer.renderAt(0, { width: 1e6 }), 'viewer/picture-too-large');
    await t.throws(() => viewer.renderAt(0, { width: 1, height: 1e6 }), 'viewer/picture-too-large');
    t.equal([viewer.canvas.width, viewer.canvas.height], [width, height]);
    const still = await viewer.renderAt(0.5);
    t.equal([still.width, still.height], [width, height]);
    viewer.dispose();
    await t.throws(() => viewer.renderAt(0), 'viewer/disposed');
    await t.throws(() => viewer.toBlob({ time: 0 }), 'viewer/disposed');
  });

  test(
    `stills: same file, time and size give the same pixels during any playback (${renderer})`,
    async (t) => {
      // Opaque, since files and bitmaps round transparent pixels differently.
      const background = [1, 1, 1, 1] as const;
      const viewer = await sample(t, { renderer, background });
      const first = t.pixels(await viewer.renderAt(0.5, { width: 300, height: 400 }));
      t.equal([first.width, first.height], [300, 400]);
      viewer.play();
      await t.until(() => viewer.currentTime > 0.2);
      viewer.play(1);
      await t.frames(3);
      viewer.clip = 0;
      viewer.play();
      await t.frames(3);
      t.samePixels(t.pixels(await viewer.renderAt(0.5, { width: 300, height: 400 })), first);
      const blob = await viewer.toBlob({ time: 0.5, width: 300, height: 400 });
      t.samePixels(t.pixels(await createImageBitmap(blob)), first);
      const other = await sample(t, { renderer, background });
      other.canvas.style.width = '80px';
      await t.frames(3);
      t.samePixels(t.pixels(await other.renderAt(0.5, { width: 300, height: 400 })), first);
      await t.throws(() => t.samePixels(t.pixels(new OffscreenCanvas(300, 400)), first, {}), /./);
      const later = t.pixels(await viewer.renderAt(0.9, { width: 300, height: 400 }));
      t.ok(
        later.data.some((value, i) => value !== first.data[i]),
        'another time is another picture',
      );
      viewer.pause();
      await viewer.seek(0.5);
      t.samePixels(t.pixels(await createImageBitmap(await viewer.toBlob())), t.pixels(await viewer.renderAt(0.5)));
    },
    { all: { own: false, shared: true, worker: OTHERS }[renderer] },
  );

  test(
    `stills: do not affect playback (${renderer})`,
    async (t) => {
      const viewer = await sample(t, { renderer });
      await viewer.seek(0.25);
      const events: string[] = [];
      for (const name of EVENTS) viewer.addEventListener(name as 'frame', () => events.push(name));
      const state = (): unknown => [
        viewer.currentTime,
        viewer.paused,
        viewer.now,
        viewer.poseHash(),
        viewer.camera,
        viewer.stats.frames,
        viewer.liveObjects(),
        viewer.canvas.width,
        viewer.canvas.height,
        viewer.canvas.style.cssText,
      ];
      await viewer.renderAt(1);
      await t.frames(2);
      if (renderer !== 'worker') viewer.toDataURL();
      const seen = visible(t, viewer);
      await t.frames(2);
      const before = state();
      events.length = 0;
      // In the same task as the drawing, since a buffer is invalid after the browser has painted.
      const { createImageBitmap } = globalThis;
      let left: ImageData | undefined;
      globalThis.createImageBitmap = (source: ImageBitmapSource) => {
        left = visible(t, viewer);
        return createImageBitmap(source);
      };
      for (const size of [{}, { width: 64 }, { width: 1000, height: 700 }]) {
        left = undefined;
        await viewer.renderAt(1, size);
        // A worker renders stills off screen.
        if (renderer !== 'worker') t.samePixels(t.some(left), seen);
      }
      globalThis.createImageBitmap = createImageBitmap;
      await t.frames(2);
      t.equal(state(), before);
      t.equal(events, []);
      // A pending change that is not drawn yet must still be drawn.
      viewer.play(1, { transition: 'inertial', transitionDuration: 5 });
      await viewer.renderAt(0);
      t.equal([viewer.paused, viewer.currentTime < 0.2], [false, true]);
    },
    { all: renderer === 'own' ? false : OTHERS },
  );

  test(
    `stills: background and aspect ratio (${renderer})`,
    async (t) => {
      const viewer = await sample(t, { renderer, background: [0, 0, 1, 1] });
      const corner = ({ data }: ImageData): number[] => [...data.slice(0, 4)];
      const at = async (options: object): Promise<ImageData> =>
        t.pixels(await createImageBitmap(await viewer.toBlob(options)));
      t.equal(corner(await at({ time: 0 })), [0, 0, 255, 255], 'that of the viewer');
      t.equal(corner(await at({ background: null })), [0, 0, 0, 0], 'none');
      t.equal(corner(await at({ background: [1, 0, 0, 1] })), [255, 0, 0, 255], 'red');
      t.equal(corner(await at({ time: 0 })), [0, 0, 255, 255], 'and that of the viewer again');
      const size = async (options: object): Promise<number[]> => {
        const { width, height } = await at(options);
        return [width, height];
      };
      t.equal(await size({ width: 50 }), [50, 25]);
      t.equal(await size({ height: 50 }), [100, 50]);
      t.equal(await size({ aspect: 1 }), [100, 100]);
      t.equal(await size({ aspect: 4 }), [200, 50]);
      t.equal(await size({ aspect: 1, width: 30 }), [30, 30]);
      t.equal(await size({ aspect: 4, height: 30 }), [120, 30]);
      t.equal(await size({ aspect: 1e-9 }), [1, 100]);
      // Cropped around the middle.
      const whole = t.pixels(await viewer.renderAt(0));
      const cut = await at({ time: 0, aspect: 1 });
      for (let y = 0; y < 100; y += 7) {
        t.close(
          cut.data.slice(400 * y, 400 * y + 400),
          whole.data.slice(4 * (200 * y + 50), 4 * (200 * y + 150)),
          2,
          `row ${y}`,
        );
      }
    },
    { all: renderer === 'own' ? false : OTHERS },
  );
}

test('stills: have the pose of their time', async (t) => {
  const element = await shown(t, { 'tone-mapping': 'none' });
  const [begin, end] = [t.pixels(await element.renderAt(0)), t.pixels(await element.renderAt(2))];
  t.ok(redCentre(end) > redCentre(begin) + 0.1, `${redCentre(begin)} to ${redCentre(end)}`);
});

test('stills: toBlob() of the element: ideal aspect ratio, sizes, colours, and no picture before the first frame', async (t) => {
  const early = document.createElement('gambol-viewer');
  await t.throws(() => early.toBlob({ time: 0 }), 'viewer/no-picture');
  await t.throws(() => early.renderAt(0), 'viewer/no-picture');
  const scene = new Scene();
  scene.node({ mesh: scene.square(scene.unlit([1, 0, 0])), scale: [1, 2, 1] });
  const element = await shown(t, {
    src: URL.createObjectURL(scene.file()),
    'camera-orbit': '0deg 90deg auto',
    'max-dpr': '1',
  });
  const warnings = details(element, 'warning');
  const events = heard(element, ...EVENTS);
  t.close(element.getIdealAspect(), 0.5, 1e-3);
  const ideal = t.pixels(await createImageBitmap(await element.toBlob({ idealAspect: true })));
  t.equal([ideal.width, ideal.height], [120, 240]);
  // The model fills the picture, except for a margin.
  const red = (x: number, y: number): boolean =>
    (ideal.data[4 * (Math.round(y) * ideal.width + Math.round(x))] ?? 0) > 150;
  const { width, height } = ideal;
  t.ok(
    red(width * 0.1, height / 2) &&
      red(width * 0.9, height / 2) &&
      red(width / 2, height * 0.1) &&
      red(width / 2, height * 0.9),
    'it fills the picture',
  );
  const white = t.pixels(
    await createImageBitmap(await element.toBlob({ idealAspect: true, width: 60, time: 0, background: 'white' })),
  );
  t.equal([white.width, white.height, ...white.data.slice(0, 4)], [60, 120, 255, 255, 255, 255]);
  const clear = t.pixels(await element.renderAt(0, { width: 20, height: 10, background: null }));
  t.equal([clear.width, clear.height, clear.data[3]], [20, 10, 0]);
  await t.throws(() => element.toBlob({ background: 'whitish' }), 'argument/invalid');
  await t.throws(() => element.toBlob({ width: 0 }), 'argument/invalid');
  const jpeg = await element.toBlob({ mimeType: 'image/jpeg', qualityArgument: 0.5, idealAspect: true });
  t.equal(jpeg.type, 'image/jpeg');
  t.equal([warnings.length, events], [0, []]);
});
