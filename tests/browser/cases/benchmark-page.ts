// The benchmark page of the built site, in a frame.

import { test } from '../page/api.ts';

test('benchmark page: it page has figures of every player, also on a phone', async (t) => {
  for (const width of [1000, 390]) {
    const { document: page } = await t.page('/bench.html', width, 700);
    const tables = [...page.querySelectorAll('table')].filter((table) => !table.matches('#sizes ~ * table'));
    t.ok(tables.length > 0, 'tables');
    for (const table of tables) {
      const players = [...table.querySelectorAll('th[scope="row"]')].map((cell) => cell.textContent);
      for (const player of ['gambol', 'three.js', 'Babylon.js', 'PlayCanvas'])
        t.equal(players.filter((name) => name === player).length, 5, player);
      for (const row of table.querySelectorAll('tbody tr:has(td)')) {
        // There are no crowds of one member.
        const [alone, ...many] = [...row.querySelectorAll('td')].map((cell) => cell.textContent?.trim() ?? '');
        const figures = row.querySelector('th')?.textContent === 'gambol, LOD' ? many : [alone ?? '', ...many];
        for (const figure of figures) t.ok(/^[\d,.]+( (µs|ms|s|kB|MB))?( [\d,.]+ ×)?$/.test(figure), figure);
      }
    }
    const files = t.some(page.querySelector<HTMLTableElement>('#sizes ~ * table'), 'optimised files');
    t.ok(files.rows.length > 10, 'rows of optimised files');
    t.ok(!page.documentElement.innerHTML.includes('<!--'), 'no place is empty');
    t.ok(page.documentElement.scrollWidth <= width, 'nothing sticks out');
  }
});
