// The JSON of a state machine, read for the graph and the inputs. The package checks it; this reading takes any JSON.

import { list, number, object, text } from '../document.ts';
import { isRecord, type InputValue } from '../view.ts';

type Json = Readonly<Record<string, unknown>>;

export interface MachineInput {
  readonly name: string;
  readonly type: 'number' | 'boolean' | 'trigger';
  readonly initial: InputValue;
  /** The range of a slider: the numbers that the machine compares the input with, and some more. */
  readonly least: number;
  readonly most: number;
}

export interface StateTransition {
  /** A state of the same graph, or `*` for any of them. */
  readonly from: string;
  readonly to: string;
  /** The conditions in words. */
  readonly when: string;
  readonly mode: string;
  /** Seconds. */
  readonly duration: number;
}

export interface GraphState {
  readonly name: string;
  /** The content in words, such as `clip Walk`. */
  readonly words: string;
  /** The machine within the state. */
  readonly graph: StateGraph | null;
}

export interface StateGraph {
  readonly states: readonly GraphState[];
  readonly transitions: readonly StateTransition[];
  readonly initial: string;
}

export interface MachineLayer {
  readonly name: string;
  readonly graph: StateGraph;
}

export interface MachineFile {
  readonly inputs: readonly MachineInput[];
  readonly layers: readonly MachineLayer[];
}

/** Stands for any state in `from`. */
export const ANY = '*';
const DURATION = 0.3;

export function readMachine(json: string): MachineFile {
  const given: unknown = JSON.parse(json);
  const root: Json = isRecord(given) ? given : {};
  const layers = list(root, 'layers').map((layer, i) => ({
    name: text(layer, 'name') ?? String(i),
    graph: graphOf(layer),
  }));
  const declared = object(root, 'inputs');
  const inputs = Object.keys(declared).map((name): MachineInput => {
    const input = object(declared, name);
    const type = (['boolean', 'trigger'] as const).find((word) => word === input['type']) ?? 'number';
    const value = input['default'];
    const numbers = comparedWith(root, name);
    if (typeof value === 'number') numbers.push(value);
    return {
      name,
      type,
      initial: type === 'number' ? (typeof value === 'number' ? value : 0) : value === true,
      least: Math.min(0, ...numbers) * 1.5,
      // A machine that compares with 0 only still needs a range.
      most: Math.max(...numbers, 0) * 1.5 || 1,
    };
  });
  return { inputs, layers };
}

function graphOf(machine: Json): StateGraph {
  const given = object(machine, 'states');
  const states = Object.keys(given).map((name): GraphState => {
    const state = object(given, name);
    const graph = isRecord(state['machine']) ? graphOf(object(state, 'machine')) : null;
    return { name, words: wordsOf(state, graph), graph };
  });
  const transitions = list(machine, 'transitions').map(
    (transition): StateTransition => ({
      from: text(transition, 'from') ?? '',
      to: text(transition, 'to') ?? '',
      when: conditions(transition),
      mode: text(transition, 'mode') ?? 'inertial',
      duration: transition['mode'] === 'cut' ? 0 : (number(transition, 'duration') ?? DURATION),
    }),
  );
  return { states, transitions, initial: text(machine, 'initial') ?? states[0]?.name ?? '' };
}

function wordsOf(state: Json, graph: StateGraph | null): string {
  if (graph) return `machine of ${graph.states.length} states`;
  const clip = text(state, 'clip');
  const blend = object(state, 'blend');
  const by = blend['by'];
  const words =
    clip !== undefined
      ? `clip ${clip}`
      : by !== undefined
        ? `blend of ${clipsOf(blend).join(', ')} by ${String(by)}`
        : 'no clip';
  const way = text(state, 'loop');
  return way === undefined || way === 'repeat' ? words : `${words}, ${way}`;
}

function clipsOf(blend: Json): string[] {
  const clips = blend['clips'];
  return Array.isArray(clips) ? clips.map((clip: unknown) => String(Array.isArray(clip) ? clip[0] : clip)) : [];
}

function conditions(transition: Json): string {
  const all = list(transition, 'when').map((condition) => {
    const [input, op, value] = [text(condition, 'input') ?? '', text(condition, 'op'), condition['value']];
    if (value === undefined) return input;
    if (typeof value === 'boolean' && (op ?? '==') === '==') return value ? input : `not ${input}`;
    return `${input} ${op ?? '=='} ${String(value)}`;
  });
  const [passes, seconds] = [number(transition, 'exitTime'), number(transition, 'exitSeconds')];
  if (passes !== null) all.push(passes === 1 ? 'at the end' : `after ${passes} passes`);
  if (seconds !== null) all.push(`at ${seconds} s`);
  return all.join(' and ');
}

/** The numbers that conditions and blend spaces compare an input with. */
function comparedWith(machine: unknown, name: string): number[] {
  if (Array.isArray(machine)) return machine.flatMap((each: unknown) => comparedWith(each, name));
  if (!isRecord(machine)) return [];
  const { input, value, by, clips } = machine;
  if (input === name && typeof value === 'number') return [value];
  const axis = [by].flat().indexOf(name);
  if (axis >= 0 && Array.isArray(clips))
    return clips.map((clip: unknown) => (Array.isArray(clip) ? Number(clip[axis + 1]) : 0)).filter(Number.isFinite);
  return Object.values(machine).flatMap((each) => comparedWith(each, name));
}

/** The transition between two states, given by their paths; undefined if the machine has none. */
export function transitionOf(graph: StateGraph, from: string, to: string): StateTransition | undefined {
  const [left, ...leftBelow] = from.split('/');
  const [entered, ...enteredBelow] = to.split('/');
  const own = graph.transitions.find((each) => each.to === entered && (each.from === left || each.from === ANY));
  if (own || left !== entered) return own;
  const inner = graph.states.find(({ name }) => name === left)?.graph;
  return inner ? transitionOf(inner, leftBelow.join('/'), enteredBelow.join('/')) : undefined;
}
