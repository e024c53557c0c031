// The panel of the timeline: its controls, names of rows, ruler, table, and the text about the selected keys.

import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { FRAME_RATES, timeWords, type FrameRate } from './axis.ts';
import { plural } from '../../app/format.ts';
import { shortNames } from '../../app/short-names.ts';
import type { Canvases } from './canvases.ts';
import type { GraphKind } from './graphs.ts';
import { EditBar } from './edit-bar.tsx';
import { downloadMarkers, MarkerFlag, markersCode } from './markers.tsx';
import { traceSvg } from './mark-icon.tsx';
import { isExpandable, jointOf, type Row } from './rows.ts';
import type { Session, ViewName } from './session.ts';
import { KeysTable, valueWords } from './keys-table.tsx';
import { angleBetween, isRotation, keyValue } from './values.ts';

const VIEWS: readonly (readonly [ViewName, string])[] = [
  ['sheet', 'Keys'],
  ['curves', 'Curves'],
  ['table', 'Table'],
];
const GRAPHS: readonly (readonly [GraphKind, string])[] = [
  ['euler', 'Value, rotations as Euler XYZ'],
  ['value', 'Value as in the file'],
  ['velocity', 'Velocity'],
  ['angle', 'Angle from first key'],
];

export function Panel({ session, canvases }: { session: Session; canvases: Canvases }) {
  const { clip, failure, joints, view } = session;
  const message =
    failure !== ''
      ? failure
      : clip && joints.length === 0
        ? 'The clip animates nothing.'
        : clip
          ? ''
          : 'No clip is shown. Choose a clip to see its keys.';
  return (
    <>
      <Toolbar session={session} canvases={canvases} />
      {session.editing && <EditBar session={session} />}
      <div
        class="tl-main"
        data-view={view}
        data-drags={session.selecting || (session.editing && view === 'curves') || undefined}
        ref={canvases.setMain}
      >
        <Corner session={session} />
        <Ruler session={session} canvases={canvases} />
        <div class="tl-scroll" data-empty={joints.length === 0 || undefined} ref={canvases.setScroll}>
          <Tree session={session} canvases={canvases} />
          <div class="tl-view" ref={canvases.setView}>
            {view === 'table' ? (
              <KeysTable session={session} />
            ) : (
              <canvas class="tl-canvas" role="img" aria-label={summary(session)} ref={canvases.setCanvas} />
            )}
          </div>
        </div>
        <div class="tl-lines" aria-hidden="true">
          <div class="tl-line" ref={canvases.setLine} />
        </div>
        <div class="tl-bubble" aria-hidden="true" hidden ref={canvases.setBubble}>
          <canvas />
          <p />
        </div>
        {message !== '' && <p class="tl-message">{message}</p>}
      </div>
      <Foot session={session} canvases={canvases} />
    </>
  );
}

function countOfKeys(session: Session): { channels: number; keys: number } {
  const channels = session.joints.flatMap((joint) => joint.channels);
  return { channels: channels.length, keys: channels.reduce((sum, { channel }) => sum + channel.times.length, 0) };
}

/** The canvas in words. */
function summary(session: Session): string {
  const { clip, joints, view, fps, axis } = session;
  if (!clip) return 'No clip';
  const { channels, keys } = countOfKeys(session);
  const first = `${view === 'curves' ? 'Curves' : 'Dope sheet'} of ${clip.name || clip.id}: `;
  const counts = `${plural(joints.length, 'joint')}, ${plural(channels, 'channel')}, ${plural(keys, 'key')}`;
  const until = `from 0 to ${axis.duration.toFixed(3)} s at ${fps} frames per second.`;
  return `${first}${counts} ${until} The view Table lists the keys of the selected rows.`;
}

interface ToggleProps {
  readonly pressed: boolean;
  readonly title: string;
  readonly onToggle: (pressed: boolean) => void;
  readonly children: ComponentChildren;
}

function Toggle({ pressed, title, onToggle, children }: ToggleProps) {
  return (
    <button class="tl-button" type="button" aria-pressed={pressed} title={title} onClick={() => onToggle(!pressed)}>
      {children}
    </button>
  );
}

function Toolbar({ session, canvases }: { session: Session; canvases: Canvases }) {
  const { view, graph, onion, trail, search, onlySelected, range } = session;
  const anyOpen = session.joints.some(({ id }) => session.open.has(id));
  return (
    <div class="tl-bar">
      <fieldset class="tl-group" aria-label="View">
        {VIEWS.map(([name, label]) => (
          <button
            class="tl-button"
            type="button"
            key={name}
            aria-pressed={view === name}
            onClick={() => session.set('view', name)}
          >
            {label}
          </button>
        ))}
      </fieldset>
      {view === 'curves' && (
        <>
          <select
            class="tl-select"
            aria-label="Curves"
            value={graph}
            onChange={(event) => session.set('graph', event.currentTarget.value as GraphKind)}
          >
            {GRAPHS.map(([name, label]) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </select>
          <fieldset class="tl-group" aria-label="Vertical zoom">
            <IconButton label="Smaller curves" path="M5 12h14" onClick={() => canvases.zoomVertically(1 / 1.5)} />
            <IconButton
              label="Fit curves"
              path="M5 4h14M5 20h14M12 8v8M9 10l3-3 3 3M9 14l3 3 3-3"
              onClick={() => canvases.zoomVertically(0)}
            />
            <IconButton label="Larger curves" path="M5 12h14M12 5v14" onClick={() => canvases.zoomVertically(1.5)} />
          </fieldset>
        </>
      )}
      <fieldset class="tl-group" aria-label="Go to key">
        <IconButton label="Previous key ([)" path="M16 6l-8 6 8 6M5 6v12" onClick={() => session.jumpToKey(-1)} />
        <IconButton label="Next key (])" path="M8 6l8 6-8 6M19 6v12" onClick={() => session.jumpToKey(1)} />
      </fieldset>
      <input
        class="tl-search"
        type="search"
        placeholder="Search joints"
        aria-label="Search joints and channels"
        value={search}
        onInput={(event) => session.set('search', event.currentTarget.value)}
      />
      <Toggle
        pressed={onlySelected}
        title="Show the rows of selected joints only"
        onToggle={(on) => session.set('onlySelected', on)}
      >
        Selected
      </Toggle>
      <IconButton
        label={anyOpen ? 'Close all rows' : 'Open all rows'}
        path={anyOpen ? 'M7 4l5 5 5-5M7 20l5-5 5 5' : 'M7 9l5-5 5 5M7 15l5 5 5-5'}
        onClick={() => session.openAll(!anyOpen)}
      />
      <span class="tl-space" />
      {session.host.editClip && (
        <Toggle
          pressed={session.editing}
          title="Edit the keys and the clip"
          onToggle={(on) => session.set('editing', on)}
        >
          Edit
        </Toggle>
      )}
      {range && (
        <button class="tl-button" type="button" title="Play the whole clip (X)" onClick={() => clearRange(session)}>
          Clear range
        </button>
      )}
      <Toggle
        pressed={onion.on}
        title="Poses before and after the playhead, while paused"
        onToggle={(on) => session.set('onion', { ...onion, on })}
      >
        Onion skin
      </Toggle>
      {onion.on && (
        <>
          <NumberField
            label="Poses"
            value={onion.count}
            most={5}
            onChange={(count) => session.set('onion', { ...onion, count })}
          />
          <NumberField
            label="every"
            unit="frames"
            value={onion.step}
            most={30}
            onChange={(step) => session.set('onion', { ...onion, step })}
          />
        </>
      )}
      <Toggle pressed={trail} title="The path of the selected joint" onToggle={(on) => session.set('trail', on)}>
        Motion trail
      </Toggle>
      <MarkerMenu session={session} clip={session.clip} markers={session.markers} />
    </div>
  );
}

export function clearRange(session: Session): void {
  const before = session.range;
  session.setRange(null, true);
  session.rangeEdited(before);
}

function IconButton({ label, path, onClick }: { label: string; path: string; onClick: () => void }) {
  return (
    <button class="tl-button tl-icon" type="button" aria-label={label} title={label} onClick={onClick}>
      <svg viewBox="0 0 24 24" aria-hidden="true">
        <path d={path} />
      </svg>
    </button>
  );
}

interface NumberFieldProps {
  readonly label: string;
  readonly unit?: string;
  readonly value: number;
  readonly most: number;
  readonly onChange: (value: number) => void;
}

function NumberField({ label, unit = '', value, most, onChange }: NumberFieldProps) {
  return (
    <label class="tl-field">
      {label}
      <input
        type="number"
        min={1}
        max={most}
        value={value}
        onChange={(event) => onChange(Math.min(most, Math.max(1, Math.round(event.currentTarget.valueAsNumber) || 1)))}
      />
      {unit}
    </label>
  );
}

/** The clip and the markers are properties: a component with a state of its own is drawn again only if one of these changes. */
function MarkerMenu({ session, clip, markers }: { session: Session } & Pick<Session, 'clip' | 'markers'>) {
  const [copied, setCopied] = useState(false);
  const copy = (): void => {
    if (!clip) return;
    void navigator.clipboard.writeText(markersCode(clip, markers)).then(() => {
      setCopied(true);
      session.host.announce?.('Code copied');
      setTimeout(() => setCopied(false), 1500);
    });
  };
  return (
    <fieldset class="tl-group" aria-label="Markers">
      <button
        class="tl-button"
        type="button"
        disabled={!clip}
        title="Add a marker at the playhead (M)"
        onClick={() => session.addMarker(session.time)}
      >
        Add marker
      </button>
      {markers.length > 0 && (
        <>
          <button
            class="tl-button"
            type="button"
            title="Download the markers as JSON"
            onClick={() => clip && downloadMarkers(clip, markers)}
          >
            JSON
          </button>
          <button class="tl-button" type="button" title="Copy code that sets the markers" onClick={copy}>
            {copied ? 'Copied' : 'Code'}
          </button>
        </>
      )}
    </fieldset>
  );
}

function Corner({ session }: { session: Session }) {
  const { channels, keys } = countOfKeys(session);
  if (!session.clip) return <div class="tl-corner" />;
  return (
    <div class="tl-corner">
      <strong>{session.clip.name || session.clip.id}</strong>
      <span>
        {plural(session.joints.length, 'joint')} · {plural(channels, 'channel')} · {plural(keys, 'key')}
      </span>
    </div>
  );
}

function Ruler({ session, canvases }: { session: Session; canvases: Canvases }) {
  const { axis, markers, range, fps, duration, clip } = session;
  const [begin, end] = range ?? [0, duration];
  const handle = (name: string, at: number, which: 0 | 1) => (
    <div
      class={`tl-handle ${which === 0 ? 'tl-in' : 'tl-out'}`}
      role="slider"
      tabIndex={0}
      aria-label={name}
      title={`${name} (${which === 0 ? 'I' : 'O'}: at the playhead)`}
      aria-valuemin={which === 0 ? 0 : begin}
      aria-valuemax={which === 0 ? end : duration}
      aria-valuenow={at}
      aria-valuetext={timeWords(at, fps)}
      data-handle={which}
      style={{ transform: `translateX(${axis.x(at)}px)` }}
    />
  );
  return (
    <div class="tl-ruler" ref={canvases.setRuler}>
      <canvas class="tl-canvas" aria-hidden="true" ref={canvases.setRulerCanvas} />
      {clip && (
        <>
          <div
            class={`tl-range${range ? ' tl-set' : ''}`}
            style={{
              transform: `translateX(${axis.x(begin)}px)`,
              width: `${Math.max(0, axis.x(end) - axis.x(begin))}px`,
            }}
          />
          {handle('Start of range', begin, 0)}
          {handle('End of range', end, 1)}
          {markers.map((marker, index) => (
            // Names may repeat, so the index is a part of the key.
            <MarkerFlag key={`${index}`} session={session} marker={marker} canvases={canvases} />
          ))}
          <div
            class="tl-playhead"
            role="slider"
            tabIndex={0}
            aria-label="Playhead"
            aria-valuemin={0}
            aria-valuemax={duration}
            aria-valuenow={0}
            ref={canvases.setPlayhead}
          />
        </>
      )}
    </div>
  );
}

/** The names of the rows. Only rows near the visible ones are elements, because a file may have thousands. */
function Tree({ session, canvases }: { session: Session; canvases: Canvases }) {
  const { rows, selected } = session;
  const { rowHeight } = canvases;
  const [first, last] = canvases.visibleRows(rows.length);
  const current = selected.at(-1);
  const chosen = new Set(selected);
  const tree = useRef<HTMLDivElement>(null);
  const shown = rows
    .map((row, index) => ({ row, index }))
    .filter(({ row, index }) => (index >= first && index < last) || row.id === current);
  const focusable = rows.some(({ id }) => id === current) ? current : rows[0]?.id;
  const short = useMemo(() => {
    const names = session.joints.map(({ name }) => name);
    return new Map(shortNames(names).map((name, i) => [names[i], name]));
  }, [session.joints]);
  useLayoutEffect(() => {
    if (!canvases.focusRow) return;
    canvases.focusRow = false;
    tree.current?.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true });
  });
  if (rows.length === 0) return session.joints.length > 0 ? <p class="tl-none">No joint matches.</p> : null;
  return (
    <div
      class="tl-tree"
      role="tree"
      aria-label="Joints and channels"
      aria-multiselectable="true"
      ref={tree}
      style={{ height: `${rows.length * rowHeight}px` }}
    >
      {shown.map(({ row, index }) => (
        <div
          class={`tl-row tl-${row.kind}`}
          role="treeitem"
          key={row.id}
          data-row={row.id}
          tabIndex={row.id === focusable ? 0 : -1}
          aria-level={row.kind === 'joint' ? 1 : row.kind === 'channel' ? 2 : 3}
          aria-selected={chosen.has(row.id)}
          {...(isExpandable(row) && { 'aria-expanded': session.open.has(row.id) })}
          style={{
            transform: `translateY(${index * rowHeight}px)`,
            height: `${rowHeight}px`,
            '--depth': `${Math.min(row.depth, 8)}`,
          }}
          title={title(row)}
          onClick={(event) => {
            const how = event.ctrlKey || event.metaKey ? 'add' : event.shiftKey ? 'range' : 'only';
            session.selectRow(row.id, how);
          }}
          onDblClick={() => isExpandable(row) && session.toggleOpen(row.id)}
        >
          <span
            class="tl-twist"
            aria-hidden="true"
            onClick={(event) => {
              event.stopPropagation();
              if (isExpandable(row)) session.toggleOpen(row.id);
            }}
          >
            {isExpandable(row) && (
              <svg viewBox="0 0 12 12" aria-hidden="true">
                <path d="M4 2.500l4 3.500-4 3.500z" />
              </svg>
            )}
          </span>
          <span class="tl-name">{row.kind === 'joint' ? (short.get(row.name) ?? row.name) : row.name}</span>
          {row.kind === 'channel' && <span class="tl-count">{row.channel.times.length}</span>}
        </div>
      ))}
    </div>
  );
}

function title(row: Row): string {
  const joint = jointOf(row).name;
  if (row.kind === 'joint') return joint;
  const { channel } = row.kind === 'channel' ? row : row.parent;
  return `${joint}: ${row.name}, ${channel.interpolation}, ${channel.times.length} keys`;
}

function Foot({ session, canvases }: { session: Session; canvases: Canvases }) {
  return (
    <div class="tl-foot">
      <div class="tl-texts">
        <p class="tl-time" ref={canvases.setTime} />
        <output class="tl-detail" aria-label="Selected keys">
          {selectionWords(session)}
        </output>
      </div>
      <div class="tl-tools">
        {session.view === 'sheet' && (
          <ul class="tl-legend" aria-label="Interpolation">
            {(['STEP', 'LINEAR', 'CUBICSPLINE', 'MIXED'] as const).map((mark) => (
              <li key={mark} data-mark={mark}>
                {traceSvg(mark)}
                {mark === 'MIXED' ? 'several' : mark}
              </li>
            ))}
          </ul>
        )}
        {session.onion.on && (
          <ul class="tl-legend" aria-label="Onion skin">
            <li class="tl-before">before</li>
            <li class="tl-after">after</li>
          </ul>
        )}
        <Toggle
          pressed={session.snap}
          title="Playhead, range and markers stay on whole frames"
          onToggle={(on) => session.set('snap', on)}
        >
          Snap
        </Toggle>
        <select
          class="tl-select"
          aria-label="Frames per second"
          value={session.fps}
          onChange={(event) => session.set('chosenRate', Number(event.currentTarget.value) as FrameRate)}
        >
          {FRAME_RATES.map((rate) => (
            <option key={rate} value={rate}>
              {rate} fps
            </option>
          ))}
        </select>
        <fieldset class="tl-group" aria-label="Zoom">
          <IconButton label="Zoom out (−)" path="M5 12h14" onClick={() => canvases.zoom(1 / 1.5)} />
          <IconButton
            label="Fit the clip (A)"
            path="M4 5v14M20 5v14M8 12h8M10 9l-3 3 3 3M14 9l3 3-3 3"
            onClick={() => canvases.fit()}
          />
          <IconButton label="Zoom in (+)" path="M5 12h14M12 5v14" onClick={() => canvases.zoom(1.5)} />
        </fieldset>
      </div>
    </div>
  );
}

/** The selected keys in words: the time and the value of one, or the number and the times of several. */
function selectionWords({ keys, fps }: Session): string {
  const [first] = keys;
  if (!first) return '';
  const times = keys.map(({ row, key }) => row.channel.times[key] as number);
  const channels = new Set(keys.map(({ row }) => row));
  if (keys.length > 1) {
    const [begin, end] = [Math.min(...times), Math.max(...times)];
    const span = begin === end ? timeWords(begin, fps) : `${begin.toFixed(3)} s to ${end.toFixed(3)} s`;
    const words = `${keys.length} keys of ${channels.size === 1 ? `${first.row.joint.name} ${first.row.name}` : `${channels.size} channels`}, ${span}`;
    return keys.length <= 3
      ? `${words}: ${keys.map(({ row, key }) => `${row.name} ${valueWords(row.channel, key)}`).join('; ')}`
      : words;
  }
  const { row, key } = first;
  const { channel } = row;
  const turned = isRotation(channel)
    ? ` (${angleBetween(keyValue(channel, 0), keyValue(channel, key)).toFixed(1)}° from the first key)`
    : '';
  const place = `${row.joint.name} ${row.name}, key ${key + 1} of ${channel.times.length}, ${channel.interpolation}`;
  return `${place}: ${timeWords(times[0] as number, fps)}: ${valueWords(channel, key)}${turned}`;
}
