// The inspector and the benchmark page of the built site, in a frame.

import { test, type T } from '../page/api.ts';
import type { GambolViewer } from 'gambol/element';
import { part } from './support/element.ts';
import { humanoid } from './support/humanoid.ts';
import { model } from './support/model.ts';

interface Site {
  readonly page: Document;
  readonly window: Window;
  readonly player: GambolViewer;
  text(id: string): string;
  click(id: string): void;
  /** A part of the viewer's bar. */
  bar<E extends HTMLElement = HTMLElement>(name: string): E;
}

async function site(t: T, query = ''): Promise<Site> {
  const frame = document.createElement('iframe');
  frame.style.cssText = 'width: 1000px; height: 700px; border: 0';
  frame.src = `/inspect.html${query}`;
  document.body.append(frame);
  await new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
  const page = t.some(frame.contentDocument);
  const player = t.some(page.querySelector<GambolViewer>('gambol-viewer'));
  return {
    page,
    window: t.some(frame.contentWindow),
    player,
    text: (id) => page.getElementById(id)?.textContent ?? '',
    click: (id) => page.getElementById(id)?.click(),
    bar: (name) => part(t, player, name),
  };
}

test('demo: the sample character plays at the start', async (t) => {
  const { page, text, bar } = await site(t);
  await t.until(() => text('model-name') === 'Sample character', 'the sample character');
  t.ok(page.querySelectorAll('.clip').length > 0, 'clips');
  await t.until(() => !bar('time').textContent?.startsWith('0.00'), 'time passes');
  t.ok(/^\d\.\d\d \/ 4\.00 s · frame \d+ of \d+$/.test(bar('time').textContent ?? ''), bar('time').textContent ?? '');
  bar('play-button').click();
  t.equal(bar('play-button').getAttribute('aria-label'), 'Play');
  t.equal(page.getElementById('failure')?.hidden, true);
});

test('demo: a wrong URL shows an error message', async (t) => {
  const { page, text, click } = await site(t, '?src=/nowhere/hero.glb');
  await t.until(() => !page.getElementById('failure')?.hidden, 'the message');
  t.ok(text('failure-words').includes('hero.glb'), text('failure-words'));
  t.equal(text('failure-code'), 'fetch/http');
  click('failure-sample');
  await t.until(() => text('model-name') === 'Sample character', 'the sample character');
  t.equal(page.getElementById('failure')?.hidden, true);
});

test('demo: the timeline scrubs during playback', async (t) => {
  const { text, bar } = await site(t);
  await t.until(() => text('model-name') !== '' && (bar('time').textContent ?? '') > '0.0', 'it plays');
  const slider = bar<HTMLInputElement>('timeline');
  const play = bar('play-button');
  slider.dispatchEvent(new PointerEvent('pointerdown', { button: 0 }));
  slider.value = '1.5';
  slider.dispatchEvent(new Event('input'));
  await t.until(() => bar('time').textContent?.startsWith('1.50'), 'the time under the finger');
  await t.sleep(150);
  t.equal(
    [bar('time').textContent?.slice(0, 4), play.getAttribute('aria-label')],
    ['1.50', 'Pause'],
    'it stands still under the finger',
  );
  t.ok(slider.getAttribute('aria-valuetext')?.startsWith('1.50 of '), 'in words');
  slider.dispatchEvent(new PointerEvent('pointerup'));
  await t.until(() => (bar('time').textContent ?? '') > '1.51', 'it plays on');
  slider.dispatchEvent(new KeyboardEvent('keydown', { key: 'End' }));
  slider.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowLeft' }));
  t.equal(play.getAttribute('aria-label'), 'Play', 'a step pauses');
});

test('demo: keyboard shortcuts work on the whole page', async (t) => {
  const { page, player, text, bar } = await site(t);
  await t.until(() => text('model-name') !== '', 'the sample character');
  const press = (key: string, target: Element = page.body): boolean =>
    target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true, cancelable: true }));
  t.equal(press(' '), false, 'the page does not scroll');
  t.equal([player.paused, bar('play-button').getAttribute('aria-label')], [true, 'Play']);
  for (const key of ['End', ',', ']', 'n', 'r']) press(key);
  t.equal([player.timeScale, player.animationName, player.loopMode], [1.25, 'Walk', 'pingpong']);
  press('b');
  await t.until(
    () => page.querySelector<HTMLInputElement>('#overlays [value=skeleton]')?.checked,
    'the panel knows of the skeleton',
  );
  press('b');
  for (const id of ['mix', 'info', 'look']) {
    press({ mix: 'm', info: 'i', look: 'v' }[id] ?? '');
    t.equal(page.getElementById(id)?.hidden, false, id);
  }
  press('Escape');
  t.equal(page.getElementById('look')?.hidden, true);
  press('?');
  const help = t.some(page.querySelector<HTMLDialogElement>('#help-dialog'));
  t.ok(help.open && help.textContent?.includes('full screen'), 'the list of keys');
  t.equal(press('r'), true, 'a dialog keeps its keys');
  help.close();
  t.equal(press('k', t.some(page.querySelector('#url'))), true, 'so does a field');
});

test('demo: another model or file replaces the sample', async (t) => {
  const { page, window, player, text, bar } = await site(t);
  await t.until(() => text('model-name') !== '', 'the sample character');
  const { File: FrameFile, DataTransfer: FrameTransfer } = window as Window & typeof globalThis;
  const files = new FrameTransfer();
  files.items.add(new FrameFile([model({}).glb], 'square.glb'));
  const picker = t.some(page.querySelector<HTMLInputElement>('#file-input'));
  picker.files = files.files;
  picker.dispatchEvent(new Event('change'));
  await t.until(() => text('model-name') === 'square.glb', 'the file');
  t.equal(
    [...page.querySelectorAll('.clip-name')].map(({ textContent }) => textContent),
    ['Slide', 'Short', 'Slide~2'],
  );
  t.equal([...bar<HTMLSelectElement>('clip-select').options].length, 3, 'the bar knows the clips of the new one');
  t.equal(page.querySelectorAll('#facts dd')[0]?.textContent, 'square.glb');
  page.querySelectorAll<HTMLElement>('.clip')[1]?.click();
  await t.until(
    () =>
      !player.paused &&
      player.animationName === 'Short' &&
      page.querySelector('.clip[aria-current]')?.textContent?.startsWith('Short'),
    'a clip by its button',
  );
  page.getElementById('open-sample')?.click();
  await t.until(() => text('model-name') === 'Sample character', 'the sample again');
});

test('demo: names from a file are not parsed as HTML', async (t) => {
  const { page, window, text } = await site(t);
  await t.until(() => text('model-name') !== '', 'the sample character');
  const files = new DataTransfer();
  files.items.add(new File(['{}'], '<img src=x onerror=alert(1)>.glb'));
  window.dispatchEvent(new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true }));
  await t.until(() => !page.getElementById('failure')?.hidden, 'the message');
  t.equal(page.querySelectorAll('img').length, 0);
});

test('demo: animation blending: a blend space, a masked layer, a joint label', async (t) => {
  const { page, text, click, bar } = await site(t);
  await t.until(() => text('model-name') === 'Sample character', 'the sample character');
  const control = <E extends HTMLElement>(selector: string): E => t.some(page.querySelector<E>(selector));
  const set = (selector: string, value: string, type = 'change'): void => {
    const input = control<HTMLInputElement | HTMLSelectElement>(selector);
    input.value = value;
    input.dispatchEvent(new Event(type));
  };
  click('info-toggle');
  click('mix-toggle');
  t.equal([control('#mix').hidden, control('#info').hidden], [false, true], 'one card at a time');

  set('#blend', '0', 'input');
  await t.until(() => bar('duration').textContent === ' / 0.80 s', 'a walk');
  set('#blend', '0.5', 'input');
  await t.until(() => bar('duration').textContent === ' / 0.65 s', 'half way to a run');
  t.equal(page.querySelector('.clip[aria-current]'), null, 'neither clip alone');

  const label = control('#joint-label');
  const joints = control<HTMLSelectElement>('#label-joint');
  set('#label-joint', t.some([...joints.options].find(({ text: name }) => name === 'HandR')).value);
  await t.until(() => !label.hidden, 'the label is shown');
  t.equal(label.textContent, 'HandR');
  const height = (): number => label.getBoundingClientRect().top;
  const low = height();
  click('layer-add');
  t.equal(control<HTMLSelectElement>('#layers [name=joint]').selectedOptions[0]?.text, 'ShoulderR and descendants');
  await t.until(() => height() < low - 20, 'the hand goes up, and the label with it');
  bar('play-button').click();
  control<HTMLButtonElement>('#layers button').click();
  t.equal(page.querySelectorAll('#layers li').length, 0);

  page.querySelector<HTMLElement>('.clip')?.click();
  await t.until(() => page.querySelector('.clip[aria-current]'), 'a clip alone again');
});

test(
  'demo: lighting, tone mapping, background, shadows, debug views and statistics',
  async (t) => {
    const { page, window, player, text, click, bar } = await site(t);
    await t.until(() => text('model-name') === 'Sample character', 'the sample character');
    const control = <E extends HTMLElement>(selector: string): E => t.some(page.querySelector<E>(selector));
    const set = (selector: string, value: string, type = 'change'): void => {
      const input = control<HTMLInputElement | HTMLSelectElement>(selector);
      input.value = value;
      input.dispatchEvent(new Event(type, { bubbles: true }));
    };
    bar('play-button').click();
    click('look-toggle');
    t.equal(control('#look').hidden, false);
    set('#exposure', '1', 'input');
    t.equal(text('exposure-shown'), '+1');
    set('#rotation', '-90', 'input');
    t.equal(text('rotation-shown'), '-90°');
    set('#tone', 'agx');
    set('#background', 'environment');
    t.equal(control<HTMLInputElement>('#blur').disabled, false);
    set('#environment', 'picture');
    t.equal(control('#environment-form').hidden, false);
    set('#environment', 'white');
    await t.until(() => control('#environment-form').hidden, 'white light');

    // An invalid environment image, then a valid one.
    for (const [content, fits] of [
      ['?', false],
      ['#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 2\n########', true],
    ] as const) {
      const files = new DataTransfer();
      // A `File` of the frame's window, since the package checks the type of its argument.
      files.items.add(new (window as Window & typeof globalThis).File([content], 'sunset.hdr'));
      window.dispatchEvent(new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true }));
      if (fits) {
        await t.until(() => text('toast').includes('sunset.hdr'), 'the light');
      } else {
        await t.until(() => !page.getElementById('failure')?.hidden, 'the message');
        click('failure-close');
      }
    }
    t.equal([control<HTMLSelectElement>('#environment').value, text('model-name')], ['picture', 'Sample character']);

    set('#surface', 'weights');
    t.equal(control('#weights-row').hidden, false);
    t.ok(
      /head|spine/i.test(t.some(control<HTMLSelectElement>('#weights-joint').selectedOptions[0]).text),
      'a joint is chosen',
    );
    const names = (): NodeListOf<Element> =>
      t.some(player.shadowRoot).querySelectorAll('.gambol-names span:not([hidden])');
    for (const view of ['skeleton', 'names']) control<HTMLInputElement>(`#overlays [value=${view}]`).click();
    await t.until(() => names().length > 3, 'names');
    control<HTMLInputElement>('#numbers-on').click();
    await t.until(() => /[1-9]/.test(control('#numbers div:nth-child(4) dd').textContent ?? ''), 'draw calls');
    set('#surface', '');
    for (const view of ['skeleton', 'names']) control<HTMLInputElement>(`#overlays [value=${view}]`).click();
    t.equal(player.shadowRoot?.querySelectorAll('.gambol-names').length, 0);
  },
  { timeout: 60_000 },
);

test('demo: the benchmark page has figures of every player, also on a phone', async (t) => {
  for (const width of [1000, 390]) {
    const { document: page } = await t.page('/bench.html', width, 700);
    const tables = [...page.querySelectorAll('table')];
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
    t.ok(!page.documentElement.innerHTML.includes('<!--'), 'no place is empty');
    t.ok(page.documentElement.scrollWidth <= width, 'nothing sticks out');
  }
});

test('demo: files that are dropped on the character add their clips, with a report', async (t) => {
  const { page, window, player, text, click } = await site(t);
  await t.until(() => text('model-name') === 'Sample character', 'the sample character');
  const frame = window as Window & typeof globalThis;
  const drop = (name: string, content: BlobPart): void => {
    const files = new frame.DataTransfer();
    files.items.add(new frame.File([content], name));
    const at = { dataTransfer: files, bubbles: true, cancelable: true };
    frame.dispatchEvent(new frame.DragEvent('dragenter', at));
    const { left, top } = t.some(page.getElementById('drop-clips')).getBoundingClientRect();
    const over = { ...at, clientX: left + 9, clientY: top + 9 };
    frame.dispatchEvent(new frame.DragEvent('dragover', over));
    t.ok(page.getElementById('drop-clips')?.classList.contains('chosen'), 'the half is highlighted');
    frame.dispatchEvent(new frame.DragEvent('drop', over));
  };
  const clips = (): number => page.querySelectorAll('.clip').length;
  const before = clips();
  drop('dance.gltf', await humanoid({ names: 'mixamo', clip: 'Salute' }).text());
  await t.until(() => clips() === before + 1, 'another clip');
  await t.until(() => player.viewer?.clip?.id === 'Salute' && !player.paused, 'it plays');
  click('info-toggle');
  t.equal(page.getElementById('reports')?.hidden, false);
  t.ok(text('report-list').includes('as humanoids, Mixamo → Blender'), text('report-list'));
  t.ok(text('toast').includes('1 clip of dance.gltf'), text('toast'));
  drop('square.glb', model({ node: 'Tail of nobody' }).glb);
  await t.until(() => !page.getElementById('failure')?.hidden, 'the message');
  t.equal([text('failure-code'), clips()], ['clip/no-match', before + 1]);
});
