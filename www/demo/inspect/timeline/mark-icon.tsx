// The marks of keys as icons, for the legend and the table.

import type { MarkName } from './paint.ts';

const SHAPES: Readonly<Record<MarkName, string>> = {
  STEP: 'M2.200 2.200h7.600v7.600h-7.600z',
  LINEAR: 'M6 .8 11.200 6 6 11.200.8 6z',
  CUBICSPLINE: 'M6 1.500a4.500 4.500 0 1 1 0 9 4.500 4.500 0 0 1 0-9z',
  MIXED: 'M6 1.500 10.500 10h-9z',
};

export function traceSvg(mark: MarkName) {
  return (
    <svg class="tl-mark" viewBox="0 0 12 12" aria-hidden="true" data-mark={mark}>
      <path d={SHAPES[mark]} />
    </svg>
  );
}
