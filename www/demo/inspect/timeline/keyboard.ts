// The keys of the timeline. They work while the focus is in it; other keys are left to the page.

import type { Canvases } from './canvases.ts';
import { clearRange } from './panel.tsx';
import { addKeys, deleteKeys, moveKeys, shift, splitAtPlayhead } from './key-edits.ts';
import { isExpandable } from './rows.ts';
import type { Session } from './session.ts';

/**
 * The keys that the timeline handles, for the page, which has keys of its own. They are in the attribute `data-keys` of the root,
 * separated by blanks; `Space` is the space bar.
 */
export const KEYS =
  'ArrowUp ArrowDown ArrowLeft ArrowRight Home End PageUp PageDown Enter Space Delete [ ] + = - _ a i o x m k s t';

export function installKeys(root: HTMLElement, session: Session, canvases: Canvases): void {
  root.dataset['keys'] = KEYS;
  root.addEventListener('keydown', (event) => {
    const target = event.target as HTMLElement;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey) return;
    if (event.altKey) {
      if (!moved(event)) return;
      event.preventDefault();
      event.stopPropagation();
      return;
    }
    if (target.matches('input, select, textarea')) return;
    if (target.matches('button, a') && (event.key === 'Enter' || event.key === ' ')) return;
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const handled =
      key === ' '
        ? space(event)
        : target.role === 'treeitem'
          ? inTree(event) || anywhere(key)
          : onSlider(target, event) || anywhere(key);
    if (!handled) return;
    event.preventDefault();
    event.stopPropagation();
  });

  /** A held space bar pans by the pointer; a short press plays or pauses. */
  let release: (() => void) | null = null;
  function space({ repeat }: KeyboardEvent): boolean {
    const { main } = canvases;
    if (repeat || !main) return true;
    // A release outside of the page was not seen.
    release?.();
    main.dataset['panning'] = '';
    const before = session.axis.visible;
    const up = (event: KeyboardEvent): void => {
      if (event.key !== ' ') return;
      release?.();
      if (session.axis.visible !== before) return;
      const { viewer } = session;
      if (viewer.paused) viewer.play();
      else viewer.pause();
    };
    release = () => {
      window.removeEventListener('keyup', up, true);
      delete main.dataset['panning'];
      release = null;
    };
    window.addEventListener('keyup', up, true);
    return true;
  }

  /** Alt with an arrow moves the selected keys by a frame. */
  function moved({ key, shiftKey }: KeyboardEvent): boolean {
    const frames = { ArrowLeft: -1, ArrowRight: 1 }[key];
    const [first] = session.keys;
    if (frames === undefined || !first || !session.host.editClip) return false;
    const by = (frames * (shiftKey ? 10 : 1)) / session.fps;
    moveKeys(session, shift(session, session.keys, first.row.channel.times[first.key] as number, by));
    return true;
  }

  function anywhere(key: string): boolean {
    const { time, duration, range } = session;
    const setRange = (begin: number, end: number): void => {
      if (begin >= end) return;
      session.setRange([begin, end], true);
      session.rangeEdited(range);
    };
    switch (key) {
      case '[':
        session.jumpToKey(-1);
        return true;
      case ']':
        session.jumpToKey(1);
        return true;
      case '+':
      case '=':
        canvases.zoom(1.5);
        return true;
      case '-':
      case '_':
        canvases.zoom(1 / 1.5);
        return true;
      case 'a':
        canvases.fit();
        return true;
      case 'i':
        setRange(time, range && range[1] > time ? range[1] : duration);
        return true;
      case 'o':
        setRange(range && range[0] < time ? range[0] : 0, time);
        return true;
      case 'x':
        clearRange(session);
        return true;
      case 'm':
        session.addMarker(time);
        return true;
      case 'k':
        addKeys(session);
        return true;
      case 's':
        session.selectAllKeys();
        return true;
      case 't':
        splitAtPlayhead(session);
        return true;
      case 'Delete':
        deleteKeys(session);
        return true;
      default:
        return false;
    }
  }

  /** Moves the playhead or an end of the range; all other elements leave the arrows alone. */
  function onSlider(target: HTMLElement, { key, shiftKey }: KeyboardEvent): boolean {
    if (target.role !== 'slider') return false;
    const { fps, duration, range } = session;
    const frames = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10 }[key];
    const end = { Home: 0, End: duration }[key];
    if (frames === undefined && end === undefined) return false;
    const step = (frames ?? 0) * (shiftKey ? 10 : 1);
    const handle = target.dataset['handle'];
    if (handle === undefined) {
      if (end !== undefined) {
        session.viewer.pause();
        session.seek(end);
      } else session.stepFrames(step);
      session.axis.reveal(session.time);
      session.changed();
      return true;
    }
    const [begin, stop] = range ?? [0, duration];
    const moved = end ?? session.snapped((handle === '0' ? begin : stop) + step / fps);
    const next: [number, number] = handle === '0' ? [Math.min(moved, stop), stop] : [begin, Math.max(moved, begin)];
    if (next[0] < next[1]) {
      session.setRange(next, true);
      session.rangeEdited(range);
    }
    return true;
  }

  function inTree({ key, shiftKey }: KeyboardEvent): boolean {
    const { rows, current } = session;
    const index = rows.findIndex((row) => row.id === current?.id);
    const row = rows[index];
    const go = (to: number): boolean => {
      const next = rows[Math.min(Math.max(to, 0), rows.length - 1)];
      if (!next) return true;
      session.selectRow(next.id, shiftKey ? 'range' : 'only');
      canvases.revealRow(next.id);
      canvases.focusRow = true;
      return true;
    };
    const page = Math.max(1, Math.floor((canvases.scroll?.clientHeight ?? 0) / canvases.rowHeight) - 1);
    switch (key) {
      case 'ArrowDown':
        return go(index + 1);
      case 'ArrowUp':
        return go(index - 1);
      case 'PageDown':
        return go(index + page);
      case 'PageUp':
        return go(index - page);
      case 'Home':
        return go(0);
      case 'End':
        return go(rows.length - 1);
      case 'ArrowRight':
        if (!row || !isExpandable(row)) return true;
        if (session.open.has(row.id)) return go(index + 1);
        session.toggleOpen(row.id, true);
        return true;
      case 'ArrowLeft':
        if (!row) return true;
        if (isExpandable(row) && session.open.has(row.id)) session.toggleOpen(row.id, false);
        else if (row.kind !== 'joint') {
          const parent = row.kind === 'channel' ? row.joint.id : row.parent.id;
          return go(rows.findIndex(({ id }) => id === parent));
        }
        return true;
      case 'Enter':
        if (row && isExpandable(row)) session.toggleOpen(row.id);
        return true;
      default:
        return false;
    }
  }
}
