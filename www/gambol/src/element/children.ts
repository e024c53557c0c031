// Declarative children: `<gambol-layer>`, `<gambol-marker>`, `<gambol-attach>`. What they say is done when a model is there.

import type { Actor } from '../actor.ts';
import type { Marker } from '../clips.ts';
import type { LoopMode } from '../core.ts';
import { asGambolError, type GambolError } from '../errors.ts';
import type { Layer } from '../layers.ts';
import type { LayerMode, LayerOptions, SyncMode } from '../options.ts';
import type { Viewer } from '../viewer.ts';
import { kebab, number, one, reflect, text, words, type Kind } from './attributes.ts';
import { placeOf } from './space.ts';
import { parseVector } from './values.ts';

/** `HTMLElement`, where there is one. */
const Base: typeof HTMLElement = globalThis.HTMLElement ?? (class {} as unknown as typeof HTMLElement);

export interface LayerAttributes {
  /** The clip. */
  animation: string | null;
  /** The joints that it moves: patterns, separated by spaces. */
  mask: string | null;
  weight: number;
  mode: LayerMode;
  /** Of an additive layer: what it is the difference to. */
  reference: 'rest' | 'first';
  sync: SyncMode;
  loopMode: LoopMode;
  repetitions: number;
  timeScale: number;
  /** Seconds in which it comes and goes. */
  fade: number;
}

export interface MarkerAttributes {
  animation: string | null;
  /** Seconds of the clip. */
  time: number;
  name: string;
}

export interface AttachAttributes {
  joint: string | null;
  src: string | null;
  /** Metres in the space of the joint. */
  offset: string;
  /** Roll, pitch, yaw. */
  orientation: string;
  scale: string;
  /** The clip that it plays. */
  animationName: string | null;
}

const LAYER: { readonly [Name in keyof LayerAttributes]: Kind<LayerAttributes[Name]> } = {
  animation: text, mask: text, weight: number(1), mode: one('override', 'additive'), reference: one('rest', 'first'),
  sync: one('none', 'phase', 'marker'), loopMode: one('repeat', 'once', 'pingpong'),
  repetitions: number(Infinity, 1), timeScale: number(1), fade: number(0.2, 0),
};
const MARKER: { readonly [Name in keyof MarkerAttributes]: Kind<MarkerAttributes[Name]> } = { animation: text, time: number(0), name: words('') };
const ATTACH: { readonly [Name in keyof AttachAttributes]: Kind<AttachAttributes[Name]> } = {
  joint: text, src: text, offset: words('0 0 0'), orientation: words('0 0 0'), scale: words('1 1 1'), animationName: text,
};

/** A clip over what the viewer plays. */
export class GambolLayer extends Base {}
export interface GambolLayer extends LayerAttributes {}
/** A named time of a clip. */
export class GambolMarker extends Base {}
export interface GambolMarker extends MarkerAttributes {}
/** Another model that follows a joint. */
export class GambolAttach extends Base {}
export interface GambolAttach extends AttachAttributes {}

/** Makes them known, and gives them their properties. */
export function defineChildren(): void {
  reflect(GambolLayer.prototype, LAYER);
  reflect(GambolMarker.prototype, MARKER);
  reflect(GambolAttach.prototype, ATTACH);
  for (const [name, element] of [['gambol-layer', GambolLayer], ['gambol-marker', GambolMarker], ['gambol-attach', GambolAttach]] as const) {
    if (!customElements.get(name)) customElements.define(name, element);
  }
}

/** What an element has asked for, and what came of it. */
interface Done<Result> {
  /** All that was said. */
  readonly said: string;
  readonly result: Result;
}

export class Children {
  /** What a change of makes it worth to read them anew. */
  static readonly attributes: readonly string[] = [...new Set([LAYER, MARKER, ATTACH].flatMap((table) => Object.keys(table).map(kebab)))];
  readonly #host: HTMLElement;
  readonly #viewer: Viewer;
  readonly #warn: (error: GambolError) => void;
  readonly #layers = new Map<Element, Done<Layer | undefined>>();
  readonly #attached = new Map<Element, Done<AbortController>>();
  #marked = '';

  constructor(host: HTMLElement, viewer: Viewer, warn: (error: GambolError) => void) {
    this.#host = host;
    this.#viewer = viewer;
    this.#warn = warn;
  }

  /** The model is another one: what was of the one before is gone. */
  renew(): void {
    this.#layers.clear();
    this.#marked = '';
    this.sync();
  }

  /** Does what has been said anew, and undoes what is not said any more. */
  sync(): void {
    if (!this.#viewer.model) return;
    const children = [...this.#host.children];
    this.#syncLayers(children.filter((child) => child instanceof GambolLayer));
    this.#syncMarkers(children.filter((child) => child instanceof GambolMarker));
    this.#syncAttached(children.filter((child) => child instanceof GambolAttach));
  }

  dispose(): void {
    for (const { result } of this.#attached.values()) result.abort();
    this.#attached.clear();
    this.#layers.clear();
  }

  #syncLayers(elements: readonly GambolLayer[]): void {
    const gone = new Set<Element>(this.#layers.keys());
    for (const element of elements) {
      gone.delete(element);
      const { weight, fade } = element;
      const said = spoken(element, 'weight', 'fade');
      const before = this.#layers.get(element);
      if (before?.said === said) {
        this.#try(() => before.result?.fadeTo(weight, fade));
        continue;
      }
      before?.result?.remove({ fade });
      const { animation, mask, mode, reference, sync, loopMode, repetitions, timeScale } = element;
      const options: LayerOptions = {
        weight, fade, mode, reference, sync, loopMode, repetitions, playbackRate: timeScale, mask: mask?.trim() ? mask.trim().split(/\s+/) : null,
      };
      this.#layers.set(element, { said, result: this.#try(() => this.#viewer.layers.add(animation ?? 0, options)) });
    }
    for (const element of gone) {
      this.#layers.get(element)?.result?.remove({ fade: (element as GambolLayer).fade });
      this.#layers.delete(element);
    }
  }

  #syncMarkers(elements: readonly GambolMarker[]): void {
    const said = elements.map((element) => spoken(element)).join();
    if (said === this.#marked) return;
    this.#marked = said;
    for (const clip of this.#viewer.model?.clips ?? []) {
      const own: Marker[] = elements.filter(({ animation }) => animation === clip.id || animation === clip.name || animation === null)
        .map(({ name, time }) => ({ name, time }));
      this.#try(() => this.#viewer.setMarkers(clip.index, [...clip.markers, ...own]));
    }
  }

  #syncAttached(elements: readonly GambolAttach[]): void {
    const gone = new Set<Element>(this.#attached.keys());
    for (const element of elements) {
      gone.delete(element);
      const said = spoken(element);
      if (this.#attached.get(element)?.said === said) continue;
      this.#attached.get(element)?.result.abort();
      const stop = new AbortController();
      this.#attached.set(element, { said, result: stop });
      this.#attach(element, stop.signal).catch((error: unknown) => {
        if (!stop.signal.aborted) this.#warn(asGambolError(error, 'load/failed'));
      });
    }
    for (const element of gone) {
      this.#attached.get(element)?.result.abort();
      this.#attached.delete(element);
    }
  }

  async #attach({ joint, src, offset, orientation, scale, animationName }: GambolAttach, signal: AbortSignal): Promise<void> {
    if (joint === null || src === null) return;
    const place = placeOf(orientation, scale, 0, [0, 0, 0]);
    const actor: Actor = await this.#viewer.add(src, { ...place, signal, attachTo: { joint, offset: parseVector(offset) ?? [0, 0, 0] } });
    if (signal.aborted) return actor.remove();
    signal.addEventListener('abort', () => this.#try(() => actor.remove()));
    if (animationName !== null) actor.play(animationName);
  }

  #try<T>(call: () => T): T | undefined {
    try {
      return call();
    } catch (error) {
      this.#warn(asGambolError(error, 'argument/invalid'));
      return undefined;
    }
  }
}

/** All that an element says by attributes, but for some. */
function spoken(element: Element, ...without: readonly string[]): string {
  const said = [...element.attributes].filter(({ name }) => Children.attributes.includes(name) && !without.includes(name));
  return JSON.stringify(said.map(({ name, value }) => [name, value]));
}
