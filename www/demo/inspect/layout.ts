// The layout of the panels: the open ones, their sides and sizes. It is kept in the browser.

import { effect, signal } from '@preact/signals';

export type Side = 'left' | 'right' | 'bottom';

export interface Layout {
  /** The panel that each side shows. */
  readonly open: Readonly<Record<Side, string | null>>;
  /** The sides of panels that were moved. */
  readonly sides: Readonly<Record<string, Side>>;
  /** Widths of the sides and the height of the bottom, in CSS pixels. */
  readonly sizes: Readonly<Record<Side, number>>;
}

const INITIAL: Layout = {
  open: { left: null, right: null, bottom: null },
  sides: {},
  sizes: { left: 300, right: 320, bottom: 340 },
};
export const SIZE_LIMITS: Readonly<Record<Side, readonly [least: number, most: number]>> = {
  left: [240, 560],
  right: [260, 560],
  bottom: [200, 760],
};
/** The height in CSS pixels that the bottom leaves for the picture. */
const PICTURE = 240;
const KEY = 'gambol-inspector-layout';

export const layout = signal<Layout>(stored());
effect(() => {
  const text = JSON.stringify(layout.value);
  try {
    localStorage.setItem(KEY, text);
  } catch {
    // Without storage, the layout is lost after a reload.
  }
});

/** `true` on screens where panels are sheets over the lower half. */
export const narrow = signal(false);
const query = matchMedia('(max-width: 760px)');
narrow.value = query.matches;
query.addEventListener('change', () => {
  narrow.value = query.matches;
});

export function resize(side: Side, size: number): void {
  const [least, limit] = SIZE_LIMITS[side];
  const most = side === 'bottom' ? Math.max(least, Math.min(limit, innerHeight - PICTURE)) : limit;
  const fitting = Math.round(Math.min(Math.max(size, least), most));
  layout.value = { ...layout.value, sizes: { ...layout.value.sizes, [side]: fitting } };
}

export function sideOf(panel: string, usual: Side): Side {
  return layout.value.sides[panel] ?? usual;
}

export function isOpen(panel: string): boolean {
  return Object.values(layout.value.open).includes(panel);
}

/** Opens a panel at its side, in place of the one that is open there; on a narrow screen in place of all others. */
export function openPanel(panel: string, usual: Side): void {
  const open = narrow.value ? INITIAL.open : layout.value.open;
  layout.value = { ...layout.value, open: { ...open, [sideOf(panel, usual)]: panel } };
}

export function closePanel(panel: string): void {
  const { open } = layout.value;
  const rest = Object.entries(open).map(([side, shown]) => [side, shown === panel ? null : shown]);
  layout.value = { ...layout.value, open: Object.fromEntries(rest) as Layout['open'] };
}

export function closeAll(): void {
  layout.value = { ...layout.value, open: INITIAL.open };
}

/** Moves a panel to another side. */
export function movePanel(panel: string, side: Side): void {
  closePanel(panel);
  layout.value = { ...layout.value, sides: { ...layout.value.sides, [panel]: side } };
  openPanel(panel, side);
}

function stored(): Layout {
  try {
    const given = JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Layout>;
    return {
      open: { ...INITIAL.open, ...given.open },
      sides: { ...given.sides },
      sizes: { ...INITIAL.sizes, ...given.sizes },
    };
  } catch {
    return INITIAL;
  }
}
