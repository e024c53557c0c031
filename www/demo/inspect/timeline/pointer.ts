// Pointers on the ruler and on the sheet: scrubbing, the range, zoom, pan and selection.

import { timeWords } from './axis.ts';
import type { Canvases } from './canvases.ts';
import { timesOf } from './rows.ts';
import { LANES } from './ruler.ts';
import { moveKeys, shift } from './key-edits.ts';
import { keyTimeNear } from './sheet.ts';
import type { Session } from './session.ts';

/** Movements in CSS pixels below which a press is a click. */
const SLOP = 4;
/** The distance in CSS pixels from which a key is hit, by a mouse and by a finger. */
const REACH = { mouse: 8, touch: 18 } as const;

/** Zooms by the wheel with Ctrl (and by pinches on a touchpad, which browsers send as that), and pans by other wheels. */
function installWheel(element: HTMLElement, session: Session, canvases: Canvases, always: boolean): void {
  element.addEventListener(
    'wheel',
    (event) => {
      const { deltaX, deltaY, deltaMode, ctrlKey, metaKey, shiftKey, altKey } = event;
      const pixels = deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : deltaMode === WheelEvent.DOM_DELTA_PAGE ? 200 : 1;
      if (ctrlKey || metaKey) canvases.zoom(Math.exp(-deltaY * pixels * 0.002), canvases.rulerX(event.clientX));
      else if (altKey && session.view === 'curves') canvases.zoomVertically(Math.exp(-deltaY * pixels * 0.002));
      else if (shiftKey || Math.abs(deltaX) > Math.abs(deltaY)) canvases.pan((deltaX || deltaY) * pixels);
      else if (always) canvases.pan(deltaY * pixels);
      // The tree scrolls.
      else return;
      event.preventDefault();
    },
    { passive: false },
  );
}

export function installRulerPointer(ruler: HTMLElement, session: Session, canvases: Canvases): void {
  installWheel(ruler, session, canvases, true);
  const timeAt = (event: PointerEvent | MouseEvent): number => session.axis.time(canvases.rulerX(event.clientX));
  /** The end of the range that follows the pointer, the other end, and the range before; or a scrub, or a pan. */
  let drag:
    | { readonly kind: 'scrub'; readonly playing: boolean }
    | {
        readonly kind: 'range';
        readonly other: number;
        readonly before: Session['range'];
        moved: boolean;
        readonly from: number;
      }
    | { readonly kind: 'pan'; x: number }
    | null = null;

  ruler.addEventListener('pointerdown', (event) => {
    if (!session.clip || drag || !event.isPrimary) return;
    const { axis, range, duration, viewer } = session;
    const handle = (event.target as HTMLElement).dataset['handle'];
    const top = event.clientY - ruler.getBoundingClientRect().top;
    if (event.button === 1) drag = { kind: 'pan', x: event.clientX };
    else if (event.button !== 0) return;
    else if (handle !== undefined) {
      const [begin, end] = range ?? [0, duration];
      drag = { kind: 'range', other: handle === '0' ? end : begin, before: range, moved: true, from: event.clientX };
    } else if (top < LANES.range || event.shiftKey) {
      const other = session.snapped(axis.time(canvases.rulerX(event.clientX)));
      drag = { kind: 'range', other, before: range, moved: false, from: event.clientX };
    } else {
      drag = { kind: 'scrub', playing: !viewer.paused };
      viewer.pause();
      session.seek(session.snapped(timeAt(event)));
      canvases.hideBubble();
      canvases.focusPlayhead();
    }
    // Without text selection and without a scroll by the middle button. The focus of a handle is kept.
    if (handle === undefined) event.preventDefault();
    ruler.setPointerCapture(event.pointerId);
  });
  ruler.addEventListener('pointermove', (event) => {
    if (!drag) {
      if (session.clip && event.pointerType === 'mouse') canvases.showThumbnail(session.snapped(timeAt(event)));
      return;
    }
    if (!event.isPrimary) return;
    if (drag.kind === 'scrub') session.seek(session.snapped(timeAt(event)));
    else if (drag.kind === 'pan') {
      canvases.pan(drag.x - event.clientX);
      drag.x = event.clientX;
    } else {
      drag.moved ||= Math.abs(event.clientX - drag.from) > SLOP;
      if (!drag.moved) return;
      const time = session.snapped(timeAt(event));
      if (time !== drag.other) session.setRange([Math.min(time, drag.other), Math.max(time, drag.other)], true);
    }
  });
  const end = (): void => {
    const ended = drag;
    drag = null;
    if (ended?.kind === 'scrub' && ended.playing) session.viewer.play();
    if (ended?.kind === 'range' && ended.moved) session.rangeEdited(ended.before);
  };
  ruler.addEventListener('pointerup', end);
  ruler.addEventListener('pointercancel', end);
  ruler.addEventListener('pointerleave', () => canvases.hideBubble());
  ruler.addEventListener('dblclick', (event) => {
    if (!session.clip || (event.target as HTMLElement).dataset['handle'] !== undefined) return;
    if (event.clientY - ruler.getBoundingClientRect().top >= LANES.range) session.addMarker(timeAt(event));
  });
}

export function installViewPointer(view: HTMLElement, session: Session, canvases: Canvases): void {
  installWheel(view, session, canvases, false);
  const pointers = new Map<number, { x: number; y: number }>();
  /** `keys`: the selected keys move, of which one at the time `anchor` is under the pointer. */
  let drag: {
    readonly kind: 'pan' | 'box' | 'press' | 'keys';
    readonly x: number;
    readonly y: number;
    readonly anchor: number;
    moved: boolean;
  } | null = null;
  const at = ({ clientX, clientY }: MouseEvent): { x: number; y: number } => {
    const { left, top } = view.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  };
  const rowAt = (y: number): number => Math.floor((y + (canvases.scroll?.scrollTop ?? 0)) / canvases.rowHeight);

  view.addEventListener('pointerdown', (event) => {
    if (!session.clip || session.view === 'table') return;
    const { x, y } = at(event);
    pointers.set(event.pointerId, { x, y });
    const touch = event.pointerType === 'touch';
    const panning = event.button === 1 || canvases.main?.dataset['panning'] !== undefined;
    if (event.button > 1) return;
    if (!touch) {
      event.preventDefault();
      view.setPointerCapture(event.pointerId);
    }
    if (pointers.size === 1) {
      const anchor = panning || event.shiftKey || event.ctrlKey || event.metaKey ? null : grabbed(x, y, touch);
      const other = panning ? 'pan' : touch || session.view === 'curves' ? 'press' : 'box';
      drag = { kind: anchor === null ? other : 'keys', x, y, anchor: anchor ?? 0, moved: false };
    }
    canvases.hideBubble();
  });
  view.addEventListener('pointermove', (event) => {
    const { x, y } = at(event);
    const before = pointers.get(event.pointerId);
    if (!before) {
      if (event.pointerType === 'mouse' && session.view !== 'table') hover(x, y);
      return;
    }
    const others = [...pointers].filter(([id]) => id !== event.pointerId).map(([, point]) => point);
    const [other] = others;
    pointers.set(event.pointerId, { x, y });
    if (other) {
      // Two fingers: the distance zooms, the middle pans.
      const [was, is] = [Math.max(20, Math.abs(before.x - other.x)), Math.max(20, Math.abs(x - other.x))];
      session.axis.zoom(is / was, (before.x + other.x) / 2);
      canvases.pan((before.x - x) / 2);
      if (drag) drag.moved = true;
      return;
    }
    if (!drag) return;
    drag.moved ||= Math.hypot(x - drag.x, y - drag.y) > SLOP;
    if (!drag.moved) return;
    if (drag.kind === 'keys') {
      session.dragged = shift(session, drag.anchor, session.axis.time(x) - session.axis.time(drag.x));
      canvases.showText(x, timeWords(drag.anchor + session.dragged, session.fps), 'key');
      canvases.redraw();
    } else if (drag.kind === 'box') {
      canvases.box = [Math.min(drag.x, x), Math.min(drag.y, y), Math.max(drag.x, x), Math.max(drag.y, y)];
      canvases.redraw();
    } else canvases.pan(before.x - x);
  });
  const end = (event: PointerEvent): void => {
    if (!pointers.delete(event.pointerId)) return;
    const ended = drag;
    if (pointers.size > 0) return;
    drag = null;
    const { box } = canvases;
    canvases.box = null;
    const by = session.dragged;
    if (!ended || event.type === 'pointercancel') {
      session.dragged = 0;
      canvases.redraw();
    } else if (ended.kind === 'keys' && ended.moved) {
      canvases.hideBubble();
      // The rings stay at the new place until the clip is edited.
      if (by === 0) canvases.redraw();
      else moveKeys(session, by);
    } else if (!ended.moved && ended.kind !== 'pan') click(ended.x, ended.y, event);
    else if (box) {
      const [x0, y0, x1, y1] = box;
      const rows = session.rows.slice(Math.max(0, rowAt(y0)), rowAt(y1) + 1);
      const keys = session.keysBetween(rows, session.axis.time(x0), session.axis.time(x1));
      session.selectKeys(keys, event.ctrlKey || event.metaKey || event.shiftKey);
    }
  };
  view.addEventListener('pointerup', end);
  view.addEventListener('pointercancel', end);
  view.addEventListener('pointerleave', () => canvases.hideBubble());

  /** The time of the key at a place, which is selected then, so that a drag moves it; null without one. A finger drags selected ones. */
  function grabbed(x: number, y: number, touch: boolean): number | null {
    if (!session.host.editClip) return null;
    const row = session.view === 'sheet' ? session.rows[rowAt(y)] : undefined;
    for (const one of row ? [row] : session.view === 'curves' ? session.selectedRows : []) {
      const time = keyTimeNear(session, one, x, touch ? REACH.touch : REACH.mouse);
      if (time === null) continue;
      const here = session.keysBetween([one], time - 1e-6, time + 1e-6);
      const isSelected = here.some(({ row: own, key }) => session.keys.some((k) => k.row === own && k.key === key));
      if (isSelected) return time;
      if (touch || session.view === 'curves') continue;
      session.selectKeys(here);
      return time;
    }
    return null;
  }

  /** Selects the key under the pointer, and shows its pose. */
  function click(x: number, y: number, event: PointerEvent): void {
    const reach = REACH[event.pointerType === 'touch' ? 'touch' : 'mouse'];
    const add = event.ctrlKey || event.metaKey || event.shiftKey;
    const row = session.view === 'sheet' ? session.rows[rowAt(y)] : undefined;
    const rows = row ? [row] : session.view === 'curves' ? session.selectedRows : [];
    let nearest: number | null = null;
    for (const one of rows) {
      const time = keyTimeNear(session, one, x, reach);
      if (
        time !== null &&
        (nearest === null || Math.abs(session.axis.x(time) - x) < Math.abs(session.axis.x(nearest) - x))
      )
        nearest = time;
    }
    if (row && !add) session.selectRow(row.id);
    if (nearest === null) {
      if (!add) session.selectKeys([]);
      return;
    }
    session.selectKeysAt(rows, nearest, add);
    if (add) return;
    session.viewer.pause();
    session.seek(nearest);
  }

  function hover(x: number, y: number): void {
    const { axis, fps, duration } = session;
    if (session.view === 'curves') {
      const time = axis.time(x);
      const values = time < 0 || time > duration ? [] : (canvases.curves?.valuesAt(time) ?? []);
      const shown = values.slice(0, 8).map(({ name, value }) => `${name}  ${value}`);
      if (shown.length === 0) return canvases.hideBubble();
      return canvases.showText(
        x,
        [timeWords(time, fps), ...shown, ...(values.length > 8 ? ['…'] : [])].join('\n'),
        'values',
      );
    }
    const row = session.rows[rowAt(y)];
    const time = row && keyTimeNear(session, row, x, REACH.mouse);
    view.style.cursor = time === null || time === undefined ? '' : 'pointer';
    if (!row || time === null || time === undefined) return canvases.hideBubble();
    const count = session.keysBetween([row], time - 1e-6, time + 1e-6).length;
    const words = count === 1 ? `key of ${timesOf(row).length}` : `${count} keys`;
    canvases.showText(x, `${timeWords(time, fps)}\n${row.name}: ${words}`, 'key');
  }
}
