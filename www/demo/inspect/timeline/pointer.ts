// Pointers on the ruler: scrubbing, the range, zoom and pan.

import type { Canvases } from './canvases.ts';
import { LANES } from './ruler.ts';
import type { Session } from './session.ts';

/** Movements in CSS pixels below which a press is a click. */
export const SLOP = 4;

/** Zooms by the wheel with Ctrl (and by pinches on a touchpad, which browsers send as that), and pans by other wheels. */
export function installWheel(element: HTMLElement, session: Session, canvases: Canvases, always: boolean): void {
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
