// The child elements `<gambol-layer>`, `<gambol-marker>`, `<gambol-morph>`, `<gambol-expression>`, `<gambol-attach>`,
// `<gambol-ik>`, `<gambol-look>` and `<gambol-spring>`.
// `child-sync.ts`, a script that is loaded lazily, applies them when a model is loaded.

import { FEATURES, type FeatureName, type LoopMode, type SyncMode } from '../../values/words.ts';
import type { LayerMode } from '../../values/options.ts';
import type { ChainSolver, JointSpace } from '../../values/transforms.ts';
import { kebab, number, one, reflect, text, words, type Kind } from '../base/attributes.ts';

/** `HTMLElement`, or an empty class on a server. */
const Base: typeof HTMLElement = globalThis.HTMLElement ?? (class {} as unknown as typeof HTMLElement);

/** The properties of `<gambol-layer>` that are attributes, too. @category Attributes */
export interface LayerAttributes {
  /** The clip of the layer, by its id or name. */
  animation: string | null;
  /** The joints that the layer moves: patterns, separated by spaces. */
  mask: string | null;
  /** The weight of the layer: 0 to 1, at least 0 for `average`, any number for `additive`. */
  weight: number;
  /**
   * The blend mode: `override` replaces the pose below, `average` averages with it, `additive` adds the difference to
   * `reference`.
   */
  mode: LayerMode;
  /** The reference pose of an additive layer: the rest pose, or the first pose of the clip. */
  reference: 'rest' | 'first';
  /** The synchronisation with the clip below: none, by phase, or by markers of the same names. */
  sync: SyncMode;
  /** The loop mode at the end of the clip: again, stop, or backwards. */
  loopMode: LoopMode;
  /** The number of repetitions: a whole number of at least 1, or `Infinity`. */
  repetitions: number;
  /** The speed as a factor; negative plays backwards. */
  timeScale: number;
  /** The duration of the fade-in and fade-out in seconds, at least 0. */
  fade: number;
}

/** The properties of `<gambol-marker>` that are attributes, too. @category Attributes */
export interface MarkerAttributes {
  /** The clip of the marker; without it, all clips have the marker. */
  animation: string | null;
  /** The time of the marker in seconds of the clip. */
  time: number;
  /** The name in `marker` events. */
  name: string;
}

/** The properties of `<gambol-morph>` that are attributes, too. @category Attributes */
export interface MorphAttributes {
  /** The name of the morph. */
  name: string | null;
  /** The weight of its morph targets: any number. */
  weight: number;
  /** The duration of changes in seconds, at least 0. */
  fade: number;
}

/** The properties of `<gambol-expression>` that are attributes, too. @category Attributes */
export interface ExpressionAttributes {
  /** The name of the expression. */
  name: string | null;
  /** The amount of the expression: 0 for none, 1 for all of it. */
  weight: number;
  /** The duration of changes in seconds, at least 0. */
  fade: number;
}

/** The properties of `<gambol-attach>` that are attributes, too. @category Attributes */
export interface AttachAttributes {
  /** The joint that the model follows. */
  joint: string | null;
  /** The URL of a `.glb` or `.gltf` file. */
  src: string | null;
  /** The offset from the joint: three numbers, in metres along the joint's axes, or in joint space; see `space`. */
  offset: string;
  /** The unit of `offset`: `metres`, or `joint` for units of the joint's own, scaled space. */
  space: JointSpace;
  /** The rotation of the model by roll, pitch and yaw: three angles. */
  orientation: string;
  /** The scale of the model: three factors x, y, z. */
  scale: string;
  /** The clip that the model plays. */
  animationName: string | null;
}

/** The common attributes of IK and look-at. */
interface GoalAttributes {
  /** The target: a point in model space; `pointer`; or a selector of an element of the page. */
  target: string | null;
  /** The weight against the animated pose, 0 to 1; an invalid value causes a warning. */
  weight: number;
}

/** The properties of `<gambol-ik>` that are attributes, too. @category Attributes */
export interface IkAttributes extends GoalAttributes {
  /** The joint at the end of the chain, which moves to the target. */
  end: string | null;
  /** The joint that bends. Default: the parent of `end`. */
  middle: string | null;
  /** The joint at the root of the chain. Default: the parent of `middle`. */
  root: string | null;
  /** The direction in which the middle joint points: three numbers, in model space. Default: its animated direction. */
  pole: string | null;
  /** The number of bones of a longer chain, such as a tail; 0 for two bones. */
  chain: number;
  /** The method for a `chain`. */
  solver: ChainSolver;
}

/** The properties of `<gambol-spring>` that are attributes, too. @category Attributes */
export interface SpringAttributes {
  /** The joint at which the chain begins, such as `Tail`, also with the pattern of all joints below it: `Tail/**`. */
  chain: string | null;
  /** The force towards the animated direction, at least 0. */
  stiffness: number;
  /** The loss of velocity in each step of 1/60 s, 0 to 1. */
  drag: number;
  /** The strength of gravity. */
  gravity: number;
  /** The radius of the bones for collisions, in metres of the model. */
  radius: number;
  /** The space that carries the chain: `world`, `model`, or a joint. */
  center: string;
}

/** The properties of `<gambol-look>` that are attributes, too. @category Attributes */
export interface LookAttributes extends GoalAttributes {
  /** The joint that turns towards the target. */
  joint: string | null;
  /** The direction in joint space that points at the target: three numbers. Default: the front of the model in the rest pose. */
  axis: string | null;
  /** The largest angle from the animated direction, such as `60deg`. */
  limit: string;
}

const LAYER: { readonly [Name in keyof LayerAttributes]: Kind<LayerAttributes[Name]> } = {
  animation: text,
  mask: text,
  weight: number(1),
  mode: one('override', 'average', 'additive'),
  reference: one('rest', 'first'),
  sync: one('none', 'phase', 'marker'),
  loopMode: one('repeat', 'once', 'pingpong'),
  repetitions: number(Infinity, 1),
  timeScale: number(1),
  fade: number(0.2, 0),
};
const MARKER: { readonly [Name in keyof MarkerAttributes]: Kind<MarkerAttributes[Name]> } = {
  animation: text,
  time: number(0),
  name: words(''),
};
const MORPH: { readonly [Name in keyof MorphAttributes]: Kind<MorphAttributes[Name]> } = {
  name: text,
  weight: number(1),
  fade: number(0.2, 0),
};
const ATTACH: { readonly [Name in keyof AttachAttributes]: Kind<AttachAttributes[Name]> } = {
  joint: text,
  src: text,
  offset: words('0 0 0'),
  space: one('metres', 'joint'),
  orientation: words('0 0 0'),
  scale: words('1 1 1'),
  animationName: text,
};

const GOAL = { target: text, weight: number(1) };
const IK: { readonly [Name in keyof IkAttributes]: Kind<IkAttributes[Name]> } = {
  ...GOAL,
  end: text,
  middle: text,
  root: text,
  pole: text,
  chain: number(0, 0),
  solver: one('fabrik', 'ccd'),
};
const LOOK: { readonly [Name in keyof LookAttributes]: Kind<LookAttributes[Name]> } = {
  ...GOAL,
  joint: text,
  axis: text,
  limit: words('180deg'),
};

const SPRING: { readonly [Name in keyof SpringAttributes]: Kind<SpringAttributes[Name]> } = {
  chain: text,
  stiffness: number(1, 0),
  drag: number(0.5, 0),
  gravity: number(0),
  radius: number(0, 0),
  center: words('world'),
};

/** A layer: a clip above the viewer's own clip. @category Elements */
export class GambolLayer extends Base {}
export interface GambolLayer extends LayerAttributes {}
/** A named time of a clip. @category Elements */
export class GambolMarker extends Base {}
export interface GambolMarker extends MarkerAttributes {}
/** A morph with a weight. @category Elements */
export class GambolMorph extends Base {}
export interface GambolMorph extends MorphAttributes {}
/** An expression with a weight. @category Elements */
export class GambolExpression extends Base {}
export interface GambolExpression extends ExpressionAttributes {}
/** Another model that follows a joint. @category Elements */
export class GambolAttach extends Base {}
export interface GambolAttach extends AttachAttributes {}
/** A joint that reaches for a target by two-bone IK. @category Elements */
export class GambolIk extends Base {}
export interface GambolIk extends IkAttributes {}
/** A joint that turns towards a target (look-at). @category Elements */
export class GambolLook extends Base {}
export interface GambolLook extends LookAttributes {}
/** Joints that swing (spring bones). @category Elements */
export class GambolSpring extends Base {}
export interface GambolSpring extends SpringAttributes {}

const KINDS = [
  ['layer', GambolLayer, LAYER],
  ['marker', GambolMarker, MARKER],
  ['morph', GambolMorph, MORPH],
  ['expression', GambolExpression, MORPH],
  ['attach', GambolAttach, ATTACH],
  ['ik', GambolIk, IK],
  ['look', GambolLook, LOOK],
  ['spring', GambolSpring, SPRING],
] as const;

declare global {
  interface HTMLElementTagNameMap {
    'gambol-layer': GambolLayer;
    'gambol-marker': GambolMarker;
    'gambol-morph': GambolMorph;
    'gambol-expression': GambolExpression;
    'gambol-attach': GambolAttach;
    'gambol-ik': GambolIk;
    'gambol-look': GambolLook;
    'gambol-spring': GambolSpring;
  }
}

/** Defines the child elements and their properties. */
export function defineChildren(): void {
  for (const [name, element, table] of KINDS) {
    reflect(element.prototype, table as object);
    if (!customElements.get(`gambol-${name}`)) customElements.define(`gambol-${name}`, element);
  }
}

/** The attributes of child elements that are observed for changes. */
export const OBSERVED_ATTRIBUTES: readonly string[] = [
  ...new Set(KINDS.flatMap(([, , table]) => Object.keys(table).map(kebab))),
];
const HOTSPOT_ATTRIBUTES = [
  'slot',
  'data-position',
  'data-normal',
  'data-joint',
  'data-offset',
  'data-space',
  'data-surface',
  'data-model-index',
];

/** `true` if the host has such child elements, or the attribute for one. */
export function hasChildElements(host: HTMLElement): boolean {
  // Some are defined in the lazy script, so their names count here.
  const isChild = ({ localName }: Element): boolean => localName.startsWith('gambol-') || localName === 'extra-model';
  return host.hasAttribute('states') || Array.from(host.children).some(isChild);
}

/** `true` if the host has `<extra-model>` children. */
export function hasExtraModels(host: HTMLElement): boolean {
  return host.querySelector(':scope > extra-model') !== null;
}

/** The first `<extra-model>` with a source, which stands for the model of an element without one; null if there is none. */
export function firstExtraModel(host: HTMLElement): Element | null {
  return host.querySelector(':scope > extra-model[src]');
}

/** The children that need features, as selectors. */
const NEEDS: { readonly [Name in FeatureName]?: readonly string[] } = {
  body: ['gambol-spring', 'gambol-ik[chain]:not([chain="0"])'],
  crowds: ['gambol-crowd'],
  extras: ['gambol-sprite', 'gambol-flipbook', 'gambol-billboard'],
  faces: ['gambol-expression'],
  materials: ['gambol-material'],
  // The model may hide the point of a hotspot. A point at a joint is never hidden.
  picking: ['[slot^=hotspot]:not([data-joint])'],
  states: ['gambol-states'],
};

/** The features that the children of the host need, and those of further actors. */
export function childFeatures(host: HTMLElement): readonly FeatureName[] {
  return FEATURES.filter((name) =>
    NEEDS[name]?.some((child) =>
      host.querySelector(`:scope > ${child}, :scope > :is(gambol-actor, extra-model) > ${child}`),
    ),
  );
}

/** `true` if the host has hotspots. */
export function hasHotspots(host: HTMLElement): boolean {
  return host.querySelector(':scope > [slot^=hotspot]') !== null;
}

/** Calls `changed` after changes of children or their attributes, until the returned observer is disconnected. */
export function watchChildren(host: HTMLElement, changed: () => void): MutationObserver {
  const observer = new MutationObserver(changed);
  observer.observe(host, {
    childList: true,
    subtree: true,
    attributes: true,
    attributeFilter: [...HOTSPOT_ATTRIBUTES, ...OBSERVED_ATTRIBUTES],
  });
  return observer;
}
