// Children that say something: `<gambol-layer>`, `<gambol-marker>`, `<gambol-attach>`, `<gambol-ik>`, `<gambol-look>`. What they say is done by
// `child-sync.ts`, a script of its own, when a model is there.

import type { LoopMode, SyncMode } from '../../values/words.ts';
import type { LayerMode } from '../../values/options.ts';
import type { JointSpace } from '../../values/transforms.ts';
import { kebab, number, one, reflect, text, words, type Kind } from '../base/attributes.ts';

/** `HTMLElement`, where there is one. */
const Base: typeof HTMLElement = globalThis.HTMLElement ?? (class {} as unknown as typeof HTMLElement);

export interface LayerAttributes {
  /** The clip. */
  animation: string | null;
  /** The joints that it moves: patterns, separated by spaces. */
  mask: string | null;
  /** Share of the pose that is the layer's, 0 to 1. */
  weight: number;
  /** `override` takes the place of the pose below, `additive` adds the difference to `reference`. */
  mode: LayerMode;
  /** Of an additive layer: what it is the difference to. */
  reference: 'rest' | 'first';
  /** Keeps step with the clip below: not at all, by phase, or by markers of the same names. */
  sync: SyncMode;
  /** What comes after the end of the clip: the clip again, nothing, or the clip backwards. */
  loopMode: LoopMode;
  /** Passes through the clip: a whole number, or Infinity. */
  repetitions: number;
  /** Speed as a factor; negative is backwards. */
  timeScale: number;
  /** Seconds in which it comes and goes. */
  fade: number;
}

export interface MarkerAttributes {
  /** The clip; without it, all clips have the marker. */
  animation: string | null;
  /** Seconds of the clip. */
  time: number;
  /** The name that `marker` events tell. */
  name: string;
}

export interface AttachAttributes {
  /** The joint that the model follows. */
  joint: string | null;
  /** The address of a `.glb` or `.gltf`. */
  src: string | null;
  /** Metres along the joint's axes, or, by `space`, of the joint's own space. */
  offset: string;
  /** The unit of `offset`: `metres`, or `joint` for units of the joint's own, scaled space. */
  space: JointSpace;
  /** Roll, pitch and yaw: three angles. */
  orientation: string;
  /** Three factors of its size: x, y, z. */
  scale: string;
  /** The clip that it plays. */
  animationName: string | null;
}

/** What reaching and looking have in common. */
interface GoalAttributes {
  /** A place in the model's space; `pointer`; or a selector of an element of the page. */
  target: string | null;
  /** Share of the pose that reaches the goal, 0 to 1. */
  weight: number;
}

export interface IkAttributes extends GoalAttributes {
  /** The joint that reaches. */
  end: string | null;
  /** The joint that bends: the one above, unless said. */
  middle: string | null;
  /** Where the chain hangs: the joint above that, unless said. */
  root: string | null;
  /** Where the middle points to, in the model's space. */
  pole: string | null;
}

export interface LookAttributes extends GoalAttributes {
  /** The joint that turns. */
  joint: string | null;
  /** Which direction of it looks. */
  axis: string | null;
  /** The most that it turns. */
  limit: string;
}

const LAYER: { readonly [Name in keyof LayerAttributes]: Kind<LayerAttributes[Name]> } = {
  animation: text, mask: text, weight: number(1), mode: one('override', 'average', 'additive'), reference: one('rest', 'first'),
  sync: one('none', 'phase', 'marker'), loopMode: one('repeat', 'once', 'pingpong'),
  repetitions: number(Infinity, 1), timeScale: number(1), fade: number(0.2, 0),
};
const MARKER: { readonly [Name in keyof MarkerAttributes]: Kind<MarkerAttributes[Name]> } = { animation: text, time: number(0), name: words('') };
const ATTACH: { readonly [Name in keyof AttachAttributes]: Kind<AttachAttributes[Name]> } = {
  joint: text, src: text, offset: words('0 0 0'), space: one('metres', 'joint'), orientation: words('0 0 0'), scale: words('1 1 1'), animationName: text,
};

const GOAL = { target: text, weight: number(1) };
const IK: { readonly [Name in keyof IkAttributes]: Kind<IkAttributes[Name]> } = { ...GOAL, end: text, middle: text, root: text, pole: text };
const LOOK: { readonly [Name in keyof LookAttributes]: Kind<LookAttributes[Name]> } = { ...GOAL, joint: text, axis: text, limit: words('180deg') };

/** A clip over what the viewer plays. */
export class GambolLayer extends Base {}
export interface GambolLayer extends LayerAttributes {}
/** A named time of a clip. */
export class GambolMarker extends Base {}
export interface GambolMarker extends MarkerAttributes {}
/** Another model that follows a joint. */
export class GambolAttach extends Base {}
export interface GambolAttach extends AttachAttributes {}
/** A joint that reaches for something. */
export class GambolIk extends Base {}
export interface GambolIk extends IkAttributes {}
/** A joint that looks at something. */
export class GambolLook extends Base {}
export interface GambolLook extends LookAttributes {}

const KINDS = [['layer', GambolLayer, LAYER], ['marker', GambolMarker, MARKER], ['attach', GambolAttach, ATTACH], ['ik', GambolIk, IK], ['look', GambolLook, LOOK]] as const;

/** Makes them known, and gives them their properties. */
export function defineChildren(): void {
  for (const [name, element, table] of KINDS) {
    reflect(element.prototype, table as object);
    if (!customElements.get(`gambol-${name}`)) customElements.define(`gambol-${name}`, element);
  }
}

/** What children say: what a change of makes it worth to read them anew. */
export const SAID: readonly string[] = [...new Set(KINDS.flatMap(([, , table]) => Object.keys(table).map(kebab)))];
const SAID_OF_HOTSPOTS = ['slot', 'data-position', 'data-normal', 'data-joint', 'data-offset', 'data-space', 'data-surface'];

/** `true` if there are children that say something. */
export function hasSpeaking(host: HTMLElement): boolean {
  return host.querySelector(`:scope > :is(${KINDS.map(([name]) => `gambol-${name}`)})`) !== null;
}

/** `true` if there are hotspots. */
export function hasHotspots(host: HTMLElement): boolean {
  return host.querySelector(':scope > [slot^=hotspot]') !== null;
}

/** Calls when children may say something else, until what is returned is disconnected. */
export function watchChildren(host: HTMLElement, changed: () => void): MutationObserver {
  const observer = new MutationObserver(changed);
  observer.observe(host, { childList: true, subtree: true, attributes: true, attributeFilter: [...SAID_OF_HOTSPOTS, ...SAID] });
  return observer;
}
