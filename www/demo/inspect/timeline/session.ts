// The state of the timeline, and all actions on it. The panel and the canvases show it; they listen for its changes.

import type { Clip, ClipEdit, Marker, Model, Segment, Viewer } from 'gambol';
import { Axis, FRAME_RATES, nearestRate, timeWords, type FrameRate } from './axis.ts';
import type { GraphKind } from './graphs.ts';
import {
  channelsOf,
  jointOf,
  jointRows,
  shownRows,
  timesOf,
  type ChannelRow,
  type JointRow,
  type Row,
} from './rows.ts';
import { keyAtOrAfter, keyAtOrBefore } from './values.ts';

/** A change that the page can undo. */
export interface Edit {
  /** The change in words, such as `move marker “step”`. */
  readonly label: string;
  undo(): void;
  redo(): void;
}

/** A clip that changes while the pointer moves. All changes are one step of undo. */
export interface FollowedClip {
  /** Shows the clip with these edits, in place of those before. */
  show(edits: readonly ClipEdit[]): void;
  /** Keeps the edits that are shown, under a name in words. */
  end(label: string): Promise<boolean>;
  /** Gives back the clip of before. */
  cancel(): Promise<boolean>;
}

/** The page around the timeline. */
export interface TimelineHost {
  readonly viewer: Viewer;
  /** An element that covers the canvas of the viewer exactly; the timeline draws onion skin and trail in it. */
  readonly overlay: HTMLElement;
  /** A row was selected; null for a row without a node. */
  selectNode?(node: number | null, name: string | null): void;
  /** The range has changed. The timeline has set `viewer.segment` already. */
  onRange?(range: Segment | null): void;
  /** The user has changed the range or the markers. */
  onEdit?(edit: Edit): void;
  /** Edits a clip, as a step of undo; `false` if that failed. Without it, clips are shown only. */
  editClip?(label: string, clip: Clip, edits: readonly ClipEdit[]): Promise<boolean>;
  /** Begins an edit that follows the pointer. */
  followClip?(clip: Clip): FollowedClip | null;
  /** Splits a clip at a time, as a step of undo; the part after it is a new clip. */
  splitClip?(clip: Clip, at: number): Promise<boolean>;
  /** The controls of edits are shown, which need height. */
  onEditing?(): void;
  undo?(): void;
  redo?(): void;
  /** Saves the file with the edits. */
  save?(): void;
  /** {@link TimelineState} has changed. */
  onState?(): void;
  /** Tells users of screen readers. */
  announce?(text: string): void;
}

export type ViewName = 'sheet' | 'curves' | 'table';

/** The settings of the onion skin: poses before and after the playhead, `step` frames apart. */
export interface OnionSettings {
  readonly on: boolean;
  readonly count: number;
  readonly step: number;
}

/** The state of the timeline as plain data, for the address of the page. Markers are not in it; see `markersJson`. */
export interface TimelineState {
  readonly view: ViewName;
  readonly graph: GraphKind;
  readonly fps: FrameRate | null;
  readonly visible: readonly [number, number] | null;
  readonly range: Segment | null;
  readonly rows: readonly string[];
  readonly open: readonly string[];
  readonly search: string;
  readonly onlySelected: boolean;
  readonly snap: boolean;
  readonly onion: OnionSettings;
  readonly trail: boolean;
  /** The factor on the vertical scale of curves. */
  readonly vertical: number;
  /** The number of rows above the visible ones. */
  readonly scroll: number;
}

/** The state of a clip that was not looked at. The first row is selected then. */
const DEFAULTS: Omit<TimelineState, 'rows'> = {
  view: 'sheet',
  graph: 'euler',
  fps: null,
  visible: null,
  range: null,
  open: [],
  search: '',
  onlySelected: false,
  snap: false,
  onion: { on: false, count: 2, step: 3 },
  trail: false,
  vertical: 1,
  scroll: 0,
};

/** A selected key: its channel and its index. */
export interface SelectedKey {
  readonly row: ChannelRow;
  readonly key: number;
}

/** A key by its channel and time. */
export interface KeyTime {
  readonly id: string;
  readonly time: number;
}

type Listener = () => void;

/** The least and the largest vertical zoom. */
export const VERTICAL_LIMITS = [0.1, 1000] as const;

/** Two key times that differ by less are one column of keys, in seconds. */
const SAME_TIME = 1e-6;

/** Times of keys are floats after an edit. */
const NEAR = 1e-4;

export class Session {
  readonly axis = new Axis();
  model: Model | null = null;
  clip: Clip | null = null;
  /** The reason for which the channels cannot be read. */
  failure = '';
  joints: readonly JointRow[] = [];
  markers: readonly Marker[] = [];
  range: Segment | null = null;
  view = DEFAULTS.view;
  graph = DEFAULTS.graph;
  /** The frame rate that the user has chosen; null for that of the clip. */
  chosenRate: FrameRate | null = null;
  search = DEFAULTS.search;
  onlySelected = DEFAULTS.onlySelected;
  snap = DEFAULTS.snap;
  onion = DEFAULTS.onion;
  trail = DEFAULTS.trail;
  /** A factor on the vertical scale of curves. */
  verticalZoom = DEFAULTS.vertical;
  /** The number of rows above the visible ones. */
  scroll = DEFAULTS.scroll;
  /** The ids of the selected rows; the last one is the current row, which has the keyboard's focus. */
  selected: readonly string[] = [];
  keys: readonly SelectedKey[] = [];
  /** The keys that stay selected while a drag moves them. */
  dragged: readonly KeyTime[] | null = null;
  /** The vertical middle and half height of curves during a drag, which would otherwise fit them again. */
  heldFit: { readonly middle: number; readonly half: number } | null = null;
  /** Shows the pose of before while keys are dragged. */
  ghost: { show(): Promise<void>; hide(): void } | null = null;
  /** `true` if the controls of edits are shown. */
  editing = false;
  /** `true` if a drag selects by a rectangle, and a press adds to the selection. */
  selecting = false;
  /** `true` if a handle changes the tangent of its side only. */
  broken = false;
  readonly open = new Set<string>();
  readonly #byId = new Map<string, Row>();
  readonly #listeners = { change: new Set<Listener>(), time: new Set<Listener>() };
  /** The markers that the user has changed, by the id of the clip. */
  readonly #markersOf = new Map<string, readonly Marker[]>();
  #rows: readonly Row[] | undefined;
  #nodes: ReadonlySet<number> = new Set();
  #queued = 0;

  constructor(readonly host: TimelineHost) {}

  get viewer(): Viewer {
    return this.host.viewer;
  }

  get fps(): FrameRate {
    return this.chosenRate ?? nearestRate(this.clip?.fps ?? 30);
  }

  get duration(): number {
    return this.axis.duration;
  }

  /** The playhead in seconds of the clip. */
  get time(): number {
    return this.clip ? this.viewer.currentTime : 0;
  }

  /** Calls a listener after changes (`change`), or when the playhead may have moved (`time`). */
  on(type: 'change' | 'time', listener: Listener): void {
    this.#listeners[type].add(listener);
  }

  changed(): void {
    this.#rows = undefined;
    this.#queued ||= requestAnimationFrame(() => {
      this.#queued = 0;
      for (const listener of this.#listeners.change) listener();
      this.host.onState?.();
    });
  }

  moved(): void {
    for (const listener of this.#listeners.time) listener();
  }

  dispose(): void {
    cancelAnimationFrame(this.#queued);
    for (const listeners of Object.values(this.#listeners)) listeners.clear();
  }

  // Model, clip and rows

  setModel(model: Model | null): void {
    if (model !== this.model) {
      this.open.clear();
      this.#markersOf.clear();
      this.selected = [];
      this.#nodes = new Set();
    }
    this.model = model;
    this.setClip(null);
  }

  /** Shows a clip, by its id. */
  setClip(id: string | null): void {
    const clip = this.model?.clips.find((one) => one.id === id) ?? null;
    if (clip && clip === this.clip) return;
    this.clip = clip;
    this.keys = [];
    this.dragged = null;
    this.heldFit = null;
    this.range = null;
    this.axis.visible = null;
    this.axis.duration = clip?.duration ?? 0;
    this.markers = clip ? (this.#markersOf.get(clip.id) ?? clip.markers) : [];
    this.#readChannels();
    this.changed();
    this.moved();
  }

  #readChannels(): void {
    const { model, clip } = this;
    this.joints = [];
    this.failure = '';
    if (clip && model) {
      try {
        this.joints = jointRows(model, model.channels(clip));
      } catch (error) {
        this.failure = error instanceof Error ? error.message : String(error);
      }
    }
    this.#index();
  }

  /** Reads the clip again after an edit: rows, the range and the visible part stay. */
  reread(): void {
    const { clip: before } = this;
    const clip = before && this.model?.clips.find(({ index }) => index === before.index);
    if (!before || !clip || clip === before) return;
    const own = this.#markersOf.get(before.id);
    this.#markersOf.delete(before.id);
    if (own) this.#markersOf.set(clip.id, own);
    const selected =
      this.dragged ?? this.keys.map(({ row, key }) => ({ id: row.id, time: row.channel.times[key] as number }));
    this.clip = clip;
    this.markers = own ?? clip.markers;
    this.axis.duration = clip.duration;
    this.#readChannels();
    if (this.range && this.range[1] > clip.duration) this.setRange(null);
    this.selectTimes(selected);
    this.moved();
  }

  /** Selects keys by their channel and time. */
  selectTimes(times: readonly KeyTime[]): void {
    const keys = times.flatMap(({ id, time }) => {
      const row = this.row(id);
      return row ? this.keysBetween([row], time - NEAR, time + NEAR) : [];
    });
    this.keys = [];
    this.selectKeys(keys);
  }

  #index(): void {
    this.#byId.clear();
    // All rows, also those below closed ones.
    const all = { has: () => true } as unknown as ReadonlySet<string>;
    for (const row of shownRows(this.joints, all, () => true)) this.#byId.set(row.id, row);
    const known = this.selected.filter((id) => this.#byId.has(id));
    this.selected = known.length > 0 ? known : this.joints.slice(0, 1).map(({ id }) => id);
  }

  row(id: string): Row | undefined {
    return this.#byId.get(id);
  }

  /** The rows on screen, in order. */
  get rows(): readonly Row[] {
    const words = this.search.trim().toLowerCase();
    const matches = (joint: JointRow): boolean =>
      (words === '' ||
        joint.name.toLowerCase().includes(words) ||
        joint.channels.some(({ name }) => name.toLowerCase().includes(words))) &&
      (!this.onlySelected ||
        (joint.node !== null && this.#nodes.has(joint.node)) ||
        this.#selectedJoints.has(joint.id));
    this.#rows ??= shownRows(this.joints, this.open, matches);
    return this.#rows;
  }

  get #selectedJoints(): ReadonlySet<string> {
    return new Set(this.selectedRows.map((row) => jointOf(row).id));
  }

  get selectedRows(): readonly Row[] {
    return this.selected.flatMap((id) => this.#byId.get(id) ?? []);
  }

  /** The row with the keyboard's focus. */
  get current(): Row | undefined {
    const id = this.selected.at(-1);
    return id === undefined ? undefined : this.#byId.get(id);
  }

  /** Selects a row: alone, with those before (`add`), or with all between it and the current row (`range`). */
  selectRow(id: string, how: 'only' | 'add' | 'range' = 'only'): void {
    const row = this.#byId.get(id);
    if (!row) return;
    if (how === 'only') this.selected = [id];
    else if (how === 'add')
      this.selected =
        this.selected.includes(id) && this.selected.length > 1
          ? this.selected.filter((other) => other !== id)
          : [...this.selected.filter((other) => other !== id), id];
    else {
      const ids = this.rows.map((one) => one.id);
      const [from, to] = [ids.indexOf(this.selected[0] ?? id), ids.indexOf(id)];
      const between = ids.slice(Math.min(from, to), Math.max(from, to) + 1);
      this.selected = from <= to ? between : between.reverse();
    }
    const joint = jointOf(row);
    this.#nodes = new Set(joint.node === null ? [] : [joint.node]);
    this.host.selectNode?.(joint.node, joint.node === null ? null : joint.name);
    this.changed();
  }

  /** Shows the selection of the page. */
  selectNodes(nodes: readonly number[]): void {
    // The selection that came from a row: the row may be a channel, which stays selected.
    if (nodes.length === this.#nodes.size && nodes.every((node) => this.#nodes.has(node))) return;
    this.#nodes = new Set(nodes);
    const rows = this.joints.filter(({ node }) => node !== null && this.#nodes.has(node));
    // A node without keys has no row. The rows that were selected stay.
    if (rows.length > 0) this.selected = rows.map(({ id }) => id);
    this.changed();
  }

  toggleOpen(id: string, open = !this.open.has(id)): void {
    if (open) this.open.add(id);
    else this.open.delete(id);
    this.changed();
  }

  /** Opens or closes all joints. */
  openAll(open: boolean): void {
    this.open.clear();
    if (open) for (const { id } of this.joints) this.open.add(id);
    this.changed();
  }

  set<
    Name extends
      | 'view'
      | 'graph'
      | 'chosenRate'
      | 'search'
      | 'onlySelected'
      | 'snap'
      | 'onion'
      | 'trail'
      | 'verticalZoom'
      | 'editing'
      | 'selecting'
      | 'broken',
  >(name: Name, value: this[Name]): void {
    (this as Pick<this, Name>)[name] = value;
    if (name === 'editing' && value) this.host.onEditing?.();
    this.changed();
  }

  // Playhead and keys

  /** A time for the playhead, a marker or the range: within the clip, and on a frame if that is wanted. */
  snapped(time: number): number {
    const at = this.snap ? Math.round(time * this.fps) / this.fps : time;
    return Math.min(Math.max(at, 0), this.duration);
  }

  /** Moves the playhead. */
  seek(time: number): void {
    if (!this.clip) return;
    this.viewer.currentTime = Math.min(Math.max(time, 0), this.duration);
    this.moved();
  }

  /** Pauses, and moves the playhead to the next whole frame in a direction, or by several. */
  stepFrames(frames: number): void {
    this.viewer.pause();
    const at = this.time * this.fps;
    const whole = Math.round(at);
    // From between two frames, the first step goes to the next frame.
    const from = Math.abs(at - whole) < 1e-3 ? whole : frames > 0 ? Math.floor(at) : Math.ceil(at);
    this.seek((from + frames) / this.fps);
  }

  /** Pauses, and moves the playhead to the previous (-1) or next (1) key of the selected rows, or of all. */
  jumpToKey(direction: -1 | 1): void {
    const rows = this.selectedRows.length > 0 ? this.selectedRows : this.joints;
    const { time } = this;
    let found: number | undefined;
    for (const row of rows) {
      const times = timesOf(row);
      // The playhead is a double and the times are floats, so the playhead on a key may be a little beside it.
      const at =
        direction > 0 ? times[keyAtOrAfter(times, time + SAME_TIME)] : times[keyAtOrBefore(times, time - SAME_TIME)];
      if (at !== undefined && (found === undefined || direction * (at - found) < 0)) found = at;
    }
    if (found === undefined) {
      this.host.announce?.(direction > 0 ? 'No later key' : 'No earlier key');
      return;
    }
    this.viewer.pause();
    this.seek(found);
    this.axis.reveal(found);
    this.selectKeysAt(rows, found);
    const words = `${timeWords(found, this.fps)}, ${this.keys.length} ${this.keys.length === 1 ? 'key' : 'keys'}`;
    this.host.announce?.(words);
  }

  /** Selects the keys of rows at a time. */
  selectKeysAt(rows: readonly Row[], time: number, add = false): void {
    this.selectKeys(this.keysBetween(rows, time - SAME_TIME, time + SAME_TIME), add);
  }

  selectKeys(keys: readonly SelectedKey[], add = false): void {
    const known = new Set(add ? this.keys.map(({ row, key }) => `${row.id}:${key}`) : []);
    const fresh = keys.filter(({ row, key }) => !known.has(`${row.id}:${key}`));
    this.keys = add ? [...this.keys, ...fresh] : fresh;
    this.changed();
  }

  /** Takes keys out of the selection. */
  deselectKeys(keys: readonly SelectedKey[]): void {
    this.selectKeys(this.keys.filter(({ row, key }) => !keys.some((one) => one.row === row && one.key === key)));
  }

  /** Selects all keys of the selected rows, in the range if there is one. */
  selectAllKeys(): void {
    const [begin, end] = this.range ?? [0, Infinity];
    this.selectKeys(this.keysBetween(this.selectedRows, begin, end));
    this.host.announce?.(`${this.keys.length} ${this.keys.length === 1 ? 'key' : 'keys'} selected`);
  }

  /** The keys of rows between two times, each once. */
  keysBetween(rows: readonly Row[], begin: number, end: number): SelectedKey[] {
    const channels = new Set(rows.flatMap((row) => channelsOf(row)));
    const keys: SelectedKey[] = [];
    for (const row of channels) {
      const { times } = row.channel;
      for (let key = keyAtOrAfter(times, begin); key < times.length && (times[key] as number) <= end; key++)
        keys.push({ row, key });
    }
    return keys;
  }

  // Range and markers

  /** Sets the range that plays; null, or the whole clip, for none. During a drag it is not yet an edit. */
  setRange(range: Segment | null, dragging = false): void {
    const whole = range && range[0] <= 0 && range[1] >= this.duration;
    this.range = whole ? null : range;
    if (this.clip) this.viewer.segment = this.range;
    if (!dragging) this.host.onRange?.(this.range);
    this.changed();
  }

  /** Reports a change of the range as an edit. */
  rangeEdited(before: Segment | null): void {
    const after = this.range;
    if (before?.[0] === after?.[0] && before?.[1] === after?.[1]) return;
    this.host.onRange?.(after);
    const { clip } = this;
    // Undo does nothing while another clip is shown, whose range it is not.
    const restore = (range: Segment | null): void => {
      if (this.clip === clip) this.setRange(range);
    };
    this.#edited(
      after ? 'change range' : 'clear range',
      () => restore(before),
      () => restore(after),
    );
  }

  setMarkers(markers: readonly Marker[]): void {
    if (!this.clip) return;
    this.markers = [...markers].sort((a, b) => a.time - b.time);
    this.#markersOf.set(this.clip.id, this.markers);
    this.viewer.setMarkers(this.clip.id, this.markers);
    this.changed();
  }

  /** Changes the markers as an edit; `before` is the state to which undo returns. */
  editMarkers(label: string, markers: readonly Marker[], before: readonly Marker[] = this.markers): void {
    const clip = this.clip;
    this.setMarkers(markers);
    const after = this.markers;
    const restore = (list: readonly Marker[]): void => {
      if (this.clip === clip) this.setMarkers(list);
      else if (clip) this.#markersOf.set(clip.id, list);
    };
    this.#edited(
      label,
      () => restore(before),
      () => restore(after),
    );
  }

  /** Adds a marker with a new name; returns it. */
  addMarker(time: number): Marker {
    const names = new Set(this.markers.map(({ name }) => name));
    let number = 1;
    while (names.has(`marker ${number}`)) number++;
    const marker = { name: `marker ${number}`, time: this.snapped(time) };
    this.editMarkers(`add ${marker.name}`, [...this.markers, marker]);
    this.host.announce?.(`${marker.name} added at ${timeWords(marker.time, this.fps)}`);
    return marker;
  }

  #edited(label: string, undo: () => void, redo: () => void): void {
    this.host.onEdit?.({ label, undo, redo });
  }

  // State

  state(): TimelineState {
    const { view, graph, range, search, onlySelected, snap, onion, trail, scroll } = this;
    return {
      ...{ view, graph, range, search, onlySelected, snap, onion, trail, scroll },
      vertical: this.verticalZoom,
      fps: this.chosenRate,
      visible: this.axis.visible,
      rows: this.selected,
      open: [...this.open],
    };
  }

  /** The parts of the state that differ from the defaults. */
  changes(): Partial<TimelineState> {
    const defaults: TimelineState = { ...DEFAULTS, rows: this.joints.slice(0, 1).map(({ id }) => id) };
    const same = (key: string, value: unknown): boolean =>
      JSON.stringify(value) === JSON.stringify(defaults[key as keyof TimelineState]);
    return Object.fromEntries(Object.entries(this.state()).filter(([key, value]) => !same(key, value)));
  }

  /** Restores a state, which may come from the address of the page: parts that do not fit are left out. */
  restore(state: Partial<TimelineState>): void {
    const one = <T>(value: unknown, among: readonly T[], fallback: T): T =>
      among.includes(value as T) ? (value as T) : fallback;
    /** An interval of time, of which a part is in the clip. */
    const interval = (value: unknown): Segment | null => {
      if (!Array.isArray(value) || value.length !== 2 || !value.every(Number.isFinite)) return null;
      const [begin, end] = value as [number, number];
      return begin < end && begin < this.duration && end > 0 ? [begin, end] : null;
    };
    const texts = (value: unknown): string[] =>
      Array.isArray(value) ? value.filter((text) => typeof text === 'string') : [];
    const within = (value: unknown, [least, most]: readonly [number, number], fallback: number): number =>
      Number.isFinite(value) ? Math.min(Math.max(value as number, least), most) : fallback;
    const whole = (value: unknown, limits: readonly [number, number], fallback: number): number =>
      Number.isInteger(value) ? within(value, limits, fallback) : fallback;
    this.view = one(state.view, ['sheet', 'curves', 'table'], DEFAULTS.view);
    this.graph = one(state.graph, ['euler', 'value', 'velocity', 'angle'], DEFAULTS.graph);
    this.chosenRate = one(state.fps, [...FRAME_RATES, null], DEFAULTS.fps);
    this.search = typeof state.search === 'string' ? state.search : DEFAULTS.search;
    this.onlySelected = state.onlySelected === true;
    this.snap = state.snap === true;
    this.trail = state.trail === true;
    const { on, count, step } = state.onion ?? DEFAULTS.onion;
    this.onion = { on: on === true, count: whole(count, [1, 5], 2), step: whole(step, [1, 30], 3) };
    this.verticalZoom = within(state.vertical, VERTICAL_LIMITS, DEFAULTS.vertical);
    this.scroll = whole(state.scroll, [0, this.#byId.size], DEFAULTS.scroll);
    this.open.clear();
    for (const id of texts(state.open)) this.open.add(id);
    const rows = texts(state.rows).filter((id) => this.#byId.has(id));
    if (rows.length > 0) {
      this.selected = rows;
      const joint = this.current && jointOf(this.current);
      this.#nodes = new Set(joint?.node == null ? [] : [joint.node]);
    }
    this.axis.visible = interval(state.visible);
    const range = interval(state.range);
    this.setRange(range && [Math.max(0, range[0]), Math.min(this.duration, range[1])]);
  }
}
