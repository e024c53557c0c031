// The timeline of the clip that plays.

import type { JSX } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Inspector } from '../inspector.ts';
import { layout, resize } from '../layout.ts';
import { mountTimeline, type Timeline } from '../timeline/timeline.ts';
import { Note } from '../ui.tsx';

/** The least height of the panel with the controls of edits, in CSS pixels, so that curves have room for handles. */
const EDITING = 500;

export function TimelinePanel({ inspector }: { readonly inspector: Inspector }): JSX.Element {
  const model = inspector.model.value;
  const { node } = inspector.view.value;
  const root = useRef<HTMLDivElement>(null);
  const timeline = useRef<Timeline | null>(null);

  useEffect(() => {
    const { viewer, player } = inspector;
    if (!viewer || !model || !root.current) return;
    const overlay = document.createElement('div');
    overlay.className = 'timeline-overlay';
    player.after(overlay);
    const mounted = mountTimeline(root.current, {
      viewer,
      overlay,
      selectNode: (selected) => inspector.change({ node: selected, label: '' }, 'selection'),
      announce: (text) => inspector.status.announce(text),
      editClip: (label, clip, edits) => inspector.edits.clip(label, clip, edits),
      followClip: (clip) => inspector.edits.follow(clip),
      splitClip: (clip, at) => inspector.edits.split(clip, at),
      onEditing: () => {
        if (layout.peek().sizes.bottom < EDITING) resize('bottom', EDITING);
      },
      undo: () => inspector.undo(),
      redo: () => inspector.redo(),
      save: () => void inspector.edits.save(),
      onEdit: ({ label, undo, redo }) => inspector.record({ name: label, undo, redo }),
      onState: () => {
        inspector.timeline.value = { clip: viewer.clip?.id ?? null, changes: mounted.changes() };
      },
    });
    timeline.current = mounted;
    mounted.setModel(model);
    const show = (): void => mounted.setClip(viewer.clip?.id);
    show();
    // The state at which the panel was closed, or that of a link.
    const kept = inspector.timeline.peek();
    if (kept && [null, viewer.clip?.id].includes(kept.clip)) mounted.restore(kept.changes);
    player.addEventListener('clipchange', show);
    const reread = (): void => mounted.reread();
    player.addEventListener('clipschange', reread);
    return () => {
      player.removeEventListener('clipchange', show);
      player.removeEventListener('clipschange', reread);
      mounted.dispose();
      overlay.remove();
      timeline.current = null;
    };
  }, [inspector, model]);
  // Pictures of other times show the light and the debug views of the present one.
  const { clip: _clip, node: _node, ...look } = inspector.view.value;
  const looks = JSON.stringify(look);
  useEffect(() => {
    if (looks) timeline.current?.refresh();
  }, [looks]);
  useEffect(() => {
    timeline.current?.select(node === null ? [] : [node]);
  }, [node, model]);

  return model ? <div ref={root} /> : <Note>No model is loaded.</Note>;
}
