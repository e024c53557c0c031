// The parts of the inspector that are drawn by Preact.

import { render } from 'preact';
import { byId } from '../app/dom.ts';
import { Dock, Rail } from './docks.tsx';
import type { Inspector } from './inspector.ts';
import { Palette } from './palette.tsx';
import { SplitBar } from './panels/compare.tsx';

export function mount(inspector: Inspector): void {
  render(
    <>
      <Rail inspector={inspector} />
      <Dock inspector={inspector} side="left" />
      <Dock inspector={inspector} side="right" />
      <Dock inspector={inspector} side="bottom" />
      <SplitBar inspector={inspector} />
      <Palette />
    </>,
    byId('panels'),
  );
}
