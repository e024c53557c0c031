// Children that say something: `<gambol-layer>`, `<gambol-marker>`, `<gambol-attach>`, and hotspots. What they say is done by
// `performed.ts`, a script of its own, when a model is there.

import type { LoopMode } from '../core.ts';
import type { LayerMode, SyncMode } from '../options.ts';
import { kebab, number, one, reflect, text, words, type Kind } from './attributes.ts';

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

/** What children say: what a change of makes it worth to read them anew. */
export const SAID: readonly string[] = [...new Set([LAYER, MARKER, ATTACH].flatMap((table) => Object.keys(table).map(kebab)))];
const SAID_OF_HOTSPOTS = ['slot', 'data-position', 'data-normal', 'data-joint', 'data-offset', 'data-surface'];

/** Whether there are children that say something. */
export function hasSpeaking(host: HTMLElement): boolean {
  return host.querySelector(':scope > :is(gambol-layer, gambol-marker, gambol-attach, [slot^=hotspot])') !== null;
}

/** Calls when children may say something else, until what is returned is disconnected. */
export function watchChildren(host: HTMLElement, changed: () => void): MutationObserver {
  const observer = new MutationObserver(changed);
  observer.observe(host, { childList: true, subtree: true, attributes: true, attributeFilter: [...SAID_OF_HOTSPOTS, ...SAID] });
  return observer;
}
