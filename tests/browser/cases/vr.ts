// `viewer.enterVr()`: stereo pictures in front of the user, controllers that pick, and the end of sessions.

import { createViewer, type Viewer } from 'gambol';
import { test, type T } from '../page/api.ts';
import { details, shown } from './support/element.ts';
import { model } from './support/model.ts';
import { device, glOf, pixelAt, seen } from './support/xr.ts';

/** A viewer with a red square of 1 m, whose front is +Z, without light: its colour is that of its emission. */
async function redSquare(t: T, options: Parameters<typeof createViewer>[1] = {}): Promise<Viewer> {
  const viewer = await createViewer(t.canvas(), { background: [0, 0, 1, 1], ...options });
  t.after(() => viewer.dispose());
  viewer.environment = null;
  await viewer.load(model().glb);
  return viewer;
}

const isRed = ([red = 0, green = 0, blue = 0, alpha = 0]: readonly number[]): boolean =>
  red > 180 && green < 60 && blue < 60 && alpha === 255;
const isBlue = ([red = 0, green = 0, blue = 0, alpha = 0]: readonly number[]): boolean =>
  red < 20 && green < 20 && blue > 235 && alpha === 255;

test('vr: wrong options, no WebXR and no headset are refused, and nothing changes', async (t) => {
  const viewer = await redSquare(t);
  for (const distance of [0, -1, NaN, Infinity, '1' as unknown as number])
    await t.throws(() => viewer.enterVr({ distance }), 'argument/invalid');
  await t.throws(() => viewer.enterVr({ near: 1 } as object), 'argument/invalid');
  t.equal(await viewer.canEnterVr(), false);
  const refused = (await t.throws(() => viewer.enterVr())) as { code: string };
  t.equal(refused.code, 'xr/unsupported');
  viewer.dispose();
  await t.throws(() => viewer.enterVr(), 'viewer/disposed');
});

test('vr: a session shows the model in front of the user, in both eyes, and ends', async (t) => {
  const headset = device(t);
  const viewer = await redSquare(t);
  t.equal(await viewer.canEnterVr(), true);
  const session = await viewer.enterVr({ distance: 2 });
  const frame = await seen(t, headset, viewer).then(() => seen(t, headset, viewer));
  t.equal(frame.views.length, 2);
  const { x = 0, z = 0 } = headset.position;
  for (const view of frame.views) {
    t.ok(isRed(pixelAt(frame, view, [x, 0.5, z - 2])), 'the middle of the square, 2 m ahead, on the floor');
    for (const [dx, dy] of [
      [-0.45, 0.05],
      [0.45, 0.95],
    ] as const)
      t.ok(isRed(pixelAt(frame, view, [x + dx, dy, z - 2])), `inside at ${dx} ${dy}`);
    for (const [dx, dy] of [
      [-0.6, 0.5],
      [0.6, 0.5],
      [0, 1.1],
    ] as const)
      t.ok(isBlue(pixelAt(frame, view, [x + dx, dy, z - 2])), `outside at ${dx} ${dy}`);
  }
  // The eyes see it from two places.
  const [left, right] = frame.views.map(({ view }) => view[12] ?? 0);
  t.ok((left ?? 0) !== (right ?? 0));

  const busy = (await t.throws(() => viewer.enterVr())) as { code: string };
  t.equal(busy.code, 'xr/busy');
  await session.end();
  await session.ended;
  t.equal(headset.activeSession, undefined);
  // The frames of the window go on, and the camera is that of before.
  let frames = 0;
  viewer.addEventListener('frame', () => frames++);
  await viewer.play('Slide');
  await t.until(() => frames > 2, 'frames');
  const again = await viewer.enterVr();
  await again.end();
});

test('vr: the animation goes on in a session, and a session that the user ends frees the viewer', async (t) => {
  const headset = device(t);
  const viewer = await redSquare(t);
  const before = viewer.liveObjects();
  const session = await viewer.enterVr();
  void viewer.play('Slide');
  await t.until(() => viewer.currentTime > 0.2, 'the clip');
  await headset.activeSession?.end();
  await session.ended;
  await viewer.stop?.();
  t.equal(viewer.liveObjects().framebuffers, before.framebuffers);
  await t.until(() => !headset.activeSession);
});

test('vr: a controller that selects the model sends xr-select, and the element joint-click', async (t) => {
  const headset = device(t);
  const element = await shown(t, { features: 'picking' });
  const viewer = t.some(element.viewer);
  const [selects, clicks] = [details(viewer, 'xr-select'), details(element, 'joint-click')];
  const session = await viewer.enterVr({ distance: 2 });
  const controller = t.some(headset.controllers.right);
  controller.position.set(0, 0.5, 0);
  controller.quaternion.set(0, 0, 0, 1);
  await seen(t, headset, viewer);
  controller.updateButtonValue('trigger', 1);
  await seen(t, headset, viewer);
  controller.updateButtonValue('trigger', 0);
  await t.until(() => selects.length > 0, 'xr-select');
  const [{ position = [], normal = [] } = {}] = selects as { position?: number[]; normal?: number[] }[];
  t.close(position, [0.5, 0.5, 0], 0.06);
  t.close(normal, [0, 0, 1], 1e-4);
  t.equal(clicks.length, selects.length);

  // A ray beside it selects nothing.
  controller.position.set(3, 0.5, 0);
  const count = selects.length;
  await seen(t, headset, viewer);
  controller.updateButtonValue('trigger', 1);
  await seen(t, headset, viewer);
  controller.updateButtonValue('trigger', 0);
  await seen(t, headset, viewer);
  await seen(t, headset, viewer);
  t.equal(selects.length, count);
  await session.end();
});

test('vr: the session ends with the viewer', async (t) => {
  const headset = device(t);
  const viewer = await redSquare(t);
  const session = await viewer.enterVr();
  viewer.dispose();
  await session.ended;
  t.equal(headset.activeSession, undefined);
  const other = await redSquare(t);
  const next = await other.enterVr();
  await next.end();
});

test('vr: viewers with a shared context draw in sessions, too', async (t) => {
  const headset = device(t);
  const viewer = await redSquare(t, { renderer: 'shared' });
  const session = await viewer.enterVr({ distance: 2 });
  await seen(t, headset, viewer);
  const frame = await seen(t, headset, viewer);
  const { x = 0, z = 0 } = headset.position;
  for (const view of frame.views) t.ok(isRed(pixelAt(frame, view, [x, 0.5, z - 2])));
  await session.end();
});

/** Lets layers have a framebuffer of their own, as those of devices have, instead of the canvas. */
function ownFramebuffer(t: T, gl: WebGL2RenderingContext, width: number, height: number): void {
  const framebuffer = gl.createFramebuffer();
  const [color, depth] = [gl.createRenderbuffer(), gl.createRenderbuffer()];
  gl.bindFramebuffer(gl.FRAMEBUFFER, framebuffer);
  for (const [buffer, format, attachment] of [
    [color, gl.RGBA8, gl.COLOR_ATTACHMENT0],
    [depth, gl.DEPTH_COMPONENT24, gl.DEPTH_ATTACHMENT],
  ] as const) {
    gl.bindRenderbuffer(gl.RENDERBUFFER, buffer);
    gl.renderbufferStorage(gl.RENDERBUFFER, format, width, height);
    gl.framebufferRenderbuffer(gl.FRAMEBUFFER, attachment, gl.RENDERBUFFER, buffer);
  }
  gl.bindFramebuffer(gl.FRAMEBUFFER, null);
  const { XRWebGLLayer } = globalThis as unknown as { XRWebGLLayer: { prototype: object } };
  const { prototype } = XRWebGLLayer;
  const values: Readonly<Record<string, PropertyDescriptor>> = {
    framebuffer: { get: () => framebuffer },
    framebufferWidth: { get: () => width },
    framebufferHeight: { get: () => height },
    getViewport: {
      value: ({ eye }: { eye: string }) => ({ x: eye === 'right' ? width / 2 : 0, y: 0, width: width / 2, height }),
    },
  };
  for (const [name, value] of Object.entries(values)) {
    const before = Object.getOwnPropertyDescriptor(prototype, name);
    Object.defineProperty(prototype, name, { ...value, configurable: true });
    t.after(() => before && Object.defineProperty(prototype, name, before));
  }
}

test('vr: pictures are drawn into the framebuffer of the layer, and only there', async (t) => {
  const headset = device(t);
  const viewer = await redSquare(t);
  const gl = glOf(viewer);
  const [width, height] = [512, 256];
  ownFramebuffer(t, gl, width, height);
  const session = await viewer.enterVr({ distance: 2 });
  await seen(t, headset, viewer);
  const frame = await seen(t, headset, viewer);
  const { x = 0, z = 0 } = headset.position;
  t.equal([frame.width, frame.height, frame.views.length], [width, height, 2]);
  for (const view of frame.views) {
    t.ok(isRed(pixelAt(frame, view, [x, 0.5, z - 2])), 'the square');
    t.ok(isBlue(pixelAt(frame, view, [x + 0.7, 0.5, z - 2])), 'the background');
  }
  await session.end();
  t.equal(gl.getError(), 0);
  t.ok(!gl.isEnabled(gl.SCISSOR_TEST));
});

test('vr: clear glass shows what is behind it, though a framebuffer of a layer cannot be read', async (t) => {
  const headset = device(t);
  const viewer = await createViewer(t.canvas(64, 64), { background: [0, 0, 1, 1] });
  t.after(() => viewer.dispose());
  viewer.environment = null;
  // A pane of green glass before a red square, both of 1 m.
  const { json } = model({ clips: [] }) as {
    json: { materials: object[]; meshes: object[]; nodes: object[]; scenes: object[] };
  };
  const [mesh] = json.meshes as { primitives: object[] }[];
  json.materials.push({
    doubleSided: true,
    pbrMetallicRoughness: { baseColorFactor: [1, 1, 0, 1], metallicFactor: 0, roughnessFactor: 0 },
    extensions: { KHR_materials_transmission: { transmissionFactor: 1 } },
  });
  json.meshes.push({ primitives: [{ ...mesh?.primitives[0], material: 1 }] });
  json.nodes.push({ mesh: 1, translation: [0, 0, 0.2] });
  json.scenes = [{ nodes: [0, 1] }];
  Object.assign(json, { extensionsUsed: ['KHR_materials_transmission'] });
  await viewer.load(new Blob([JSON.stringify(json)], { type: 'model/gltf+json' }));
  const gl = glOf(viewer);
  ownFramebuffer(t, gl, 512, 256);
  const session = await viewer.enterVr({ distance: 2 });
  await seen(t, headset, viewer);
  const frame = await seen(t, headset, viewer);
  const { x = 0, z = 0 } = headset.position;
  for (const view of frame.views) {
    const [red = 0, green = 0, blue = 0] = pixelAt(frame, view, [x, 0.5, z - 1.9]);
    // Black without the backdrop, and blue with that of another place.
    t.ok(red > 120 && green < 60 && blue < 60, `the red square behind the glass: ${red} ${green} ${blue}`);
  }
  await session.end();
  t.equal(gl.getError(), 0);
});

test('vr: a viewer that a worker draws is refused', async (t) => {
  device(t);
  const viewer = await redSquare(t, { renderer: 'worker' });
  if (!viewer.engine.host.screen.films) t.skip('no worker draws in this browser');
  t.equal(((await t.throws(() => viewer.enterVr())) as { code: string }).code, 'xr/unsupported');
});
