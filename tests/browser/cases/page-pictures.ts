// Golden pictures of the pages of the site, reduced: layout, colours and text. Without motion, and without the
// canvases, whose pictures have tests of their own.

import { longTests, test, type T } from '../page/api.ts';
import { emulating, inWindow, type Page } from './support/site.ts';

longTests();

/** The widths of two texts in the fonts of the golden pictures. With other fonts, lines break at other places. */
const FONTS = '724,780';

/** The pages, with the content for which a picture waits. */
const PAGES: readonly (readonly [name: string, url: string, content: string])[] = [
  ['front', '/', '#pip canvas'],
  ['inspector', '/inspect.html', '.clip'],
  ['crowd', '/crowd.html?count=5', '#play:enabled'],
  ['learn', '/learn/index.html', 'main'],
  ['guide', '/learn/first-page.html', 'main'],
  ['examples', '/learn/examples.html', '#editor'],
  ['compare', '/compare.html', 'main'],
  ['bench', '/bench.html', 'main'],
];

function fonts({ document }: Page): string {
  const widths = ['inherit', 'monospace'].map((family) => {
    const probe = document.createElement('span');
    Object.assign(probe.style, { position: 'fixed', whiteSpace: 'nowrap', font: '100px serif', fontFamily: family });
    probe.textContent = 'Animated glTF';
    document.body.append(probe);
    const { offsetWidth } = probe;
    probe.remove();
    return offsetWidth;
  });
  return widths.join();
}

/** A screenshot of the window, reduced by `scale`. */
async function reduced(t: T, scale: number): Promise<ImageData> {
  const shot = await createImageBitmap(await t.screenshot());
  const canvas = new OffscreenCanvas(Math.round(shot.width * scale), Math.round(shot.height * scale));
  const context = t.some(canvas.getContext('2d'));
  context.imageSmoothingQuality = 'high';
  context.drawImage(shot, 0, 0, canvas.width, canvas.height);
  return context.getImageData(0, 0, canvas.width, canvas.height);
}

for (const [name, url, content] of PAGES)
  for (const [width, height, scale, theme] of [
    [1440, 900, 0.3, 'light'],
    [390, 844, 0.4, 'dark'],
  ] as const)
    test(
      `page pictures: ${name} at ${width} pixels, ${theme}`,
      emulating(
        'reduce-motion',
        inWindow(url, width, height, async (t, page) => {
          const { document } = page;
          document.documentElement.dataset['theme'] = theme;
          await t.until(() => document.querySelector(content), content);
          const found = fonts(page);
          if (found !== FONTS) t.skip(`the fonts are others than those of the golden pictures: ${found}`);
          await t.sleep(1500);
          const shadows = [...document.querySelectorAll('gambol-viewer')].flatMap(({ shadowRoot }) => shadowRoot ?? []);
          for (const root of [document, ...shadows])
            for (const live of root.querySelectorAll<HTMLElement>('canvas, iframe')) live.style.visibility = 'hidden';
          await t.golden(`page-${name}-${width}`, await reduced(t, scale), { channel: 24, outliers: 0.01 });
        }),
      ),
      { timeout: 90_000 },
    );
