// The inspector of the built site, in a frame.

import { long, longTests, test } from '../page/api.ts';
import { pageFaults } from './support/axe.ts';
import { panel, set, site } from './support/inspector.ts';
import { humanoid } from './support/humanoid.ts';
import { model, png } from './support/model.ts';
import { checkForcedColors, checkZoomed, emulating, ZOOMED, type Page } from './support/site.ts';

// Without `--all` only the page's main cases run, which are marked.
longTests();

test(
  'inspector: the sample character plays at the start',
  async (t) => {
    const { page, text, bar } = await site(t);
    await t.until(() => text('model-name') === 'Sample character', 'the sample character');
    t.ok(page.querySelectorAll('.clip').length > 0, 'clips');
    await t.until(() => !bar('time').textContent?.startsWith('0.00'), 'time passes');
    t.ok(/^\d\.\d\d \/ 4\.00 s · frame \d+ of \d+$/.test(bar('time').textContent ?? ''), bar('time').textContent ?? '');
    bar('play-button').click();
    t.equal(bar('play-button').getAttribute('aria-label'), 'Play');
    t.equal(page.getElementById('failure')?.hidden, true);
  },
  { all: false },
);

test('inspector: a wrong URL shows an error message', async (t) => {
  const { page, text, click } = await site(t, '?src=/nowhere/hero.glb');
  await t.until(() => !page.getElementById('failure')?.hidden, 'the message');
  t.ok(text('failure-words').includes('hero.glb'), text('failure-words'));
  t.equal(text('failure-code'), 'fetch/http');
  click('failure-sample');
  await t.until(() => text('model-name') === 'Sample character', 'the sample character');
  t.equal(page.getElementById('failure')?.hidden, true);
});

test('inspector: the timeline scrubs during playback', async (t) => {
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

test('inspector: keyboard shortcuts work on the whole page', async (t) => {
  const { page, player, text, bar } = await site(t);
  await t.until(() => text('model-name') !== '', 'the sample character');
  const press = (key: string, target: Element = page.body): boolean =>
    target.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, composed: true, cancelable: true }));
  t.equal(press(' '), false, 'the page does not scroll');
  t.equal([player.paused, bar('play-button').getAttribute('aria-label')], [true, 'Play']);
  for (const key of ['End', ',', ']', 'n', 'r']) press(key);
  t.equal([player.timeScale, player.animationName, player.loopMode], [1.25, 'Walk', 'pingpong']);
  press('b');
  await t.until(() => player.debug === 'skeleton', 'the key of the viewer');
  press('x');
  await t.until(() => page.querySelector<HTMLInputElement>('#debug input:checked'), 'the panel knows of the skeleton');
  press('b');
  await t.until(() => !page.querySelector('#debug input:checked'), 'and of its end');
  for (const [key, id] of [
    ['m', 'mix'],
    ['i', 'info'],
    ['v', 'light'],
    ['t', 'outline'],
  ] as const) {
    press(key);
    await t.until(() => page.activeElement?.id === id, `the focus is in ${id}`);
  }
  press('Escape', t.some(page.getElementById('outline')));
  await t.until(() => !page.getElementById('outline'), 'closed');
  t.equal((page.activeElement as HTMLElement).dataset['panel'], 'outline', 'the focus comes back');
  t.ok(page.getElementById('light'), 'other panels stay');
  press('Escape');
  await t.until(() => !page.getElementById('light'), 'all are closed');
  press('?');
  const help = t.some(page.querySelector<HTMLDialogElement>('#help-dialog'));
  t.ok(help.open && help.textContent?.includes('full screen'), 'the list of keys');
  t.equal(press('r'), true, 'a dialog keeps its keys');
  help.close();
  t.equal(press('k', t.some(page.querySelector('#url'))), true, 'so does a field');
});

test('inspector: another model or file replaces the sample', async (t) => {
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

test('inspector: names from a file are not parsed as HTML', async (t) => {
  const { page, window, text } = await site(t);
  await t.until(() => text('model-name') !== '', 'the sample character');
  const files = new DataTransfer();
  files.items.add(new File(['{}'], '<img src=x onerror=alert(1)>.glb'));
  window.dispatchEvent(new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true }));
  await t.until(() => !page.getElementById('failure')?.hidden, 'the message');
  t.equal(page.querySelectorAll('img').length, 0);
});

test('inspector: a blend space, a masked layer, the label of a node', async (t) => {
  const at = await site(t);
  const { page, player, text, bar } = at;
  await t.until(() => text('model-name') === 'Sample character', 'the sample character');
  let mix = await panel(t, at, 'mix');
  set(mix('Value'), '0');
  set(mix('First clip'), 'Walk');
  await t.until(() => bar('duration').textContent === ' / 0.80 s', 'a walk');
  set(mix('Value'), '0.5');
  await t.until(() => bar('duration').textContent === ' / 0.65 s', 'half way to a run');
  t.equal(page.querySelector('.clip[aria-current]'), null, 'neither clip alone');

  const outline = await panel(t, at, 'outline');
  set(outline('Find a node'), 'HandR');
  await t.until(() => page.querySelector('.found button'), 'the node');
  page.querySelector<HTMLElement>('.found button')?.click();
  const label = t.some(page.getElementById('joint-label'));
  await t.until(() => !label.hidden, 'the label is shown');
  t.equal(label.textContent, 'HandR');
  const height = (): number => label.getBoundingClientRect().top;
  const low = height();
  mix = await panel(t, at, 'mix');
  mix('Add layer').click();
  await t.until(() => page.querySelector('#mix .layers li'), 'a layer');
  t.equal((mix('Mask') as HTMLSelectElement).selectedOptions[0]?.text, 'ShoulderR and descendants');
  await t.until(() => height() < low - 20, 'the hand goes up, and the label with it');
  bar('play-button').click();
  mix('Remove layer 1').click();
  await t.until(() => player.viewer?.layers.size === 0, 'no layer');

  page.querySelector<HTMLElement>('.clip')?.click();
  await t.until(() => page.querySelector('.clip[aria-current]'), 'a clip alone again');
});

test('inspector: light, tone mapping, background, shadow, debug views and statistics', async (t) => {
  const at = await site(t);
  const { page, window, player, text, click, bar } = at;
  await t.until(() => text('model-name') === 'Sample character', 'the sample character');
  bar('play-button').click();
  const light = await panel(t, at, 'light');
  set(light('Exposure'), '1');
  await t.until(() => player.exposure === 2, 'one stop');
  t.equal(light('Exposure').getAttribute('aria-valuetext'), '+1 EV');
  set(light('Rotation'), '-90');
  await t.until(() => Math.abs((player.viewer?.environmentRotation ?? 0) + Math.PI / 2) < 1e-6, 'turned');
  set(light('Tone mapping'), 'agx');
  t.equal((light('Blur') as HTMLInputElement).disabled, true);
  set(light('Type'), 'environment');
  await t.until(() => !(light('Blur') as HTMLInputElement).disabled && player.viewer?.skybox, 'the skybox');
  t.equal(player.toneMapping, 'agx');
  light('White').click();
  await t.until(() => light('White').getAttribute('aria-pressed') === 'true', 'white light');

  // An invalid environment image, then a valid one.
  for (const [content, fits] of [
    ['?', false],
    ['#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 2\n########', true],
  ] as const) {
    const files = new DataTransfer();
    // A `File` of the frame's window, since the package checks the type of its argument.
    files.items.add(new (window as Window & typeof globalThis).File([content], fits ? 'sunset.hdr' : 'broken.hdr'));
    window.dispatchEvent(new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true }));
    if (fits) {
      await t.until(() => text('toast').includes('sunset.hdr'), 'the light');
    } else {
      await t.until(() => !page.getElementById('failure')?.hidden, 'the message');
      t.equal(light('White').getAttribute('aria-pressed'), 'true', 'the light before');
      click('failure-close');
    }
  }
  t.equal([light('sunset.hdr').getAttribute('aria-pressed'), text('model-name')], ['true', 'Sample character']);

  const debug = await panel(t, at, 'debug');
  set(debug('Show'), 'weights');
  await t.until(() => /^weights:\d+$/.test(player.debug ?? ''), 'weights');
  t.ok(/head|spine/i.test(t.some((debug('Joint') as HTMLSelectElement).selectedOptions[0]).text), 'a joint is chosen');
  const names = (): NodeListOf<Element> =>
    t.some(player.shadowRoot).querySelectorAll('.gambol-names span:not([hidden])');
  for (const view of ['Skeleton', 'Joint names']) debug(view).click();
  await t.until(() => names().length > 3, 'names');
  for (const view of ['Skeleton', 'Joint names']) debug(view).click();
  await t.until(() => player.shadowRoot?.querySelectorAll('.gambol-names').length === 0, 'no names');
  await panel(t, at, 'statistics');
  await t.until(() => /Draw calls[1-9]/.test(page.getElementById('statistics')?.textContent ?? ''), 'draw calls');
});

test('inspector: morph targets by sliders, and back to the clips', async (t) => {
  const at = await site(t);
  const { player, text } = at;
  await t.until(() => text('model-name') === 'Sample character', 'the sample character');
  const { name } = t.some(player.viewer?.model?.morphs[0]);
  const weight = (): number => t.some(player.viewer).morph(name).weight;
  player.pause();
  const animated = weight();
  const morphs = await panel(t, at, 'morphs');
  set(morphs(name), '0.75');
  await t.until(() => Math.abs(weight() - 0.75) < 1e-6, 'the weight');
  await t.until(() => morphs(name).getAttribute('aria-valuetext') === '0.75', 'the slider');
  morphs(`Return ${name} to the clips`).click();
  await t.until(() => Math.abs(weight() - animated) < 1e-6, 'the weight of the clip');
});

test('inspector: undo and redo, by keys', async (t) => {
  const at = await site(t);
  const { page, player, text } = at;
  await t.until(() => text('model-name') === 'Sample character', 'the sample character');
  const key = (name: string, shiftKey = false): boolean =>
    page.body.dispatchEvent(
      new KeyboardEvent('keydown', { key: name, ctrlKey: true, shiftKey, bubbles: true, cancelable: true }),
    );
  const light = await panel(t, at, 'light');
  for (const value of ['0.5', '1', '1.5']) set(light('Exposure'), value);
  set(light('Tone mapping'), 'aces');
  await t.until(() => player.toneMapping === 'aces', 'two settings');
  key('z');
  await t.until(() => player.toneMapping !== 'aces' && player.exposure === 2 ** 1.5, 'the last one is undone');
  key('z');
  await t.until(() => player.exposure === 1, 'a drag of a slider is one step');
  t.ok(text('live').includes('exposure'), text('live'));
  key('z');
  t.ok(text('live').startsWith('Nothing'), text('live'));
  key('z', true);
  key('y');
  await t.until(() => player.toneMapping === 'aces' && player.exposure === 2 ** 1.5, 'both again');
});

test('inspector: the command palette finds by words of other libraries, and runs', async (t) => {
  const at = await site(t);
  const { page, player, text } = at;
  await t.until(() => text('model-name') === 'Sample character', 'the sample character');
  page.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, bubbles: true, cancelable: true }));
  const dialog = t.some(page.querySelector<HTMLDialogElement>('dialog.palette'));
  await t.until(() => dialog.open, 'the palette');
  const input = t.some(dialog.querySelector('input'));
  t.equal(page.activeElement, input, 'it has the focus');
  const first = async (words: string, name: string): Promise<void> => {
    set(input, words);
    await t.until(() => dialog.querySelector('[aria-selected=true] span')?.textContent === name, `${words} → ${name}`);
  };
  await first('crossFadeTo', 'Panel: Mixing');
  await first('bones', 'Panel: Outline');
  await first('tone aces', 'Tone mapping: aces');
  input.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
  await t.until(() => player.toneMapping === 'aces' && !dialog.open, 'it ran');
});

test(
  'inspector: a link restores the clip, the time, the camera and the settings',
  async (t) => {
    const view = {
      exposure: -1,
      toneMapping: 'agx',
      surface: 'normals',
      layers: [{ clip: 'Wave', mode: 'additive', node: null, weight: 0.5 }],
    };
    const hash = new URLSearchParams({ clip: 'Run', t: '0.25', camera: '1,1.2,3,0,0.5,0', view: JSON.stringify(view) });
    const at = await site(t, `#${hash}`);
    const { player, text, window } = at;
    await t.until(() => text('model-name') === 'Sample character' && player.viewer?.layers.size === 1, 'the sample');
    await t.until(() => player.viewer?.clip?.id === 'Run' && player.paused, 'the clip');
    t.equal(player.viewer?.currentTime, 0.25);
    const { azimuth, polar, distance, target } = t.some(player.viewer).camera;
    t.equal([azimuth, polar, distance, [...target]], [1, 1.2, 3, [0, 0.5, 0]]);
    t.equal([player.exposure, player.toneMapping, player.debug], [0.5, 'agx', 'normals']);
    // The address has the same state again.
    await t.until(() => window.location.hash.includes('Run'), 'the address');
    const again = new URLSearchParams(window.location.hash.slice(1));
    t.equal([again.get('clip'), again.get('t'), again.get('camera')], ['Run', '0.25', '1,1.2,3,0,0.5,0']);
    t.equal(JSON.parse(again.get('view') ?? ''), view);
  },
  { all: false },
);

test('inspector: a link restores the timeline', async (t) => {
  const changes = {
    view: 'curves',
    range: [0.1, 0.4],
    onion: { on: true, count: 1, step: 4 },
    trail: true,
    vertical: 2,
    visible: [0, 0.5],
  };
  const hash = new URLSearchParams({ clip: 'Run', t: '0.25', timeline: JSON.stringify(changes) });
  const at = await site(t, `#${hash}`);
  const { page, player, window } = at;
  await t.until(() => page.querySelector('#timeline [data-row]'), 'the panel is open');
  await t.until(() => player.viewer?.segment?.join() === '0.1,0.4', 'the range');
  const kept = ({ location }: Window): Record<string, unknown> =>
    JSON.parse(new URLSearchParams(location.hash.slice(1)).get('timeline') ?? '{}') as Record<string, unknown>;
  const rows = page.querySelectorAll<HTMLElement>('#timeline [data-row]');
  const row = t.some(t.some(rows[2]).dataset['row']);
  rows[2]?.click();
  await t.until(() => kept(window)['rows'], 'the address has the row');
  // The list may have scrolled to the row.
  const { scroll: _, ...state } = kept(window);
  t.equal(state, { ...changes, rows: [row] });
  const address = window.location.hash;
  page.defaultView?.frameElement?.remove();

  const again = await site(t, address);
  await t.until(() => again.page.querySelector(`#timeline [data-row="${row}"][aria-selected=true]`), 'the same row');
  await t.until(() => again.player.viewer?.segment?.join() === '0.1,0.4', 'the same range');
  await t.sleep(600);
  t.equal(again.window.location.hash, address, 'the same address');
});

test('inspector: an address of nonsense opens the sample with the defaults', async (t) => {
  const hash = new URLSearchParams({
    clip: 'Nobody',
    t: 'soon',
    camera: '1,2',
    timeline: '{"view":7,"range":[9,"a"],"visible":[8,9],"rows":"x","onion":null,"scroll":-3,"vertical":"big"}',
    view: '{"exposure":"much","layers":[{"clip":7}],"toneMapping":"film","node":99999,"morphs":{"a":null}}',
  });
  const { page, player, text } = await site(t, `#${hash}`);
  await t.until(() => text('model-name') === 'Sample character', 'the sample');
  await t.until(() => page.querySelector('#timeline [data-row]'), 'the timeline');
  await t.frames(5);
  t.equal([player.exposure, player.debug, player.viewer?.layers.size], [1, null, 0]);
  t.equal(
    [player.viewer?.segment, page.querySelectorAll('#timeline [data-row][aria-selected=true]').length],
    [null, 1],
  );
  t.equal(page.getElementById('failure')?.hidden, true);
});

test('inspector: panels stay beside the model, move, change their width, and are remembered', async (t) => {
  const at = await site(t);
  const { page, player, text } = at;
  await t.until(() => text('model-name') === 'Sample character', 'the sample character');
  /** The box of all joints in the picture. */
  const ends = (): { readonly [side in 'left' | 'top' | 'right' | 'bottom']: number } => {
    const viewer = t.some(player.viewer);
    const points = viewer.joints
      .filter(({ skinned }) => skinned)
      .map(({ index }) => t.some(viewer.project([0, 0, 0], index)));
    const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
    return { left: Math.min(...xs), top: Math.min(...ys), right: Math.max(...xs), bottom: Math.max(...ys) };
  };
  for (const id of ['outline', 'info']) {
    await panel(t, at, id);
    await t.until(() => {
      const box = (selector: string): DOMRect | undefined => page.querySelector(selector)?.getBoundingClientRect();
      // With little room the clips are a row above the bar.
      const [clips, isRow] = [box('#clips'), page.querySelector('.compact') !== null];
      const bar = player.shadowRoot?.querySelector('.controls')?.getBoundingClientRect().top ?? 700;
      const free = {
        left: Math.max((!isRow && clips?.right) || 0, box('.dock-left')?.right ?? 0),
        top: box('.bar')?.bottom ?? 0,
        right: Math.min(box('.rail')?.left ?? 1000, box('.dock-right')?.left ?? 1000),
        bottom: Math.min((isRow && clips?.top) || bar, bar),
      };
      const { left, top, right, bottom } = ends();
      const fills = Math.max((right - left) / (free.right - free.left), (bottom - top) / (free.bottom - free.top));
      return left > free.left && top > free.top && right < free.right && bottom < free.bottom && fills > 0.55;
    }, `the model is beside the panels, with ${id}`);
  }
  page.querySelector<HTMLElement>('#info [aria-label="Dock Model at the left"]')?.click();
  await t.until(() => page.querySelector('.dock-left #info') && !page.getElementById('outline'), 'it has moved');
  const edge = t.some(page.querySelector<HTMLElement>('.edge-left'));
  const before = Number(edge.getAttribute('aria-valuenow'));
  edge.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
  await t.until(() => page.querySelector('.edge-left')?.getAttribute('aria-valuenow') === String(before + 20), 'wider');
  const kept = JSON.parse(localStorage.getItem('gambol-inspector-layout') ?? '');
  t.equal([kept.open.left, kept.sides.info, kept.sizes.left], ['info', 'left', before + 20]);
});

test(
  'inspector: a click on the model selects its joint, in picture and tree',
  async (t) => {
    const at = await site(t);
    const { page, player, text } = at;
    await t.until(() => text('model-name') === 'Sample character', 'the sample character');
    await panel(t, at, 'outline');
    await t.until(() => page.querySelector('#outline [role=treeitem]'), 'the tree');
    player.pause();
    await t.frames(6);
    const { x, y } = t.some(t.some(player.viewer).project([0, 0.1, 0.1], 'Head'));
    const frame = t.some(page.defaultView?.frameElement).getBoundingClientRect();
    await t.act({ type: 'move', x: frame.left + x, y: frame.top + y }, { type: 'down' }, { type: 'up' });
    await t.until(() => page.querySelector('#outline [aria-selected=true]'), 'selected in the tree');
    const name = page.querySelector('#outline [aria-selected=true] .tree-name')?.textContent;
    t.equal(page.getElementById('joint-label')?.textContent, name);
    // The keys of a tree.
    const row = t.some(page.querySelector<HTMLElement>('#outline [aria-selected=true]'));
    row.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowUp', bubbles: true, cancelable: true }));
    await t.until(
      () => page.querySelector('#outline [aria-selected=true] .tree-name')?.textContent !== name,
      'the row above',
    );
  },
  { all: false },
);

test('inspector: warnings lead to their places in the JSON; the validator runs', async (t) => {
  const at = await site(t);
  const { page, window, text } = at;
  await t.until(() => text('model-name') === 'Sample character', 'the sample character');
  const frame = window as Window & typeof globalThis;
  const faulty = { ...model({}).json, materials: [{ pbrMetallicRoughness: { baseColorTexture: { index: 99 } } }] };
  const files = new frame.DataTransfer();
  files.items.add(new frame.File([JSON.stringify(faulty)], 'faulty.gltf'));
  window.dispatchEvent(new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true }));
  await t.until(() => text('model-name') === 'faulty.gltf' && text('warning-count') !== '', 'warnings');
  const report = await panel(t, at, 'report');
  await t.until(() => page.querySelector('#report .pointer'), 'a pointer');
  const pointer = t.some(page.querySelector<HTMLElement>('#report button.pointer'));
  pointer.click();
  const dialog = t.some(page.querySelector<HTMLDialogElement>('#json-dialog'));
  await t.until(() => dialog.querySelector('#json-text')?.shadowRoot?.querySelector('.json-place'), 'the place');
  t.equal(text('json-title'), pointer.textContent);
  dialog.close();
  report('Validate').click();
  await t.until(() => /Version .* error/.test(page.getElementById('report')?.textContent ?? ''), 'the validator');
});

test('inspector: a checker is in the place of a missing texture, in picture and list', async (t) => {
  const at = await site(t);
  const { page, window, player, text } = at;
  await t.until(() => text('model-name') === 'Sample character', 'the sample character');
  const { json } = model({ imageUri: 'nowhere.png' });
  const { meshes } = json as { meshes: { primitives: object[] }[] };
  const unlit = (index: number): object => ({
    pbrMetallicRoughness: { baseColorTexture: { index } },
    extensions: { KHR_materials_unlit: {} },
  });
  const two = {
    ...json,
    scenes: [{ nodes: [0, 1] }],
    nodes: [{ mesh: 0 }, { mesh: 1, translation: [3, 0, 0] }],
    meshes: [...meshes, { primitives: [{ ...meshes[0]?.primitives[0], material: 1 }] }],
    materials: [unlit(0), unlit(1)],
    textures: [{ source: 0 }, { source: 1 }],
    images: [{ uri: 'nowhere.png' }, { uri: 'green.png' }],
    extensionsUsed: ['KHR_materials_unlit'],
  };
  const frame = window as Window & typeof globalThis;
  const files = new frame.DataTransfer();
  files.items.add(new frame.File([JSON.stringify(two)], 'two.gltf'));
  files.items.add(new frame.File([await png()], 'green.png'));
  window.dispatchEvent(new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true }));
  await t.until(() => text('model-name') === 'two.gltf', 'the file');
  t.ok(text('hint').startsWith('1 texture missing'), text('hint'));
  t.equal(text('warning-count').replace(/\D/g, ''), '1');
  const viewer = t.some(player.viewer);
  viewer.toneMapping = 'none';
  const picture = await createImageBitmap(await viewer.toBlob({ width: 800, height: 400, background: '#fff' }));
  const context = t.some(new OffscreenCanvas(800, 400).getContext('2d'));
  context.drawImage(picture, 0, 0);
  const { data } = context.getImageData(0, 0, 800, 400);
  const pixels = Array.from({ length: 800 * 400 }, (_, i) => data.slice(4 * i, 4 * i + 3));
  const count = (like: (r: number, g: number, b: number) => boolean): number =>
    pixels.filter(([r = 0, g = 0, b = 0]) => like(r, g, b)).length;
  const green = count((r, g, b) => g > 200 && r < 60 && b < 60);
  const pink = count((r, g, b) => r > 200 && b > 200 && g < 120);
  const dark = count((r, g, b) => r + g + b < 180);
  t.ok(green > 5000, `the texture that is there: ${green}`);
  t.ok(Math.min(pink, dark) > 5000 && Math.abs(pink - dark) < 0.3 * pink, `cells of two colours: ${pink}, ${dark}`);
  await panel(t, at, 'materials');
  await t.until(() => page.querySelector('#materials .checker'), 'in the list');
  t.equal(page.querySelectorAll('#materials .checker').length, 1);
});

test('inspector: a dialog of UV coordinates draws its picture even if that loads later', async (t) => {
  const at = await site(t);
  const { page, window, text } = at;
  await t.until(() => text('model-name') === 'Sample character', 'the sample character');
  const { json } = model({ imageUri: 'green.png' });
  const frame = window as Window & typeof globalThis;
  const files = new frame.DataTransfer();
  files.items.add(new frame.File([JSON.stringify(json)], 'green.gltf'));
  files.items.add(new frame.File([await png(16)], 'green.png'));
  window.dispatchEvent(new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true }));
  await t.until(() => text('model-name') === 'green.gltf', 'the file');
  // The list of materials reads the picture again, which is held here.
  const read = frame.Blob.prototype.arrayBuffer;
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  frame.Blob.prototype.arrayBuffer = async function (this: Blob) {
    if ((this as File).name === 'green.png') await held;
    return read.call(this);
  };
  await panel(t, at, 'materials');
  await t.until(() => page.querySelector('#materials button.thumbnail'), 'the texture');
  page.querySelector<HTMLElement>('#materials button.thumbnail')?.click();
  const dialog = t.some(page.querySelector<HTMLDialogElement>('.uv-dialog[open]'));
  const canvas = t.some(dialog.querySelector('canvas'));
  const green = (): number => {
    const { data } = t.some(canvas.getContext('2d')).getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let at = 0; at < data.length; at += 4)
      count += Number(data[at + 1] === 255 && data[at] === 0 && data[at + 2] === 0 && data[at + 3] === 255);
    return count;
  };
  await t.until(() => /triangles/.test(canvas.getAttribute('aria-label') ?? ''), 'the coordinates');
  t.equal(green(), 0, 'without the picture');
  release();
  await t.until(() => green() > 0.9 * canvas.width * canvas.height, 'the picture, under the coordinates');
  dialog.close();
});

test('inspector: a comparison on one clock, behind a bar', async (t) => {
  const at = await site(t);
  const { page, player, text } = at;
  await t.until(() => text('model-name') === 'Sample character', 'the sample character');
  const compare = await panel(t, at, 'compare');
  compare('Dual quaternions').click();
  await t.until(() => page.querySelector('.split') && page.querySelector('.compare-canvas'), 'two sides');
  const bar = t.some(page.querySelector<HTMLElement>('.split'));
  bar.dispatchEvent(new KeyboardEvent('keydown', { key: 'Home', bubbles: true, cancelable: true }));
  await t.until(() => bar.getAttribute('aria-valuenow') === '0', 'at the left');
  t.equal(player.style.getPropertyValue('--split'), '0%');
  compare('End the comparison').click();
  await t.until(() => !page.querySelector('.compare-canvas') && !page.querySelector('.split'), 'one side');
});

test(
  'inspector: accessible in each state, on a desktop and on phones',
  async (t) => {
    const sizes = [
      [320, 640],
      [1440, 900],
      [390, 844],
      [820, 1000],
    ] as const;
    for (const [width, height] of long ? sizes : sizes.slice(0, 2)) {
      const at = await site(t, '', width, height);
      const { page, text } = at;
      await t.until(() => text('model-name') === 'Sample character', 'the sample character');
      t.equal(page.querySelectorAll('h1').length, 1);
      for (const theme of long ? ['light', 'dark'] : [width === 320 ? 'dark' : 'light']) {
        page.documentElement.dataset['theme'] = theme;
        for (const button of page.querySelectorAll<HTMLElement>('[data-panel]')) {
          if (button.getAttribute('aria-expanded') !== 'true') button.click();
          await t.until(() => page.getElementById(button.dataset['panel'] ?? ''), 'the panel');
          t.equal(await pageFaults(t.some(page.defaultView)), [], `${width} ${theme} ${button.dataset['panel']}`);
          t.ok(page.documentElement.scrollWidth <= width, 'nothing sticks out');
        }
      }
      page.defaultView?.frameElement?.remove();
    }
  },
  { timeout: long ? 300_000 : 120_000 },
);

test(
  'inspector: at a zoom of 200 % the bar, the clips and an open panel are in the window',
  async (t) => {
    const at = await site(t, '', ...ZOOMED);
    const { page, text, bar } = at;
    await t.until(() => text('model-name') === 'Sample character', 'the sample character');
    const window = t.some(page.defaultView) as Page;
    checkZoomed(t, window);
    for (const id of ['info', 'timeline', 'mix']) {
      await panel(t, at, id);
      checkZoomed(t, window);
      const sheet = t.some(page.getElementById(id)).getBoundingClientRect();
      t.ok(sheet.height >= 100 && sheet.top >= 0 && sheet.bottom <= ZOOMED[1], `${id}: ${sheet.top}, ${sheet.bottom}`);
      for (const control of [bar('play-button'), t.some(page.querySelector('.clip'))]) {
        const { left, top, width, height } = control.getBoundingClientRect();
        const root = control.getRootNode() as Document | ShadowRoot;
        const hit = root.elementFromPoint(left + width / 2, top + height / 2);
        t.ok(hit && control.contains(hit), `${id} leaves ${control.outerHTML.slice(0, 60)} free`);
      }
    }
  },
  { timeout: 150_000 },
);

test(
  'inspector: with forced colours, controls have edges, and open panels and chosen rows show',
  emulating('force-colors', async (t) => {
    const at = await site(t);
    const { page, text } = at;
    await t.until(() => text('model-name') === 'Sample character', 'the sample character');
    const window = t.some(page.defaultView) as Page;
    const every = [...page.querySelectorAll<HTMLElement>('[data-panel]')].map(({ dataset }) => dataset['panel'] ?? '');
    for (const id of every) {
      await panel(t, at, id);
      await checkForcedColors(t, window);
      const opener = t.some(page.querySelector(`[data-panel=${id}]`));
      t.equal(window.getComputedStyle(opener).outlineStyle, 'solid', `${id} is open`);
    }
  }),
  { timeout: 150_000, all: true },
);

test('inspector: files that are dropped on the character add their clips, with a report and pairs of joints', async (t) => {
  const at = await site(t);
  const { page, window, player, text } = at;
  await t.until(() => text('model-name') === 'Sample character', 'the sample character');
  const frame = window as Window & typeof globalThis;
  const drop = (name: string, content: BlobPart): void => {
    const files = new frame.DataTransfer();
    files.items.add(new frame.File([content], name));
    const drag = { dataTransfer: files, bubbles: true, cancelable: true };
    frame.dispatchEvent(new frame.DragEvent('dragenter', drag));
    const { left, top } = t.some(page.getElementById('drop-clips')).getBoundingClientRect();
    const over = { ...drag, clientX: left + 9, clientY: top + 9 };
    frame.dispatchEvent(new frame.DragEvent('dragover', over));
    t.ok(page.getElementById('drop-clips')?.classList.contains('chosen'), 'the half is highlighted');
    frame.dispatchEvent(new frame.DragEvent('drop', over));
  };
  const clips = (): number => page.querySelectorAll('.clip').length;
  const before = clips();
  drop('dance.gltf', await humanoid({ names: 'mixamo', clip: 'Salute' }).text());
  await t.until(() => clips() === before + 1, 'another clip');
  await t.until(() => player.viewer?.clip?.id === 'Salute' && !player.paused, 'it plays');
  page.querySelector<HTMLElement>('[data-panel=retarget]')?.click();
  await t.until(() => text('retarget').includes('as humanoids, Mixamo → Blender'), 'the report');
  t.ok(text('toast').includes('1 clip of dance.gltf'), text('toast'));
  // A pair by hand: the clip moves the other joint at once, and stays at its time.
  const viewer = t.some(player.viewer);
  const moved = (): string[] =>
    t
      .some(viewer.model)
      .channels(t.some(viewer.clip))
      .map(({ name }) => name ?? '');
  player.pause();
  viewer.currentTime = 0.25;
  const names = moved();
  t.ok(names.includes('UpperArmL') && !names.includes('EarL1'), names.join());
  const pairs = await panel(t, at, 'retarget');
  const list = (): HTMLSelectElement => pairs('LeftArm') as HTMLSelectElement;
  t.equal(list().value, 'UpperArmL', 'the pair that was found');
  set(list(), 'EarL1');
  await t.until(() => moved().includes('EarL1') && !moved().includes('UpperArmL'), 'another joint');
  t.equal([clips(), viewer.currentTime, player.paused, list().value], [before + 1, 0.25, true, 'EarL1']);
  const options = (): { target: Record<string, string | null> } =>
    JSON.parse(page.querySelector('#retarget pre')?.textContent ?? '') as never;
  t.equal([options().target['leftUpperArm'], options().target['rightUpperArm']], ['EarL1', 'UpperArmR']);
  frame.dispatchEvent(new KeyboardEvent('keydown', { key: 'z', ctrlKey: true, cancelable: true }));
  await t.until(() => list().value === 'UpperArmL', 'undone');
  t.equal(moved(), names);
  drop('square.glb', model({ node: 'Tail of nobody' }).glb);
  await t.until(() => !page.getElementById('failure')?.hidden, 'the message');
  t.equal([text('failure-code'), clips()], ['clip/no-match', before + 1]);
});

test(
  'inspector: a model without clips says so until it gets clips of another file',
  async (t) => {
    const { page, text, player } = await site(t);
    await t.until(() => text('model-name') === 'Sample character', 'the sample character');
    const hint = (): string => (page.getElementById('hint')?.hidden ? '' : text('hint'));
    const file = (clips: [string, number][]): string =>
      URL.createObjectURL(new Blob([model({ clips, node: 'Square' }).glb]));
    player.srcObject = file([]);
    await t.until(() => hint().includes('no animation clips'), 'the hint');
    await player.viewer?.model?.addClips(file([['Slide', 1]]));
    t.equal(hint(), '');
  },
  { all: false },
);
