// Keeps the model in the middle of what panels leave free of the picture.

import { effect } from '@preact/signals';
import type { Inspector } from './inspector.ts';
import { layout, narrow } from './layout.ts';

/** The distance of the model from panels, in CSS pixels. */
const GAP = 8;

/** The width in CSS pixels that the clips at the left, the model and the rail need. */
const ROOM = 640;

/** Elements that cover a side of the picture. */
const COVERS = {
  left: ['.dock-left', '#clips'],
  top: ['.bar', '.rail', '#motion-note'],
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
        // On a narrow screen the rail is a row below the top bar; the clips are a row above the bar there, and between docks.
        const sheets = narrow.peek();
        const isRow = { '#clips': sheets || app?.classList.contains('compact'), '.rail': sheets }[selector as string];
        if (isRow !== undefined && isRow !== (side === 'top' || side === 'bottom')) continue;
        // Sheets of a narrow screen stand on the clips.
        cover(sheets && (side === 'left' || side === 'right') ? 'bottom' : side, element);
      }
    cover('bottom', player.shadowRoot?.querySelector('.controls'));
    viewer.cameraPadding = padding;
  };
  const arrange = (): void => {
    const { open, sizes: all } = layout.peek();
    const sheet = narrow.peek();
    const size = (side: 'left' | 'right' | 'bottom'): number => (open[side] === null || sheet ? 0 : all[side] + 12);
    app?.classList.toggle('docked-bar', open.bottom !== null);
    app?.classList.toggle('compact', !sheet && player.clientWidth - size('left') - size('right') < ROOM);
    for (const side of ['left', 'right', 'bottom'] as const) app?.style.setProperty(`--${side}`, `${size(side)}px`);
  };
  const request = (): void => {
    arrange();
    if (waiting === 0) waiting = requestAnimationFrame(update);
  };
  const sizes = new ResizeObserver(request);
  sizes.observe(player);
  for (const id of ['clips', 'motion-note']) {
    const element = document.getElementById(id);
    if (element) sizes.observe(element);
  }
  effect(() => {
    layout.value;
    narrow.value;
    request();
  });
  effect(() => {
    if (inspector.model.value) request();
  });
}
