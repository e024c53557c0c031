// The front page of the built site, in a frame that fills the window.

import type { Viewer } from 'gambol';
import type { GambolViewer } from 'gambol/element';
import { test, type T } from '../page/api.ts';

/** The window of the page, with the variable that it has for the console. */
type Page = Window & typeof globalThis & { readonly viewer: Viewer };

const TIME = { timeout: 60_000 };

/** Runs a test in a window of this size; the page of the test must have nothing on the console. */
function inWindow(width: number, height: number, body: (t: T, page: Page) => Promise<void>): (t: T) => Promise<void> {
  return async (t) => {
    const before = window.gambolMessages.length;
    await t.act({ type: 'resize', width, height });
    try {
      await body(t, (await t.page('/', width, height)) as Page);
      t.equal(window.gambolMessages.slice(before), [], 'the console');
    } finally {
      await t.act({ type: 'resize', width: 800, height: 600 });
    }
  };
}

function find<E extends HTMLElement = HTMLElement>(t: T, page: Page, selector: string): E {
  return t.some(page.document.querySelector<E>(selector), selector);
}

const live = (t: T, page: Page): string => find(t, page, '#live').textContent ?? '';

async function pipOf(t: T, page: Page): Promise<Viewer> {
  await t.until(() => page.viewer, 'Pip');
  return page.viewer;
}

/** A real press at a point of an element. */
async function press(t: T, element: Element, x: number, y: number): Promise<void> {
  const { left, top } = element.getBoundingClientRect();
  await t.act({ type: 'move', x: left + x, y: top + y }, { type: 'down' }, { type: 'up' });
}

/** `true` if the picture of a canvas changes within a second. */
async function moves(t: T, canvas: HTMLCanvasElement): Promise<boolean> {
  const first = t.pixels(canvas).data;
  for (let i = 0; i < 10; i++) {
    await t.sleep(100);
    if (t.pixels(canvas).data.some((value, at) => value !== first[at])) return true;
  }
  return false;
}

async function shown(t: T, canvas: HTMLCanvasElement): Promise<void> {
  await t.until(() => t.pixels(canvas).data.some((value) => value > 0), 'a picture');
}

/** Scrolls a scene into view and waits for its pictures. */
async function scene(t: T, page: Page, id: string): Promise<HTMLCanvasElement[]> {
  const section = find(t, page, `#${id}`);
  section.scrollIntoView();
  const canvases = [...section.querySelectorAll('canvas')];
  for (const canvas of canvases) await shown(t, canvas);
  return canvases;
}

test('front page: its HTML alone says what gambol is and how to get it', async (t) => {
  const text = await (await fetch('/')).text();
  const page = new DOMParser().parseFromString(text, 'text/html');
  t.equal(
    [...page.querySelectorAll('h1')].map(({ textContent }) => textContent),
    ['Animated glTF characters on your page'],
  );
  const [install, element] = [...page.querySelectorAll('.hero code')].map(({ textContent }) => textContent ?? '');
  t.equal(install, 'npm i gambol');
  t.equal(element?.split('\n').length, 3);
  t.ok(element?.includes('<gambol-viewer src='), element);
  t.equal(
    [...page.querySelectorAll('.hero-links a')].map(({ textContent }) => textContent),
    ['Docs', 'Inspector', 'GitHub'],
  );
  t.ok(/^\d+ ×$/.test(page.querySelector('.numbers strong')?.textContent ?? ''), 'a figure of the benchmark');
  t.equal(page.querySelectorAll('.numbers a[href]').length, 4);
  for (const property of ['title', 'description', 'image', 'url'])
    t.ok(page.querySelector(`meta[property="og:${property}"]`)?.getAttribute('content'), property);
  const images = [...page.querySelectorAll('img')].map(({ src }) => src);
  t.equal(images.length, 1, 'the poster');
  t.equal((await fetch('/images/social.jpg')).headers.get('content-type'), 'image/jpeg');
  t.ok(!text.includes('<!-- code') && !text.includes('<!-- number') && !text.includes('<!-- live'), 'no empty place');
  for (const code of page.querySelectorAll('.scene pre code')) t.ok((code.textContent ?? '').length > 100, 'code');
});

test(
  'front page: the buttons copy the command and the code beside them',
  inWindow(1000, 700, async (t, page) => {
    const copied: string[] = [];
    page.navigator.clipboard.writeText = async (text) => void copied.push(text);
    const blocks = [...page.document.querySelectorAll<HTMLElement>('[data-copy]')];
    t.equal(blocks.length, 12);
    await t.until(() => blocks.every((block) => block.querySelector('.copy:not([hidden])')), 'the buttons');
    const buttons = blocks.map((block) => t.some(block.querySelector<HTMLElement>('.copy')));
    for (const button of buttons) button.click();
    await t.until(() => copied.length === blocks.length, 'the copies');
    await t.until(() => live(t, page) === 'Copied', 'it is said');
    t.equal(copied[0], 'npm i gambol');
    t.equal(
      copied,
      blocks.map((block) => block.querySelector('code')?.textContent),
    );
  }),
  TIME,
);

test(
  'front page: Pip waves, looks at the pointer and reacts to taps',
  inWindow(1000, 700, async (t, page) => {
    const pip = await pipOf(t, page);
    const stage = find(t, page, '#pip');
    const canvas = find<HTMLCanvasElement>(t, page, '#pip canvas');
    t.equal([pip.clip?.name, pip.paused, stage.classList.contains('ready')], ['Wave', false, true]);
    t.ok(await moves(t, canvas), 'Pip moves');

    const front = (): number => pip.joint('Head').world[8] ?? NaN;
    const { width } = canvas.getBoundingClientRect();
    await t.act({ type: 'move', x: 10, y: 300 });
    await t.until(() => front() < -0.2, 'to the left of the page');
    await t.act({ type: 'move', x: 995, y: 300 });
    await t.until(() => front() > 0.2, 'to the right');
    t.ok(width > 400, String(width));

    const at = (joint: string, up: number): readonly [number, number] => {
      const { x, y } = t.some(pip.project([0, up, 0], joint));
      return [x, y];
    };
    for (const [joint, up, clip, words] of [
      ['Spine', 0, 'Dance', 'Pip dances.'],
      ['Head', 0.12, 'Wave', 'Pip waves.'],
      ['EarR2', 0.03, 'Jump', 'Pip jumps.'],
    ] as const) {
      await press(t, canvas, ...at(joint, up));
      await t.until(() => live(t, page) === words, words);
      t.equal(pip.clip?.name, clip);
    }
    const empty = live(t, page);
    await press(t, canvas, 5, 200);
    await t.sleep(50);
    t.equal(live(t, page), empty, 'the background is nothing');
    find(t, page, '[data-part=belly]').click();
    t.equal([pip.clip?.name, live(t, page)], ['Dance', 'Pip dances.']);
    await t.until(() => pip.clip?.name === 'Idle', 'idle again');
  }),
  TIME,
);

test(
  'front page: scenes play in view, and stand still out of view',
  inWindow(1000, 700, async (t, page) => {
    const pip = await pipOf(t, page);
    const first = find<HTMLCanvasElement>(t, page, '#pip canvas');
    const canvases = await scene(t, page, 'transitions');
    t.equal(canvases.length, 3);
    for (const canvas of canvases) await t.until(() => moves(t, canvas), 'it plays');
    t.ok(!(await moves(t, first)), 'Pip stands still');
    const { frames } = pip.stats;
    await t.sleep(200);
    t.equal(pip.stats.frames, frames);
    page.scrollTo(0, 0);
    await t.until(() => pip.stats.frames > frames, 'Pip goes on');
    for (const canvas of canvases) t.ok(!(await moves(t, canvas)), 'the scene stands still');
  }),
  TIME,
);

test(
  'front page: the element has its layer, its look-at and its label',
  inWindow(1000, 700, async (t, page) => {
    const player = find<GambolViewer>(t, page, '#element gambol-viewer');
    player.scrollIntoView();
    await t.until(() => player.modelIsVisible && player.viewer?.layers.size === 1, 'the element');
    t.equal([player.animationName, player.paused], ['Walk', false]);
    const label = find(t, page, '#element [slot]');
    await t.until(() => label.getBoundingClientRect().width > 0, 'the label');
    const [box, tag] = [player, label].map((one) => one.getBoundingClientRect());
    t.ok(
      box && tag && tag.left > box.left && tag.right < box.right && tag.top >= box.top,
      'the label is in the picture',
    );
  }),
  TIME,
);

test(
  'front page: the controls of the scenes change the pictures',
  inWindow(1000, 700, async (t, page) => {
    const [layers] = await scene(t, page, 'layers');
    const slider = find<HTMLInputElement>(t, page, '#layers input');
    slider.value = '0';
    slider.dispatchEvent(new Event('input'));
    t.ok(await moves(t, t.some(layers)), 'Pip runs on');

    await scene(t, page, 'attachments');
    const tag = find(t, page, '#attachments .tag');
    await t.until(() => !tag.hidden, 'the label');
    const [stage, label] = ['#attachments .scene-stage', '#attachments .tag'].map((selector) =>
      find(t, page, selector).getBoundingClientRect(),
    );
    t.ok(stage && label && label.top >= stage.top && label.bottom < (stage.top + stage.bottom) / 2, 'at the head');
    find(t, page, '#attachments [value=HandL]').click();

    const [walker] = await scene(t, page, 'scroll');
    const canvas = t.some(walker);
    await t.sleep(300);
    const there = t.pixels(canvas);
    page.scrollBy(0, -60);
    await t.until(() => t.pixels(canvas).data.some((value, at) => value !== there.data[at]), 'he walks');
    t.ok(!(await moves(t, canvas)), 'he stops with the page');
    page.scrollBy(0, 60);
    await t.until(() => t.pixels(canvas).data.every((value, at) => value === there.data[at]), 'the same pose');
  }),
  TIME,
);

test(
  'front page: the paw follows a drag',
  inWindow(1000, 700, async (t, page) => {
    const [canvas] = await scene(t, page, 'gaze');
    const tag = find(t, page, '#gaze .tag');
    await t.until(() => !tag.hidden, 'the label of the paw');
    const { left, top, width, height } = t.some(canvas).getBoundingClientRect();
    const place = (): readonly [number, number] => {
      const box = tag.getBoundingClientRect();
      return [box.left + box.width / 2, box.top + box.height / 2];
    };
    const before = place();
    const [x, y] = [left + width * 0.68, top + height * 0.5];
    await t.act({ type: 'move', x: before[0], y: before[1] }, { type: 'down' }, { type: 'move', x, y }, { type: 'up' });
    await t.until(() => Math.hypot(place()[0] - x, place()[1] - y) < 60, 'the paw is there');
    t.ok(Math.hypot(before[0] - x, before[1] - y) > 60, 'it was elsewhere');
  }),
  TIME,
);

test(
  'front page: Pip plays a clip of another skeleton, and a wrong file is told',
  inWindow(1000, 700, async (t, page) => {
    await scene(t, page, 'retarget');
    const said = (): string => find<HTMLOutputElement>(t, page, '#retarget output').value;
    find(t, page, '#retarget button').click();
    await t.until(() => said() !== '', 'the report');
    t.equal(said(), '1 clips, 21 bones');
    const files = new page.DataTransfer();
    files.items.add(new page.File(['no model'], 'wrong.glb'));
    find(t, page, '#retarget .scene-stage').dispatchEvent(
      new page.DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true }),
    );
    await t.until(() => said() !== '1 clips, 21 bones', 'the error');
    t.ok(said().length > 10, said());
  }),
  TIME,
);

test(
  'front page: a faulty file is told by code and pointer, and Pip stays',
  inWindow(1000, 700, async (t, page) => {
    const [canvas] = await scene(t, page, 'faults');
    const report = find<HTMLOutputElement>(t, page, '#faults output');
    for (const [file, words] of [
      ['cycle', 'import/node-cycle /nodes/0'],
      ['range', 'import/accessor-out-of-range /accessors/0'],
      ['index', 'import/index-out-of-range /nodes/0/mesh'],
      ['extension', 'import/unsupported-extension /extensionsRequired/0'],
      ['comma', 'import/invalid-json'],
    ] as const) {
      find(t, page, `#faults [value=${file}]`).click();
      await t.until(() => report.value.startsWith(words), words);
    }
    t.ok(await moves(t, t.some(canvas)), 'Pip goes on');
  }),
  TIME,
);

test(
  'front page: a crowd grows by a press, and dual quaternions differ from linear skinning',
  inWindow(1000, 700, async (t, page) => {
    const [crowd] = await scene(t, page, 'crowd');
    const canvas = t.some(crowd);
    const drawn = (): number => t.pixels(canvas).data.filter((value, at) => at % 4 === 3 && value > 0).length;
    const one = drawn();
    find(t, page, '#crowd [value="20"]').click();
    await t.until(() => Math.abs(drawn() - one) > 0.2 * one, 'another picture');
    const [linear, dual] = await scene(t, page, 'twist');
    const differ = (): boolean => {
      const other = t.pixels(t.some(dual)).data;
      return t.pixels(t.some(linear)).data.some((value, at) => Math.abs(value - (other[at] ?? 0)) > 40);
    };
    await t.until(differ, 'another surface');
  }),
  TIME,
);

test(
  'front page: nothing plays by itself where the system asks for less motion',
  async (t) => {
    await t.act({ type: 'reduce-motion', on: true });
    try {
      await inWindow(1000, 700, async (t, page) => {
        const pip = await pipOf(t, page);
        t.equal(pip.paused, true);
        const canvas = find<HTMLCanvasElement>(t, page, '#pip canvas');
        t.ok(!(await moves(t, canvas)), 'a still');
        t.ok(find(t, page, '#pip .paused').textContent?.includes('your system asks for less motion'), 'the reason');
        find(t, page, '#pip .paused button').click();
        t.equal(pip.paused, false);
        const layers = find(t, page, '#layers');
        layers.scrollIntoView();
        await t.until(() => layers.querySelector('.paused button'), 'a button');
        layers.querySelector<HTMLElement>('.paused button')?.click();
        await shown(t, find<HTMLCanvasElement>(t, page, '#layers canvas'));
      })(t);
    } finally {
      await t.act({ type: 'reduce-motion', on: false });
    }
  },
  TIME,
);

for (const [width, height] of [
  [320, 640],
  [390, 844],
] as const) {
  test(
    `front page: nothing sticks out at ${width} pixels`,
    inWindow(width, height, async (t, page) => {
      await pipOf(t, page);
      const root = page.document.documentElement;
      for (const section of page.document.querySelectorAll('.hero, .scene')) {
        section.scrollIntoView();
        await t.frames(2);
        t.ok(root.scrollWidth <= width, `${section.id}: ${root.scrollWidth}`);
      }
      const out = [...page.document.querySelectorAll('main *')].filter(
        (one) => !one.closest('pre, .scene-stage, .hero-stage') && one.getBoundingClientRect().right > width + 0.5,
      );
      t.equal(
        out.map(({ outerHTML }) => outerHTML.slice(0, 60)),
        [],
      );
    }),
    TIME,
  );
}
