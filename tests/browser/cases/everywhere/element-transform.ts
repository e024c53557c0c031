// `<gambol-viewer>` inside CSS transforms and zoom: points of the page are found where the browser draws them.

import type { GambolViewer } from 'gambol/element';
import { OTHERS, browser, type T, test } from '../../page/api.ts';
import { details, made } from '../support/element.ts';

/** The precision of drags in radians. WebKit rounds the coordinates of events to whole pixels of the page. */
const DRAG = browser === 'webkit' ? 0.03 : 0.01;

interface Style {
  readonly css: string;
  /** Page from element, for an element at the origin of the page. */
  readonly matrix: DOMMatrix;
}

const [WIDTH, HEIGHT] = [320, 240];
const turned = new DOMMatrix().translateSelf(200, 60).rotateSelf(30).skewXSelf(20);
const tilted = ((): DOMMatrix => {
  // `perspective()` in CSS is a matrix with −1/d below the third axis.
  const matrix = new DOMMatrix();
  matrix.m34 = -1 / 700;
  return matrix.multiplySelf(new DOMMatrix().rotateAxisAngleSelf(0, 1, 0, 35));
})();

const STYLES: Readonly<Record<string, Style>> = {
  'half size': { css: 'transform: scale(0.5)', matrix: new DOMMatrix().scaleSelf(0.5) },
  'double size, by the property scale': { css: 'scale: 2', matrix: new DOMMatrix().scaleSelf(2) },
  'wide and low': { css: 'transform: scale(1.5, 0.75)', matrix: new DOMMatrix().scaleSelf(1.5, 0.75) },
  mirrored: {
    css: 'transform: translateX(320px) scaleX(-1)',
    matrix: new DOMMatrix().translateSelf(320, 0).scaleSelf(-1, 1),
  },
  'a quarter turn': {
    css: 'transform: translateX(240px) rotate(90deg)',
    matrix: new DOMMatrix().translateSelf(240, 0).rotateSelf(90),
  },
  'rotated and skewed': { css: 'transform: translate(200px, 60px) rotate(30deg) skewX(20deg)', matrix: turned },
  'in perspective': { css: 'transform: perspective(700px) rotateY(35deg)', matrix: tilted },
  zoomed: { css: 'zoom: 1.5', matrix: new DOMMatrix().scaleSelf(1.5) },
  'zoomed in a scale': { css: 'transform: scale(0.5); zoom: 1.5', matrix: new DOMMatrix().scaleSelf(0.75) },
};

async function placed(t: T, css: string): Promise<GambolViewer> {
  const host = document.createElement('div');
  host.style.cssText = `position: fixed; left: 0; top: 0; width: ${WIDTH}px; transform-origin: 0 0; ${css}`;
  const spot = document.createElement('button');
  spot.slot = 'hotspot-head';
  spot.dataset['joint'] = 'Head';
  spot.style.cssText = 'width: 0; height: 0; padding: 0; border: 0';
  const look = document.createElement('gambol-look');
  look.setAttribute('joint', 'Head');
  look.setAttribute('target', 'pointer');
  const element = made(
    {
      src: '/sample.glb',
      'camera-controls': '',
      'camera-orbit': '0deg 90deg 105%',
      'environment-image': 'none',
      'interaction-prompt': 'none',
      'interpolation-decay': '0',
    },
    spot,
    look,
  );
  host.append(element);
  document.body.append(host);
  t.after(() => host.remove());
  await t.until(() => element.modelIsVisible && element.queryHotspot('hotspot-head'), 'the model');
  return element;
}

/** The numbers that must not depend on the transform: points on the surface, camera movements, a look and a click. */
async function answers(t: T, element: GambolViewer, { matrix }: Style): Promise<Record<string, readonly number[]>> {
  const page = (x: number, y: number): { readonly clientX: number; readonly clientY: number } => {
    const at = matrix.transformPoint({ x, y });
    return { clientX: at.x / at.w, clientY: at.y / at.w };
  };
  const viewer = t.some(element.viewer);
  const canvas = viewer.canvas;
  const send = (target: EventTarget, type: string, x: number, y: number): void => {
    target.dispatchEvent(new PointerEvent(type, { pointerId: 7, bubbles: true, ...page(x, y) }));
  };
  const found: Record<string, readonly number[]> = {};

  const { x, y } = t.some(element.queryHotspot('hotspot-head')).canvasPosition;
  found['hotspot'] = [x, y];
  const { left, top } = t.some(element.querySelector('button')).getBoundingClientRect();
  const drawn = page(x, y);
  t.close([left, top], [drawn.clientX, drawn.clientY], 0.6, 'the hotspot is drawn at its point');
  for (const [right, down] of [
    [160, 120],
    [165, 60],
    [150, 170],
  ] as const) {
    const { clientX, clientY } = page(right, down);
    const hit = t.some(element.positionAndNormalFromPoint(clientX, clientY), `a surface at ${right}, ${down}`).position;
    found[`surface at ${right}, ${down}`] = [hit.x, hit.y, hit.z];
  }
  t.equal(element.positionAndNormalFromPoint(page(4, 4).clientX, page(4, 4).clientY), null, 'beside the model');

  send(window, 'pointermove', 260, 60);
  await t.frames(3);
  found['look'] = [...viewer.joint('Head').world];

  const clicks = details<{ readonly position: { readonly x: number; readonly y: number; readonly z: number } }>(
    element,
    'joint-click',
  );
  send(canvas, 'pointerdown', 160, 120);
  send(canvas, 'pointerup', 160, 120);
  send(canvas, 'click', 160, 120);
  const { position } = t.some(clicks[0]);
  found['click'] = [position.x, position.y, position.z];

  send(canvas, 'pointerdown', 100, 100);
  send(canvas, 'pointermove', 148, 88);
  send(canvas, 'pointerup', 148, 88);
  const dragged = [(-48 / HEIGHT) * 2 * Math.PI, Math.PI / 2 + (12 / HEIGHT) * 2 * Math.PI] as const;
  // The camera glides to it.
  await t
    .until(() => Math.abs(viewer.camera.azimuth - dragged[0]) < 1e-2, 'the end of the drag')
    .catch(() => undefined);
  const { azimuth, polar } = viewer.camera;
  t.close([azimuth, polar], dragged, DRAG, 'a drag');
  found['drag'] = [azimuth, polar];

  canvas.dispatchEvent(new WheelEvent('wheel', { deltaY: -200, cancelable: true, ...page(150, 90) }));
  await t.frames(3);
  found['wheel'] = viewer.camera.target;
  return found;
}

test(
  'element in CSS transforms and zoom: points of the page are those of the element',
  async (t) => {
    const plain = await placed(t, '');
    const expected = await answers(t, plain, { css: '', matrix: new DOMMatrix() });
    t.after(() => plain.remove());
    for (const [name, style] of Object.entries(STYLES)) {
      if (name.startsWith('zoomed') && !('currentCSSZoom' in Element.prototype)) continue;
      plain.parentElement?.remove();
      const element = await placed(t, style.css);
      const found = await answers(t, element, style);
      for (const [what, numbers] of Object.entries(expected)) {
        // A hotspot is placed to half a pixel; other numbers are metres and radians.
        const tolerance = what === 'hotspot' ? 0.6 : 0.01;
        t.close(t.some(found[what]), numbers, what === 'drag' ? DRAG : tolerance, `${name}: ${what}`);
      }
      element.parentElement?.remove();
    }
  },
  { timeout: 240_000, all: OTHERS },
);

test('a canvas in a CSS scale: the camera controls find its points', async (t) => {
  const { createViewer } = await import('gambol');
  const turns: number[] = [];
  for (const scale of [1, 0.5]) {
    const host = document.createElement('div');
    host.style.cssText = `position: fixed; left: 0; top: 0; transform-origin: 0 0; scale: ${scale}`;
    const canvas = t.canvas(256, 256);
    document.body.append(host);
    host.append(canvas);
    const viewer = await createViewer(canvas);
    viewer.cameraSmoothing = 0;
    await viewer.load('/sample.glb');
    const send = (type: string, x: number, y: number): boolean =>
      canvas.dispatchEvent(new PointerEvent(type, { pointerId: 7, clientX: scale * x, clientY: scale * y }));
    send('pointerdown', 100, 100);
    send('pointermove', 164, 100);
    send('pointerup', 164, 100);
    await t.frames(3);
    turns.push(viewer.camera.azimuth);
    viewer.dispose();
    host.remove();
  }
  const [whole = 0, half = 0] = turns;
  t.close(half, whole, 1e-5);
  t.ok(Math.abs(whole) > 0.5, 'it turned');
});
