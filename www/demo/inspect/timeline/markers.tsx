// The markers on the ruler, and the forms in which they are saved.

import type { Clip, Marker } from 'gambol';
import { useRef, useState } from 'preact/hooks';
import { timeWords } from './axis.ts';
import type { Canvases } from './canvases.ts';
import type { Session } from './session.ts';

/** A time as it is saved: at most a hundredth of a millisecond off. */
const saved = (time: number): number => Number(time.toFixed(5));

/** The markers of a clip as JSON: `markers` is the value of `extras.markers` of the animation in a glTF file. */
export function markersJson(clip: Clip, markers: readonly Marker[]): string {
  const list = markers.map(({ name, time }) => ({ name, time: saved(time) }));
  return `${JSON.stringify({ clip: clip.name || clip.id, markers: list }, null, 2)}\n`;
}

/** Code that sets the markers in a page. */
export function markersCode(clip: Clip, markers: readonly Marker[]): string {
  const lines = markers.map(({ name, time }) => `  { name: ${JSON.stringify(name)}, time: ${saved(time)} },\n`);
  return `viewer.setMarkers(${JSON.stringify(clip.id)}, [\n${lines.join('')}]);\n`;
}

export function downloadMarkers(clip: Clip, markers: readonly Marker[]): void {
  const url = URL.createObjectURL(new Blob([markersJson(clip, markers)], { type: 'application/json' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = `${(clip.name || clip.id).replace(/[^\w.-]+/g, '-')}.markers.json`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

interface FlagProps {
  readonly session: Session;
  readonly marker: Marker;
  readonly canvases: Canvases;
}

export function MarkerFlag({ session, marker, canvases }: FlagProps) {
  const [name, setName] = useState<string | null>(null);
  const editing = useRef(false);
  const flag = useRef<HTMLButtonElement>(null);
  /** The list and the marker at the begin of a drag. */
  const drag = useRef<{ readonly before: readonly Marker[]; now: Marker } | null>(null);
  const { fps, axis, markers } = session;

  const replaced = (list: readonly Marker[], old: Marker, next: Marker | null): Marker[] =>
    list.flatMap((one) => (one !== old ? [one] : next ? [next] : []));
  const edit = (): void => {
    editing.current = true;
    setName(marker.name);
  };
  const rename = (): void => {
    // Browsers differ: the removal of the field may send `blur`, and a window without focus sends none.
    if (!editing.current) return;
    editing.current = false;
    const text = name?.trim();
    setName(null);
    if (text && text !== marker.name)
      session.editMarkers(`rename marker “${marker.name}”`, replaced(markers, marker, { ...marker, name: text }));
    // The field is gone after this event.
    requestAnimationFrame(() => flag.current?.focus());
  };
  const move = (time: number): void => {
    const next = { ...marker, time: session.snapped(time) };
    session.editMarkers(`move marker “${marker.name}”`, replaced(markers, marker, next));
    session.host.announce?.(timeWords(next.time, fps));
  };
  const remove = (): void => {
    session.editMarkers(`delete marker “${marker.name}”`, replaced(markers, marker, null));
    session.host.announce?.(`${marker.name} deleted`);
    canvases.focusPlayhead();
  };

  const style = { transform: `translateX(${axis.x(marker.time)}px)` };
  if (name !== null)
    return (
      <input
        class="tl-rename"
        style={style}
        value={name}
        aria-label="Name of the marker"
        maxLength={60}
        ref={(input) => {
          if (input && document.activeElement !== input) {
            input.focus();
            input.select();
          }
        }}
        onInput={(event) => setName(event.currentTarget.value)}
        onBlur={rename}
        onKeyDown={(event) => {
          event.stopPropagation();
          if (event.key === 'Enter') rename();
          if (event.key === 'Escape') {
            editing.current = false;
            setName(null);
            requestAnimationFrame(() => flag.current?.focus());
          }
        }}
        onPointerDown={(event) => event.stopPropagation()}
        onDblClick={(event) => event.stopPropagation()}
      />
    );
  return (
    <button
      class="tl-flag"
      type="button"
      style={style}
      ref={flag}
      aria-label={`Marker ${marker.name}, ${timeWords(marker.time, fps)}`}
      aria-keyshortcuts="Enter Delete ArrowLeft ArrowRight"
      title={`${marker.name}: drag to move, double click or Enter to rename, Delete to remove`}
      onPointerDown={(event) => {
        event.stopPropagation();
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        drag.current = { before: markers, now: marker };
      }}
      onPointerMove={(event) => {
        const { current } = drag;
        if (!current || !event.currentTarget.hasPointerCapture(event.pointerId)) return;
        const next = { ...current.now, time: session.snapped(axis.time(canvases.rulerX(event.clientX))) };
        // A press without a movement is no drag.
        if (
          current.now === marker &&
          Math.abs(axis.x(next.time) - axis.x(marker.time)) < 3 &&
          session.markers === current.before
        )
          return;
        session.setMarkers(replaced(session.markers, current.now, next));
        current.now = next;
      }}
      onPointerUp={() => {
        const { current } = drag;
        drag.current = null;
        if (current && session.markers !== current.before)
          session.editMarkers(`move marker “${current.now.name}”`, session.markers, current.before);
      }}
      onDblClick={(event) => {
        event.stopPropagation();
        edit();
      }}
      onKeyDown={(event) => {
        const act = {
          Enter: () => edit(),
          F2: () => edit(),
          Delete: remove,
          Backspace: remove,
          ArrowLeft: () => move(marker.time - 1 / fps),
          ArrowRight: () => move(marker.time + 1 / fps),
        }[event.key];
        if (!act) return;
        event.preventDefault();
        event.stopPropagation();
        act();
      }}
    >
      <span>{marker.name}</span>
    </button>
  );
}
