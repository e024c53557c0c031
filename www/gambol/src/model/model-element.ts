// `HTMLModelElement`: the properties of `<model>`, and the upgrade of elements to it.

import { upgradeProperties } from '../element/base/attributes.ts';
import { Controller } from './controller.ts';
import { addressOf } from './sources.ts';
import { ModelView, VIEW_NAME } from './view.ts';

const Base: typeof HTMLElement = globalThis.HTMLElement ?? (class {} as unknown as typeof HTMLElement);
const HTML = 'http://www.w3.org/1999/xhtml';

const controllers = new WeakMap<HTMLElement, Controller>();
const observed = new WeakSet<Node>();

/**
 * The `<model>` element of the W3C's draft, for browsers without it: `window.HTMLModelElement`. The
 * [guide](https://github.com/gambol-player/gambol/blob/main/docs/guides/model-element.md) has its attributes, and the differences to
 * Safari.
 * @category Elements
 */
export class ModelElement extends Base {
  /** `true` also for a `<model>` that no script has used before. @category Custom element */
  static override [Symbol.hasInstance](value: unknown): boolean {
    if (isModel(value)) upgrade(value);
    return Function.prototype[Symbol.hasInstance].call(ModelElement, value);
  }

  // ---- the source

  /** The absolute URL of the attribute `src`; empty without one. @category Loading and models */
  get src(): string {
    return addressOf(checked(this), 'src');
  }

  set src(url: string) {
    change(this, 'src', String(url));
  }

  /** The absolute URL of the selected source: `src`, or that of a `<source>` child; empty without one. @category Loading and models */
  get currentSrc(): string {
    return controllerOf(this).currentSrc;
  }

  /**
   * Resolves with the element when the model is shown: its box and its duration are known. Each source has a new promise. It rejects with a
   * DOMException:
   *
   * | name | reason |
   * |---|---|
   * | `NetworkError` | the file cannot be fetched |
   * | `AbortError` | the source was changed or removed; the file cannot be read, then `cause` is a {@link gambol!GambolError} |
   * | `NotSupportedError` | no source has a type that can be shown |
   * @category Loading and models
   */
  get ready(): Promise<this> {
    return controllerOf(this).ready as Promise<this>;
  }

  /** `eager` (default): the model is loaded at once; `lazy`: when it comes near the viewport. @category Loading and models */
  get loading(): string {
    return checked(this).getAttribute('loading')?.toLowerCase() === 'lazy' ? 'lazy' : 'eager';
  }

  set loading(loading: string) {
    change(this, 'loading', String(loading));
  }

  /** The absolute URL of the image that is shown until the model is; empty without one. @category Loading and models */
  get poster(): string {
    return addressOf(checked(this), 'poster');
  }

  set poster(url: string) {
    change(this, 'poster', String(url));
  }

  // ---- the stage

  /** The attribute `width` in CSS pixels; 0 without one. @category Viewers and actors */
  get width(): number {
    return pixels(this, 'width');
  }

  set width(width: number) {
    setPixels(this, 'width', width);
  }

  /** The attribute `height` in CSS pixels; 0 without one. @category Viewers and actors */
  get height(): number {
    return pixels(this, 'height');
  }

  set height(height: number) {
    setPixels(this, 'height', height);
  }

  /** The centre of the box around the model in its first pose, in metres; zero without a model. @category Viewers and actors */
  get boundingBoxCenter(): DOMPointReadOnly {
    return controllerOf(this).state.center;
  }

  /** The size of the box around the model in its first pose, in metres; zero without a model. @category Viewers and actors */
  get boundingBoxExtents(): DOMPointReadOnly {
    return controllerOf(this).state.extents;
  }

  /**
   * The transform from the model to the stage in metres. The plane z = 0 of the stage is that of the page, with the origin in the middle of
   * the element; Y points up, Z to the viewer, and 72 CSS pixels are one inch. Initially the model fills the element, behind that plane.
   *
   * Setting it throws a DOMException: `InvalidStateError` in the mode `orbit` and before {@link ready}, `NotSupportedError` for a
   * matrix with shear, with a projection or of determinant 0.
   * @category Viewers and actors
   */
  get entityTransform(): DOMMatrixReadOnly {
    return controllerOf(this).state.transform;
  }

  set entityTransform(transform: DOMMatrixReadOnly) {
    const controller = controllerOf(this);
    // Also of another window.
    if (!/^\[object DOMMatrix(ReadOnly)?\]$/.test(Object.prototype.toString.call(transform)))
      throw new TypeError('entityTransform must be a DOMMatrixReadOnly.');
    controller.setTransform(DOMMatrixReadOnly.fromMatrix(transform));
  }

  /** The attribute `stagemode`: with `orbit`, drags and arrow keys rotate the model. @category Viewers and actors */
  get stageMode(): string {
    return checked(this).getAttribute('stagemode') ?? '';
  }

  set stageMode(mode: string) {
    change(this, 'stagemode', String(mode));
  }

  /** The absolute URL of the equirectangular image that lights the model (attribute `environmentmap`); empty without one. @category Lighting */
  get environmentMap(): string {
    return addressOf(checked(this), 'environmentmap');
  }

  set environmentMap(url: string) {
    change(this, 'environmentmap', String(url));
  }

  /**
   * Resolves when the environment map lights the model; rejects with a DOMException (`NetworkError`, `AbortError`) as {@link ready}. Each
   * environment map has a new promise.
   * @category Lighting
   */
  get environmentMapReady(): Promise<undefined> {
    return controllerOf(this).environmentMapReady as Promise<undefined>;
  }

  // ---- the animation

  /** `true` if the animation begins with the model, unless the system asks for reduced motion. @category Playback */
  get autoplay(): boolean {
    return checked(this).hasAttribute('autoplay');
  }

  set autoplay(autoplay: boolean) {
    change(this, 'autoplay', autoplay ? '' : null);
  }

  /** `true` if the animation repeats. @category Playback */
  get loop(): boolean {
    return checked(this).hasAttribute('loop');
  }

  set loop(loop: boolean) {
    change(this, 'loop', loop ? '' : null);
  }

  /** The duration of the first animation in seconds; 0 without one. @category Playback */
  get duration(): number {
    return controllerOf(this).state.duration;
  }

  /** The playhead in seconds, clamped to `0..=duration`. A number that is not finite throws a TypeError. @category Playback */
  get currentTime(): number {
    return controllerOf(this).currentTime;
  }

  set currentTime(time: number) {
    controllerOf(this).currentTime = finite(time, 'currentTime');
  }

  /** The speed: 1 is that of the file. A number that is not finite throws a TypeError. Default: 1. @category Playback */
  get playbackRate(): number {
    return controllerOf(this).playbackRate;
  }

  set playbackRate(rate: number) {
    controllerOf(this).playbackRate = finite(rate, 'playbackRate');
  }

  /** `true` unless the animation plays. @category Playback */
  get paused(): boolean {
    return controllerOf(this).paused;
  }

  /**
   * Plays the animation from the playhead, or from its start if it has ended. Resolves when it plays; rejects with `InvalidStateError`
   * without a model or an animation, and with `AbortError` if it was paused before.
   * @category Playback
   */
  async play(): Promise<undefined> {
    await controllerOf(this).play();
    return undefined;
  }

  /** Pauses the animation at the playhead. @category Playback */
  async pause(): Promise<undefined> {
    controllerOf(this).pause();
    return undefined;
  }
}

/** The class under its public name, for `Object.prototype.toString` and for messages. */
Object.defineProperty(ModelElement, 'name', { value: 'HTMLModelElement', configurable: true });
Object.defineProperty(ModelElement.prototype, Symbol.toStringTag, { value: 'HTMLModelElement', configurable: true });
// As properties of interfaces are.
for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(ModelElement.prototype)))
  if (name !== 'constructor') Object.defineProperty(ModelElement.prototype, name, { ...property, enumerable: true });

/**
 * Upgrades the `<model>` elements of a document or of a shadow root, and those that are added to it later. The import does this for
 * the document of the page. It does nothing in a browser that has the element.
 *
 * ```js
 * import { observeModels } from 'gambol/model';
 *
 * const shadow = document.body.appendChild(document.createElement('div')).attachShadow({ mode: 'open' });
 * shadow.innerHTML = '<model src="hero.glb"></model>';
 * observeModels(shadow);
 * ```
 * @category Elements
 */
export function observeModels(root: Document | ShadowRoot): void {
  if (globalThis.HTMLModelElement !== (ModelElement as unknown) || observed.has(root)) return;
  observed.add(root);
  const find = (node: Document | ShadowRoot | Element): void => {
    if (isModel(node)) upgrade(node);
    for (const element of node.querySelectorAll<HTMLElement>('model')) if (isModel(element)) upgrade(element);
  };
  find(root);
  const observer = new MutationObserver((records) => {
    for (const { addedNodes } of records)
      for (const node of addedNodes) if (node.nodeType === Node.ELEMENT_NODE) find(node as Element);
  });
  observer.observe(root, { childList: true, subtree: true });
}

/** Defines `HTMLModelElement` where the browser has none. */
export function defineModel(): void {
  if (!globalThis.HTMLUnknownElement || 'HTMLModelElement' in globalThis) return;
  Object.defineProperty(globalThis, 'HTMLModelElement', { value: ModelElement, configurable: true, writable: true });
  customElements.define(VIEW_NAME, ModelView);
  forward(HTMLUnknownElement.prototype);
  observeModels(document);
}

/**
 * Gives the properties of {@link ModelElement} to elements that are not upgraded yet, which upgrade by them: a script may read a property
 * before the observer of the document is called, which is after the script.
 */
function forward(prototype: HTMLUnknownElement): void {
  for (const name of Object.keys(ModelElement.prototype)) {
    Object.defineProperty(prototype, name, {
      configurable: true,
      get(this: HTMLElement): unknown {
        if (!isModel(this)) return undefined;
        upgrade(this);
        return Reflect.get(this, name);
      },
      set(this: HTMLElement, value: unknown) {
        if (isModel(this)) {
          upgrade(this);
          Reflect.set(this, name, value);
        } else {
          // Other unknown elements get a property of their own, as without this accessor.
          Object.defineProperty(this, name, { value, configurable: true, enumerable: true, writable: true });
        }
      },
    });
  }
}

/** `true` for a `<model>`, also for one of another window. */
function isModel(value: unknown): value is HTMLElement {
  // A prototype is no element, and its accessors throw.
  if (typeof value !== 'object' || value === null || Object.hasOwn(value, 'constructor')) return false;
  const { localName, namespaceURI } = value as Partial<Element>;
  return localName === 'model' && namespaceURI === HTML;
}

/** Upgrades an element, once, and follows changes of it. */
function upgrade(element: HTMLElement): Controller {
  const known = controllers.get(element);
  known?.follow();
  if (known) return known;
  // It stays when the element moves to another document.
  Object.setPrototypeOf(element, ModelElement.prototype);
  const controller = new Controller(element);
  controllers.set(element, controller);
  upgradeProperties(element, Object.keys(ModelElement.prototype));
  controller.sync();
  return controller;
}

/** The element itself. @throws TypeError for any other value */
function checked(element: HTMLElement): HTMLElement {
  if (!isModel(element)) throw new TypeError('Illegal invocation');
  return element;
}

function controllerOf(element: HTMLElement): Controller {
  return upgrade(checked(element));
}

/** Sets or removes an attribute, and follows it at once. */
function change(element: HTMLElement, name: string, value: string | null): void {
  checked(element);
  if (value === null) element.removeAttribute(name);
  else element.setAttribute(name, value);
  upgrade(element);
}

function pixels(element: HTMLElement, name: string): number {
  const [text] = /^\s*\+?\d+/.exec(checked(element).getAttribute(name) ?? '') ?? ['0'];
  const value = Number.parseInt(text, 10);
  return value < 2 ** 31 ? value : 0;
}

function setPixels(element: HTMLElement, name: string, value: number): void {
  // As an `unsigned long` that reflects an attribute: larger numbers become its default.
  const whole = Math.trunc(Number(value)) >>> 0;
  change(element, name, String(whole < 2 ** 31 ? whole : 0));
}

/** @throws TypeError as the conversion to a `double` */
function finite(value: number, name: string): number {
  const number = Number(value);
  if (!Number.isFinite(number)) throw new TypeError(`${name} must be a finite number.`);
  return number;
}
