// `ar` of `<gambol-viewer>`: the choice of a mode by the device, the links to apps, and sessions of WebXR.

import type { GambolViewer } from 'gambol/element';
import { freshPages, test, type T } from '../page/api.ts';
import { address, details, part, placed, shown } from './support/element.ts';
import { model } from './support/model.ts';
import { FLOOR, device, glOf, pixelAt, seen } from './support/xr.ts';

freshPages('a mode that has failed is not tried again on the page');

const ANDROID =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36';
const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1';
const IPAD =
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15';

interface Pretended {
  readonly userAgent?: string;
  readonly platform?: string;
  readonly maxTouchPoints?: number;
  readonly xr?: object | undefined;
  /** `true` if links support `rel=ar`. */
  readonly links?: boolean;
}

/** Lets the page take the browser for that of another device. */
function pretend(t: T, { links = false, ...values }: Pretended): void {
  for (const [name, value] of Object.entries({ xr: undefined, userAgentData: undefined, ...values })) {
    Object.defineProperty(navigator, name, { configurable: true, get: () => value });
    t.after(() => Reflect.deleteProperty(navigator, name));
  }
  const supports = DOMTokenList.prototype.supports;
  DOMTokenList.prototype.supports = function (token: string): boolean {
    return token === 'ar' ? links : supports.call(this, token);
  };
  t.after(() => {
    DOMTokenList.prototype.supports = supports;
  });
}

/** The addresses of links that the element follows, which the browser does not open. */
function followed(t: T, element: GambolViewer): string[] {
  const list: string[] = [];
  t.some(element.shadowRoot).addEventListener(
    'click',
    (event) => {
      if (!(event.target instanceof HTMLAnchorElement)) return;
      event.preventDefault();
      list.push(event.target.href);
    },
    { capture: true },
  );
  return list;
}

/** The address of a white, rough square of 1 m without emission. */
function quad(): string {
  const json = model({ clips: [] }).json as { materials: object[] };
  json.materials = [{ doubleSided: true, pbrMetallicRoughness: { metallicFactor: 0, roughnessFactor: 1 } }];
  return URL.createObjectURL(new Blob([JSON.stringify(json)], { type: 'model/gltf+json' }));
}

const isOffered = (element: GambolViewer): boolean =>
  element.shadowRoot?.querySelector<HTMLElement>('.ar-button')?.hidden === false;

test('ar: without the attribute nothing of it is fetched; without a device the button stays hidden', async (t) => {
  pretend(t, { userAgent: navigator.userAgent });
  const before = (await t.requests()).length;
  const plain = await shown(t);
  t.equal(plain.canActivateAR, false);
  t.ok(!plain.hasAttribute('ar-status'));
  const scripts = (await t.requests()).slice(before).map(({ path }) => path);
  t.equal(
    scripts.filter((path) => /\b(ar|xr)-/.test(path)),
    [],
  );
  const element = placed({ src: address(), ar: '' });
  await t.until(() => element.getAttribute('ar-status') === 'not-presenting', 'ar-status');
  await t.frames(3);
  t.ok(!element.canActivateAR && !isOffered(element));
  const [warned, status] = [
    details<{ code: string }>(element, 'warning'),
    details<{ status: string }>(element, 'ar-status'),
  ];
  await element.activateAR();
  t.equal([warned.map(({ code }) => code), status.map((each) => each.status)], [['xr/unsupported'], ['failed']]);
  t.equal(element.getAttribute('ar-status'), 'failed');
  t.equal(element.shadowRoot?.querySelector<HTMLElement>('.ar-failure')?.hidden, false);
});

test('ar: Scene Viewer gets the address of the model and the wishes of the attributes', async (t) => {
  pretend(t, { userAgent: ANDROID });
  const src = '/sample.glb?link=/shop&title=Pip#part';
  const element = placed({ src, ar: '', 'ar-scale': 'fixed', 'ar-placement': 'wall' });
  await t.until(() => element.canActivateAR, 'a mode');
  t.ok(isOffered(element));
  const links = followed(t, element);
  part(t, element, 'default-ar-button').click();
  await t.until(() => links.length > 0, 'a link');
  const [query = '', intent = ''] = (links[0] ?? '')
    .replace(/^intent:\/\/arvr.google.com\/scene-viewer\/1.2\?/, '')
    .split('#');
  const values = Object.fromEntries(new URLSearchParams(query));
  t.equal(values, {
    link: `${location.origin}/shop`,
    title: 'Pip',
    mode: 'ar_preferred',
    disable_occlusion: 'true',
    resizable: 'false',
    enable_vertical_placement: 'true',
    file: `${location.origin}/sample.glb?link=/shop&title=Pip`,
  });
  t.ok(intent.startsWith('Intent;scheme=https;package=com.google.android.googlequicksearchbox;'));
  t.ok(intent.endsWith('end;') && intent.includes(encodeURIComponent('#model-viewer-no-ar-fallback')));
});

test('ar: a browser that returns from Scene Viewer tries the next mode, or reports the failure', async (t) => {
  pretend(t, { userAgent: ANDROID });
  const element = placed({ src: address(), ar: '' });
  await t.until(() => element.canActivateAR, 'a mode');
  const [warned, status] = [
    details<{ code: string }>(element, 'warning'),
    details<{ status: string }>(element, 'ar-status'),
  ];
  const links = followed(t, element);
  await element.activateAR();
  t.equal(links.length, 1);
  location.hash = '#model-viewer-no-ar-fallback';
  await t.until(() => status.length > 0, 'ar-status');
  t.equal([warned.map(({ code }) => code), status.map((each) => each.status)], [['xr/failed'], ['failed']]);
  t.ok(!element.canActivateAR && !isOffered(element));
  await t.until(() => location.hash === '', 'the address of before');
});

test('ar: Quick Look opens ios-src; apps without it do not offer it', async (t) => {
  pretend(t, { userAgent: IPHONE, links: true });
  const element = placed({ src: address(), ar: '', 'ar-modes': 'webxr', 'ios-src': '/pip.usdz', 'ar-scale': 'fixed' });
  await t.until(() => element.canActivateAR, 'ios-src is used without the mode quick-look');
  const links = followed(t, element);
  await element.activateAR();
  t.equal(links, [`${location.origin}/pip.usdz#allowsContentScaling=0`]);
  element.iosSrc = '/pip.usdz#custom=1';
  element.arScale = 'auto';
  await element.activateAR();
  t.equal(links[1], `${location.origin}/pip.usdz#custom=1`);
  const link = t.some(element.shadowRoot?.querySelector('a[rel=ar]'));
  t.equal([link.children.length, link.firstElementChild?.localName], [1, 'img'], 'Safari wants one image in the link');
  const taps = details(element, 'quick-look-button-tapped');
  link.dispatchEvent(new MessageEvent('message', { data: '_apple_ar_quicklook_button_tapped' }));
  link.dispatchEvent(new MessageEvent('message', { data: 'something' }));
  t.equal(taps.length, 1);
});

test('ar: Quick Look opens a file that is made of the model, and warnings say what it lacks', async (t) => {
  pretend(t, { userAgent: IPHONE, links: true });
  const element = await shown(t, {
    src: `${address()}#theme=dark`,
    ar: '',
    'ar-usdz-max-texture-size': '3',
    'ar-scale': 'fixed',
  });
  const sizes: (number | undefined)[] = [];
  const made = new Blob(['usdz'], { type: 'model/vnd.usdz+zip' });
  let fails = false;
  // The file itself is tested with its writer.
  Object.assign(t.some(element.viewer), {
    exportUsdz: ({ maxTextureSize }: { maxTextureSize?: number }) => {
      sizes.push(maxTextureSize);
      if (fails) return Promise.reject(new Error('no file'));
      return Promise.resolve({ blob: made, warnings: [{ code: 'usdz/lost', message: 'No fur.', pointer: '' }] });
    },
  });
  await t.until(() => element.canActivateAR, 'a mode');
  const links = followed(t, element);
  const [warned, status] = [
    details<{ code: string }>(element, 'warning'),
    details<{ status: string }>(element, 'ar-status'),
  ];
  await element.activateAR();
  t.equal([sizes, links.length], [[16], 1]);
  t.ok(/^blob:.*#theme=dark&allowsContentScaling=0$/.test(links[0] ?? ''), links[0]);
  t.equal(await (await fetch((links[0] ?? '').split('#')[0] ?? '')).text(), 'usdz');
  t.equal(
    warned.map(({ code }) => code),
    ['usdz/lost'],
  );
  fails = true;
  await element.activateAR();
  t.equal([links.length, warned.at(-1)?.code, status.at(-1)?.status], [1, 'xr/failed', 'failed']);
});

test('ar: the device decides which modes can be opened', async (t) => {
  const offered = async (values: Pretended, attributes: Readonly<Record<string, string>> = {}): Promise<boolean> => {
    pretend(t, values);
    const element = placed({ src: address(), ar: '', ...attributes });
    await t.until(() => element.hasAttribute('ar-status'), 'the script');
    await t.frames(4);
    const can = element.canActivateAR;
    element.remove();
    return can;
  };
  const ios = { userAgent: IPHONE, links: true };
  const isOffering = { isSessionSupported: (mode: string) => Promise.resolve(mode === 'immersive-ar') };
  const cases: [expected: boolean, device: Pretended, attributes?: Readonly<Record<string, string>>][] = [
    [true, { userAgent: ANDROID }],
    [false, { userAgent: ANDROID }, { 'ar-modes': 'webxr quick-look' }],
    [false, { userAgent: ANDROID.replace('Chrome/131.0.0.0', 'Firefox/133.0') }],
    [false, { userAgent: `${ANDROID} OculusBrowser/35.0` }],
    [true, ios, { 'ios-src': '/a.usdz' }],
    [true, { ...ios, userAgent: `${IPHONE} CriOS/131`, links: false }, { 'ios-src': '/a.usdz' }],
    [false, { ...ios, userAgent: `${IPHONE} GSA/300` }, { 'ios-src': '/a.usdz' }],
    [false, { ...ios, links: false }, { 'ios-src': '/a.usdz' }],
    [true, { userAgent: IPAD, platform: 'MacIntel', maxTouchPoints: 5, links: true }, { 'ios-src': '/a.usdz' }],
    [false, { userAgent: IPAD, platform: 'MacIntel', maxTouchPoints: 0, links: true }, { 'ios-src': '/a.usdz' }],
    [true, { userAgent: navigator.userAgent, xr: isOffering }],
    [false, { userAgent: navigator.userAgent, xr: isOffering }, { 'ar-modes': 'scene-viewer' }],
    [false, { userAgent: navigator.userAgent, xr: { isSessionSupported: () => Promise.reject(new Error('policy')) } }],
  ];
  for (const [expected, values, attributes] of cases)
    t.equal(await offered(values, attributes), expected, JSON.stringify([values, attributes]));
});

test('ar: without permission for the camera, the next mode opens; without another one, ar-status is failed', async (t) => {
  const denied = {
    isSessionSupported: () => Promise.resolve(true),
    requestSession: () => Promise.reject(new DOMException('no', 'NotAllowedError')),
  };
  pretend(t, { userAgent: ANDROID, xr: denied });
  const element = await shown(t, { src: address(), ar: '' });
  await t.until(() => element.canActivateAR, 'a mode');
  const [warned, status] = [
    details<{ code: string; message: string }>(element, 'warning'),
    details<{ status: string }>(element, 'ar-status'),
  ];
  const links = followed(t, element);
  await element.activateAR();
  t.equal(
    warned.map(({ code }) => code),
    ['xr/denied'],
  );
  t.ok(warned[0]?.message.includes('The next mode is scene-viewer.'));
  t.equal([links.length, status.length], [1, 0], 'Scene Viewer');
  element.arModes = 'webxr';
  await t.until(() => status.length > 0, 'ar-status');
  t.equal(status[0]?.status, 'failed');
});

test('ar: a session shows the model on the floor, at the place of the first hit', async (t) => {
  const phone = device(t, { surface: FLOOR, interactionMode: 'screen-space', mono: true });
  const element = await shown(t, { ar: '' });
  const viewer = t.some(element.viewer);
  await t.until(() => element.canActivateAR, 'a mode');
  const [status, tracking] = [details<{ status: string }>(element, 'ar-status'), details(element, 'ar-tracking')];
  await element.activateAR();
  t.equal([element.getAttribute('ar-status'), element.getAttribute('ar-tracking')], ['session-started', 'tracking']);
  t.equal(part(t, element, 'default-exit-webxr-ar-button').closest<HTMLElement>('.ar-exit')?.hidden, false);
  await t.until(() => element.getAttribute('ar-status') === 'object-placed', 'object-placed');
  // The stage eases to its place.
  await t.sleep(500);
  await seen(t, phone, viewer);
  const frame = await seen(t, phone, viewer);
  // The phone looks along −Z, and hits the floor 0.35 rad below that.
  const { x = 0, y = 0, z = 0 } = phone.position;
  const ahead = z - y / Math.tan(0.35);
  const [view] = frame.views;
  const at = (dx: number, dy: number): readonly number[] => pixelAt(frame, t.some(view), [x + dx, dy, ahead]);
  t.ok((at(0, 0.5)[0] ?? 0) > 150 && (at(0, 0.5)[3] ?? 0) === 255, `the model: ${String(at(0, 0.5))}`);
  for (const [dx, dy] of [
    [0.8, 0.8],
    [-0.8, 0.8],
    [0, 1.3],
  ] as const)
    t.equal(at(dx, dy), [0, 0, 0, 0], `the camera picture at ${dx} ${dy}`);

  const again = details<{ code: string }>(element, 'warning');
  await element.activateAR();
  t.equal(
    again.map(({ code }) => code),
    ['xr/busy'],
  );
  part(t, element, 'default-exit-webxr-ar-button').click();
  await t.until(() => element.getAttribute('ar-status') === 'not-presenting', 'the end');
  t.equal(
    status.map((each) => each.status),
    ['session-started', 'object-placed', 'not-presenting'],
  );
  t.equal([tracking.length, element.hasAttribute('ar-tracking')], [0, false]);
  t.equal(viewer.shadowIntensity, 0, 'the shadow of before');
  await viewer.play('Slide');
  await t.until(() => viewer.currentTime > 0, 'frames of the window');
});

test('ar: a headset without a surface gets the model in front of it; the session ends with the element', async (t) => {
  const headset = device(t);
  const element = await shown(t, { ar: '' });
  await t.until(() => element.canActivateAR, 'a mode');
  await element.activateAR();
  await t.until(() => element.getAttribute('ar-status') === 'object-placed', 'object-placed');
  element.remove();
  await t.until(() => !headset.activeSession, 'the end of the session');
});

test('ar: a lost context in a session comes back, and the model with it', async (t) => {
  const phone = device(t, { surface: FLOOR, interactionMode: 'screen-space', mono: true });
  const element = await shown(t, { ar: '' });
  const viewer = t.some(element.viewer);
  await t.until(() => element.canActivateAR, 'a mode');
  await element.activateAR();
  await t.until(() => element.getAttribute('ar-status') === 'object-placed', 'object-placed');
  const loss = t.some(glOf(viewer).getExtension('WEBGL_lose_context'));
  const heard: string[] = [];
  for (const name of ['contextlost', 'contextrestored'] as const) viewer.addEventListener(name, () => heard.push(name));
  // Frames of the emulator ask the lost context for its state.
  t.expectTrouble(/reading '0'/);
  loss.loseContext();
  await t.until(() => heard.includes('contextlost'), 'the loss');
  await t.sleep(100);
  loss.restoreContext();
  await t.until(() => heard.includes('contextrestored'), 'the restore');
  await t.sleep(300);
  const frame = await seen(t, phone, viewer);
  const { x = 0, y = 0, z = 0 } = phone.position;
  const pixel = pixelAt(frame, t.some(frame.views[0]), [x, 0.5, z - y / Math.tan(0.35)]);
  t.equal(pixel[3], 255, String(pixel));
  await phone.activeSession?.end();
  await t.until(() => element.getAttribute('ar-status') === 'not-presenting', 'the end');
});

test('ar: attributes are properties with their defaults', (t) => {
  const element = document.createElement('gambol-viewer');
  const { ar, arModes, arScale, arPlacement, xrEnvironment, iosSrc, arUsdzMaxTextureSize } = element;
  t.equal(
    { ar, arModes, arScale, arPlacement, xrEnvironment, iosSrc, arUsdzMaxTextureSize },
    {
      ar: false,
      arModes: 'webxr scene-viewer quick-look',
      arScale: 'auto',
      arPlacement: 'floor',
      xrEnvironment: false,
      iosSrc: null,
      arUsdzMaxTextureSize: null,
    },
  );
  Object.assign(element, { ar: true, arPlacement: 'ceiling', arUsdzMaxTextureSize: 512, xrEnvironment: true });
  t.equal(
    ['ar', 'ar-placement', 'ar-usdz-max-texture-size', 'xr-environment'].map((name) => element.getAttribute(name)),
    ['', 'ceiling', '512', ''],
  );
  element.setAttribute('ar-placement', 'sky');
  t.equal(element.arPlacement, 'floor');
});

test('ar: xr-environment lights the model by the estimate of the device', async (t) => {
  const phone = device(t, { surface: FLOOR, interactionMode: 'screen-space', mono: true });
  const { XRSession, XRFrame } = globalThis as unknown as Record<'XRSession' | 'XRFrame', { prototype: object }>;
  // Green light from everywhere: the first coefficient is that of a constant.
  const sphericalHarmonicsCoefficients = new Float32Array(27);
  sphericalHarmonicsCoefficients[1] = 1 / 0.282095;
  const nothing = { x: 0, y: 0, z: 0, w: 0 };
  const probe = new EventTarget();
  Object.assign(XRSession.prototype, { requestLightProbe: () => Promise.resolve(probe) });
  Object.assign(XRFrame.prototype, {
    getLightEstimate: () => ({
      sphericalHarmonicsCoefficients,
      primaryLightDirection: nothing,
      primaryLightIntensity: nothing,
    }),
  });
  t.after(() => {
    Reflect.deleteProperty(XRSession.prototype, 'requestLightProbe');
    Reflect.deleteProperty(XRFrame.prototype, 'getLightEstimate');
  });
  // A white square without emission.
  const element = await shown(t, { src: quad(), ar: '', 'xr-environment': '', 'environment-image': 'none' });
  const viewer = t.some(element.viewer);
  await t.until(() => element.canActivateAR, 'a mode');
  await element.activateAR();
  await t.until(() => element.getAttribute('ar-status') === 'object-placed', 'object-placed');
  const { x = 0, y = 0, z = 0 } = phone.position;
  let pixel: readonly number[] = [];
  const until = performance.now() + 10_000;
  do {
    const frame = await seen(t, phone, viewer);
    pixel = pixelAt(frame, t.some(frame.views[0]), [x, 0.5, z - y / Math.tan(0.35)]);
  } while ((pixel[1] ?? 0) < 100 && performance.now() < until);
  t.ok((pixel[1] ?? 0) > 100 && (pixel[0] ?? 0) < 60 && (pixel[2] ?? 0) < 60, `green light: ${String(pixel)}`);
  await phone.activeSession?.end();
  await t.until(() => element.getAttribute('ar-status') === 'not-presenting', 'the end');
  await t.until(() => viewer.environment === null, 'the light of before');
});

/** Turns a controller to the left by `yaw` and down by `pitch`, in radians. */
function aim(
  controller: { quaternion: { set(x: number, y: number, z: number, w: number): unknown } },
  yaw: number,
  pitch: number,
): void {
  const [sy, cy, sx, cx] = [Math.sin(yaw / 2), Math.cos(yaw / 2), Math.sin(-pitch / 2), Math.cos(pitch / 2)];
  controller.quaternion.set(cy * sx, sy * cx, -sy * sx, cy * cx);
}

test('ar: one controller moves the model over the floor, two turn and scale it, and ar-scale="fixed" keeps its size', async (t) => {
  const headset = device(t, { surface: FLOOR });
  const element = await shown(t, { ar: '' });
  const viewer = t.some(element.viewer);
  const [left, right] = [t.some(headset.controllers.left), t.some(headset.controllers.right)];
  const { x = 0, y = 0, z = 0 } = headset.position;
  const ahead = z - y / Math.tan(0.35);
  const frames = async (count: number): Promise<void> => {
    for (let i = 0; i < count; i++) await seen(t, headset, viewer);
  };
  const isRed = async (...point: [x: number, y: number, z: number]): Promise<boolean> => {
    const frame = await seen(t, headset, viewer);
    return (pixelAt(frame, t.some(frame.views[0]), point)[0] ?? 0) > 150;
  };
  const enter = async (): Promise<void> => {
    await t.until(() => element.canActivateAR, 'a mode');
    await element.activateAR();
    await t.until(() => element.getAttribute('ar-status') === 'object-placed', 'object-placed');
    await t.sleep(400);
    t.ok(await isRed(x, 0.5, ahead), 'the first place');
  };

  await enter();
  right.position.set(x, y, z);
  const pitch = Math.atan2(y - 0.3, z - ahead);
  aim(right, 0, pitch);
  await frames(2);
  right.updateButtonValue('trigger', 1);
  await frames(3);
  aim(right, 0.2, pitch);
  await frames(3);
  right.updateButtonValue('trigger', 0);
  await t.sleep(500);
  // The ray met the floor there, and the model keeps its distance to that point.
  const reach = y / Math.tan(pitch);
  const [mx, mz] = [x - reach * Math.sin(0.2), z - reach * Math.cos(0.2) + (reach - (z - ahead))];
  t.ok(await isRed(mx, 0.5, mz), 'the model has moved');
  t.ok(!(await isRed(x + 0.3, 0.5, ahead)), 'and is not where it was');

  const hold = async (half: number): Promise<void> => {
    left.position.set(x - half, 1.2, z - 0.3);
    right.position.set(x + half, 1.2, z - 0.3);
    await frames(3);
  };
  const pinch = async (): Promise<void> => {
    for (const each of [left, right]) aim(each, 0, 0);
    await hold(0.1);
    for (const each of [left, right]) each.updateButtonValue('trigger', 1);
    await frames(3);
    await hold(0.2);
    for (const each of [left, right]) each.updateButtonValue('trigger', 0);
    await t.sleep(500);
  };
  t.ok(!(await isRed(mx, 1.5, mz)), 'the model is 1 m high');
  await pinch();
  t.ok(await isRed(mx, 1.5, mz), 'the model is 2 m high');
  await headset.activeSession?.end();
  await t.until(() => element.getAttribute('ar-status') === 'not-presenting', 'the end');

  element.arScale = 'fixed';
  await enter();
  await pinch();
  t.ok(!(await isRed(x, 1.5, ahead)), 'its size is that of the file');
  await headset.activeSession?.end();
  await t.until(() => element.getAttribute('ar-status') === 'not-presenting', 'the end');
});

test('ar: ar-placement hangs the model on a wall or from a ceiling, and finds no other surface', async (t) => {
  const cases = [
    // The middle of its back is where the phone looks; its top is where the ray 0.35 rad above that meets the ceiling.
    { 'ar-placement': 'wall', point: [0, 1, -3], normal: [0, 0, 1], middle: [0, 1.6, -3] },
    { 'ar-placement': 'ceiling', point: [0, 2.6, 0], normal: [0, -1, 0], middle: [0, 2.1, -1 / Math.tan(0.35)] },
  ] as const;
  for (const { point, normal, middle: at, ...attributes } of cases) {
    const phone = device(t, { surface: { point, normal }, interactionMode: 'screen-space', mono: true });
    const element = await shown(t, { ar: '', ...attributes });
    const viewer = t.some(element.viewer);
    await t.until(() => element.canActivateAR, 'a mode');
    await element.activateAR();
    await t.until(() => element.getAttribute('ar-status') === 'object-placed', attributes['ar-placement']);
    t.equal(viewer.shadowIntensity, 0, 'the stage has its ground only on a floor');
    await t.sleep(300);
    const frame = await seen(t, phone, viewer);
    const pixel = (dx: number, dy: number): readonly number[] =>
      pixelAt(frame, t.some(frame.views[0]), [at[0] + dx, at[1] + dy, at[2]]);
    for (const [dx, dy] of [
      [0, 0],
      [-0.45, 0.45],
      [0.45, -0.45],
    ] as const)
      t.ok((pixel(dx, dy)[0] ?? 0) > 150, `${attributes['ar-placement']}: the model at ${dx} ${dy}`);
    t.equal([pixel(0, -0.6)[3], pixel(0.8, 0.3)[3]], [0, 0], `${attributes['ar-placement']}: nothing beside it`);
    await phone.activeSession?.end();
    await t.until(() => element.getAttribute('ar-status') === 'not-presenting', 'the end');

    element.arPlacement = 'floor';
    await t.until(() => element.canActivateAR, 'a mode');
    await element.activateAR();
    await t.sleep(1000);
    t.equal(element.getAttribute('ar-status'), 'session-started', 'neither is a floor');
    await phone.activeSession?.end();
    await t.until(() => element.getAttribute('ar-status') === 'not-presenting', 'the end');
    element.remove();
  }
});

test('ar: a device that has lost its place sends ar-tracking, and shows the slot ar-failure meanwhile', async (t) => {
  const phone = device(t, { surface: FLOOR, interactionMode: 'screen-space', mono: true });
  const element = await shown(t, { ar: '' });
  await t.until(() => element.canActivateAR, 'a mode');
  const tracking = details<{ status: string }>(element, 'ar-tracking');
  await element.activateAR();
  await t.until(() => element.getAttribute('ar-status') === 'object-placed', 'object-placed');
  const { prototype } = (globalThis as unknown as { XRFrame: { prototype: { getViewerPose: unknown } } }).XRFrame;
  const before = prototype.getViewerPose;
  prototype.getViewerPose = () => null;
  t.after(() => {
    prototype.getViewerPose = before;
  });
  const failure = t.some(element.shadowRoot?.querySelector<HTMLElement>('.ar-failure'));
  await t.until(() => element.getAttribute('ar-tracking') === 'not-tracking', 'the loss');
  t.ok(!failure.hidden);
  prototype.getViewerPose = before;
  await t.until(() => element.getAttribute('ar-tracking') === 'tracking', 'the return');
  t.ok(failure.hidden);
  t.equal(
    tracking.map(({ status }) => status),
    ['not-tracking', 'tracking'],
  );
  await phone.activeSession?.end();
  await t.until(() => element.getAttribute('ar-status') === 'not-presenting', 'the end');
  t.ok(!element.hasAttribute('ar-tracking'));
});
