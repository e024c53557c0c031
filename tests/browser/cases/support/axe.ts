// Checks the accessibility of an element with axe-core.

import axe from 'axe-core';

/** The violations that axe finds in an element. */
export async function faults(element: Element): Promise<string[]> {
  const { violations } = await axe.run(element, { resultTypes: ['violations'] });
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}
