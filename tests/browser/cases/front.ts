// The front page of the built site, in a frame that fills the window.

import type { Viewer } from 'gambol';
import type { GambolViewer } from 'gambol/element';
import { browser, longTests, test, type T } from '../page/api.ts';
import { pageFaults } from './support/axe.ts';
import { bvh } from './support/foreign.ts';
import {
  checkForcedColors,
  checkZoomed,
  emulating,
  find,
  inWindow as pageInWindow,
  themesAt,
  WIDTHS,
  ZOOMED,
} from './support/site.ts';

// Without `--all` only the page's main cases run, which are marked.
longTests();

/** The window of the page, with the variable that it has for the console. */
type Page = Window & typeof globalThis & { readonly viewer: Viewer; readonly console: Console };

const TIME = { timeout: 150_000 };

/** Runs a test in a window of this size; the page of the test must have nothing on the console. */
const inWindow = (
  width: number,
  height: number,
  body: (t: T, page: Page) => Promise<void>,
): ((t: T) => Promise<void>) => pageInWindow('/', width, height, body);

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

/** Scrolls a scene into view and waits until its code has run and its pictures are drawn. */
async function scene(t: T, page: Page, id: string): Promise<HTMLCanvasElement[]> {
  const section = find(t, page, `#${id}`);
  section.scrollIntoView();
  await ran(t, section);
  const canvases = [...section.querySelectorAll<HTMLCanvasElement>('canvas:not(.trail, .ghosts)')];
  for (const canvas of canvases) await shown(t, canvas);
  return canvases;
}

/** Waits until the code of a scene has run. */
async function ran(t: T, section: HTMLElement): Promise<void> {
  const busy = (): boolean => !section.dataset['ran'] || section.querySelector('[aria-busy=true]') !== null;
  await t.until(() => !busy(), `the code of ${section.id}`);
}

/** Drops a file. There is no real drag of files by the drivers. */
function drop(t: T, page: Page, selector: string, name: string, content: string): void {
  const files = new page.DataTransfer();
  files.items.add(new page.File([content], name));
  const event = new page.DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true });
  find(t, page, selector).dispatchEvent(event);
  t.ok(event.defaultPrevented, 'the browser does not open the file');
}

/** A real press of a button. */
async function click(t: T, page: Page, selector: string): Promise<void> {
  const button = find(t, page, selector);
  button.scrollIntoView({ block: 'center' });
  await t.frames(2);
  const { width, height } = button.getBoundingClientRect();
  await press(t, button, width / 2, height / 2);
}

test(
  'front page: its HTML alone says what gambol is and how to get it',
  async (t) => {
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
    t.equal(page.querySelectorAll('.scene').length, 12, 'scenes');
    for (const code of page.querySelectorAll('.scene pre code')) {
      const lines = (code.textContent ?? '').split('\n').length;
      t.ok(lines >= 8 && lines <= 15, `${lines} lines`);
    }
    const names = [...page.querySelectorAll('.scene h2')].map(({ textContent }) => textContent ?? '');
    t.equal(new Set(names).size, 12, 'titles');
  },
  { all: false },
);

test(
  'front page: the buttons copy the command and the code beside them',
  inWindow(1000, 700, async (t, page) => {
    const copied: string[] = [];
    page.navigator.clipboard.writeText = async (text) => void copied.push(text);
    const blocks = [...page.document.querySelectorAll<HTMLElement>('[data-copy]')];
    t.equal(blocks.length, 14);
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
  { ...TIME, all: false },
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

    // The pose moves, so a press can miss; the next one is at the place of then.
    const tap = async (joint: string, up: number, words: string): Promise<void> => {
      for (let tries = 0; live(t, page) !== words && tries < 8; tries++) {
        const { x, y } = t.some(pip.project([0, up, 0], joint));
        await press(t, canvas, x, y);
        await t.sleep(100);
      }
      t.equal(live(t, page), words);
    };
    await tap('Spine', 0, 'Pip likes that.');
    await tap('Head', 0.12, 'Pip sneezes.');
    await tap('EarR2', 0.03, 'Pip is surprised.');
    const empty = live(t, page);
    await press(t, canvas, 5, 200);
    await t.sleep(50);
    t.equal(live(t, page), empty, 'the background is nothing');
    find(t, page, '[data-part=belly]').click();
    t.equal([pip.clip?.name, live(t, page)], ['Petted', 'Pip likes that.']);
    await t.until(() => pip.clip?.name === 'Idle', 'idle again');
    await t.act({ type: 'wheel', x: 300, y: 300, deltaY: 120 });
    await t.until(() => pip.clip?.name === 'Surprise', 'scrolling');
  }),
  TIME,
);

/** Counts the contexts of WebGL that a page creates, in a frame before its scripts run. */
function countContexts(t: T): () => number {
  let contexts = 0;
  const watched = new WeakSet<object>();
  const watch = (): void => {
    for (const frame of document.querySelectorAll('iframe')) {
      const inside = frame.contentWindow as (Window & typeof globalThis) | null;
      if (!inside || inside.location.href === 'about:blank' || watched.has(inside.document)) continue;
      watched.add(inside.document);
      for (const { prototype } of [inside.HTMLCanvasElement, inside.OffscreenCanvas]) {
        const original = prototype.getContext as (...options: unknown[]) => unknown;
        const seen = new WeakSet<object>();
        prototype.getContext = function (this: object, kind: string, ...more: unknown[]): unknown {
          const context = original.call(this, kind, ...more);
          if (kind.startsWith('webgl') && context && !seen.has(context)) {
            seen.add(context as object);
            contexts++;
          }
          return context;
        } as never;
      }
    }
  };
  const timer = setInterval(watch, 1);
  t.after(() => clearInterval(timer));
  return () => contexts;
}

test(
  'front page: scenes share one WebGL context, play in view, and stand still out of view',
  async (t) => {
    const contexts = countContexts(t);
    await inWindow(1000, 700, async (t, page) => {
      const pip = await pipOf(t, page);
      t.equal(contexts(), 1, 'contexts');
      const first = find<HTMLCanvasElement>(t, page, '#pip canvas');
      const canvases = await scene(t, page, 'transitions');
      t.equal(canvases.length, 3);
      for (const canvas of canvases) t.ok(await moves(t, canvas), 'it plays');
      t.ok(!(await moves(t, first)), 'Pip stands still');
      const { frames } = pip.stats;
      await t.sleep(200);
      t.equal(pip.stats.frames, frames);
      page.scrollTo(0, 0);
      await t.until(() => pip.stats.frames > frames, 'Pip goes on');
      for (const canvas of canvases) t.ok(!(await moves(t, canvas)), 'the scene stands still');
      await scene(t, page, 'twist');
      t.equal(contexts(), 1, 'contexts');
    })(t);
  },
  TIME,
);

test(
  'front page: the same change of clip at the same moment, by three transitions, with a trail',
  inWindow(1000, 700, async (t, page) => {
    const canvases = await scene(t, page, 'transitions');
    t.equal(
      canvases.map(({ id }) => id),
      ['inertial', 'crossfade', 'cut'],
    );
    t.equal(find(t, page, '#transitions [data-repeat]').ariaPressed, 'true');
    await click(t, page, '#transitions [value=Wave]');
    t.equal(find(t, page, '#transitions [value=Wave]').ariaPressed, 'true');
    // With Repeat, the first clip and the chosen one take turns.
    await t.until(() => find(t, page, '#transitions [value=Run]').ariaPressed === 'true', 'the change back');
    await t.until(() => find(t, page, '#transitions [value=Wave]').ariaPressed === 'true', 'the change again');
    const trails = [...page.document.querySelectorAll<HTMLCanvasElement>('#transitions .trail')];
    t.equal(trails.length, 3);
    for (const trail of trails) await shown(t, trail);
    const ghosts = [...page.document.querySelectorAll<HTMLCanvasElement>('#transitions .ghosts')];
    t.equal(ghosts.length, 3);
    for (const ghost of ghosts) await shown(t, ghost);
    for (const canvas of canvases) t.ok(await moves(t, canvas), 'it plays');
    await click(t, page, '#transitions [data-slow]');
    for (const canvas of canvases) t.ok(await moves(t, canvas), 'it plays slowly');
  }),
  TIME,
);

test(
  'front page: long lines of code fade at the right, and each control has one focus ring',
  inWindow(1000, 700, async (t, page) => {
    await pipOf(t, page);
    const long = [...page.document.querySelectorAll<HTMLElement>('.scene pre')].filter(
      (code) => code.scrollWidth > code.clientWidth + 1,
    );
    t.ok(long.length > 0, 'long lines');
    for (const code of long) {
      const block = t.some(code.parentElement);
      await t.until(() => block.dataset['more'] === 'right', (block.textContent ?? '').slice(0, 40));
      t.ok(page.getComputedStyle(block, '::after').backgroundImage.includes('gradient'), 'a fade');
    }
    const slider = find(t, page, '#layers input[type=range]');
    slider.focus({ focusVisible: true } as FocusOptions);
    const label = t.some(slider.closest('label'));
    t.equal(page.getComputedStyle(label).outlineStyle, 'none');
  }),
  TIME,
);

test(
  'front page: code is edited in place, runs again, and tells its errors',
  inWindow(1000, 700, async (t, page) => {
    await scene(t, page, 'layers');
    const section = find(t, page, '#layers');
    await click(t, page, '#layers .edit');
    const editor = (): ShadowRoot | null | undefined => section.querySelector('.editor')?.shadowRoot;
    await t.until(() => editor()?.querySelector('.cm-content'), 'the editor');
    // A window of WebKit without a window manager has no focus.
    if (page.document.hasFocus()) await t.until(() => editor()?.activeElement, 'the editor has the focus');
    const text = (): string =>
      section.querySelector('.editor')?.shadowRoot?.querySelector('.cm-content')?.textContent ?? '';
    t.ok(text().includes("viewer.play('Run');"), text());
    t.ok(!section.querySelector('.edit'), 'the button is gone');

    // Only Chromium's driver presses several keys together.
    const runIt = async (id = 'layers'): Promise<void> =>
      browser === 'chromium'
        ? t.act({ type: 'key', key: 'Control+Enter' })
        : click(t, page, `#${id} .code-tools .primary`);
    /** A press at the end of the code. */
    const toEnd = async (id = 'layers'): Promise<void> => {
      const last = [...(find(t, page, `#${id} .editor`).shadowRoot?.querySelectorAll('.cm-line') ?? [])].at(-1);
      const line = t.some(last);
      line.scrollIntoView({ block: 'center' });
      await t.frames(2);
      const { width, height } = line.getBoundingClientRect();
      await press(t, line, width - 4, height / 2);
    };
    // One key is real; many would take long on a busy machine.
    const type = async (letters: string): Promise<void> => {
      await t.act({ type: 'key', key: 'Enter' });
      page.document.execCommand('insertText', false, letters);
    };

    // A syntax error, in its line.
    await toEnd();
    await type('foo(;');
    await runIt();
    const error = (): string => section.querySelector('.code-error')?.textContent ?? '';
    await t.until(() => error() !== '', 'the error');
    t.ok(/^Line 14: /.test(error()), error());

    // An error of gambol, with its code.
    await click(t, page, '#layers .code-tools .button:not(.primary)');
    await ran(t, section);
    t.equal(error(), '');
    await toEnd();
    await type("viewer.play('No');");
    await runIt();
    await t.until(() => error().includes('clip/not-found'), 'the error');
    t.ok(/^Line 14: clip\/not-found: /.test(error()), error());

    // A change that works. Its viewer replaces the one before, in the same context.
    await click(t, page, '#layers .code-tools .button:not(.primary)');
    await ran(t, section);
    const canvas = find<HTMLCanvasElement>(t, page, '#layers canvas');
    await toEnd();
    await type('viewer.pause(); wave.pause();');
    await click(t, page, '#layers .code-tools .primary');
    await t.until(() => find(t, page, '#layers canvas') !== canvas, 'another canvas');
    await ran(t, section);
    t.equal(error(), '');
    await shown(t, find<HTMLCanvasElement>(t, page, '#layers canvas'));
    let still = false;
    for (let tries = 0; tries < 8 && !still; tries++)
      still = !(await moves(t, find<HTMLCanvasElement>(t, page, '#layers canvas')));
    t.ok(still, 'it is paused');
    t.equal(await pageFaults(page), []);

    // HTML of the element.
    find(t, page, '#element').scrollIntoView();
    await click(t, page, '#element .edit');
    const host = find(t, page, '#element');
    await t.until(() => host.querySelector('.editor')?.shadowRoot?.activeElement, 'the editor');
    await toEnd('element');
    await type('<b>new</b>');
    await runIt('element');
    await t.until(() => host.querySelector('.scene-stage b')?.textContent === 'new', 'the new element');
  }),
  TIME,
);

test(
  'front page: one of two is drawn by a worker',
  inWindow(1000, 700, async (t, page) => {
    const warned: string[] = [];
    page.console.warn = (...words: unknown[]) => void warned.push(words.join(' '));
    find(t, page, '#threads').scrollIntoView();
    await ran(t, find(t, page, '#threads'));
    if (warned.some((one) => one.includes('render/no-worker'))) t.skip('no worker of this browser can draw');
    t.equal(warned, []);
    t.ok(
      page.performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/worker.js')),
      'the worker',
    );
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
    t.equal(slider.ariaValueText, '100%');
    slider.focus({ preventScroll: true });
    await t.act({ type: 'key', key: 'Home' });
    t.equal(slider.ariaValueText, '0%');
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
    t.equal(said(), 'Pip wears squat.bvh: 21 bones');
    const before = said();
    drop(t, page, '#retarget .scene-stage', 'wrong.glb', 'no model');
    await t.until(() => said() !== before, 'the error');
    t.ok(said().length > 10, said());
    // The same file as motion capture is dropped by a visitor.
    drop(t, page, '#retarget .scene-stage', 'mine.bvh', await (await fetch('/examples/squat.bvh')).text());
    await t.until(() => said() === 'Pip wears mine.bvh: 21 bones', 'the report');
    // The figure of its bones is beside Pip: both halves of the picture have something upright, and both move.
    const canvas = find<HTMLCanvasElement>(t, page, '#retarget canvas');
    const half = (right: boolean): Uint8ClampedArray => {
      const { data, width } = t.pixels(canvas);
      return data.filter((_, i) => (i >> 2) % width >= width / 2 === right);
    };
    const [pip, figure] = [half(false), half(true)];
    for (const [side, name] of [
      [pip, 'Pip'],
      [figure, 'the figure'],
    ] as const)
      t.ok(side.filter((value, i) => i % 4 === 3 && value > 200).length > 300, name);
    await t.until(() => half(false).some((value, i) => value !== pip[i]), 'Pip moves');
    await t.until(() => half(true).some((value, i) => value !== figure[i]), 'the figure moves');
  }),
  TIME,
);

test(
  'front page: a file that is dropped anywhere is opened in the scene for clips, and not by the browser',
  inWindow(1000, 700, async (t, page) => {
    await pipOf(t, page);
    const said = (): string => page.document.querySelector<HTMLOutputElement>('#retarget output')?.value ?? '';
    drop(t, page, '#pip', 'walk.bvh', await (await fetch('/examples/squat.bvh')).text());
    await t.until(() => said() === 'Pip wears walk.bvh: 21 bones', 'the report');
    const { top, bottom } = find(t, page, '#retarget').getBoundingClientRect();
    t.ok(top < 700 && bottom > 0, `it is in view: ${top} … ${bottom}`);
    // Bones that Pip does not have: the figure stays, and the line says so.
    drop(t, page, '#twist .scene-stage', 'crane.bvh', bvh().replace('Hips', 'Crane').replace('Spine', 'Hook'));
    await t.until(() => said().includes('Crane'), said());
    // The scene of faulty files opens its own ones.
    await scene(t, page, 'faults');
    const before = said();
    drop(t, page, '#faults .scene-stage', 'mine.glb', 'no model');
    await t.until(() => find<HTMLOutputElement>(t, page, '#faults output').value !== '', 'the fault');
    t.equal(said(), before);
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
    drop(t, page, '#faults .scene-stage', 'mine.gltf', '{"asset":{"version":"3.0"}}');
    await t.until(() => report.value.startsWith('import/unsupported-version'), 'the code of a file that was dropped');
  }),
  { ...TIME, all: false },
);

test(
  'front page: a crowd grows by a press, and dual quaternions differ from linear skinning',
  inWindow(1000, 700, async (t, page) => {
    const [crowd] = await scene(t, page, 'crowd');
    const canvas = t.some(crowd);
    const drawn = (): number => t.pixels(canvas).data.filter((value, at) => at % 4 === 3 && value > 0).length;
    const twenty = drawn();
    t.equal(find(t, page, '#crowd [value="20"]').ariaPressed, 'true', 'the number that is shown');
    find(t, page, '#crowd [value="1"]').click();
    await t.until(() => Math.abs(drawn() - twenty) > 0.2 * twenty, 'another picture');
    t.equal(
      ['1', '20'].map((value) => find(t, page, `#crowd [value="${value}"]`).ariaPressed),
      ['true', 'false'],
    );
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
  'front page: a press changes the colour of the fur',
  inWindow(1000, 700, async (t, page) => {
    const [canvas] = await scene(t, page, 'colours');
    // The mean of red and of blue where Pip is.
    const mean = (): readonly [red: number, blue: number] => {
      const { data } = t.pixels(t.some(canvas));
      let [red, blue, count] = [0, 0, 0];
      for (let i = 0; i < data.length; i += 4) {
        if (data[i + 3] !== 255) continue;
        red += data[i] ?? 0;
        blue += data[i + 2] ?? 0;
        count += 1;
      }
      return [red / count, blue / count];
    };
    const [red, blue] = mean();
    find(t, page, '#colours [value=skyblue]').click();
    await t.until(() => mean()[0] < 0.7 * red && mean()[1] > 0.8 * blue, 'less red');
    find(t, page, '#colours [value=white]').click();
    await t.until(() => mean()[0] > 0.97 * red, 'that of the file');
    t.equal(find(t, page, '#colours [value=white]').ariaPressed, 'true');
  }),
  TIME,
);

test(
  'front page: nothing plays by itself where the system asks for less motion',
  emulating(
    'reduce-motion',
    inWindow(1000, 700, async (t, page) => {
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
    }),
  ),
  TIME,
);

test(
  'front page: with forced colours, buttons have edges and the chosen one differs',
  emulating(
    'force-colors',
    inWindow(1000, 700, async (t, page) => {
      await pipOf(t, page);
      await checkForcedColors(t, page);
      // Else the browser draws a plate behind the text, in the colour of the text.
      const first = page.getComputedStyle(find(t, page, '.hero-links .primary'));
      t.equal(first.forcedColorAdjust, 'none');
      t.ok(first.color !== first.backgroundColor, first.color);
      const [inside, other] = ['#crowd [data-inside]', '#crowd [value="1"]'].map((one) => find(t, page, one));
      inside?.setAttribute('aria-pressed', 'true');
      const color = (element?: Element): string => page.getComputedStyle(t.some(element)).backgroundColor;
      await t.until(() => color(inside) !== color(other), `another colour than ${color(other)}`);
    }),
  ),
  TIME,
);

test(
  'front page: at a zoom of 200 % nothing sticks out, and Pip has room',
  inWindow(...ZOOMED, async (t, page) => {
    await pipOf(t, page);
    checkZoomed(t, page);
    const canvas = find(t, page, '#pip canvas').getBoundingClientRect();
    t.ok(canvas.height >= 220, `Pip has room: ${canvas.height}`);
  }),
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
    { ...TIME, all: width > 320 },
  );
}

for (const width of WIDTHS) {
  test(
    `front page: no violations of accessibility at ${width} pixels, in light and dark`,
    inWindow(width, 800, async (t, page) => {
      await pipOf(t, page);
      for (const theme of themesAt(width)) {
        page.document.documentElement.dataset['theme'] = theme;
        // The colours of buttons change in a transition.
        t.equal(await pageFaults(page), [], theme);
      }
      t.equal(page.document.querySelectorAll('h1').length, 1);
    }),
    TIME,
  );
}
