// The attribute `timeline`: binds the viewer's timeline to a clock.

import type { Viewer } from '../../api/viewer.ts';
import { nextFrame, windowOf, type View } from '../../base/window.ts';

const PROPERTY = '--gambol-progress';

/** Reads a progress `0..=1` after each of the events, and calls `changed` with it; returns a function that ends this. */
function watch(
  progress: () => number,
  changed: (progress: number) => void,
  events: readonly (readonly [EventTarget, string])[],
): () => void {
  const update = (): void => changed(progress());
  for (const [target, type] of events) target.addEventListener(type, update, { passive: true, capture: true });
  update();
  return () => {
    for (const [target, type] of events) target.removeEventListener(type, update, { capture: true });
  };
}

/** Binds the viewer's timeline to the clock `kind`; returns a function that ends this. */
export function bindTimeline(host: HTMLElement, viewer: Viewer, kind: string, selector: string | null): () => void {
  const root = host.getRootNode() as Document | ShadowRoot;
  const source = selector === null ? null : (root.querySelector(selector) ?? document.querySelector(selector));
  const show = (progress: number): void => {
    viewer.progress = Math.min(1, Math.max(0, progress));
  };
  const view = windowOf(host);
  const scrolls = [
    [view.document, 'scroll'],
    [view, 'resize'],
  ] as const;
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
      const scroller = source ?? view.document.scrollingElement ?? view.document.documentElement;
      return ended(
        viewer,
        watch(() => scroller.scrollTop / Math.max(1, scroller.scrollHeight - scroller.clientHeight), show, scrolls),
      );
    }
    case 'view': {
      viewer.timeline = 'manual';
      const subject = source ?? host;
      return ended(
        viewer,
        watch(
          () => {
            const { top, height } = subject.getBoundingClientRect();
            // 0 when the subject is just below the viewport, 1 when it is just above.
            return (view.innerHeight - top) / Math.max(1, view.innerHeight + height);
          },
          show,
          scrolls,
        ),
      );
    }
    case 'css':
      register(view);
      viewer.timeline = 'manual';
      return ended(
        viewer,
        eachFrame(host, () => show(Number(view.getComputedStyle(host).getPropertyValue(PROPERTY)) || 0)),
      );
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
      // The viewer was disposed of.
    }
  };
}

function eachFrame(host: HTMLElement, call: () => void): () => void {
  let cancel = (): void => undefined;
  const next = (): void => {
    call();
    cancel = nextFrame(host, next);
  };
  next();
  return () => cancel();
}

/** Registers the custom property as a number, so that CSS can animate it. */
function register(view: View): void {
  try {
    view.CSS.registerProperty({ name: PROPERTY, syntax: '<number>', inherits: false, initialValue: '0' });
  } catch {
    // It is registered already, or the browser does not support it.
  }
}
