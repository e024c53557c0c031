// The rows of the timeline: joints in the order of their hierarchy, their channels, and the components of these.

import type { ClipChannel, Model } from 'gambol';
import { keyAtOrBefore } from './values.ts';

/** A channel with its row. */
export interface ChannelRow {
  readonly kind: 'channel';
  readonly id: string;
  readonly name: string;
  readonly depth: number;
  readonly joint: JointRow;
  readonly channel: ClipChannel;
}

/** One component of a channel. */
export interface ComponentRow {
  readonly kind: 'component';
  readonly id: string;
  readonly name: string;
  readonly depth: number;
  readonly parent: ChannelRow;
  readonly component: number;
}

/** A node, or another object of the file, with its animated channels. */
export interface JointRow {
  readonly kind: 'joint';
  readonly id: string;
  readonly name: string;
  readonly depth: number;
  /** The index of the node; null for materials, lights and cameras. */
  readonly node: number | null;
  readonly channels: ChannelRow[];
  /** The times of the keys of all its channels, and the interpolations at each time: bits of {@link BITS}. */
  keys: { readonly times: Float32Array; readonly bits: Uint8Array };
}

export type Row = JointRow | ChannelRow | ComponentRow;

export const BITS = { STEP: 1, LINEAR: 2, CUBICSPLINE: 4 } as const;

const PATHS: Readonly<Record<string, string>> = {
  translation: 'Translation',
  rotation: 'Rotation',
  scale: 'Scale',
  weights: 'Weights',
};

export function componentNames({ path, components }: ClipChannel): string[] {
  const letters = /color/i.test(path) ? 'RGBA' : path.includes('texture_transform') ? 'UV' : 'XYZW';
  const named = path !== 'weights' && components > 1 && components <= letters.length;
  return Array.from({ length: components }, (_, i) =>
    named ? (letters[i] as string) : components > 1 ? `${i}` : 'value',
  );
}

/** The rows of joints with their channels. */
export function jointRows(model: Model, channels: readonly ClipChannel[]): JointRow[] {
  const byOwner = new Map<string, ClipChannel[]>();
  for (const channel of channels) {
    const owner = channel.node === null ? objectOf(channel.path) : `${channel.node}`;
    const list = byOwner.get(owner);
    if (list) list.push(channel);
    else byOwner.set(owner, [channel]);
  }
  const rows: JointRow[] = [];
  const add = (owner: string, name: string, node: number | null, depth: number): boolean => {
    const own = byOwner.get(owner);
    if (!own) return false;
    const empty = { times: new Float32Array(), bits: new Uint8Array() };
    const joint: JointRow = { kind: 'joint', id: owner, name, depth, node, channels: [], keys: empty };
    for (const channel of own) {
      const id = `${owner}:${channel.path}`;
      const called = PATHS[channel.path] ?? channel.path.replace(`${owner}/`, '').replace(/^\/nodes\/\d+\//, '');
      joint.channels.push({ kind: 'channel', id, name: called, depth: depth + 1, joint, channel });
    }
    joint.keys = union(own);
    rows.push(joint);
    return true;
  };
  const children = new Map<number | null, number[]>();
  for (const { index, parent } of model.joints) {
    const list = children.get(parent);
    if (list) list.push(index);
    else children.set(parent, [index]);
  }
  // A stack in place of recursion, because a chain of joints may be thousands of nodes long.
  const stack = [...(children.get(null) ?? [])].reverse().map((index) => ({ index, depth: 0 }));
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { index, depth } = next;
    const shown = add(`${index}`, model.joints[index]?.name || `Node ${index}`, index, depth);
    const below = children.get(index) ?? [];
    for (let i = below.length - 1; i >= 0; i--)
      stack.push({ index: below[i] as number, depth: depth + (shown ? 1 : 0) });
  }
  for (const owner of byOwner.keys()) if (owner.startsWith('/')) add(owner, owner.slice(1), null, 0);
  return rows;
}

/** The pointer of the material, light or camera that has a property. */
function objectOf(pointer: string): string {
  return /^\/(?:extensions\/[^/]+\/)?[^/]+\/\d+/.exec(pointer)?.[0] ?? pointer;
}

/** The times of the keys of several channels, sorted, with the interpolations at each time. */
function union(channels: readonly ClipChannel[]): JointRow['keys'] {
  const times = Float32Array.from(new Set(channels.flatMap((channel) => [...channel.times]))).sort();
  const bits = new Uint8Array(times.length);
  for (const { times: own, interpolation } of channels)
    for (const time of own) {
      const at = keyAtOrBefore(times, time);
      bits[at] = (bits[at] ?? 0) | BITS[interpolation];
    }
  return { times, bits };
}

/** The rows that are shown: of joints that match, with the rows below those that are open. */
export function shownRows(
  joints: readonly JointRow[],
  open: ReadonlySet<string>,
  matches: (joint: JointRow) => boolean,
): Row[] {
  const rows: Row[] = [];
  for (const joint of joints) {
    if (!matches(joint)) continue;
    rows.push(joint);
    if (!open.has(joint.id)) continue;
    for (const row of joint.channels) {
      rows.push(row);
      if (open.has(row.id)) rows.push(...componentRows(row));
    }
  }
  return rows;
}

function componentRows(parent: ChannelRow): ComponentRow[] {
  return componentNames(parent.channel).map((name, component) => ({
    kind: 'component',
    id: `${parent.id}:${component}`,
    name,
    depth: parent.depth + 1,
    parent,
    component,
  }));
}

export function jointOf(row: Row): JointRow {
  return row.kind === 'joint' ? row : row.kind === 'channel' ? row.joint : row.parent.joint;
}

/** The channels of a row: all of a joint, or one. */
export function channelsOf(row: Row): readonly ChannelRow[] {
  return row.kind === 'joint' ? row.channels : [row.kind === 'channel' ? row : row.parent];
}

/** The key times of a row. */
export function timesOf(row: Row): Float32Array {
  return row.kind === 'joint' ? row.keys.times : (channelsOf(row)[0] as ChannelRow).channel.times;
}

export function isExpandable(row: Row): boolean {
  return row.kind === 'joint' || (row.kind === 'channel' && row.channel.components > 1);
}
