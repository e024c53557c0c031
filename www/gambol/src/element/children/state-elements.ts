// The child elements `<gambol-states>`, `<gambol-state>` and `<gambol-transition>`, and the state machine that they describe. They
// are defined with the script for child elements, which is loaded lazily: few pages use them.

import type { LoopMode, TransitionMode } from '../../values/words.ts';
import { number, one, reflect, text, type Kind } from '../base/attributes.ts';
import { Late } from './late.ts';

/** The properties of `<gambol-states>` that are attributes, too. @category Attributes */
export interface StatesAttributes {
  /** The URL of a file of the format `gambol-states`, in place of child elements. */
  src: string | null;
  /** The inputs, separated by spaces: `speed`, `speed=0.5` (numbers), `armed:boolean`, `armed:boolean=true`, `jump:trigger`. */
  inputs: string | null;
  /** The name of the layer. Default: its index. */
  name: string | null;
  /** The joints that the layer moves: patterns, separated by spaces. The first layer moves all. */
  mask: string | null;
  /** The blend mode of the layer: it replaces the pose below, or is added to it. */
  mode: 'override' | 'additive';
  /** The weight of the layer: 0 to 1, any number for `additive`. */
  weight: number;
  /** The name of the state that the layer begins with. Default: the first one. */
  initial: string | null;
}

/** The properties of `<gambol-state>` that are attributes, too. @category Attributes */
export interface StateAttributes {
  /** The name, by which transitions refer to the state. */
  name: string | null;
  /** The clip that the state plays, by its name. */
  animation: string | null;
  /** The number inputs of a blend space: one or two names, separated by a space. */
  blend: string | null;
  /** The clips of the blend space, each with one or two coordinates: `Idle 0, Walk 1.4, Run 4`. */
  clips: string | null;
  /** The synchronisation of these clips: by phase, or by markers of the same names. */
  sync: 'phase' | 'marker';
  /** The loop mode at the end of the clip: again, stop, or backwards. */
  loopMode: LoopMode;
  /** The speed as a factor; negative plays backwards. */
  timeScale: number;
  /** The part of the clip that is played: `0.2 0.8`, in seconds. */
  segment: string | null;
  /** The name in `stateenter` events. */
  enter: string | null;
  /** The name in `stateleave` events. */
  leave: string | null;
  /** The name of the state inside that this machine begins with. Default: the first one. */
  initial: string | null;
}

/** The properties of `<gambol-transition>` that are attributes, too. @category Attributes */
export interface TransitionAttributes {
  /** The state that it leaves, or `*` for any. Default: the state around the element. */
  from: string | null;
  /** The state that it leads to. */
  to: string | null;
  /** Conditions, which must all hold, separated by commas: `speed > 0.1, armed, !hurt, jump`. */
  when: string | null;
  /** The time at which it is possible, in passes of the state; 1 is the end of the first one. */
  exitTime: string | null;
  /** The time at which it is possible, in seconds of the state's clip. */
  exitSeconds: string | null;
  /** The length in seconds, at least 0. */
  duration: number;
  /** The change of the pose: the offset decays (`inertial`), both clips are blended (`crossfade`), or none (`cut`). */
  mode: TransitionMode;
  /** The transitions that may interrupt it: those of the state that it leaves, of the one that it leads to, or of both. */
  interruption: 'none' | 'source' | 'target' | 'source-then-target' | 'target-then-source';
}

const STATES: { readonly [Name in keyof StatesAttributes]: Kind<StatesAttributes[Name]> } = {
  src: text,
  inputs: text,
  name: text,
  mask: text,
  mode: one('override', 'additive'),
  weight: number(1),
  initial: text,
};
const STATE: { readonly [Name in keyof StateAttributes]: Kind<StateAttributes[Name]> } = {
  name: text,
  animation: text,
  blend: text,
  clips: text,
  sync: one('phase', 'marker'),
  loopMode: one('repeat', 'once', 'pingpong'),
  timeScale: number(1),
  segment: text,
  enter: text,
  leave: text,
  initial: text,
};
const TRANSITION: { readonly [Name in keyof TransitionAttributes]: Kind<TransitionAttributes[Name]> } = {
  from: text,
  to: text,
  when: text,
  exitTime: text,
  exitSeconds: text,
  duration: number(0.3, 0),
  mode: one('inertial', 'crossfade', 'cut'),
  interruption: one('none', 'source', 'target', 'source-then-target', 'target-then-source'),
};

/** A layer of a state machine; further layers are inside the first. @category Elements */
export class GambolStates extends Late {}
export interface GambolStates extends StatesAttributes {}
/** A state: a clip, a blend space, or a machine of the states inside. @category Elements */
export class GambolState extends Late {}
export interface GambolState extends StateAttributes {}
/** A transition between two states. @category Elements */
export class GambolTransition extends Late {}
export interface GambolTransition extends TransitionAttributes {}

declare global {
  interface HTMLElementTagNameMap {
    'gambol-states': GambolStates;
    'gambol-state': GambolState;
    'gambol-transition': GambolTransition;
  }
}

/** Defines the elements, once. */
export function defineStateElements(): void {
  for (const [name, element, table] of [
    ['gambol-states', GambolStates, STATES],
    ['gambol-state', GambolState, STATE],
    ['gambol-transition', GambolTransition, TRANSITION],
  ] as const) {
    reflect(element.prototype, table as object);
    if (!customElements.get(name)) customElements.define(name, element);
  }
}

/** A value of JSON; undefined members are left out. */
type Json = Record<string, unknown>;

/** The contents of a file of the format `gambol-states` that an element and its children describe. */
export function machineOf(element: GambolStates): Json {
  const layers = [element, ...element.children].filter((child) => child instanceof GambolStates);
  return { format: 'gambol-states', version: 1, inputs: inputsOf(element.inputs), layers: layers.map(layerOf) };
}

function layerOf(layer: GambolStates, index: number): Json {
  const mask = layer.mask?.trim().split(/\s+/).filter(Boolean);
  return {
    name: layer.name ?? undefined,
    // The reader warns of the others in the first layer, which has none.
    ...(index > 0 && { mask: mask?.length ? mask : undefined, mode: layer.mode, weight: layer.weight }),
    ...graphOf(layer, layer.initial),
  };
}

/** The states and transitions in an element. */
function graphOf(element: Element, initial: string | null): Json {
  const children = [...element.children];
  const states = children.filter((child) => child instanceof GambolState);
  // A transition of a state that is a machine, without `from`, is one of the machine around it.
  const own = children.filter(
    (child) => child instanceof GambolTransition && !(isMachine(element) && child.from === null),
  );
  const within = states.flatMap((state) =>
    [...state.children]
      .filter((child) => child instanceof GambolTransition)
      .filter(({ from }) => !isMachine(state) || from === null)
      .map((transition) => transitionOf(transition, state.name)),
  );
  const transitions = [...own.map((one) => transitionOf(one as GambolTransition, null)), ...within];
  return {
    initial: initial ?? undefined,
    states: Object.fromEntries(states.map((state) => [state.name ?? '', stateOf(state)])),
    ...(transitions.length > 0 && { transitions }),
  };
}

function isMachine(element: Element): boolean {
  return element instanceof GambolState && [...element.children].some((child) => child instanceof GambolState);
}

function stateOf(state: GambolState): Json {
  const { animation, blend, clips, sync, segment, enter, leave } = state;
  const plays = animation !== null || blend !== null;
  return {
    clip: animation ?? undefined,
    blend: blend === null ? undefined : { by: namesOf(blend), clips: pointsOf(clips ?? ''), sync },
    machine: isMachine(state) ? graphOf(state, state.initial) : undefined,
    ...(plays && { rate: state.timeScale, loop: state.loopMode }),
    segment:
      segment === null
        ? undefined
        : segment
            .trim()
            .split(/[\s,]+/)
            .map(Number),
    enter: enter ?? undefined,
    leave: leave ?? undefined,
  };
}

function transitionOf(transition: GambolTransition, around: string | null): Json {
  const { from, to, when, exitTime, exitSeconds, duration, mode, interruption } = transition;
  const conditions = (when ?? '').split(',').filter((condition) => condition.trim() !== '');
  return {
    from: from ?? around ?? undefined,
    to: to ?? undefined,
    when: conditions.map(conditionOf),
    exitTime: exitTime === null ? undefined : numberOr(exitTime),
    exitSeconds: exitSeconds === null ? undefined : numberOr(exitSeconds),
    duration,
    mode,
    interruption,
  };
}

/** A condition such as `speed > 0.1`, `armed`, `!armed`, `armed == false`. */
function conditionOf(condition: string): Json {
  const [, not, input = '', op, value] = /^\s*(!?)\s*(.*?)\s*(?:(<=|>=|==|!=|<|>)\s*(.*?)\s*)?$/s.exec(condition) ?? [];
  if (op !== undefined) return { input, op, value: literal(value ?? '') };
  return not ? { input, value: false } : { input };
}

function inputsOf(inputs: string | null): Json {
  return Object.fromEntries(
    namesOf(inputs ?? '').map((input) => {
      const [, name = '', type = 'number', fallback] = /^(.*?)(?::(\w+))?(?:=(.*))?$/s.exec(input) ?? [];
      return [name, { type, ...(fallback !== undefined && { default: literal(fallback) }) }];
    }),
  );
}

/** The points of `Idle 0, Walk 1.4`: names, which may have spaces, and their coordinates. */
function pointsOf(clips: string): unknown[] {
  return clips.split(',').map((point) => {
    const [, name = '', coordinates = ''] = /^\s*(.*?)((?:\s+[-+.\d][-+.\de]*)*)\s*$/is.exec(point) ?? [];
    return [name, ...namesOf(coordinates).map(numberOr)];
  });
}

function namesOf(list: string): string[] {
  return list.trim().split(/\s+/).filter(Boolean);
}

function literal(text: string): unknown {
  return text === 'true' ? true : text === 'false' ? false : numberOr(text);
}

/** The number; other text stays, so that the reader reports it with its place. */
function numberOr(text: string): number | string {
  const number = text.trim() === '' ? NaN : Number(text);
  return Number.isFinite(number) ? number : text;
}
