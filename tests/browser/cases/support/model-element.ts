// `<model>` elements of `gambol/model` on the test page.

import 'gambol/model';
import type { T } from '../../page/api.ts';
import { model, type ModelOptions } from './model.ts';
import { Scene, type Rgb } from './scene.ts';

export const GLB = 'model/gltf-binary';
/** The metres of one CSS pixel, as the explainer of the element defines them: 72 pixels are an inch. */
export const METRES = 0.0254 / 72;

/** Creates a `<model>` that is not connected yet. */
export function made(
  attributes: Readonly<Record<string, string>> = {},
  ...children: (Node | string)[]
): HTMLModelElement {
  const element = document.createElement('model');
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** Creates a `<model>` on the page. */
export function placed(
  attributes: Readonly<Record<string, string>> = {},
  ...children: (Node | string)[]
): HTMLModelElement {
  const element = made(attributes, ...children);
  document.body.append(element);
  return element;
}

/** Creates a `<model>` and waits for its model. */
export async function ready(
  attributes: Readonly<Record<string, string>> = {},
  ...children: (Node | string)[]
): Promise<HTMLModelElement> {
  const element = placed({ src: address(), ...attributes }, ...children);
  await element.ready;
  return element;
}

export function source(src: string, type = '', media = ''): HTMLSourceElement {
  const element = document.createElement('source');
  for (const [name, value] of Object.entries({ src, type, media })) if (value) element.setAttribute(name, value);
  return element;
}

/** The address of the sliding square with its clips, or of one with other options. */
export function address(options: ModelOptions = {}): string {
  return blob(model(options).glb);
}

export function blob(bytes: BlobPart): string {
  return URL.createObjectURL(new Blob([bytes], { type: GLB }));
}

/**
 * The address of a model without animation: the front and the back of a box, with its centre and its extents. Without depth it is a single
 * square.
 */
export function box(
  centre: readonly number[],
  extents: readonly number[],
  front: Rgb = [1, 0, 0],
  back = front,
): string {
  const scene = new Scene();
  const [depth = 0] = extents.slice(2);
  const half = extents.map((extent) => extent / 2);
  const [x = 0, y = 0, z = 0] = centre;
  const side = (color: Rgb, offset: number): number =>
    scene.node({
      mesh: scene.square(scene.unlit(color)),
      translation: [x, y, z + offset],
      rotation: offset < 0 ? [0, 1, 0, 0] : [0, 0, 0, 1],
      scale: [half[0], half[1], 1],
    });
  side(front, depth / 2);
  if (depth > 0) side(back, -depth / 2);
  return URL.createObjectURL(scene.file());
}

/** The name of the DOMException with which a promise rejects. */
export async function refusal(t: T, promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => t.fail('the promise resolved'),
    (reason: unknown) => reason,
  );
  t.ok(error instanceof DOMException, `no DOMException: ${String(error)}`);
  return (error as DOMException).name;
}

/** Records the names of `load` and `error` events as they occur. */
export function heard(element: Element): string[] {
  const seen: string[] = [];
  for (const name of ['load', 'error']) element.addEventListener(name, () => seen.push(name));
  return seen;
}

export function numbers({ x, y, z }: DOMPointReadOnly): number[] {
  return [x, y, z];
}

/** The mean colour around a point of the window. */
export async function colorAt(t: T, x: number, y: number): Promise<number[]> {
  await t.frames(2);
  const { data, width } = await t.screenshot();
  const at = 4 * (Math.round(y * devicePixelRatio) * width + Math.round(x * devicePixelRatio));
  return [...data.subarray(at, at + 3)];
}
