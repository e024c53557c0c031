// The calls of the core that a session may hold, with the kinds of their arguments. A session may come from a file, so nothing else
// is called, whatever its data say.

import {
  FRAMINGS,
  LOOP_MODES,
  ROOT_MOTIONS,
  SKINNINGS,
  SPACES,
  SYNCS,
  TONE_MAPPINGS,
  TRANSITIONS,
} from '../values/words.ts';
import type { CoreStage, Topics } from '../wasm/core.ts';
import type { SessionTopic, SessionValue } from './session-data.ts';

const WORDS = {
  framing: FRAMINGS,
  layerMode: ['override', 'average', 'additive'],
  loopMode: LOOP_MODES,
  motion: ROOT_MOTIONS,
  rotation: ['none', 'yaw', 'full'],
  skinning: SKINNINGS,
  space: SPACES,
  sync: SYNCS,
  toneMapping: TONE_MAPPINGS,
  transition: TRANSITIONS,
  updateRate: ['auto', 'full'],
} as const satisfies Record<string, readonly string[]>;

const LISTS = ['f32', 'f64', 'u32'] as const;

/**
 * The kind of an argument: `actor` (its number in the session), `track` (0 or the number of a layer), `index` (a whole number),
 * `number` (finite), `above` (greater than 0), `any` (a number, also NaN or infinite), `flag`, `text`, `texts`, one of {@link WORDS},
 * or a list of finite numbers. `any-f32` and `any-f64` are lists that may hold NaN. A question mark allows null.
 */
type Plain =
  | 'actor'
  | 'track'
  | 'index'
  | 'number'
  | 'above'
  | 'any'
  | 'flag'
  | 'text'
  | 'texts'
  | keyof typeof WORDS
  | (typeof LISTS)[number]
  | 'any-f32'
  | 'any-f64';
type Kind = Plain | `${Plain}?`;

type Methods<T> = Exclude<
  { [K in keyof T]: T[K] extends (...args: never[]) => unknown ? K : never }[keyof T] & string,
  'free'
>;
/** Methods that a session does not hold: those with objects or meshes, those about events of a page, and checks. */
interface LeftOut {
  readonly playback: never;
  readonly layers: never;
  readonly joints: never;
  readonly camera: never;
  readonly lighting: 'setEnvironment' | 'setSkyPicture';
  readonly crowds: 'checkCount' | 'setMeshLevels' | 'listen' | 'make' | 'prepare';
}
/** All methods of each topic, so that a new one does not compile before it has its place here or in {@link LeftOut}. */
type Calls = {
  readonly [T in keyof LeftOut]: Readonly<Record<Exclude<Methods<Topics[T]>, LeftOut[T]>, readonly Kind[]>>;
} & { readonly stage: Readonly<Partial<Record<Methods<CoreStage>, readonly Kind[]>>> };

const CALLS = {
  // The other methods of the stage are about models, frames and clocks.
  stage: {
    place: ['actor', 'f32'],
    teleport: ['actor', 'f32'],
    setVariant: ['actor', 'index?'],
    attach: ['actor', 'actor', 'index', 'flag', 'f32'],
    detach: ['actor'],
    setRootMotion: ['actor', 'motion', 'rotation', 'flag', 'flag', 'u32'],
    resetRootMotion: ['actor'],
    setBackground: ['f32?'],
    setSkinning: ['skinning'],
    setDebug: ['text?', 'text', 'flag', 'flag', 'flag', 'flag', 'flag', 'flag', 'flag'],
    scrub: ['number'],
  },
  playback: {
    play: ['actor', 'track'],
    replay: ['actor', 'track'],
    pause: ['actor', 'track'],
    stop: ['actor', 'track'],
    seek: ['actor', 'track', 'number'],
    step: ['actor', 'track', 'number'],
    setProgress: ['actor', 'track', 'number'],
    setStartTime: ['actor', 'track', 'number'],
    setRate: ['actor', 'track', 'number'],
    setLoopMode: ['actor', 'track', 'loopMode'],
    setRepetitions: ['actor', 'track', 'any'],
    setSegment: ['actor', 'track', 'number?', 'number?'],
    setClip: ['actor', 'index'],
    setTransition: ['actor', 'transition', 'number'],
    transitionTo: ['actor', 'u32', 'f32', 'sync', 'transition?', 'number', 'sync', 'number?'],
    setMarkers: ['actor', 'index', 'texts', 'f64'],
  },
  layers: {
    add: [
      'actor',
      'u32',
      'f32',
      'sync',
      'layerMode',
      'index?',
      'number',
      'texts?',
      'f32',
      'number',
      'sync',
      'transition?',
      'number',
    ],
    remove: ['actor', 'track', 'transition?', 'number'],
    setWeight: ['actor', 'track', 'number', 'transition?', 'number'],
    setMask: ['actor', 'track', 'texts?', 'f32'],
    setBlendPosition: ['actor', 'track', 'number', 'number', 'transition?', 'number'],
    setStates: ['actor', 'text?'],
    setStateInput: ['actor', 'index?', 'number'],
  },
  joints: {
    setOverride: ['actor', 'index', 'any-f32', 'space', 'number'],
    clearOverride: ['actor', 'index'],
    lookAt: ['actor', 'index', 'f32', 'space', 'number', 'any', 'f32?'],
    endLookAt: ['actor', 'index'],
    reach: ['actor', 'index', 'index', 'index', 'f32', 'space', 'number', 'f32?', 'space'],
    endReach: ['actor', 'index'],
    reachChain: ['actor', 'u32', 'any-f32', 'f32', 'space', 'number', 'flag'],
    setGaze: ['actor', 'u32', 'any-f32', 'f32', 'space', 'any'],
    setFeet: ['actor', 'u32', 'flag', 'flag', 'any'],
    setGround: ['actor', 'index', 'any', 'any', 'any', 'any', 'any', 'any'],
    setShadowGround: ['actor', 'any-f32?'],
    setSprings: ['actor', 'index', 'f32', 'index', 'u32', 'f32'],
    setFlipbook: ['actor', 'index', 'index', 'index', 'index', 'index', 'number', 'loopMode', 'flag'],
    setBillboard: ['actor', 'index', 'flag?'],
    setMorph: ['actor', 'index', 'any', 'number', 'number'],
    setExpression: ['actor', 'index', 'any', 'number', 'number'],
    setBlinks: ['actor', 'index', 'any'],
    setGlances: ['actor', 'u32', 'index', 'any', 'number'],
  },
  camera: {
    set: ['number', 'number', 'above', 'number', 'number', 'number', 'above'],
    orbit: ['number', 'number'],
    pan: ['number', 'number'],
    zoom: ['above'],
    reset: [],
    frame: [],
    setGlides: ['flag'],
    setPadding: ['number', 'number', 'number', 'number'],
    setFraming: ['framing'],
    setViewCamera: ['actor', 'index?'],
  },
  lighting: {
    set: ['number', 'number', 'number', 'toneMapping', 'flag', 'number', 'number', 'number', 'number'],
    setStudio: ['flag'],
    setSkyStudio: ['flag'],
  },
  crowds: {
    setCount: ['actor', 'number'],
    setPositions: ['actor', 'index', 'f64'],
    setRotations: ['actor', 'index', 'f64'],
    setScales: ['actor', 'index', 'f64'],
    setTints: ['actor', 'index', 'f64'],
    setClips: ['actor', 'index', 'f64'],
    setTimes: ['actor', 'index', 'f64'],
    setStarts: ['actor', 'index', 'f64'],
    setRates: ['actor', 'index', 'f64'],
    setMorphs: ['actor', 'index', 'u32', 'any-f64'],
    setLoopMode: ['actor', 'loopMode'],
    setTransition: ['actor', 'number'],
    setUpdateRate: ['actor', 'updateRate'],
    setBaked: ['actor', 'flag'],
    setGaze: ['actor', 'u32', 'any-f32', 'f32', 'any', 'index'],
    setMarkers: ['actor', 'index', 'texts', 'f64'],
    setPaused: ['actor', 'flag'],
  },
} as const satisfies Calls;

/** The kinds by `topic.method`. A map has no inherited names. */
const KINDS: ReadonlyMap<string, readonly Kind[]> = new Map(
  Object.entries(CALLS).flatMap(([topic, calls]) =>
    Object.entries(calls as Record<string, readonly Kind[]>).map(([name, kinds]) => [`${topic}.${name}`, kinds]),
  ),
);

/** The topics whose calls a session holds. */
export const TOPICS = Object.keys(CALLS) as readonly SessionTopic[];

/** The methods of the stage itself that a session holds. */
export const STAGE_METHODS: readonly string[] = Object.keys(CALLS.stage);

/** `true` if a session holds calls of a method. */
export function isAllowed(topic: unknown, name: unknown): boolean {
  return typeof topic === 'string' && typeof name === 'string' && KINDS.has(`${topic}.${name}`);
}

/** The number of the first arguments of a method that are actors or crowds. */
export function actorCount(topic: SessionTopic, name: string): number {
  return kindsOf(topic, name).filter((kind) => kind === 'actor').length;
}

/** `true` if the second argument of a method is the number of a layer, or 0. */
export function isAboutLayer(topic: SessionTopic, name: string): boolean {
  return kindsOf(topic, name)[1] === 'track';
}

/** `true` if the arguments of an allowed call are plain data of the kinds that it takes. */
export function areArguments(topic: SessionTopic, name: string, args: readonly SessionValue[]): boolean {
  const kinds = kindsOf(topic, name);
  return args.length <= kinds.length && kinds.every((kind, i) => isOfKind(args[i] ?? null, kind));
}

function kindsOf(topic: SessionTopic, name: string): readonly Kind[] {
  return KINDS.get(`${topic}.${name}`) ?? [];
}

function isOfKind(value: SessionValue, kind: Kind): boolean {
  const isOptional = kind.endsWith('?');
  if (value === null) return isOptional;
  const plain = (isOptional ? kind.slice(0, -1) : kind) as Plain;
  switch (plain) {
    case 'actor':
    case 'track':
    case 'index':
      return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= 0xffffffff;
    case 'number':
      return Number.isFinite(value);
    case 'above':
      return Number.isFinite(value) && (value as number) > 0;
    case 'any':
      return Number.isFinite(value) || (isList(value, 'number', isNumber) && value.values.length === 1);
    case 'flag':
      return typeof value === 'boolean';
    case 'text':
      return typeof value === 'string';
    case 'texts':
      return isList(value, 'text', (one) => typeof one === 'string');
    case 'u32':
      return isList(value, plain, (one) => Number.isInteger(one) && (one as number) >= 0);
    case 'f32':
    case 'f64':
      return isList(value, plain, Number.isFinite);
    case 'any-f32':
    case 'any-f64':
      return isList(value, plain.slice(4), isNumber);
    default:
      return (WORDS[plain] as readonly unknown[]).includes(value);
  }
}

/** A number, or the name of one that JSON does not have. */
function isNumber(value: unknown): boolean {
  return Number.isFinite(value) || ['NaN', 'Infinity', '-Infinity'].includes(value as string);
}

function isList(
  value: SessionValue,
  type: string,
  isElement: (one: unknown) => boolean,
): value is Extract<SessionValue, object> {
  if (typeof value !== 'object' || value === null || value.list !== type) return false;
  return Array.isArray(value.values) && value.values.every(isElement);
}
