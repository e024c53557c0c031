// The guides of the built site, their search, the editor of the examples, and the site without a network.

import { browser, longTests, test, type T } from '../page/api.ts';
import { pageFaults } from './support/axe.ts';
import {
  checkAccess,
  checkForcedColors,
  checkZoomed,
  control,
  emulating,
  find,
  inWindow,
  keys,
  press,
  ZOOMED,
  type Page,
} from './support/site.ts';

// `site.ts` searches and runs an example on each change.
longTests();

const TIME = { timeout: 150_000 };

const results = (page: Page): string[] =>
  [...page.document.querySelectorAll<HTMLAnchorElement>('.search-results a')].map(({ href }) =>
    new URL(href).pathname.split('/').slice(-2).join('/'),
  );

/** Opens the search with a key and types. */
async function search(t: T, page: Page, words: string): Promise<void> {
  page.focus();
  await keys(t, '/');
  await t.until(() => page.document.activeElement?.id === 'search-text', 'the search has the focus');
  await keys(t, ...words);
  await t.until(() => find<HTMLInputElement>(t, page, '#search-text').value === words, 'the words');
  await t.until(() => results(page).length > 0, `results of ${words}`);
}

test('learn: a guide has contents, anchors, highlighted code, and pages before and after it', async (t) => {
  const page = await t.page('/learn/transitions.html', 1440, 900);
  t.equal(find(t, page, '.contents [aria-current=page]').textContent, 'Transitions');
  t.equal(find(t, page, '.site-menu [aria-current=page]').textContent, 'Learn');
  t.equal(
    [...page.document.querySelectorAll<HTMLAnchorElement>('.turn a')].map(({ rel }) => rel),
    ['prev', 'next'],
  );
  t.ok(page.document.querySelectorAll('.code .hljs-string').length > 0, 'colours');
  const headings = [...page.document.querySelectorAll<HTMLAnchorElement>('h2[id] > a')];
  t.ok(headings.length > 0, 'headings');
  for (const heading of headings) t.equal(heading.getAttribute('href'), `#${heading.parentElement?.id}`);
});

test(
  'learn: the search is opened by keys, finds words of other engines, and is closed by Escape',
  inWindow('/learn/index.html', 1000, 700, async (t, page) => {
    await t.until(() => !find(t, page, '#search').hidden, 'the button');
    for (const [words, wanted] of [
      ['crossFadeTo', 'learn/transitions.html'],
      ['AnimationMixer', 'learn/playing-and-seeking.html'],
      ['SkinnedMesh', 'learn/looking-and-reaching.html'],
      ['morphTargetInfluences', 'learn/morphs.html'],
      ['timeScale', 'learn/playing-and-seeking.html'],
      ['node-cycle', 'learn/errors.html'],
      ['animation-name', 'learn/element.html'],
      ['addCrowd', 'interfaces/gambol.Viewer.html'],
      ['retrageting', 'learn/other-files.html'],
    ] as const) {
      await search(t, page, words);
      await t.until(() => results(page).includes(wanted), `${wanted} for ${words}`);
      await keys(t, 'Escape');
      await t.until(() => !page.document.querySelector('dialog[open]'), 'it is closed');
      // WebKit moves the focus with the next frame.
      await t.until(() => page.document.activeElement?.id !== 'search-text', 'the focus is in the page');
    }
    await control(t, page, 'k');
    await t.until(() => page.document.activeElement?.id === 'search-text', 'Ctrl+K opens it, too');
    t.equal(find<HTMLInputElement>(t, page, '#search-text').value, 'retrageting', 'the last words');
  }),
  TIME,
);

test(
  'learn: for common words the search has guides before codes of errors',
  inWindow('/learn/index.html', 1000, 700, async (t, page) => {
    await t.until(() => !find(t, page, '#search').hidden, 'the button');
    for (const words of ['texture', 'animation', 'retarget', 'joint', 'buffer', 'compression', 'skin weights']) {
      await search(t, page, words);
      const all = results(page);
      const isCode = (url = ''): boolean => /\/(errors|faults|findings)\.html$/.test(url);
      t.ok(!isCode(all[0]), `${words}: ${all.join(' ')}`);
      await keys(t, 'Escape');
      await t.until(() => !page.document.querySelector('dialog[open]'), 'it is closed');
    }
  }),
  TIME,
);

for (const [url, width] of [
  ['/api/index.html', 1440],
  ['/api/modules/gambol_tools.html', 1440],
  ['/api/index.html', 390],
] as const)
  test(
    `learn: the API reference has the header of the site, and is accessible: ${url} at ${width} pixels`,
    async (t) => {
      await t.act({ type: 'resize', width, height: 800 });
      try {
        const page = (await t.page(url, width, 800)) as Page;
        // TypeDoc's script fills the contents.
        await t.until(() => page.document.querySelector('#tsd-nav-container a, .tsd-navigation a'), 'the contents');
        const links = [...page.document.querySelectorAll('#tsd-toolbar-links a')].map(({ textContent }) => textContent);
        t.equal(links, ['Learn', 'Examples', 'Inspector', 'Compare', 'API', 'GitHub']);
        t.ok(page.document.querySelector('.tsd-page-toolbar .title .mark'), 'the mark');
        const rules = ['nested-interactive', 'link-in-text-block', 'landmark-one-main', 'landmark-unique'];
        t.equal(
          (await pageFaults(page)).filter((fault) => rules.some((rule) => fault.includes(rule))),
          [],
        );
        const theme = find(t, page, '#site-theme');
        const before = page.document.documentElement.dataset['theme'];
        theme.click();
        t.ok(page.document.documentElement.dataset['theme'] !== before, 'another theme');
      } finally {
        localStorage.removeItem('gambol-theme');
        await t.act({ type: 'resize', width: 800, height: 600 });
      }
    },
    TIME,
  );

test('learn: the list of the examples has the header of the site', async (t) => {
  const page = await t.page('/examples/index.html', 1000, 700);
  t.equal(find(t, page as Page, '.site-menu [aria-current=page]').textContent, 'Examples');
  t.ok(page.document.querySelectorAll('main dt a[href]').length > 10, 'the examples');
});

test(
  'learn: results of the search are chosen by arrow keys and opened by Enter',
  inWindow('/learn/index.html', 1000, 700, async (t, page) => {
    await t.until(() => !find(t, page, '#search').hidden, 'the button');
    await search(t, page, 'crossFadeTo');
    const selected = (): Element | null => page.document.querySelector('.search-results [aria-selected=true]');
    const input = find(t, page, '#search-text');
    t.equal(selected()?.id, input.getAttribute('aria-activedescendant') ?? '');
    await keys(t, 'ArrowDown', 'ArrowUp', 'ArrowUp', 'ArrowDown');
    t.equal(selected()?.id, 'search-result-0');
    await keys(t, 'Enter');
    await t.until(() => page.location.pathname === '/learn/transitions.html', 'the page');
  }),
  TIME,
);

test(
  'learn: copy buttons copy the code of their block',
  inWindow('/learn/transitions.html', 1000, 700, async (t, page) => {
    const copied: string[] = [];
    page.navigator.clipboard.writeText = async (text) => void copied.push(text);
    const block = find(t, page, '.code');
    await t.until(() => block.querySelector('.copy:not([hidden])'), 'the button');
    await press(t, t.some(block.querySelector('.copy')));
    await t.until(() => copied.length === 1, 'the copy');
    t.equal(copied[0], block.querySelector('code')?.textContent?.trim());
    await t.until(() => find(t, page, '#live').textContent === 'Copied', 'it is said');
  }),
  TIME,
);

test(
  'learn: on a phone, menu and contents open above the page and close with Escape',
  inWindow('/learn/transitions.html', 390, 844, async (t, page) => {
    for (const [button, panel] of [
      ['.menu-button', '#site-menu'],
      ['.contents-button', '#contents'],
    ] as const) {
      t.equal(find(t, page, panel).getBoundingClientRect().height, 0, 'it is closed');
      await press(t, find(t, page, button));
      await t.until(() => find(t, page, panel).getBoundingClientRect().height > 200, panel);
      await keys(t, 'Escape');
      await t.until(() => find(t, page, panel).getBoundingClientRect().height === 0, 'it is closed');
      t.equal(page.document.activeElement, find(t, page, button), 'the focus is back');
    }
  }),
  TIME,
);

/** The messages beside the editor. */
const said = (page: Page): string[] =>
  [...page.document.querySelectorAll('#messages p')].map(({ textContent }) => textContent ?? '');

const content = (t: T, page: Page): HTMLElement =>
  t.some(find(t, page, '#editor').shadowRoot?.querySelector<HTMLElement>('.cm-content'));

async function playground(t: T, page: Page, name: string): Promise<void> {
  await t.until(() => page.document.querySelector('iframe[data-state=running]'), 'the result');
  t.equal(find(t, page, '.playground-list [aria-current]').id, name);
  t.ok(content(t, page).textContent?.startsWith('<!doctype html>'), 'the code');
}

/** Replaces the code as a paste does; by keys, the editor would add brackets and tags. */
async function write(t: T, page: Page, code: string): Promise<void> {
  await press(t, content(t, page));
  page.document.execCommand('selectAll');
  page.document.execCommand('insertText', false, code);
}

test(
  'learn: an example runs in a frame without access to the page, and reports errors with their lines',
  inWindow('/learn/examples.html#layer', 1440, 900, async (t, page) => {
    await playground(t, page, 'layer');
    const frame = find<HTMLIFrameElement>(t, page, '#result iframe');
    t.equal(frame.getAttribute('sandbox'), 'allow-scripts allow-downloads');
    t.equal(frame.contentDocument, null, 'it is of another origin');
    await write(
      t,
      page,
      [
        '<p>Test</p>',
        '<script type="module">',
        "import { createViewer } from '../gambol/dist/index.js';",
        'console.log(typeof createViewer, origin);',
        "try { parent.document } catch { console.log('no parent') }",
        "try { localStorage } catch { console.log('no storage') }",
        "await fetch('https://example.com/').catch(() => console.log('no network'));",
        "throw new RangeError('here');",
        '</script>',
      ].join('\n'),
    );
    await t.until(() => said(page).some((line) => line.includes('RangeError: here')), 'the error');
    t.equal(
      said(page)
        .filter((line) => !line.includes('policy'))
        .sort(),
      ['Line 8: RangeError: here', 'function null', 'no network', 'no parent', 'no storage'],
    );
    // WebKit dispatches no event for it in a frame of an opaque origin.
    if (browser !== 'webkit')
      await t.until(
        () => said(page).some((line) => line.includes('https://example.com') && line.includes('connect-src')),
        'the policy',
      );
    const marked = content(t, page).querySelector('.cm-lintRange-error');
    t.equal(marked?.textContent, "throw new RangeError('here');", 'the line is marked');
  }),
  TIME,
);

test(
  'learn: the editor runs by Ctrl+Enter, keeps changes of each example, and resets',
  inWindow('/learn/examples.html', 1440, 900, async (t, page) => {
    await playground(t, page, 'element');
    const reset = find<HTMLButtonElement>(t, page, '#reset');
    t.equal(reset.disabled, true);
    await write(t, page, "<script>console.log('first')</script>");
    const before = find(t, page, '#result iframe');
    await control(t, page, 'Enter');
    await t.until(() => find(t, page, '#result iframe') !== before, 'another frame');
    await t.until(() => said(page).includes('first'), 'it runs');
    t.equal(reset.disabled, false);

    await press(t, find(t, page, '#canvas'));
    await t.until(() => content(t, page).textContent?.includes('createViewer'), 'another example');
    t.equal([find(t, page, '#example-title').textContent, reset.disabled], ['A canvas', true]);
    await press(t, find(t, page, '#element'));
    await t.until(() => content(t, page).textContent?.includes('first'), 'the change is there');
    await press(t, reset);
    await t.until(() => content(t, page).textContent?.startsWith('<!doctype html>'), 'the original');
    t.equal(find<HTMLAnchorElement>(t, page, '#open-example').pathname, '/examples/element.html');
  }),
  TIME,
);

test(
  'learn: every example runs in the editor without an error',
  inWindow('/learn/examples.html', 1000, 700, async (t, page) => {
    const names = [...page.document.querySelectorAll('.playground-list a')].map(({ id }) => id);
    t.ok(names.length >= 14, String(names.length));
    for (const name of names) {
      page.location.hash = name;
      await t.until(() => find(t, page, '.playground-list [aria-current]').id === name, name);
      await t.until(() => page.document.querySelector('iframe[data-state=running]'), `the result of ${name}`);
      await t.sleep(600);
      t.equal(said(page), [], name);
    }
  }),
  { ...TIME, all: true },
);

for (const url of ['/learn/index.html', '/learn/first-page.html', '/learn/errors.html']) {
  test(
    `learn: ${url} is accessible at all widths, in both themes`,
    inWindow(url, 1440, 800, async (t, page) => {
      await t.until(() => !find(t, page, '#search').hidden, 'the button');
      await checkAccess(t, page);
    }),
    TIME,
  );
}

test(
  'learn: the search, the menu and the contents are accessible while they are open',
  inWindow('/learn/transitions.html', 820, 800, async (t, page) => {
    await t.until(() => !find(t, page, '#search').hidden, 'the button');
    for (const panel of ['.menu-button', '.contents-button']) {
      await press(t, find(t, page, panel));
      await checkAccess(t, page, [320, 820]);
      await keys(t, 'Escape');
    }
    await search(t, page, 'crowd');
    await checkAccess(t, page, [320, 1440]);
  }),
  TIME,
);

test(
  'learn: the editor of the examples is accessible at all widths, with an error in the code',
  inWindow('/learn/examples.html', 1440, 800, async (t, page) => {
    await playground(t, page, 'element');
    await write(t, page, '<script type="module">nowhere()</script>');
    await t.until(() => said(page).length > 0, 'the error');
    await checkAccess(t, page);
  }),
  TIME,
);

test(
  'learn: at a zoom of 200 % nothing of a guide or of the search sticks out',
  inWindow('/learn/element.html', ...ZOOMED, async (t, page) => {
    await t.until(() => !find(t, page, '#search').hidden, 'the button');
    checkZoomed(t, page);
    await search(t, page, 'crowd');
    checkZoomed(t, page);
    const { bottom } = find(t, page, '.search-dialog').getBoundingClientRect();
    t.ok(bottom <= ZOOMED[1], `the dialog is in the window: ${bottom}`);
  }),
  TIME,
);

test(
  'learn: at a zoom of 200 % the editor of the examples has code and result',
  inWindow('/learn/examples.html', ...ZOOMED, async (t, page) => {
    await playground(t, page, 'element');
    checkZoomed(t, page);
    for (const part of ['#editor', '#result iframe'])
      t.ok(find(t, page, part).getBoundingClientRect().height >= 200, part);
  }),
  TIME,
);

test(
  'learn: with forced colours, controls of a guide, the search and the editor have edges, and the chosen result shows',
  emulating('force-colors', async (t) => {
    await inWindow('/learn/transitions.html', 1000, 700, async (t, page) => {
      await t.until(() => !find(t, page, '#search').hidden, 'the button');
      await checkForcedColors(t, page);
      await search(t, page, 'crossFadeTo');
      await checkForcedColors(t, page);
      const chosen = find(t, page, '.search-results [aria-selected=true]');
      t.equal(page.getComputedStyle(chosen).outlineStyle, 'solid');
    })(t);
    await inWindow('/learn/examples.html', 1000, 700, async (t, page) => {
      await playground(t, page, 'element');
      await checkForcedColors(t, page);
    })(t);
  }),
  TIME,
);

test(
  'learn: after a visit the site works without its server, in a folder of a server',
  async (t) => {
    if (!navigator.serviceWorker) t.skip('no service worker');
    const folder = '/untouched/folder/';
    const registration = await navigator.serviceWorker.register(`${folder}sw.js`);
    try {
      await t.until(() => registration.active?.state === 'activated', 'the service worker');
      await t.refuse(folder, 10_000);
      const refused = await fetch(`${folder}index.html`);
      t.equal(refused.status, 503, 'this page is not in the folder: its requests go to the server');

      const page = await t.page(`${folder}learn/transitions.html`, 1000, 700);
      t.equal(page.document.querySelector('h1')?.textContent, 'Transitions');
      await t.until(() => !find(t, page, '#search').hidden, 'its script runs');
      await search(t, page, 'crossFadeTo');
      t.equal(results(page)[0], 'learn/transitions.html');
      const compare = await t.page(`${folder}compare.html`, 1000, 700);
      find(t, compare, '#conform').click();
      await t.until(() => find(t, compare, '#conform-table').textContent?.includes('Walk'), 'gambol runs');
      const missing = await t.page(`${folder}api/index.html`, 1000, 700);
      t.ok(
        missing.document.body.textContent?.trim() === '' || missing.document.title.includes('Offline'),
        'not stored',
      );
    } finally {
      await registration.unregister();
      for (const name of await caches.keys()) await caches.delete(name);
    }
  },
  { ...TIME, fresh: 'a service worker' },
);
