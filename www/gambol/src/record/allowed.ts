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
  alphaMode: ['opaque', 'mask', 'blend'],
  filter: ['nearest', 'linear'],
  framing: FRAMINGS,
  layerMode: ['override', 'average', 'additive'],
  loopMode: LOOP_MODES,
  materialFlag: ['double-sided', 'unlit'],
  mip: ['none', 'nearest', 'linear'],
  motion: ROOT_MOTIONS,
  rotation: ['none', 'yaw', 'full'],
  skinning: SKINNINGS,
  solver: ['fabrik', 'ccd'],
  space: SPACES,
  springSpace: ['world', 'model', 'joint'],
  sync: SYNCS,
  toneMapping: TONE_MAPPINGS,
  transition: TRANSITIONS,
  updateRate: ['auto', 'full'],
  wrap: ['clamp', 'mirror', 'repeat'],
} as const satisfies Record<string, readonly string[]>;

const LISTS = ['f32', 'f64', 'u32'] as const;

/**
 * The kind of an argument: `actor` (its number in the session), `track` (0 or the number of a layer), `index` (a whole number),
 * `number` (finite), `above` (greater than 0), `any` (a number, also NaN or infinite), `flag`, `text`, `texts`, `vector` (three
 * numbers), one of {@link WORDS}, or a list of finite numbers. `any-f32` and `any-f64` are lists that may hold NaN. A question mark allows null.
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
  | 'vector'
  | keyof typeof WORDS
  | (typeof LISTS)[number]
  | 'any-f32'
  | 'any-f64';
type PlainKind = Plain | `${Plain}?`;
/** Also a structure by the kinds of its fields, a list of structures, or a structure that may be null. */
type Kind = PlainKind | Fields | readonly ['list' | 'optional', Fields];
interface Fields {
  readonly [name: string]: Kind;
}

/** The form of the kind of an argument: each field of a structure has its kind. */
type KindOf<T> = [T] extends [Single | readonly (string | number)[] | null | undefined]
  ? PlainKind
  : undefined extends T
    ? readonly ['optional', FieldsOf<NonNullable<T>>]
    : T extends readonly (infer E)[]
      ? readonly ['list', FieldsOf<E>]
      : FieldsOf<T>;
type Single = number | string | boolean | Float32Array | Float64Array | Uint32Array;
type FieldsOf<T> = { readonly [K in keyof T]-?: KindOf<T[K]> };
type KindsOf<M> = M extends (...args: infer A) => unknown ? { readonly [I in keyof A]-?: KindOf<A[I]> } : never;

type Methods<T> = Exclude<
  { [K in keyof T]: T[K] extends (...args: never[]) => unknown ? K : never }[keyof T] & string,
  'free'
>;
/** Methods that a session does not hold: those with objects or meshes, those about events of a page, and checks. */
interface LeftOut {
  readonly playback: never;
  readonly layers: never;
  readonly joints: 'setPicture';
  readonly camera: never;
  readonly lighting: 'setEnvironment' | 'setImageLight' | 'setSkyPicture';
  readonly crowds: 'checkCount' | 'setMeshLevels' | 'listen' | 'make' | 'prepare';
}
/** All methods of each topic, so that a new one does not compile before it has its place here or in {@link LeftOut}. */
type Calls = {
  readonly [T in keyof LeftOut]: {
    readonly [M in Exclude<Methods<Topics[T]>, LeftOut[T]>]: KindsOf<Topics[T][M]>;
  };
} & { readonly stage: { readonly [M in Methods<CoreStage>]?: KindsOf<CoreStage[M]> } };

const TRANSITION = { mode: 'transition', duration: 'number' } as const;
const MARKERS = ['list', { name: 'text', time: 'number' }] as const;
const SOURCE = {
  clip: 'index?',
  space: [
    'optional',
    { points: ['list', { clip: 'index', x: 'number', y: 'number' }], x: 'number', y: 'number', sync: 'sync' },
  ],
} as const;
const MASK = { patterns: ['list', { pattern: 'text', weight: 'number' }] } as const;
const GAZE = {
  joints: ['list', { joint: 'index', share: 'number', limit: 'any', axis: 'vector?' }],
  target: 'vector',
  space: 'space',
  speed: 'any',
} as const;

const CALLS = {
  // The other methods of the stage are about models, frames and clocks.
  stage: {
    place: ['actor', 'f32'],
    teleport: ['actor', 'f32'],
    setVariant: ['actor', 'index?'],
    attach: ['actor', 'actor', 'index', 'flag', 'f32'],
    detach: ['actor'],
    setRootMotion: [
      'actor',
      { motion: 'motion', rotation: 'rotation', vertical: 'flag', contact: 'flag', feet: 'u32?' },
    ],
    resetRootMotion: ['actor'],
    setBackground: ['f32?'],
    setSkinning: ['skinning'],
    setDebug: [
      {
        surface: 'text?',
        joint: 'text',
        skeleton: 'flag',
        bounds: 'flag',
        wireframe: 'flag',
        normalLines: 'flag',
        tangentLines: 'flag',
        bindPose: 'flag',
        grid: 'flag',
      },
    ],
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
    configure: ['actor', 'track', { rate: 'number', loopMode: 'loopMode', repetitions: 'any' }],
    setSegment: ['actor', 'track', 'number?', 'number?'],
    setClip: ['actor', 'index'],
    setTransition: ['actor', TRANSITION],
    transitionTo: ['actor', { source: SOURCE, transition: ['optional', TRANSITION], sync: 'sync', time: 'number?' }],
    setMarkers: ['actor', 'index', MARKERS],
  },
  layers: {
    add: [
      'actor',
      {
        source: SOURCE,
        mode: 'layerMode',
        reference: ['optional', { clip: 'index', time: 'number' }],
        mask: ['optional', MASK],
        weight: 'number',
        sync: 'sync',
        fade: ['optional', TRANSITION],
      },
    ],
    remove: ['actor', 'track', ['optional', TRANSITION]],
    setWeight: ['actor', 'track', 'number', ['optional', TRANSITION]],
    setMask: ['actor', 'track', ['optional', MASK]],
    setBlendPosition: ['actor', 'track', 'number', 'number', ['optional', TRANSITION]],
    setStates: ['actor', 'text?'],
    setStateInput: ['actor', 'index?', 'number'],
  },
  joints: {
    setOverride: ['actor', 'index', 'f32?', 'f32?', 'f32?', 'space', 'number'],
    clearOverride: ['actor', 'index'],
    lookAt: ['actor', 'index', { target: 'vector', space: 'space', weight: 'number', limit: 'any', axis: 'vector?' }],
    endLookAt: ['actor', 'index'],
    reach: [
      'actor',
      'index',
      {
        middle: 'index',
        root: 'index',
        target: 'vector',
        space: 'space',
        weight: 'number',
        pole: 'vector?',
        poleSpace: 'space',
      },
    ],
    endReach: ['actor', 'index'],
    reachChain: [
      'actor',
      {
        joints: 'u32',
        limits: ['list', { cone: 'number?', hinge: ['optional', { axis: 'vector', min: 'number', max: 'number' }] }],
        target: 'vector',
        space: 'space',
        weight: 'number',
        solver: 'solver',
      },
    ],
    setGaze: ['actor', ['optional', GAZE]],
    setFeet: ['actor', ['optional', { joints: 'u32?', isFlat: 'flag', movesPelvis: 'flag', weight: 'number' }]],
    setGround: ['actor', 'index', 'any', 'any?', 'any', 'any', 'any', 'any'],
    setShadowGround: ['actor', 'any-f32?'],
    setSprings: [
      'actor',
      'index',
      [
        'optional',
        {
          stiffness: 'number',
          gravity: 'number',
          gravityDirection: 'vector',
          drag: 'number',
          radius: 'number',
          space: 'springSpace',
          center: 'index?',
          colliders: ['list', { joint: 'index', offset: 'vector', tail: 'vector', radius: 'number' }],
        },
      ],
    ],
    setFlipbook: [
      'actor',
      'index',
      [
        'optional',
        {
          columns: 'index',
          rows: 'index',
          first: 'index',
          frames: 'index',
          fps: 'number',
          loopMode: 'loopMode',
          byClip: 'flag',
        },
      ],
    ],
    setBillboard: ['actor', 'index', 'flag?'],
    setShown: ['actor', 'index', 'flag?'],
    setMaterialNumbers: ['actor', 'index', 'index', 'any-f32', 'number', 'number'],
    setAlphaMode: ['actor', 'index', 'alphaMode?'],
    setMaterialFlag: ['actor', 'index', 'materialFlag', 'flag?'],
    setTexture: [
      'actor',
      'index',
      'index',
      [
        'optional',
        {
          picture: 'index?',
          material: 'index?',
          slot: 'index',
          none: 'flag',
          texCoord: 'index?',
          wrapS: 'wrap?',
          wrapT: 'wrap?',
          mag: 'filter?',
          min: 'filter?',
          mip: 'mip?',
        },
      ],
    ],
    resetMaterial: ['actor', 'index', 'number'],
    setMorph: ['actor', 'index', 'number?', 'number', 'number'],
    setExpression: ['actor', 'index', 'number?', 'number', 'number'],
    setBlinks: ['actor', ['optional', { seed: 'index', interval: 'number' }]],
    setGlances: ['actor', ['optional', { joints: 'u32?', seed: 'index', interval: 'number', amount: 'number' }]],
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
    set: [
      {
        rotation: 'number',
        intensity: 'number',
        exposure: 'number',
        toneMapping: 'toneMapping',
        skybox: 'flag',
        skyboxBlur: 'number',
        skyboxHeight: 'number',
        shadowIntensity: 'number',
        shadowSoftness: 'number',
      },
    ],
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
    setHidden: ['actor', 'index', 'u32', 'f64'],
    setLoopMode: ['actor', 'loopMode'],
    setTransition: ['actor', 'number'],
    setUpdateRate: ['actor', 'updateRate'],
    setBaked: ['actor', 'flag'],
    setGaze: ['actor', ['optional', GAZE], 'index'],
    setMarkers: ['actor', 'index', MARKERS],
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
  return typeof kind === 'string' ? isPlain(value, kind) : isStructured(value, kind);
}

function isStructured(value: SessionValue, kind: Exclude<Kind, PlainKind>): boolean {
  if (!isForm(kind)) return isStructure(value, kind);
  const [form, fields] = kind;
  if (form === 'optional') return value === null || isStructure(value, fields);
  if (typeof value !== 'object' || value === null || !('list' in value) || !Array.isArray(value.values)) return false;
  const { list, values } = value as { readonly list: unknown; readonly values: readonly SessionValue[] };
  // An empty list is recorded as one of text.
  return values.length === 0 || (list === 'values' && values.every((one) => isStructure(one, fields)));
}

const isForm = (kind: Exclude<Kind, PlainKind>): kind is readonly ['list' | 'optional', Fields] => Array.isArray(kind);

/** `true` for a structure with fields of these kinds, and no others. */
function isStructure(value: SessionValue, kinds: Fields): boolean {
  if (typeof value !== 'object' || value === null || !('fields' in value)) return false;
  const fields: unknown = value.fields;
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) return false;
  const given = new Map(Object.entries(fields as Record<string, SessionValue>));
  return (
    [...given.keys()].every((name) => Object.hasOwn(kinds, name)) &&
    Object.entries(kinds).every(([name, kind]) => isOfKind(given.get(name) ?? null, kind))
  );
}

function isPlain(value: SessionValue, kind: PlainKind): boolean {
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
    case 'vector':
      return isList(value, 'f32', Number.isFinite) && value.values.length === 3;
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
): value is Extract<SessionValue, { readonly list: unknown }> {
  if (typeof value !== 'object' || value === null || !('list' in value) || value.list !== type) return false;
  return Array.isArray(value.values) && value.values.every(isElement);
}
