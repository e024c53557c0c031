// Judges an element by axe-core.

import axe from 'axe-core';

/** What axe finds wrong with an element, in words. */
export async function faults(element: Element): Promise<string[]> {
  const { violations } = await axe.run(element, { resultTypes: ['violations'] });
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
