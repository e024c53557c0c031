// The pages of the built site work in each browser: their pictures, panels and code. `cases/front.ts` and others have the details.

import type { Crowd, Viewer } from 'gambol';
import { test, type T } from '../../page/api.ts';
import { find, inWindow, press } from '../support/site.ts';

const TIME = { timeout: 150_000 };

/** Waits until a part of the screen shows the orange fur of Pip. */
async function showsPip(t: T, part: Element): Promise<void> {
  const started = performance.now();
  for (;;) {
    const { data, width } = await t.screenshot();
    const { left, top, right, bottom } = part.getBoundingClientRect();
    const [x0, y0, x1, y1] = [Math.max(left, 0), Math.max(top, 0), Math.min(right, width), bottom].map(Math.round) as [
      number,
      number,
      number,
      number,
    ];
    let fur = 0;
    for (let y = y0; y < Math.min(y1, data.length / 4 / width); y++)
      for (let x = x0; x < x1; x++) {
        const [red = 0, green = 0, blue = 0] = data.slice(4 * (y * width + x), 4 * (y * width + x) + 3);
        fur += Number(red > 150 && red - blue > 80 && green > blue + 20);
      }
    if (fur > 0.01 * (x1 - x0) * (y1 - y0)) return;
    if (performance.now() - started > 45_000) t.fail(`Pip is not on the screen: ${fur} pixels`);
    await t.sleep(200);
  }
}

test(
  'site: the front page shows Pip, and a scene runs its code',
  inWindow('/', 1000, 700, async (t, page) => {
    await t.until(() => (page as typeof page & { viewer?: Viewer }).viewer, 'Pip');
    await showsPip(t, find(t, page, '#pip canvas'));
    const scene = find(t, page, '#layers');
    scene.scrollIntoView();
    await t.until(() => scene.dataset['ran'] && !scene.querySelector('[aria-busy=true]'), 'the code');
    await showsPip(t, find(t, page, '#layers canvas'));
    t.equal(page.document.querySelector('.scene-error'), null);
  }),
  { ...TIME, all: ['chromium'] },
);

test(
  'site: the inspector shows Pip, and its panels open',
  async (t) => {
    await inWindow('/inspect.html', 1000, 700, async (t, page) => {
      await t.until(() => find(t, page, '#model-name').textContent === 'Sample character', 'the model');
      await showsPip(t, find(t, page, '#viewer'));
      const buttons = [...page.document.querySelectorAll<HTMLElement>('[data-panel]')];
      t.ok(buttons.length > 10, String(buttons.length));
      for (const button of buttons) {
        const id = button.dataset['panel'] ?? '';
        button.click();
        await t.until(() => (page.document.getElementById(id)?.offsetHeight ?? 0) > 60, `the panel ${id}`);
        if (button.getAttribute('aria-expanded') === 'true') button.click();
      }
    })(t);
  },
  { ...TIME, all: true },
);

test(
  'site: the crowd page shows its members, and counts them',
  inWindow('/crowd.html?count=5', 1000, 700, async (t, page) => {
    await t.until(() => (page as typeof page & { crowd?: Crowd }).crowd, 'the crowd');
    await t.until(() => /Visible5/.test(find(t, page, '#numbers').textContent ?? ''), 'the numbers');
    await press(t, find(t, page, '#inside'));
    await showsPip(t, find(t, page, '#canvas'));
  }),
  { ...TIME, all: true },
);

test(
  'site: a guide is found by the search, and the editor of the examples runs one',
  async (t) => {
    await inWindow('/learn/index.html', 1000, 700, async (t, page) => {
      await t.until(() => !find(t, page, '#search').hidden, 'the button');
      await press(t, find(t, page, '#search'));
      const input = find<HTMLInputElement>(t, page, '#search-text');
      input.value = 'crossFadeTo';
      input.dispatchEvent(new Event('input', { bubbles: true }));
      await t.until(() => page.document.querySelector('.search-results a[href*="transitions"]'), 'the guide');
    })(t);
    await inWindow('/learn/examples.html#canvas', 1000, 700, async (t, page) => {
      await t.until(() => page.document.querySelector('iframe[data-state=running]'), 'the result');
      const frame = find(t, page, '#result iframe');
      frame.scrollIntoView();
      await showsPip(t, frame);
      t.equal(page.document.querySelectorAll('#messages p').length, 0, 'messages');
    })(t);
  },
  TIME,
);

test(
  'site: the comparison draws both figures',
  inWindow('/compare.html', 1000, 900, async (t, page) => {
    find(t, page, '#scaled').scrollIntoView();
    await t.until(() => find(t, page, '#scaled-three').textContent !== '', 'the pictures');
    t.equal(find(t, page, '#scaled-state').textContent, '');
    t.ok(
      /^0/.test(find(t, page, '#scaled-gambol').textContent ?? ''),
      find(t, page, '#scaled-gambol').textContent ?? '',
    );
  }),
  { ...TIME, all: true },
);
