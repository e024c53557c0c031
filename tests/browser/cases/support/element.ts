// `<gambol-viewer>` on the test page.

import 'gambol/element';
import type { GambolViewer } from 'gambol/element';
import type { T } from '../../page/api.ts';
import { model, type ModelOptions } from './model.ts';

/** The address of a small model; without options the sliding square with its three clips. */
export function address(options: ModelOptions = {}): string {
  return URL.createObjectURL(new Blob([model(options).glb], { type: 'model/gltf-binary' }));
}

/** Creates an element that is not connected yet. */
export function made(attributes: Readonly<Record<string, string>> = {}, ...children: (Node | string)[]): GambolViewer {
  const element = document.createElement('gambol-viewer');
  element.style.cssText = 'width: 320px; height: 240px';
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...children);
  return element;
}

/** Creates an element on the page. */
export function placed(
  attributes: Readonly<Record<string, string>> = {},
  ...children: (Node | string)[]
): GambolViewer {
  const element = made(attributes, ...children);
  document.body.append(element);
  return element;
}

/** Creates an element and waits until its model is visible. */
export async function shown(
  t: T,
  attributes: Readonly<Record<string, string>> = {},
  ...children: (Node | string)[]
): Promise<GambolViewer> {
  const element = placed({ src: address(), 'environment-image': 'none', ...attributes }, ...children);
  await t.until(() => element.modelIsVisible, 'the model');
  return element;
}

/** Records the names of events as they occur. */
export function heard(element: GambolViewer, ...names: string[]): string[] {
  const seen: string[] = [];
  for (const name of names) element.addEventListener(name, () => seen.push(name));
  return seen;
}

/** Records the details of an event each time it occurs. */
export function details<Detail = Record<string, unknown>>(element: EventTarget, name: string): Detail[] {
  const list: Detail[] = [];
  element.addEventListener(name, (event) => list.push((event as CustomEvent<Detail>).detail));
  return list;
}

/** A part of the element's shadow tree. */
export function part<E extends HTMLElement = HTMLElement>(t: T, element: GambolViewer, name: string): E {
  return t.some(element.shadowRoot?.querySelector<E>(`[part~="${name}"]`), name);
}

/** The centre of an element in the window, in CSS pixels. */
export function middle(element: Element): { readonly x: number; readonly y: number } {
  const { left, top, width, height } = element.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}
