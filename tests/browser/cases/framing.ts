// The automatic camera: it frames the current clip, and moves out smoothly for a larger one.

import { createViewer, type CameraState, type Viewer, type ViewerOptions } from 'gambol';
import { test, type T } from '../page/api.ts';
import { details, shown } from './support/element.ts';
import { picture } from './support/watch.ts';
import { remote } from './support/workers.ts';

const BACKGROUND = [1, 1, 1, 1] as const;

async function sample(
  t: T,
  options: ViewerOptions = {},
  size: readonly [number, number] = [200, 100],
): Promise<Viewer> {
  const viewer =
    options.renderer === 'worker'
      ? await remote(t, { background: BACKGROUND, ...options }, size)
      : await createViewer(t.canvas(...size), { maxDpr: 1, background: BACKGROUND, ...options });
  await viewer.load('/sample.glb');
  return viewer;
}

let known: Promise<CameraState[]> | undefined;

/** The camera for each clip alone, in the order of the file. */
function cameras(t: T): Promise<CameraState[]> {
  return (known ??= sample(t).then((viewer) =>
    viewer.clips.map((clip) => {
      viewer.clip = clip;
      viewer.frame();
      return viewer.camera;
    }),
  ));
}

async function distances(t: T): Promise<number[]> {
  return (await cameras(t)).map(({ distance }) => distance);
}

/** The place of the eye along the direction in which the camera looks; the distance alone depends on the depth of the target. */
function reach({ azimuth, polar, distance, target: [x, y, z] }: CameraState): number {
  const [sin, cos] = [Math.sin(polar), Math.cos(polar)];
  return distance + sin * Math.sin(azimuth) * x + cos * y + sin * Math.cos(azimuth) * z;
}

/** The indices of the smallest and the largest clip of the sample. */
async function smallerAndLarger(t: T): Promise<readonly [number, number]> {
  const all = await distances(t);
  const [least, most] = [Math.min(...all), Math.max(...all)];
  t.ok(most > 1.05 * least, `clips of different sizes: ${all}`);
  return [all.indexOf(least), all.indexOf(most)];
}

/** A viewer with a manual timeline, during a camera movement. */
async function gliding(t: T, options: ViewerOptions = {}, size?: readonly [number, number]): Promise<Viewer> {
  const [smaller, larger] = await smallerAndLarger(t);
  const viewer = await sample(t, options, size);
  viewer.timeline = 'manual';
  viewer.clip = smaller;
  viewer.frame();
  await t.frames(2);
  viewer.play(larger);
  viewer.advance(0.1);
  await t.frames(2);
  return viewer;
}

test('framing: the model fills at least 80 % of the width or height, and is not cut off', async (t) => {
  for (const size of [
    [160, 240],
    [240, 160],
  ] as const) {
    const element = await shown(t, { src: '/sample.glb', 'max-dpr': '1' });
    Object.assign(element.style, { width: `${size[0]}px`, height: `${size[1]}px` });
    await t.frames(3);
    let [left, right, top, bottom] = [Infinity, -1, Infinity, -1];
    for (let i = 0; i <= 12; i++) {
      const { data, width } = t.pixels(await element.renderAt((element.duration * i) / 12, { background: null }));
      for (let at = 0; at < data.length / 4; at++) {
        if ((data[4 * at + 3] ?? 0) < 128) continue;
        const [x, y] = [at % width, Math.floor(at / width)];
        [left, right, top, bottom] = [Math.min(left, x), Math.max(right, x), Math.min(top, y), Math.max(bottom, y)];
      }
    }
    const [wide, high] = [(right - left + 1) / size[0], (bottom - top + 1) / size[1]];
    t.ok(Math.max(wide, high) >= 0.8, `${wide} wide, ${high} high of ${size}`);
    t.ok(
      left > 0 && top > 0 && right < size[0] - 1 && bottom < size[1] - 1,
      `${[left, right, top, bottom]} within ${size}`,
    );
    element.remove();
  }
});

test('framing: with padding the model is in the rest of the canvas, and stills have none', async (t) => {
  for (const renderer of ['own', 'worker'] as const) {
    const viewer = await sample(t, { renderer });
    viewer.pause();
    const middle = (): number => t.some(viewer.project([0, 0, 0], 'Chest')).x;
    const before = middle();
    const { distance } = viewer.camera;
    viewer.cameraPadding = { left: 150 };
    t.equal(viewer.cameraPadding, { left: 150, top: 0, right: 0, bottom: 0 });
    t.ok(Math.abs(middle() - before - 75) < 3, `${middle()} after ${before}`);
    t.ok(viewer.camera.distance > distance, 'it fits into less width');
    // Another size keeps the padding in CSS pixels.
    viewer.canvas.style.width = '400px';
    await t.frames(4);
    t.ok(Math.abs(middle() - 275) < 7, String(middle()));
    const still = await viewer.renderAt(0, { width: 200, height: 100, background: null });
    const { data } = t.pixels(still);
    const columns = Array.from({ length: 200 }, (_, x) => x).filter((x) =>
      Array.from({ length: 100 }, (_, y) => data[4 * (200 * y + x) + 3] ?? 0).some((alpha) => alpha > 128),
    );
    t.ok(Math.abs((Math.min(...columns) + Math.max(...columns)) / 2 - 100) < 12, `a still: ${columns}`);
    t.ok(Math.abs(middle() - 275) < 7, 'after the still');
    viewer.resetCamera();
    t.ok(Math.abs(middle() - 275) < 7, 'after a reset');
    viewer.cameraPadding = { left: 1e6, right: 1e6 };
    const state = viewer.camera;
    t.ok(Number.isFinite(state.distance) && state.distance > 0, 'a tenth stays free');
    t.throws(() => (viewer.cameraPadding = { left: NaN }), /finite number/);
    t.throws(() => (viewer.cameraPadding = null as never), /cameraPadding/);
  }
});

test('framing: the camera glides out for a larger clip, and stays for a smaller one', async (t) => {
  const [smaller, larger] = await smallerAndLarger(t);
  const viewer = await sample(t);
  viewer.clip = smaller;
  viewer.frame();
  const near = viewer.camera.distance;
  viewer.play(smaller);
  await t.frames(2);
  const events = details<{ source: string }>(viewer, 'camera-change');
  viewer.play(larger);
  const goal = t.some(viewer.framedCamera);
  t.ok(goal.distance > 1.05 * near, `${goal.distance} after ${near}`);
  const seen: number[] = [];
  while (viewer.camera.distance < goal.distance && seen.length < 1000) {
    await t.frames(1);
    seen.push(viewer.camera.distance);
  }
  t.ok(
    seen.every((distance, i) => distance >= (seen[i - 1] ?? near)),
    `outwards: ${seen}`,
  );
  t.ok(
    seen.some((distance) => distance > near && distance < goal.distance),
    `it glides: ${seen}`,
  );
  const { distance, target } = viewer.camera;
  t.equal({ distance, target }, goal, 'it ends at its goal');
  t.ok(events.length > 0 && events.every(({ source }) => source === 'none'), 'the camera tells that it moves');
  await t.frames(2);
  const { length } = events;
  viewer.play(smaller);
  await t.frames(5);
  t.equal([viewer.camera.distance, events.length], [goal.distance, length], 'it stays');
  viewer.frame();
  t.equal(viewer.camera.distance, near, 'until it is told to frame');
});

test('framing: a glide follows the timeline in any steps, and requests no frames after its end', async (t) => {
  const [smooth, stepped] = [await gliding(t), await gliding(t)];
  for (let i = 0; i < 8; i++) {
    smooth.advance(1 / 32);
    await t.frames(1);
  }
  stepped.advance(1 / 4);
  await t.frames(1);
  t.equal(stepped.camera, smooth.camera);
  const { distance } = smooth.camera;
  await t.frames(20);
  t.equal(smooth.camera.distance, distance, 'the page moves the timeline');
  smooth.timeline = 'auto';
  smooth.pause();
  const goal = t.some(smooth.framedCamera).distance;
  t.ok(distance < goal, 'still on its way');
  await t.until(() => smooth.camera.distance === goal, 'the goal');
  await t.frames(3);
  const { frames } = smooth.stats;
  await t.sleep(200);
  t.equal(smooth.stats.frames, frames);
});

test('framing: a glide is a cut for a paused clip and with reduced motion', async (t) => {
  const [smaller, larger] = await smallerAndLarger(t);
  const paused = await sample(t);
  paused.clip = smaller;
  paused.frame();
  await t.frames(2);
  paused.clip = larger;
  await t.frames(2);
  t.equal(paused.camera.distance, t.some(paused.framedCamera).distance, 'paused');
  const real = window.matchMedia.bind(window);
  window.matchMedia = (query) =>
    query.includes('reduced-motion') ? ({ ...real('all'), matches: true } as MediaQueryList) : real(query);
  const cutting = await gliding(t);
  window.matchMedia = real;
  t.equal(cutting.camera.distance, t.some(cutting.framedCamera).distance, 'less motion');
  const other = await gliding(t);
  t.ok(other.camera.distance < t.some(other.framedCamera).distance, 'other pages glide');
});

test(
  'framing: all-clips frames all clips during any of them',
  async (t) => {
    const most = Math.max(...(await cameras(t)).map(reach));
    const element = await shown(t, {
      src: '/sample.glb',
      framing: 'all-clips',
      autoplay: '',
      'reduced-motion': 'ignore',
    });
    const viewer = t.some(element.viewer);
    t.equal([element.framing, viewer.framing], ['all-clips', 'all-clips']);
    const { camera } = viewer;
    for (const { name } of viewer.clips) {
      element.animationName = name;
      await t.frames(3);
      t.equal(viewer.camera, camera, name);
    }
    const own = await sample(t);
    own.framing = 'all-clips';
    t.ok(reach(own.camera) >= most - 1e-3, `${reach(own.camera)}, ${most} for the largest clip`);
    await t.throws(() => (own.framing = 'all' as never), 'argument/invalid');
  },
  { all: true },
);

for (const renderer of ['own', 'shared', 'worker'] as const) {
  test(
    `framing: stills frame their clip, after any playback and during a glide (${renderer})`,
    async (t) => {
      const [smaller, larger] = await smallerAndLarger(t);
      const size = { width: 150, height: 200 };
      /** The pictures of a viewer that has shown nothing else. */
      const fresh = async (clip: number): Promise<readonly [still: ImageData, whole: ImageData]> => {
        const viewer = await sample(t, { renderer });
        viewer.clip = clip;
        viewer.frame();
        await viewer.seek(0.25);
        const both = [t.pixels(await viewer.renderAt(0.25, size)), await picture(t, viewer)] as const;
        viewer.dispose();
        return both;
      };
      const [small, large] = [await fresh(smaller), await fresh(larger)];
      const viewer = await gliding(t, { renderer });
      const { camera } = viewer;
      t.samePixels(t.pixels(await viewer.renderAt(0.25, size)), large[0]);
      t.equal(viewer.camera, camera, 'the camera stays on its way');
      viewer.advance(1);
      viewer.pause();
      await viewer.seek(0.25);
      t.samePixels(await picture(t, viewer), large[1]);
      viewer.clip = smaller;
      await viewer.seek(0.25);
      t.ok(viewer.camera.distance > camera.distance, 'the camera stays at its goal');
      t.samePixels(t.pixels(await viewer.renderAt(0.25, size)), small[0]);
      t.samePixels(await picture(t, viewer), small[1]);
      if (renderer !== 'worker') {
        await t.frames(2);
        const image = new Image();
        image.src = viewer.toDataURL();
        const seen = t.pixels(viewer.canvas);
        await image.decode();
        t.samePixels(t.pixels(await createImageBitmap(image)), small[1]);
        await t.throws(() => t.samePixels(seen, small[1]), /./);
      }
      // A camera that the page has moved stays under the page's control.
      viewer.orbit(0.5, 0);
      const moved = viewer.camera;
      const before = t.pixels(await viewer.renderAt(0.25));
      viewer.play(larger);
      viewer.play(smaller);
      viewer.advance(1);
      await t.frames(2);
      t.samePixels(t.pixels(await viewer.renderAt(0.25)), before);
      t.equal(viewer.camera, moved);
    },
    { all: renderer !== 'own' },
  );
}

test(
  'framing: the camera of a worker glides as on the main thread',
  async (t) => {
    const size = [160, 120] as const;
    const [here, there] = [await gliding(t, {}, size), await gliding(t, { renderer: 'worker' }, size)];
    // Only these two canvases are visible.
    for (const canvas of document.querySelectorAll('canvas'))
      canvas.hidden = canvas !== here.canvas && canvas !== there.canvas;
    for (const canvas of document.querySelectorAll<HTMLElement>('canvas[hidden]')) canvas.style.display = 'none';
    const seen = async ({ canvas }: Viewer): Promise<ImageData> => {
      const { left, top } = canvas.getBoundingClientRect();
      const all = await t.screenshot();
      const copy = new OffscreenCanvas(all.width, all.height).getContext('2d');
      t.some(copy).putImageData(all, 0, 0);
      return t.some(copy).getImageData(left, top, ...size);
    };
    for (let i = 0; i < 4; i++) {
      for (const viewer of [here, there]) {
        viewer.advance(0.15);
        // Getters and stills must have no effect.
        if (viewer === there) [viewer.framedCamera, viewer.bounds, viewer.poseHash(), await viewer.toBlob()].sort();
        await t.frames(2);
        await viewer.seek(0.1 * i);
      }
      t.equal(there.camera, here.camera);
      t.samePixels(await seen(there), await seen(here), { channel: 8, outliers: 0.002 });
    }
  },
  { all: true },
);

test('framing: the element frames the current clip, and 100 % and the limits follow', async (t) => {
  const [smaller, larger] = await smallerAndLarger(t);
  const names = (await sample(t)).clips.map(({ id }) => id);
  const element = await shown(t, {
    src: '/sample.glb',
    autoplay: '',
    'camera-controls': '',
    'animation-name': names[smaller] ?? '',
  });
  const viewer = t.some(element.viewer);
  await t.until(() => !element.paused && element.currentTime > 0.1, 'it plays');
  const near = element.getCameraOrbit().radius;
  t.close(near, t.some(viewer.framedCamera).distance, 1e-9, 'the first clip alone, at once');
  element.animationName = names[larger] ?? '';
  const far = t.some(viewer.framedCamera).distance;
  t.ok(far > 1.05 * near, `${far} after ${near}`);
  // Limits that change during the movement do not stop it.
  await t.frames(3);
  element.minCameraOrbit = 'auto 5deg auto';
  t.ok(viewer.framedCamera !== null, 'it still frames by itself');
  await t.until(() => element.getCameraOrbit().radius === far, `all the way out to ${far}`);
  element.animationName = names[smaller] ?? '';
  await t.frames(4);
  t.equal(element.getCameraOrbit().radius, far, 'it stays');
  element.maxCameraOrbit = `auto auto ${0.9 * far}m`;
  await t.frames(2);
  t.close(element.getCameraOrbit().radius, 0.9 * far, 1e-6, 'limits that it is beyond count');
  t.equal(viewer.framedCamera, null);
  element.maxCameraOrbit = 'auto';
  element.cameraOrbit = '0deg 75deg 100%';
  element.jumpCameraToGoal();
  t.close(element.getCameraOrbit().radius, far / 1.05, 1e-6, '100 % is what was framed last');
});

test('framing: the element frames all clips of "*"', async (t) => {
  const most = Math.max(...(await cameras(t)).map(reach));
  const element = await shown(t, {
    src: '/sample.glb',
    'animation-name': '*',
    autoplay: '',
    'camera-orbit': '25.2deg 77.9deg auto',
    'reduced-motion': 'ignore',
  });
  const viewer = t.some(element.viewer);
  t.ok(reach({ ...viewer.camera, ...t.some(viewer.framedCamera) }) > 0.98 * most, 'all of them');
  t.equal(viewer.camera.distance, t.some(viewer.framedCamera).distance);
  t.ok(t.some(viewer.cameraLimits.distance)[1] >= viewer.camera.distance * (1 - 1e-9), 'within the limits of hands');
});
