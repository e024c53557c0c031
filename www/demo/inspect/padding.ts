// Keeps the model in the middle of what panels leave free of the picture.

import { effect } from '@preact/signals';
import type { Inspector } from './inspector.ts';
import { layout, narrow } from './layout.ts';

/** The distance of the model from panels, in CSS pixels. */
const GAP = 8;

/** Elements that cover a side of the picture. */
const COVERS = {
  left: ['.dock-left', '#clips'],
  top: ['.bar', '.rail'],
  right: ['.dock-right', '.rail'],
  bottom: ['.dock-bottom', '#clips'],
} as const;

export function installPadding(inspector: Inspector): void {
  const { player } = inspector;
  const app = document.getElementById('app');
  let waiting = 0;
  const update = (): void => {
    waiting = 0;
    const { viewer } = player;
    const canvas = player.getBoundingClientRect();
    if (!viewer || canvas.width === 0) return;
    const padding = { left: 0, top: 0, right: 0, bottom: 0 };
    const cover = (side: keyof typeof padding, element: Element | null | undefined): void => {
      const box = element?.getBoundingClientRect();
      if (!box || box.width === 0 || box.height === 0) return;
      const covered = {
        left: box.right - canvas.left,
        top: box.bottom - canvas.top,
        right: canvas.right - box.left,
        bottom: canvas.bottom - box.top,
      }[side];
      // An element that spans the picture in this direction covers another side.
      const [most, size] =
        side === 'left' || side === 'right' ? [0.7 * canvas.width, box.width] : [0.75 * canvas.height, box.height];
      if (size < most) padding[side] = Math.max(padding[side], covered + GAP);
    };
    for (const side of ['left', 'top', 'right', 'bottom'] as const)
      for (const selector of COVERS[side]) {
        const element = document.querySelector(selector);
        // On a narrow screen the clips are a row above the bar, and the rail is a row below the top bar.
        const across = selector === '#clips' || selector === '.rail';
        const isRow = narrow.peek();
        if (across && isRow !== (side === 'top' || side === 'bottom')) continue;
        // Sheets of a narrow screen stand on the clips.
        cover(isRow && (side === 'left' || side === 'right') ? 'bottom' : side, element);
      }
    cover('bottom', player.shadowRoot?.querySelector('.controls'));
    viewer.cameraPadding = padding;
  };
  const request = (): void => {
    if (waiting === 0) waiting = requestAnimationFrame(update);
  };
  const sizes = new ResizeObserver(request);
  sizes.observe(player);
  const clips = document.getElementById('clips');
  if (clips) sizes.observe(clips);
  effect(() => {
    const { open, sizes: all } = layout.value;
    const sheet = narrow.value;
    const size = (side: 'left' | 'right' | 'bottom'): string =>
      open[side] === null || sheet ? '0px' : `${all[side] + 12}px`;
    app?.style.setProperty('--left', size('left'));
    app?.style.setProperty('--right', size('right'));
    app?.style.setProperty('--bottom', size('bottom'));
    request();
  });
  effect(() => {
    if (inspector.model.value) request();
  });
}
