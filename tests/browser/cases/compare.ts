// The comparison of the built site: its sentence and charts, poses beside the oracle, and pictures of scaled joints.

import { test } from '../page/api.ts';
import {
  checkAccess,
  checkForcedColors,
  checkZoomed,
  emulating,
  find,
  inWindow,
  press,
  ZOOMED,
} from './support/site.ts';

const TIME = { timeout: 150_000 };

interface Bench {
  readonly results: readonly { readonly name: string; readonly value: number }[];
}

test('compare: the sentence, the bars and the history have the figures of the benchmark', async (t) => {
  const html = new DOMParser().parseFromString(await (await fetch('/compare.html')).text(), 'text/html');
  const { results } = (await (await fetch('/bench.json')).json()) as Bench;
  const time = (player: string): number =>
    t.some(results.find(({ name }) => name === `peers.${player}.cesium_man.1000.update_us`)).value;
  const ratio = Math.floor(time('three') / time('gambol'));
  const [first] = html.querySelectorAll('main p');
  t.ok(first?.textContent?.startsWith(`gambol poses 1,000 characters ${ratio} times as fast as three.js, `), 'first');
  const bars = [...html.querySelectorAll('.bars tr')];
  t.equal(bars.length, 4);
  const widths = bars.map((bar) => Number.parseFloat(bar.querySelector('rect')?.getAttribute('width') ?? ''));
  t.equal(Math.max(...widths), 100);
  t.close((widths[1] ?? 0) / (widths[0] ?? 1), time('three') / time('gambol'), 1, 'the lengths are the times');
  const history = (await (await fetch('/bench-history.json')).json()) as { update_us: Record<string, number> }[];
  t.equal(history.at(-1)?.update_us['gambol'], time('gambol'), 'the last entry is the benchmark');
  t.equal(html.querySelectorAll('.history tbody tr').length, history.length);
  t.ok(html.querySelector('.history svg')?.getAttribute('aria-label')?.includes('gambol went from'), 'in words');
});

test('compare: the figures of the start of a page are those of the measurement', async (t) => {
  const html = new DOMParser().parseFromString(await (await fetch('/compare.html')).text(), 'text/html');
  const { results } = (await (await fetch('/start.json')).json()) as Bench;
  const row = t.some(
    [...html.querySelectorAll('.features tr')].find(({ textContent }) => textContent?.startsWith('Scripts and Web')),
  );
  const names = [...html.querySelectorAll('.features thead th')].map(({ textContent }) => textContent ?? '');
  for (const [player, page] of [
    ['gambol', 'element'],
    ['<model-viewer>', 'model-viewer'],
  ] as const) {
    const { value } = t.some(results.find(({ name }) => name === `start.local.${page}.code_bytes`));
    const cell = row.querySelectorAll('td')[names.findIndex((name) => name.startsWith(player))];
    t.equal(cell?.textContent, `${(value / 1000).toFixed(0)} kB`, player);
  }
});

test('compare: every entry of the features has a link or is not checked', async (t) => {
  const html = new DOMParser().parseFromString(await (await fetch('/compare.html')).text(), 'text/html');
  const cells = [...html.querySelectorAll('.features tbody td')];
  t.ok(cells.length >= 80, String(cells.length));
  for (const cell of cells)
    t.ok(
      cell.querySelector('a[href]') || cell.textContent === 'Not checked',
      cell.parentElement?.textContent ?? 'a cell',
    );
  const words = ['Yes', 'In part', 'No', 'Not checked'];
  for (const cell of cells)
    t.ok(
      cell.querySelector('.figure') || words.some((word) => cell.textContent?.startsWith(word)),
      cell.textContent ?? '',
    );
  const columns = html.querySelectorAll('.features thead th').length;
  for (const row of html.querySelectorAll('.features tbody tr:not(.group)'))
    t.equal(row.querySelectorAll('td').length, columns, row.textContent ?? '');
});

test(
  'compare: poses of gambol equal those of the oracle, in the page',
  inWindow('/compare.html', 1000, 700, async (t, page) => {
    await t.until(() => !find(t, page, '#conform').hidden, 'the button');
    await press(t, find(t, page, '#conform'));
    const state = (): string => find(t, page, '#conform-state').textContent ?? '';
    await t.until(() => /compared|failed/.test(state()), 'the comparison');
    const [, metres, degrees] =
      state().match(/^[\d,]+ poses compared\. The largest difference is (.+) m and (.+)°\.$/) ?? [];
    const number = (text = ''): number =>
      Number(
        text.replace(' × 10', 'e').replace(/[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]/g, (one) => '-0123456789'['⁻⁰¹²³⁴⁵⁶⁷⁸⁹'.indexOf(one)] ?? ''),
      );
    t.ok(number(metres) > 0 && number(metres) < 5e-6, state());
    t.ok(number(degrees) > 0 && number(degrees) < 2e-4, state());
    const rows = [...find(t, page, '#conform-table').querySelectorAll('tbody tr')].map(
      ({ textContent }) => textContent,
    );
    t.equal(rows.length, 17, 'fourteen clips, and files of three interpolations');
    t.equal(page.document.activeElement, find(t, page, '#conform'), 'the focus stays');
  }),
  TIME,
);

test(
  'compare: the oracle notices a wrong pose',
  async (t) => {
    const { Oracle } = await import('../../../www/demo/compare/oracle.ts');
    const { INTERPOLATIONS, randomFile } = await import('../../../www/demo/compare/cases.ts');
    for (const interpolation of INTERPOLATIONS) {
      const oracle = new Oracle(randomFile(1, interpolation).buffer);
      const [first = [], later = []] = [0.5, 1.7].map((time) => oracle.worlds(0, time).flat());
      t.ok(
        first.some((value, i) => Math.abs(value - (later[i] ?? NaN)) > 1e-2),
        `${interpolation}: poses differ`,
      );
      t.equal(oracle.worlds(0, 1e9).flat(), oracle.worlds(0, oracle.duration(0)).flat(), 'it holds the last key');
    }
  },
  TIME,
);

test(
  'compare: the skinned figure of gambol equals the baked one',
  inWindow('/compare.html', 1000, 900, async (t, page) => {
    find(t, page, '#scaled').scrollIntoView();
    const result = (name: string): string => find(t, page, `#scaled-${name}`).textContent ?? '';
    await t.until(() => result('three') !== '', 'the pictures');
    t.equal(find(t, page, '#scaled-state').textContent, '');
    const share = (name: string): number => Number.parseFloat(result(name));
    t.ok(share('gambol') < 0.5, result('gambol'));
    t.ok(share('three') > 20, result('three'));
    const canvas = find<HTMLCanvasElement>(t, page, 'canvas[data-picture=three-baked]');
    const before = t.pixels(canvas);
    const turn = find<HTMLInputElement>(t, page, '#scaled-turn');
    turn.value = '90';
    turn.dispatchEvent(new Event('input'));
    await t.until(() => t.pixels(canvas).data.some((value, at) => value !== before.data[at]), 'the camera turns');
  }),
  TIME,
);

for (const url of ['/compare.html', '/bench.html']) {
  test(
    `compare: ${url} is accessible at all widths, in both themes`,
    inWindow(url, 1440, 800, async (t, page) => {
      await t.until(() => !find(t, page, '#search').hidden, 'the button');
      if (url === '/compare.html') {
        find(t, page, '#conform').click();
        find(t, page, 'details').toggleAttribute('open', true);
        await t.until(() => find(t, page, '#conform-state').textContent?.includes('compared'), 'the comparison');
      }
      await checkAccess(t, page);
    }),
    TIME,
  );
}

test(
  'compare: with forced colours, controls have edges and the bars of gambol differ',
  emulating(
    'force-colors',
    inWindow('/compare.html', 1000, 700, async (t, page) => {
      await t.until(() => !find(t, page, '#conform').hidden, 'the button');
      await checkForcedColors(t, page);
      const [own, other] = [...page.document.querySelectorAll('.bars rect')].map(
        (bar) => page.getComputedStyle(bar).fill,
      );
      t.ok(own !== other, own ?? '');
    }),
  ),
  TIME,
);

for (const url of ['/compare.html', '/bench.html'])
  test(
    `compare: ${url} at a zoom of 200 % has nothing that sticks out`,
    inWindow(url, ...ZOOMED, async (t, page) => {
      await t.until(() => !find(t, page, '#search').hidden, 'the button');
      checkZoomed(t, page);
    }),
    TIME,
  );
