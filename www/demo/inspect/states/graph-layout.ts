// A layered layout of a state graph: states in rows by their distance from the initial one, arrows as curves.

import { ANY, type StateGraph, type StateTransition } from './machine-file.ts';

export const BOX = { width: 88, height: 32 };
const GAP = { x: 18, y: 40 };
const MOST_IN_ROW = 3;
/** The width of the drawing. */
export const WIDTH = MOST_IN_ROW * BOX.width + (MOST_IN_ROW - 1) * GAP.x + 16;

export interface PlacedState {
  readonly name: string;
  /** The middle of its box. */
  readonly x: number;
  readonly y: number;
}

export interface PlacedArrow {
  readonly from: string;
  readonly to: string;
  readonly path: string;
  readonly transitions: readonly StateTransition[];
}

export interface GraphLayout {
  readonly states: readonly PlacedState[];
  readonly arrows: readonly PlacedArrow[];
  readonly height: number;
}

interface Point {
  readonly x: number;
  readonly y: number;
}

export function layOut(graph: StateGraph): GraphLayout {
  const names = graph.states.map(({ name }) => name);
  const any = graph.transitions.some(({ from }) => from === ANY);
  const known = new Set(any ? [...names, ANY] : names);
  const transitions = graph.transitions.filter(({ from, to }) => known.has(from) && known.has(to));
  const rows = rowsOf([...known], graph.initial, transitions);
  const states = new Map<string, PlacedState & { readonly row: number }>();
  rows.forEach((row, at) => {
    const left = (WIDTH - row.length * BOX.width - (row.length - 1) * GAP.x) / 2;
    row.forEach((name, i) => {
      const x = left + i * (BOX.width + GAP.x) + BOX.width / 2;
      states.set(name, { name, x, y: 8 + at * (BOX.height + GAP.y) + BOX.height / 2, row: at });
    });
  });
  const groups = new Map<string, StateTransition[]>();
  for (const transition of transitions) {
    const key = JSON.stringify([transition.from, transition.to]);
    groups.set(key, [...(groups.get(key) ?? []), transition]);
  }
  const arrows = [...groups].flatMap(([, all]): PlacedArrow[] => {
    const { from = '', to = '' } = all[0] ?? {};
    const [start, end] = [states.get(from), states.get(to)];
    if (!start || !end) return [];
    const twoWay = groups.has(JSON.stringify([to, from]));
    const rowsApart = Math.abs(start.row - end.row);
    const far = rowsApart > 1 || (rowsApart === 0 && Math.abs(start.x - end.x) > BOX.width + GAP.x + 1);
    const path = start === end ? loopAt(start) : curve(start, end, far ? 38 : twoWay || rowsApart === 0 ? 9 : 0);
    return [{ from, to, path, transitions: all }];
  });
  return {
    states: [...states.values()],
    arrows,
    height: rows.length * (BOX.height + GAP.y) - GAP.y + 16,
  };
}

/** The rows of states. A long row is broken. */
function rowsOf(names: readonly string[], initial: string, transitions: readonly StateTransition[]): string[][] {
  const rank = new Map<string, number>();
  const visit = (first: readonly string[], start: number): void => {
    let row = first.filter((name) => names.includes(name) && !rank.has(name));
    for (let at = start; row.length > 0; at++) {
      for (const name of row) rank.set(name, at);
      const next = row.flatMap((name) => transitions.filter(({ from }) => from === name).map(({ to }) => to));
      row = [...new Set(next)].filter((name) => !rank.has(name));
    }
  };
  visit([initial, ANY], 0);
  visit(names, Math.max(-1, ...rank.values()) + 1);
  const rows: string[][] = [];
  for (let at = 0; at <= Math.max(...rank.values()); at++) {
    const above = rows.at(-1) ?? [];
    /** The mean place of the states above from which arrows come, so that few arrows cross. */
    const place = (name: string): number => {
      const places = transitions
        .filter(({ to }) => to === name)
        .map(({ from }) => above.indexOf(from))
        .filter((i) => i >= 0);
      return places.length === 0 ? MOST_IN_ROW / 2 : places.reduce((sum, i) => sum + i, 0) / places.length;
    };
    const row = names.filter((name) => rank.get(name) === at).sort((one, other) => place(one) - place(other));
    for (let i = 0; i < row.length; i += MOST_IN_ROW) rows.push(row.slice(i, i + MOST_IN_ROW));
  }
  return rows;
}

/** A curve between two boxes; `bow` is its distance from the straight line, to the left of its direction. */
function curve(from: Point, to: Point, bow: number): string {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.hypot(dx, dy) || 1;
  const middle = {
    x: (from.x + to.x) / 2 + (2 * bow * dy) / length,
    y: (from.y + to.y) / 2 - (2 * bow * dx) / length,
  };
  const [start, end] = [edge(from, middle, 0), edge(to, middle, 4)];
  return `M${point(start)}Q${point(middle)} ${point(end)}`;
}

function loopAt({ x, y }: Point): string {
  const [right, half] = [x + BOX.width / 2, BOX.height / 4];
  return `M${right} ${y - half}C${right + 16} ${y - half} ${right + 16} ${y + half} ${right + 4} ${y + half}`;
}

/** The place at which the line from the middle of a box to a point leaves the box, and `gap` farther. */
function edge(box: Point, to: Point, gap: number): Point {
  const [dx, dy] = [to.x - box.x, to.y - box.y];
  const length = Math.hypot(dx, dy) || 1;
  const inside = Math.min(BOX.width / 2 / Math.abs(dx || 1e-9), BOX.height / 2 / Math.abs(dy || 1e-9));
  const share = inside + gap / length;
  return { x: box.x + share * dx, y: box.y + share * dy };
}

function point({ x, y }: Point): string {
  return `${x.toFixed(1)} ${y.toFixed(1)}`;
}
