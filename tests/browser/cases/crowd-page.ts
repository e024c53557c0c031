// The crowd page of the built site, in a frame that fills the window.

import type { Crowd, Viewer } from 'gambol';
import { longTests, test, type T } from '../page/api.ts';
import { find, inWindow as pageInWindow, pageCases, press } from './support/site.ts';

// Without `--all` only the page's main cases run, which are marked.
longTests();

type Page = Window & typeof globalThis & { readonly viewer: Viewer; readonly crowd: Crowd };

const TIME = { timeout: 150_000 };

const inWindow = (
  width: number,
  height: number,
  query: string,
  body: (t: T, page: Page) => Promise<void>,
): ((t: T) => Promise<void>) =>
  pageInWindow<Page>(`/crowd.html${query}`, width, height, async (t, page) => {
    await t.until(() => page.crowd, 'the crowd');
    await body(t, page);
  });

/** A number of the statistics, as it is shown. */
function told(page: Page, term: string): string {
  const rows = [...page.document.querySelectorAll('#numbers div')];
  return rows.find((row) => row.firstChild?.textContent === term)?.lastChild?.textContent ?? '';
}

test(
  'crowd page: the slider sets the number of members, and its numbers are never stale',
  inWindow(640, 480, '?count=10', async (t, page) => {
    const { crowd } = page;
    const slider = find<HTMLInputElement>(t, page, '#count');
    t.equal(
      [crowd.count, find(t, page, '#count-words').textContent, slider.ariaValueText],
      [10, '10', '10 characters'],
    );
    await t.until(() => told(page, 'Visible') === '10', '10 members are visible');
    t.ok(Number(told(page, 'Draw calls')) < 20, told(page, 'Draw calls'));

    slider.focus();
    await t.act({ type: 'key', key: 'ArrowRight' });
    t.equal([find(t, page, '#count-words').textContent, slider.ariaValueText], ['12', '12 characters']);
    t.equal([told(page, 'Visible'), find(t, page, '#numbers').ariaBusy], ['–', 'true'], 'cleared');
    await t.until(() => crowd.count === 12, 'the members');
    await t.until(() => told(page, 'Visible') !== '–', 'new numbers');
    t.equal([told(page, 'Visible'), find(t, page, '#numbers').ariaBusy], ['12', null]);

    await t.act({ type: 'key', key: 'Home' });
    t.equal(slider.ariaValueText, '1 character');
    await t.until(() => crowd.count === 1, 'one');
    t.equal(slider.max, '34');
    const code = (): string => t.some(page.document.querySelector('pre code')).textContent ?? '';
    await t.until(() => code().includes('crowd.count = 1;'), code());
  }),
  TIME,
);

test(
  'crowd page: members walk on their paths, with their own clips and tints',
  inWindow(640, 480, '?count=30', async (t, page) => {
    const { crowd, viewer } = page;
    const picture = async (): Promise<ImageData> => t.pixels(await createImageBitmap(await viewer.toBlob()));
    const differ = (a: ImageData, b: ImageData): number =>
      a.data.reduce((sum, value, i) => sum + Number(Math.abs(value - (b.data[i] ?? 0)) > 24), 0);

    await press(t, find(t, page, '#play'));
    t.equal([find(t, page, '#play').textContent, crowd.paused], ['Play', true]);
    // The light may still be loading.
    let still = await picture();
    for (let i = 0; i < 20; i++) {
      await t.sleep(300);
      const before = still;
      still = await picture();
      if (differ(still, before) === 0) break;
    }
    await t.sleep(300);
    t.equal(differ(await picture(), still), 0, 'paused: the members stop on their paths, too');
    t.equal(new Set(crowd.times()).size > 20, true, 'each has a phase');

    await press(t, find(t, page, '#tints'));
    await t.sleep(100);
    const plain = await picture();
    t.ok(differ(plain, still) > 1000, 'without tints');
    await press(t, find(t, page, '#shadows'));
    await t.sleep(300);
    t.equal(viewer.shadowIntensity, 0);
    t.ok(differ(await picture(), plain) > 1000, 'without shadows');
    await press(t, find(t, page, '#detail'));
    t.equal(crowd.updateRate, 'full');
    const code = page.document.querySelector('pre code')?.textContent ?? '';
    t.ok(code.includes("updateRate = 'full'") && code.includes('shadowIntensity = 0;'), code);

    const outside = viewer.camera.distance;
    await press(t, find(t, page, '#inside'));
    t.equal(find(t, page, '#inside').ariaPressed, 'true');
    t.ok(viewer.camera.distance < outside, 'inside');
    await press(t, find(t, page, '#inside'));
    t.close(viewer.camera.distance, outside, 1e-3);

    const before = await picture();
    await press(t, find(t, page, '#play'));
    await t.sleep(500);
    t.ok(differ(await picture(), before) > 500, 'they walk on');
  }),
  TIME,
);

pageCases<Page>(
  'crowd page',
  (...[width, height, body]) => inWindow(width, height, '?count=5', body),
  ({ crowd }) => crowd.paused,
);
