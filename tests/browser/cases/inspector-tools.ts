// The panels of the inspector that make files: smaller ones.

import { longTests, test } from '../page/api.ts';
import { panel, set, site } from './support/inspector.ts';

longTests();

test('inspector: Optimise makes a smaller file within the bound, and compares it with the original', async (t) => {
  const at = await site(t);
  const { page, text, player } = at;
  await t.until(() => text('model-name') === 'Sample character', 'the sample character');
  const control = await panel(t, at, 'optimize');
  const error = control('Error in mm') as HTMLInputElement;
  set(error, '-1');
  await t.until(() => (control('Optimise') as HTMLButtonElement).disabled, 'no error below zero');
  set(error, '0.1');
  await t.until(() => !(control('Optimise') as HTMLButtonElement).disabled, 'an error of 0.1 mm');
  control('Optimise').click();
  const table = (): HTMLTableElement | null => page.querySelector('#optimize table');
  await t.until(() => table() !== null, 'the table');
  const rows = [...t.some(table()).rows].map((row) => [...row.cells].map(({ textContent }) => textContent));
  t.equal(rows[0], ['Part', 'Before', 'After']);
  const keys = t
    .some(rows.find(([name]) => name === 'Keys'))
    .slice(1)
    .map((words) => Number(words?.replace(/\D/g, '')));
  t.ok(keys[1]! < keys[0]! && keys[1]! > 0, `keys ${keys.join(' → ')}`);
  const facts = new Map(
    [...page.querySelectorAll('#optimize .facts dt')].map((term) => [
      term.textContent,
      term.nextElementSibling?.textContent ?? '',
    ]),
  );
  t.equal(facts.get('Bound'), '0.1 mm');
  const measured = Number(facts.get('Largest measured error')?.replace(' mm', ''));
  t.ok(measured > 0 && measured <= 0.1, `measured ${measured} mm`);
  control('Compare with the original').click();
  await t.until(() => player.querySelector('.compare-canvas') !== null, 'two pictures');
  t.equal(page.getElementById('failure')?.hidden, true);
});
