// Pointers on the sheet and the curves: selection, zoom and pan, and drags that edit keys.

import { timeWords } from './axis.ts';
import type { Canvases } from './canvases.ts';
import type { CurvePoint } from './curves.ts';
import { isEditable } from './curve-edits.ts';
import { KeyDrag, type Grabbed } from './key-drag.ts';
import { installWheel, SLOP } from './pointer.ts';
import { timesOf } from './rows.ts';
import { keyTimeNear } from './sheet.ts';
import type { SelectedKey, Session } from './session.ts';

/** The distance in CSS pixels from which a key is hit, by a mouse and by a finger. */
const REACH = { mouse: 8, touch: 18 } as const;

export function installViewPointer(view: HTMLElement, session: Session, canvases: Canvases): void {
  installWheel(view, session, canvases, false);
  const pointers = new Map<number, { x: number; y: number }>();
  let drag: {
    readonly kind: 'pan' | 'box' | 'press' | 'edit';
    readonly x: number;
    readonly y: number;
    readonly grabbed: Grabbed | null;
    /** The edit, once the pointer has moved. */
    edit: KeyDrag | null;
    moved: boolean;
  } | null = null;
  const cancelled = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape' || !drag?.edit) return;
    event.preventDefault();
    event.stopPropagation();
    stop()?.cancel();
  };
  /** Ends the drag, and returns its edit. */
  function stop(): KeyDrag | null {
    const edit = drag?.edit ?? null;
    drag = null;
    delete view.dataset['cancels'];
    window.removeEventListener('keydown', cancelled, true);
    return edit;
  }
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
      const selects = event.shiftKey || event.ctrlKey || event.metaKey;
      const part = panning || selects ? null : grabbed(x, y, touch);
      const boxes = session.selecting || (!touch && (session.view === 'sheet' || selects));
      const other = panning ? 'pan' : boxes ? 'box' : 'press';
      drag = { kind: part ? 'edit' : other, x, y, grabbed: part, edit: null, moved: false };
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
      void stop()?.cancel();
      session.axis.zoom(is / was, (before.x + other.x) / 2);
      canvases.pan((before.x - x) / 2);
      return;
    }
    if (!drag) return;
    drag.moved ||= Math.hypot(x - drag.x, y - drag.y) > SLOP;
    if (!drag.moved) return;
    if (drag.kind === 'edit') {
      if (!drag.edit && drag.grabbed) {
        drag.edit = KeyDrag.of(session, canvases, drag.grabbed);
        view.dataset['cancels'] = '';
        window.addEventListener('keydown', cancelled, true);
      }
      drag.edit?.move(x - drag.x, y - drag.y, event.altKey);
    } else if (drag.kind === 'box') {
      canvases.box = [Math.min(drag.x, x), Math.min(drag.y, y), Math.max(drag.x, x), Math.max(drag.y, y)];
      canvases.redraw();
    } else canvases.pan(before.x - x);
  });
  const end = (event: PointerEvent): void => {
    if (!pointers.delete(event.pointerId)) return;
    const ended = drag;
    if (pointers.size > 0) return;
    const edit = stop();
    const { box } = canvases;
    canvases.box = null;
    if (!ended || event.type === 'pointercancel') {
      void edit?.cancel();
      canvases.redraw();
    } else if (edit) void edit.end();
    else if (!ended.moved && ended.kind !== 'pan') click(ended.x, ended.y, event);
    else if (box) {
      const add = session.selecting || event.ctrlKey || event.metaKey || event.shiftKey;
      session.selectKeys(keysIn(box), add);
    }
  };
  view.addEventListener('pointerup', end);
  view.addEventListener('pointercancel', end);
  view.addEventListener('pointerleave', () => canvases.hideBubble());

  /** The keys in a rectangle: of the rows in it, or of the curves. */
  function keysIn([x0, y0, x1, y1]: NonNullable<Canvases['box']>): SelectedKey[] {
    const { axis } = session;
    if (session.view === 'sheet') {
      const rows = session.rows.slice(Math.max(0, rowAt(y0)), rowAt(y1) + 1);
      return session.keysBetween(rows, axis.time(x0), axis.time(x1));
    }
    const inside = ({ x, y }: CurvePoint): boolean => x >= x0 && x <= x1 && y >= y0 && y <= y1;
    // A key has a point on each of its curves.
    const keys = (canvases.curves?.points ?? []).filter(inside);
    return [...new Map(keys.map(({ row, key }) => [`${row.id}:${key}`, { row, key }])).values()];
  }

  /** The nearest of some points within reach. */
  function nearest(points: readonly CurvePoint[], x: number, y: number, reach: number): CurvePoint | null {
    let [best, least]: [CurvePoint | null, number] = [null, reach];
    for (const point of points) {
      const distance = Math.hypot(point.x - x, point.y - y);
      if (distance <= least) [best, least] = [point, distance];
    }
    return best;
  }

  const isSelected = ({ row, key }: SelectedKey): boolean => session.keys.some((k) => k.row === row && k.key === key);

  /** The part that a drag from a place edits. A mouse selects the key there; a finger drags keys that are selected already. */
  function grabbed(x: number, y: number, touch: boolean): Grabbed | null {
    if (!session.host.followClip) return null;
    const reach = REACH[touch ? 'touch' : 'mouse'];
    if (session.view === 'curves') return grabbedCurve(x, y, touch, reach);
    const row = session.rows[rowAt(y)];
    const time = row ? keyTimeNear(session, row, x, reach) : null;
    if (!row || time === null) return null;
    const here = session.keysBetween([row], time - 1e-6, time + 1e-6);
    if (!here.some(isSelected)) {
      if (touch || session.selecting) return null;
      session.selectKeys(here);
    }
    return { kind: 'time', time };
  }

  function grabbedCurve(x: number, y: number, touch: boolean, reach: number): Grabbed | null {
    if (!session.editing || !canvases.curves || !isEditable(session.graph)) return null;
    const { handles, points } = canvases.curves;
    const handle = nearest(handles, x, y, reach);
    const point = nearest(points, x, y, reach);
    // A handle over its own key is pulled out of it.
    if (handle && !(point && Math.hypot(point.x - x, point.y - y) < Math.hypot(handle.x - x, handle.y - y)))
      return { kind: 'handle', point: handle };
    if (!point) return null;
    if (!isSelected(point)) {
      if (touch || session.selecting) return null;
      session.selectKeys([{ row: point.row, key: point.key }]);
    }
    return { kind: 'key', point };
  }

  /** Selects the key under the pointer, and shows its pose. */
  function click(x: number, y: number, event: PointerEvent): void {
    const reach = REACH[event.pointerType === 'touch' ? 'touch' : 'mouse'];
    const add = session.selecting || event.ctrlKey || event.metaKey || event.shiftKey;
    if (session.view === 'curves' && session.editing) {
      // One key of one curve, whose handles appear.
      const point = nearest(canvases.curves?.points ?? [], x, y, reach);
      if (point) return chosen([{ row: point.row, key: point.key }], point.row.channel.times[point.key] as number, add);
    }
    const row = session.view === 'sheet' ? session.rows[rowAt(y)] : undefined;
    const rows = row ? [row] : session.view === 'curves' ? session.selectedRows : [];
    let closest: number | null = null;
    for (const one of rows) {
      const time = keyTimeNear(session, one, x, reach);
      if (
        time !== null &&
        (closest === null || Math.abs(session.axis.x(time) - x) < Math.abs(session.axis.x(closest) - x))
      )
        closest = time;
    }
    if (row && !add) session.selectRow(row.id);
    if (closest !== null) chosen(session.keysBetween(rows, closest - 1e-6, closest + 1e-6), closest, add);
    else if (!add) session.selectKeys([]);
  }

  /** Selects keys; without others, the playhead moves to them. */
  function chosen(keys: readonly SelectedKey[], time: number, add: boolean): void {
    // A further press takes keys out of the selection.
    if (add && keys.every(isSelected)) return session.deselectKeys(keys);
    session.selectKeys(keys, add);
    if (add) return;
    session.viewer.pause();
    session.seek(time);
  }

  /** `true` over a key or a handle of a curve that a drag edits. */
  function grabbable(x: number, y: number): boolean {
    if (!session.editing || !canvases.curves || !isEditable(session.graph)) return false;
    const { handles, points } = canvases.curves;
    return nearest([...handles, ...points], x, y, REACH.mouse) !== null;
  }

  function hover(x: number, y: number): void {
    const { axis, fps, duration } = session;
    if (session.view === 'curves') {
      const isOver = grabbable(x, y);
      view.style.cursor = isOver ? 'pointer' : '';
      if (isOver) return canvases.hideBubble();
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
