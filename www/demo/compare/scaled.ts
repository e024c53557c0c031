// The pictures of joints that are scaled by different factors: skinned and baked, drawn by gambol and by three.js.

import { createViewer, type CameraState } from 'gambol';
import { byId } from '../app/dom.ts';
import { figure } from './figure.ts';

/** The size of a picture in pixels. */
const SIZE = 360;
/** The difference of a channel, of 255, from which a pixel counts as different. */
const VISIBLE = 8;

const CAMERA = { polar: 1.35, distance: 4.2, target: [0, 0.42, 0] as const, fovY: 0.6 };

/** A picture that can be drawn from any side. */
interface Picture {
  draw(camera: CameraState): Promise<void>;
  pixels(): Promise<Uint8ClampedArray>;
}

async function pixelsOf(source: CanvasImageSource): Promise<Uint8ClampedArray> {
  const copy = document.createElement('canvas');
  Object.assign(copy, { width: SIZE, height: SIZE });
  const context = copy.getContext('2d', { willReadFrequently: true });
  if (!context) throw new Error('there is no 2D context');
  context.drawImage(source, 0, 0, SIZE, SIZE);
  return context.getImageData(0, 0, SIZE, SIZE).data;
}

async function inGambol(canvas: HTMLCanvasElement, file: ArrayBuffer): Promise<Picture> {
  const viewer = await createViewer(canvas);
  viewer.toneMapping = 'none';
  viewer.environment = null;
  await viewer.load(file);
  return {
    async draw(camera) {
      viewer.camera = camera;
    },
    async pixels() {
      const picture = await createImageBitmap(await viewer.toBlob({ width: SIZE, height: SIZE }));
      return pixelsOf(picture);
    },
  };
}

async function inThree(canvas: HTMLCanvasElement, file: ArrayBuffer): Promise<Picture> {
  const { showInThree } = await import('./three-figure.ts');
  Object.assign(canvas, { width: SIZE, height: SIZE });
  const show = await showInThree(canvas, file);
  return { draw: async (camera) => show(camera), pixels: () => pixelsOf(canvas) };
}

/** The share of the pixels of a figure that two pictures show in different colours. */
function difference(a: Uint8ClampedArray, b: Uint8ClampedArray): number {
  let [drawn, different] = [0, 0];
  for (let at = 0; at < a.length; at += 4) {
    if ((a[at + 3] ?? 0) === 0 && (b[at + 3] ?? 0) === 0) continue;
    drawn += 1;
    if ([0, 1, 2, 3].some((i) => Math.abs((a[at + i] ?? 0) - (b[at + i] ?? 0)) > VISIBLE)) different += 1;
  }
  return drawn === 0 ? NaN : different / drawn;
}

const percent = (share: number): string => `${(100 * share).toFixed(share > 0 && share < 0.1 ? 1 : 0)} %`;

async function show(section: HTMLElement): Promise<void> {
  const canvas = (name: string): HTMLCanvasElement => {
    const found = section.querySelector<HTMLCanvasElement>(`canvas[data-picture="${name}"]`);
    if (!found) throw new Error(`The page has no picture ${name}`);
    return found;
  };
  const turn = byId<HTMLInputElement>('scaled-turn');
  const pairs: readonly (readonly [name: string, skinned: Picture, baked: Picture])[] = [
    [
      'gambol',
      await inGambol(canvas('gambol-skinned'), figure(false)),
      await inGambol(canvas('gambol-baked'), figure(true)),
    ],
    [
      'three',
      await inThree(canvas('three-skinned'), figure(false)),
      await inThree(canvas('three-baked'), figure(true)),
    ],
  ];
  const update = async (): Promise<void> => {
    const camera: CameraState = { ...CAMERA, azimuth: (turn.valueAsNumber * Math.PI) / 180 };
    for (const [name, skinned, baked] of pairs) {
      await skinned.draw(camera);
      await baked.draw(camera);
      const share = difference(await skinned.pixels(), await baked.pixels());
      byId(`scaled-${name}`).textContent = `${percent(share)} of the figure’s pixels differ`;
    }
  };
  turn.disabled = false;
  turn.addEventListener('input', () => void update());
  await update();
}

/** Draws the pictures when they come near the viewport, for three.js is large. */
export function installScaled(): void {
  const section = byId('scaled');
  const observer = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      observer.disconnect();
      show(section).catch((error: unknown) => {
        byId('scaled-state').textContent = `The pictures cannot be drawn: ${String(error)}`;
      });
    },
    { rootMargin: '200px' },
  );
  observer.observe(section);
}
