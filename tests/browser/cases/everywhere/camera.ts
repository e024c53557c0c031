// Real input that moves the camera.

import { createViewer, type CameraState, type Viewer } from 'gambol';
import { test, type T } from '../../page/api.ts';
import { model } from '../support/model.ts';

async function loaded(t: T): Promise<Viewer> {
  const viewer = await createViewer(t.canvas(400, 300));
  await viewer.load(model().glb);
  return viewer;
}

/** The camera when it is at rest. */
async function settled(t: T, viewer: Viewer): Promise<CameraState> {
  let before = '';
  for (let still = 0; still < 8; ) {
    await t.frames();
    const now = JSON.stringify(viewer.camera);
    still = now === before ? still + 1 : 0;
    before = now;
  }
  return viewer.camera;
}

test('camera controls: a drag orbits', async (t) => {
  const viewer = await loaded(t);
  const before = viewer.camera;
  let source = '';
  viewer.addEventListener('camera-change', (event) => (source = event.detail.source));
  await t.act({ type: 'move', x: 200, y: 150 }, { type: 'down' }, { type: 'move', x: 260, y: 150 }, { type: 'up' });
  await t.until(() => viewer.camera.azimuth !== before.azimuth, 'it turns');
  const after = await settled(t, viewer);
  t.equal([after.distance, after.target], [before.distance, before.target]);
  t.equal(source, 'user-interaction');
});

test('camera controls: the wheel zooms, and the page does not scroll', async (t) => {
  const viewer = await loaded(t);
  document.body.style.height = '5000px';
  const before = viewer.camera;
  await t.act({ type: 'wheel', x: 200, y: 150, deltaY: 200 });
  await t.until(() => viewer.camera.distance > before.distance, 'farther');
  t.equal([(await settled(t, viewer)).azimuth, scrollY], [before.azimuth, 0]);
});

/** Touches on the canvas, as synthetic events. */
function touch(viewer: Viewer, type: string, pointerId: number, clientX: number, clientY: number): void {
  viewer.canvas.dispatchEvent(
    new PointerEvent(type, { pointerId, clientX, clientY, pointerType: 'touch', bubbles: true }),
  );
}

test('camera controls: two fingers zoom and pan, and do not orbit', async (t) => {
  const viewer = await loaded(t);
  const before = viewer.camera;
  touch(viewer, 'pointerdown', 1, 150, 150);
  touch(viewer, 'pointerdown', 2, 250, 150);
  touch(viewer, 'pointermove', 1, 100, 150);
  touch(viewer, 'pointermove', 2, 300, 150);
  const apart = await settled(t, viewer);
  t.close(apart.distance, before.distance / 2, 1e-3, 'twice as far apart, twice as near');
  t.close(apart.target, before.target, 1e-4, 'around the same middle');
  touch(viewer, 'pointermove', 1, 100, 200);
  touch(viewer, 'pointermove', 2, 300, 200);
  const moved = await settled(t, viewer);
  t.ok(moved.target[1] > before.target[1], 'what is seen follows the fingers down');
  t.close([moved.azimuth, moved.polar], [before.azimuth, before.polar], 1e-6);
  touch(viewer, 'pointerup', 1, 100, 200);
  touch(viewer, 'pointerup', 2, 300, 200);
});

/** A tap at a position, with a time stamp in milliseconds. */
function tap(viewer: Viewer, clientX: number, clientY: number, timeStamp: number): void {
  for (const type of ['pointerdown', 'pointerup']) {
    const event = new PointerEvent(type, { pointerId: 1, clientX, clientY, pointerType: 'touch' });
    Object.defineProperty(event, 'timeStamp', { value: timeStamp });
    viewer.canvas.dispatchEvent(event);
  }
}

test('camera controls: a double tap resets the camera or calls the function of the page', async (t) => {
  const viewer = await loaded(t);
  const before = viewer.camera;
  viewer.camera = { azimuth: 2 };
  tap(viewer, 200, 150, 10);
  t.close(viewer.camera.azimuth, 2, 1e-6, 'the first of a page that is new');
  tap(viewer, 260, 150, 200);
  t.close(viewer.camera.azimuth, 2, 1e-6, 'at another place');
  tap(viewer, 260, 150, 700);
  t.close(viewer.camera.azimuth, 2, 1e-6, 'much later');
  tap(viewer, 264, 150, 900);
  t.close(viewer.camera.azimuth, before.azimuth, 1e-6);
  viewer.camera = { azimuth: 2 };
  tap(viewer, 264, 150, 1000);
  t.close(viewer.camera.azimuth, 2, 1e-6, 'the third is the first of two more');

  let told = 0;
  for (const [own, count] of [
    [
      () => {
        told += 1;
      },
      1,
    ],
    [false, 1],
  ] as const) {
    viewer.cameraControls = { tap: own };
    tap(viewer, 200, 150, 2000);
    tap(viewer, 200, 150, 2100);
    t.close([viewer.camera.azimuth, told], [2, count], 1e-6);
  }
});

test('camera controls: keys rotate and zoom while the canvas has focus', async (t) => {
  const viewer = await loaded(t);
  const before = viewer.camera;
  await t.act({ type: 'key', key: 'ArrowLeft' });
  t.equal(await settled(t, viewer), before, 'without focus');
  viewer.canvas.focus();
  await t.act({ type: 'key', key: 'ArrowLeft' });
  await t.until(() => viewer.camera.azimuth !== before.azimuth, 'it turns');
  await settled(t, viewer);
  await t.act({ type: 'key', key: '+' });
  await t.until(() => viewer.camera.distance < before.distance, 'closer');
  await settled(t, viewer);
  viewer.resetCamera();
  t.close(viewer.camera.distance, before.distance, 1e-6);
});

test('camera: can be read and set', async (t) => {
  const viewer = await loaded(t);
  viewer.camera = { azimuth: 1, distance: 4 };
  t.close([viewer.camera.azimuth, viewer.camera.distance], [1, 4], 1e-6);
  await t.throws(() => viewer.orbit(NaN, 0), 'argument/invalid');
});
