// Checks the accessibility of an element with axe-core.

import axe from 'axe-core';

/** The violations that axe finds in an element. */
export async function faults(element: Element): Promise<string[]> {
  return named(await axe.run(element, { resultTypes: ['violations'] }));
}

/** The violations that axe finds in a page in a frame. Axe works only in the window of the page. */
export async function pageFaults(page: Window & typeof globalThis): Promise<string[]> {
  const inside = page as typeof page & { axe?: typeof axe };
  if (!inside.axe) {
    const script = page.document.createElement('script');
    script.src = '/__tests/axe.js';
    await new Promise((resolve, reject) => {
      script.onload = resolve;
      script.onerror = reject;
      page.document.head.append(script);
    });
  }
  // Colours are measured after their transitions. Endless animations, such as that of a playing clip, have no end.
  for (const animation of page.document.getAnimations())
    if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish();
  return named(await (inside.axe ?? axe).run({ resultTypes: ['violations'] }));
}

function named({ violations }: axe.AxeResults): string[] {
  return Array.from(violations, ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
