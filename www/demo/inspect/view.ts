// The view: every setting of the inspector that a link, an undo step or a reload brings back. It is plain data; `apply.ts` sets it on
// the viewer.

export interface LayerSetting {
  readonly clip: string;
  readonly mode: 'override' | 'additive';
  /** The index of the node whose branch the layer moves; null for all nodes. */
  readonly node: number | null;
  readonly weight: number;
}

export interface BlendSetting {
  readonly from: string;
  readonly to: string;
  /** 0 is the first clip, 1 the second. */
  readonly value: number;
}

export type InputValue = number | boolean;

/** The shape of the ground below the feet. */
export type GroundName = 'flat' | 'slope' | 'waves' | 'steps';

export interface SpringSetting {
  /** The index of the node at which the chain begins. */
  readonly node: number;
  readonly stiffness: number;
  readonly drag: number;
  readonly gravity: number;
  /** The radius of the bones for the collider, in metres of the model. */
  readonly radius: number;
  /** The node that the chain does not enter; null for none. */
  readonly collider: number | null;
}

export interface View {
  /** The id of the clip that plays; null for the first one. */
  readonly clip: string | null;
  readonly blend: BlendSetting | null;
  readonly layers: readonly LayerSetting[];
  /** The JSON of the state machine that plays; empty for none. A view has either a machine, or a clip or a blend space. */
  readonly states: string;
  /** Inputs of the machine that the user has set, by name. */
  readonly inputs: Readonly<Record<string, InputValue>>;
  /** The ground on which the feet are put; null to leave the feet to the clips. */
  readonly ground: GroundName | null;
  /** `true` if the pelvis moves with the feet. */
  readonly pelvis: boolean;
  readonly springs: readonly SpringSetting[];
  readonly transition: 'inertial' | 'crossfade' | 'cut';
  /** Seconds. */
  readonly transitionDuration: number;
  /** Weights of morph targets that the user has set, by name. */
  readonly morphs: Readonly<Record<string, number>>;
  /** Weights of expressions that the user has set, by name. */
  readonly expressions: Readonly<Record<string, number>>;
  readonly blink: boolean;
  readonly glance: boolean;
  readonly variant: string | null;
  /** A camera of the file; null for the orbit camera. */
  readonly camera: string | null;
  readonly framing: 'clip' | 'all-clips' | 'pose' | 'rest';
  /** Degrees. */
  readonly fieldOfView: number;
  readonly autoRotate: boolean;
  readonly skinning: 'linear' | 'dual-quaternion';
  /** A built-in environment, or the URL of an `.hdr` file. */
  readonly environment: string;
  /** Degrees. */
  readonly rotation: number;
  readonly intensity: number;
  readonly background: 'transparent' | 'environment' | 'white' | 'grey' | 'black';
  readonly blur: number;
  /** Stops. */
  readonly exposure: number;
  readonly toneMapping: 'neutral' | 'agx' | 'aces' | 'none';
  readonly shadow: number;
  readonly softness: number;
  /** A debug view of surfaces; empty for materials. */
  readonly surface: string;
  /** The node whose skin weights are shown. */
  readonly weightsOf: number | null;
  readonly overlays: readonly string[];
  /** The selected node of the file. */
  readonly node: number | null;
  /** The text of the label at the selected node; empty for its name. */
  readonly label: string;
}

export const DEFAULTS: View = {
  clip: null,
  blend: null,
  layers: [],
  states: '',
  inputs: {},
  ground: null,
  pelvis: true,
  springs: [],
  transition: 'inertial',
  transitionDuration: 0.3,
  morphs: {},
  expressions: {},
  blink: false,
  glance: false,
  variant: null,
  camera: null,
  framing: 'clip',
  fieldOfView: 30,
  autoRotate: false,
  skinning: 'linear',
  environment: 'studio',
  rotation: 0,
  intensity: 1,
  background: 'transparent',
  blur: 0,
  exposure: 0,
  toneMapping: 'neutral',
  shadow: 0.6,
  softness: 0.5,
  surface: '',
  weightsOf: null,
  overlays: [],
  node: null,
  label: '',
};

/** The settings that belong to a model, and end with it. */
const OF_MODEL: readonly (keyof View)[] = [
  'clip',
  'blend',
  'layers',
  'states',
  'inputs',
  'ground',
  'pelvis',
  'springs',
  'morphs',
  'expressions',
  'blink',
  'glance',
  'variant',
  'camera',
  'weightsOf',
  'node',
  'label',
];

/** The view for another model: its own settings are the defaults again. */
export function forOtherModel(view: View): View {
  return { ...view, ...Object.fromEntries(OF_MODEL.map((key) => [key, DEFAULTS[key]])) };
}

/** The settings with those that they end: a clip ends a state machine, and a machine ends the clip. */
export function withEnded(settings: Partial<View>): Partial<View> {
  if (settings.states) return { clip: null, blend: null, ...settings };
  return settings.clip || settings.blend ? { states: '', ...settings } : settings;
}

/** The settings that differ from the defaults. */
export function changesOf(view: View): Partial<View> {
  const same = (key: string): boolean =>
    JSON.stringify(view[key as keyof View]) === JSON.stringify(DEFAULTS[key as keyof View]);
  return Object.fromEntries(Object.entries(view).filter(([key]) => !same(key)));
}

/** A view from data of unknown origin, such as the address of the page. Settings of another type are the defaults. */
export function viewFrom(data: unknown): View {
  if (typeof data !== 'object' || data === null) return DEFAULTS;
  const entries = Object.entries(DEFAULTS).map(([key, value]) => {
    const given: unknown = (data as Record<string, unknown>)[key];
    return [key, isLike(key, given) ? given : value];
  });
  return Object.fromEntries(entries) as unknown as View;
}

/** The words of the settings that have a list of them. */
const WORDS: Partial<Record<keyof View, readonly string[]>> = {
  transition: ['inertial', 'crossfade', 'cut'],
  ground: ['flat', 'slope', 'waves', 'steps'],
  framing: ['clip', 'all-clips', 'pose', 'rest'],
  skinning: ['linear', 'dual-quaternion'],
  background: ['transparent', 'environment', 'white', 'grey', 'black'],
  toneMapping: ['neutral', 'agx', 'aces', 'none'],
};

const isText = (value: unknown): value is string => typeof value === 'string';
export const isNumber = (value: unknown): value is number => typeof value === 'number' && Number.isFinite(value);
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const SPRING_NUMBERS: readonly (keyof SpringSetting)[] = ['node', 'stiffness', 'drag', 'gravity', 'radius'];

/** The checks of the settings whose default does not tell their type. */
const CHECKS: Partial<Record<keyof View, (value: unknown) => boolean>> = {
  clip: isText,
  variant: isText,
  camera: isText,
  node: isNumber,
  weightsOf: isNumber,
  blend: (value) => isRecord(value) && isText(value['from']) && isText(value['to']) && isNumber(value['value']),
  layers: (value) =>
    Array.isArray(value) &&
    value.every(
      (layer) =>
        isRecord(layer) &&
        isText(layer['clip']) &&
        ['override', 'additive'].includes(String(layer['mode'])) &&
        (layer['node'] === null || isNumber(layer['node'])) &&
        isNumber(layer['weight']),
    ),
  inputs: (value) =>
    isRecord(value) && Object.values(value).every((each) => isNumber(each) || typeof each === 'boolean'),
  springs: (value) =>
    Array.isArray(value) &&
    value.every(
      (spring) =>
        isRecord(spring) &&
        SPRING_NUMBERS.every((name) => isNumber(spring[name]) && Number(spring[name]) >= 0) &&
        (spring['collider'] === null || isNumber(spring['collider'])),
    ),
  morphs: (value) => isRecord(value) && Object.values(value).every(isNumber),
  expressions: (value) => isRecord(value) && Object.values(value).every(isNumber),
  overlays: (value) => Array.isArray(value) && value.every(isText),
};

function isLike(key: string, given: unknown): boolean {
  const name = key as keyof View;
  const check = CHECKS[name];
  if (check) return check(given);
  const words = WORDS[name];
  if (words) return isText(given) && words.includes(given);
  return typeof given === typeof DEFAULTS[name] && (typeof given !== 'number' || Number.isFinite(given));
}
