// The timeline of the inspector: dope sheet, curves and table of the keys of a clip, with range, markers, thumbnails, onion skin
// and motion trail.
//
//   const timeline = mountTimeline(root, { viewer, overlay, selectNode, announce });
//   timeline.setModel(viewer.model);      // after the event `load`, and after `clipschange`
//   timeline.setClip(viewer.clip?.id);    // after `load` and `clipchange`
//
// - `root` is an empty element with a height; its content fills it. `styles/timeline.css` has the styles.
// - `overlay` covers the canvas of the viewer exactly, and lets pointers through (`pointer-events: none`).
// - The timeline reads the playhead from the viewer, and moves it with `currentTime`. It sets `segment` and the markers of clips.
// - `root.dataset.keys` lists the keys that it handles while the focus is in it. A page that captures keys must leave these to it.
// - `state()` is plain data; `changes()` is the part of it that the address of the page has. Call `restore()` after `setClip()`.
//
// `session.ts` has the state and all actions, `canvases.ts` draws, `panel.tsx` has the controls.

import type { Model } from 'gambol';
import { h, render } from 'preact';
import { Canvases } from './canvases.ts';
import { Ghost } from './ghost.ts';
import { OnionSkin } from './onion.ts';
import { Panel } from './panel.tsx';
import { Session, type TimelineHost, type TimelineState } from './session.ts';
import { MotionTrail } from './trail.ts';

export type { Edit, FollowedClip, TimelineHost, TimelineState } from './session.ts';

export interface Timeline {
  /** Shows the clips of a model; null for none. The same model again reads its clips again. */
  setModel(model: Model | null): void;
  /** Shows a clip, by its id; null or undefined for none. */
  setClip(id: string | null | undefined): void;
  /** Reads the clip again after an edit. */
  reread(): void;
  /** Selects the rows of nodes, without a call of `selectNode`. */
  select(nodes: readonly number[]): void;
  /** Draws thumbnails and onion skin again, after a change of the light, the materials or the debug views. */
  refresh(): void;
  state(): TimelineState;
  /** The parts of the state that differ from the defaults. */
  changes(): Partial<TimelineState>;
  restore(state: Partial<TimelineState>): void;
  dispose(): void;
  /** The parts, for tests and measurements. @internal */
  readonly parts: { readonly session: Session; readonly canvases: Canvases; readonly trail: MotionTrail };
}

export function mountTimeline(root: HTMLElement, host: TimelineHost): Timeline {
  const { viewer } = host;
  const session = new Session(host);
  root.classList.add('timeline');
  const canvases = new Canvases(session, root);
  const onion = new OnionSkin(session);
  const trail = new MotionTrail(session, root);
  const ghost = new Ghost(session);
  // The names of the rows and the canvases change in one frame.
  const show = (): void => {
    render(h(Panel, { session, canvases }), root);
    canvases.draw();
  };
  session.on('change', show);
  show();
  canvases.resized();

  const moved = (): void => session.moved();
  const played = (): void => {
    canvases.hideBubble();
    session.moved();
  };
  /** Pictures of other times show the view of the camera. A drag sends many changes, so they are drawn after the last one. */
  let waiting = 0;
  const stale = (): void => {
    trail.draw();
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      canvases.thumbnails.clear();
      onion.stale();
    }, 120);
  };
  const events = [
    ['frame', moved],
    ['seeked', moved],
    ['play', played],
    ['pause', moved],
    ['camera-change', stale],
    ['contextrestored', stale],
  ] as const;
  for (const [name, listener] of events) viewer.addEventListener(name, listener);

  const themed = (): void => canvases.themed();
  const schemes = ['(prefers-color-scheme: dark)', '(forced-colors: active)'].map((query) => matchMedia(query));
  for (const scheme of schemes) scheme.addEventListener('change', themed);
  const theme = new MutationObserver(themed);
  theme.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  const sizes = new ResizeObserver(stale);
  sizes.observe(host.overlay);

  return {
    setModel: (model) => session.setModel(model),
    setClip: (id) => session.setClip(id ?? null),
    reread: () => {
      session.reread();
      stale();
    },
    select: (nodes) => {
      session.selectNodes(nodes);
      const id = session.current?.id;
      if (id !== undefined) canvases.revealRow(id);
    },
    refresh: stale,
    state: () => session.state(),
    changes: () => session.changes(),
    restore: (state) => {
      session.restore(state);
      // The rows are there before the list scrolls to one of them.
      show();
      canvases.scrollToState();
    },
    dispose: () => {
      for (const [name, listener] of events) viewer.removeEventListener(name, listener);
      for (const scheme of schemes) scheme.removeEventListener('change', themed);
      theme.disconnect();
      sizes.disconnect();
      clearTimeout(waiting);
      session.dispose();
      canvases.dispose();
      onion.dispose();
      ghost.dispose();
      trail.dispose();
      render(null, root);
      root.classList.remove('timeline');
    },
    parts: { session, canvases, trail },
  };
}
