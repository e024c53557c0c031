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
  return named(await (inside.axe ?? axe).run({ resultTypes: ['violations'] }));
}

function named({ violations }: axe.AxeResults): string[] {
  return Array.from(violations, ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
