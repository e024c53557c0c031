// The panel Doctor of the inspector: findings by severity, and each one where it is in the picture.

import { longTests, test } from '../page/api.ts';
import { FRAMES, GAP, hitching } from './support/hitch.ts';
import { panel, site, type Site } from './support/inspector.ts';

longTests();

/** Opens the file with faults as a user does. */
function open({ page, window }: Site): void {
  const frame = window as Window & typeof globalThis;
  const files = new frame.DataTransfer();
  files.items.add(new frame.File([hitching()], 'swing.gltf'));
  const picker = page.querySelector<HTMLInputElement>('#file-input');
  if (picker) picker.files = files.files;
  picker?.dispatchEvent(new Event('change'));
}

const items = ({ page }: Site): HTMLElement[] => [...page.querySelectorAll<HTMLElement>('.doctor-list > li')];
const codes = (at: Site): (string | undefined)[] => items(at).map(({ dataset }) => dataset['code']);

test('inspector: Doctor lists findings by severity, and shows one at its clip, time and joint', async (t) => {
  const at = await site(t);
  const { page, player, text } = at;
  await t.until(() => text('model-name') === 'Sample character', 'the sample character');
  const control = await panel(t, at, 'doctor');
  await t.until(() => page.querySelector('.doctor-filter') !== null, 'the findings of the sample');
  t.equal(
    [...page.querySelectorAll('.doctor-severity')].slice(0, 2).map(({ textContent }) => textContent),
    ['0 errors', '0 warnings'],
  );
  open(at);
  await t.until(() => codes(at).includes('inspect/loop-seam'), 'the findings of the file');
  t.equal(codes(at), ['inspect/loop-seam', 'inspect/name-twice']);
  control('1 note').click();
  await t.until(() => codes(at).length === 1, 'notes are left out');
  control('1 note').click();
  await t.until(() => codes(at).length === 2, 'and back');

  items(at)[0]?.querySelector('button')?.click();
  await t.until(() => page.querySelector('.doctor-plot'), 'the curve');
  t.equal(page.querySelectorAll('.doctor-plot polyline').length, 2, 'the end and the start of the loop');
  t.equal(page.querySelectorAll('.doctor-plot circle.gap').length, 2);
  const viewer = t.some(player.viewer);
  t.ok(player.paused, 'the picture stands still');
  await t.until(() => Math.abs(viewer.currentTime - FRAMES / 30) < 1e-6, 'the time of the finding');
  t.equal(text('joint-label'), 'Square');
  const mark = (): SVGCircleElement | null => page.querySelector('.doctor-marks .worst');
  await t.until(mark, 'the joint in red');
  const near = (a: number, b: number): boolean => Math.abs(a - b) < 2;
  // The camera may still move when the finding is chosen.
  const isThere = (): boolean => {
    const expected = viewer.project([0, GAP, 0]);
    const [canvas, box] = [viewer.canvas.getBoundingClientRect(), mark()?.getBoundingClientRect()];
    if (!expected || !box) return false;
    const [x, y] = [box.left + box.width / 2 - canvas.left, box.top + box.height / 2 - canvas.top];
    return near(x, expected.x) && near(y, expected.y);
  };
  await t.until(isThere, 'the mark at the end of the clip');
  t.equal(page.querySelector('.doctor-marks text')?.textContent, '0.05 m');
  const facts = new Map(
    [...page.querySelectorAll('#doctor .facts dt')].map((term) => [
      term.textContent,
      term.nextElementSibling?.textContent ?? '',
    ]),
  );
  t.equal(facts.get('distance'), '0.05 m');
  page.querySelector<HTMLElement>('#doctor .pointer')?.click();
  await t.until(() => page.querySelector<HTMLDialogElement>('dialog[open]'), 'the JSON');
  page.querySelector<HTMLDialogElement>('dialog[open]')?.close();

  items(at)[0]?.querySelector('button')?.click();
  await t.until(() => !mark() && !page.querySelector('.doctor-plot'), 'nothing is selected');
});

test('inspector: Doctor adds the messages of the Khronos validator', async (t) => {
  const at = await site(t);
  const { text } = at;
  await t.until(() => text('model-name') === 'Sample character', 'the sample character');
  open(at);
  await t.until(() => text('model-name') === 'swing.gltf', 'the file');
  const control = await panel(t, at, 'doctor');
  await t.until(() => codes(at).length === 2, 'the findings');
  control('Add its messages').click();
  await t.until(() => codes(at).some((code) => code?.startsWith('khronos/')), 'the messages of the validator');
  t.ok(codes(at).includes('inspect/loop-seam'), 'and the findings');
});

test('inspector: Doctor fits a phone, and its marks end with the panel', async (t) => {
  const at = await site(t, '', 390, 844);
  const { page, text } = at;
  await t.until(() => text('model-name') === 'Sample character', 'the sample character');
  open(at);
  await t.until(() => text('model-name') === 'swing.gltf', 'the file');
  await panel(t, at, 'doctor');
  await t.until(() => codes(at).length === 2, 'the findings');
  items(at)[0]?.querySelector('button')?.click();
  await t.until(() => page.querySelector('.doctor-marks .worst'), 'the joint in red');
  t.ok(page.documentElement.scrollWidth <= 390, 'nothing sticks out');
  const plot = t.some(page.querySelector('.doctor-plot svg')).getBoundingClientRect();
  t.ok(plot.width > 200 && plot.right <= 390, `${plot.left} … ${plot.right}`);
  page.querySelector<HTMLElement>('[data-panel=doctor]')?.click();
  await t.until(() => !page.querySelector('.doctor-marks'), 'no marks');
});
