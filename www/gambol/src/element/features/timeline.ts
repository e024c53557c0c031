// `timeline`: what moves the time of the element, by words in HTML.

import type { Viewer } from '../../api/viewer.ts';

const PROPERTY = '--gambol-progress';

/** Reads a progress `0..=1` each time that it may have changed; returns how to end it. */
function watch(progress: () => number, changed: (progress: number) => void, events: readonly (readonly [EventTarget, string])[]): () => void {
  const update = (): void => changed(progress());
  for (const [target, type] of events) target.addEventListener(type, update, { passive: true, capture: true });
  update();
  return () => {
    for (const [target, type] of events) target.removeEventListener(type, update, { capture: true });
  };
}

/** Binds the viewer to what the words say; returns how to end that. */
export function bindTimeline(host: HTMLElement, viewer: Viewer, kind: string, selector: string | null): () => void {
  const root = host.getRootNode() as Document | ShadowRoot;
  const source = selector === null ? null : (root.querySelector(selector) ?? document.querySelector(selector));
  const show = (progress: number): void => {
    viewer.progress = Math.min(1, Math.max(0, progress));
  };
  const scrolls = [[document, 'scroll'], [window, 'resize']] as const;
  switch (kind) {
    case 'media':
      if (!(source instanceof HTMLMediaElement)) return () => undefined;
      viewer.timeline = source;
      break;
    case 'manual':
      viewer.timeline = 'manual';
      break;
    case 'scroll': {
      viewer.timeline = 'manual';
      const scroller = source ?? document.scrollingElement ?? document.documentElement;
      return ended(viewer, watch(() => scroller.scrollTop / Math.max(1, scroller.scrollHeight - scroller.clientHeight), show, scrolls));
    }
    case 'view': {
      viewer.timeline = 'manual';
      const subject = source ?? host;
      return ended(viewer, watch(() => {
        const { top, height } = subject.getBoundingClientRect();
        // From just below the window to just above it.
        return (innerHeight - top) / Math.max(1, innerHeight + height);
      }, show, scrolls));
    }
    case 'css':
      register();
      viewer.timeline = 'manual';
      return ended(viewer, eachFrame(() => show(Number(getComputedStyle(host).getPropertyValue(PROPERTY)) || 0)));
    default:
      viewer.timeline = 'auto';
      return () => undefined;
  }
  return ended(viewer, () => undefined);
}

function ended(viewer: Viewer, end: () => void): () => void {
  return () => {
    end();
    try {
      viewer.timeline = 'auto';
    } catch {
      // It is disposed of.
    }
  };
}

function eachFrame(call: () => void): () => void {
  let frame = 0;
  const next = (): void => {
    call();
    frame = requestAnimationFrame(next);
  };
  next();
  return () => cancelAnimationFrame(frame);
}

/** So that CSS can animate it. */
function register(): void {
  try {
    CSS.registerProperty({ name: PROPERTY, syntax: '<number>', inherits: false, initialValue: '0' });
  } catch {
    // It is already, or the browser has no such thing.
  }
}
