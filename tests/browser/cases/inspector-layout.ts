// The lists and panels of the inspector, and its parts over the picture: names, widths, one bar, hints.

import { ENVIRONMENTS, namedEnvironment } from '../../../www/demo/inspect/environments.ts';
import { shortNames } from '../../../www/demo/app/short-names.ts';
import { longTests, test, type T } from '../page/api.ts';
import { humanoid } from './support/humanoid.ts';
import { panel, site, type Site } from './support/inspector.ts';
import { model } from './support/model.ts';

// `smoke.ts` opens the page on each change.
longTests();

/** Opens a file by the picker. */
async function open(t: T, { page, window, text }: Site, bytes: BlobPart, name: string): Promise<void> {
  const { File: FrameFile, DataTransfer: FrameTransfer } = window as Window & typeof globalThis;
  const files = new FrameTransfer();
  files.items.add(new FrameFile([bytes], name));
  const picker = t.some(page.querySelector<HTMLInputElement>('#file-input'));
  picker.files = files.files;
  picker.dispatchEvent(new Event('change'));
  await t.until(() => text('model-name') === name, name);
}

test('inspector lists: names are shown without the prefix that they share', async (t) => {
  for (const [names, short] of [
    [
      ['CharacterArmature|Walk', 'CharacterArmature|Run', 'CharacterArmature|Run_Shoot'],
      ['Walk', 'Run', 'Run_Shoot'],
    ],
    [
      ['HumanArmature|Man_Walk', 'HumanArmature|Man_Run', 'TPose'],
      ['Walk', 'Run', 'TPose'],
    ],
    [
      ['mixamorig:Hips', 'mixamorig:Spine', 'mixamorig:Head'],
      ['Hips', 'Spine', 'Head'],
    ],
    [
      ['mixamorigHips', 'mixamorigSpine', 'mixamorigHead'],
      ['Hips', 'Spine', 'Head'],
    ],
    // Short prefixes may be words of their own, as may names that are a prefix of others.
    [
      ['Walk', 'WalkFast', 'WalkBack'],
      ['Walk', 'WalkFast', 'WalkBack'],
    ],
    [
      ['A|Walk', 'B|Walk', 'A|Run'],
      ['Walk', 'B|Walk', 'Run'],
    ],
    [['Armature|'], ['Armature|']],
    [
      ['', ''],
      ['', ''],
    ],
  ] as const)
    t.equal(shortNames(names), short);
});

test('inspector lists: clips have short names, whole names as titles, and a sign that more follow', async (t) => {
  const at = await site(t);
  await t.until(() => at.text('model-name') !== '', 'the sample character');
  const clips = Array.from({ length: 40 }, (_, i): [string, number] => [`CharacterArmature|Clip${i}`, 1]);
  await open(t, at, model({ clips }).glb, 'many.glb');
  const names = [...at.page.querySelectorAll('.clip-name')].map(({ textContent }) => textContent);
  t.equal(names.slice(0, 2), ['Clip0', 'Clip1']);
  const button = t.some(at.page.querySelector<HTMLElement>('.clip'));
  t.ok(button.title.startsWith('CharacterArmature|Clip0, '), button.title);
  const list = t.some(at.page.getElementById('clip-list'));
  await t.until(() => list.dataset['more'] === 'below', 'more follow');
  list.scrollTop = list.scrollHeight;
  await t.until(() => list.dataset['more'] === 'above', 'the end');
  const color = at.window.getComputedStyle(t.some(at.page.getElementById('clips'))).backgroundColor;
  const [alpha = '1'] = color.match(/[\d.]+(?=\)$)/) ?? [];
  t.ok(Number(alpha) > 0.7, `the list has a backing: ${color}`);
});

test('inspector lists: joints of the outline are shown without their namespace', async (t) => {
  const at = await site(t);
  await t.until(() => at.text('model-name') !== '', 'the sample character');
  await open(t, at, humanoid({ names: 'mixamo' }), 'mixamo.glb');
  await panel(t, at, 'outline');
  await t.until(() => at.page.querySelector('.tree-row[title^="mixamorig:"]'), 'the tree');
  const row = t.some(at.page.querySelector<HTMLElement>('.tree-row[title="mixamorig:Hips"]'));
  t.equal(row.querySelector('.tree-name')?.textContent, 'Hips');
});

test('inspector panels: sliders of morph targets have the width of the panel', async (t) => {
  const at = await site(t);
  await t.until(() => at.text('model-name') !== '', 'the sample character');
  const morphs = await panel(t, at, 'morphs');
  const { name } = t.some(at.player.viewer?.model?.morphs[0]);
  const slider = morphs(name);
  t.ok(slider.offsetWidth > 200, `${slider.offsetWidth} pixels`);
});

/** The words of a part that are on more than one line: runs of letters and digits. */
function brokenWords(root: Element): string[] {
  const page = root.ownerDocument;
  const broken: string[] = [];
  const texts = page.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    // A text for screen readers has the width of a pixel, and an editor has lines of its own.
    const parent = node.parentElement;
    if (!parent || parent.getBoundingClientRect().width < 8 || parent.closest('.cm-editor, option, svg')) continue;
    for (const { index, 0: word } of (node.textContent ?? '').matchAll(/[\p{L}\p{N}]+/gu)) {
      const range = page.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      if (lines.size > 1) broken.push(word);
    }
  }
  return broken;
}

for (const width of [390, 1440])
  test(
    `inspector panels: labels and names of extensions do not break within a word, in a window of ${width} pixels`,
    async (t) => {
      const at = await site(t, '', width, 800);
      await t.until(() => at.text('model-name') !== '', 'the sample character');
      // The measure finds a word that is broken.
      const probe = at.page.createElement('p');
      probe.style.cssText = 'width: 60px; overflow-wrap: anywhere';
      probe.textContent = 'KHR_pbrSpecularGlossiness';
      at.page.body.append(probe);
      t.equal(brokenWords(probe), ['pbrSpecularGlossiness']);
      probe.remove();

      const names = ['KHR_materials_unlit', 'KHR_materials_pbrSpecularGlossiness', 'KHR_materials_variants'];
      const unlit = { KHR_materials_unlit: {}, KHR_materials_pbrSpecularGlossiness: {}, KHR_materials_clearcoat: {} };
      const json = JSON.parse(JSON.stringify(model().json)) as {
        extensionsUsed?: string[];
        materials?: object[];
        meshes: { primitives: { material?: number }[] }[];
      };
      json.extensionsUsed = [...names, 'KHR_materials_clearcoat'];
      json.materials = [{ name: 'Red', extensions: unlit }];
      for (const { primitives } of json.meshes) for (const primitive of primitives) primitive.material = 0;
      await open(t, at, JSON.stringify(json), 'unlit.gltf');
      const panels = [...at.page.querySelectorAll<HTMLElement>('[data-panel]')].map(
        ({ dataset }) => dataset['panel'] ?? '',
      );
      t.ok(panels.length > 15, `${panels.length} panels`);
      const found: Record<string, string[]> = {};
      for (const id of new Set(panels)) {
        await panel(t, at, id);
        await t.frames(2);
        const body = t.some(at.page.querySelector(`#${id} .panel-body`), id);
        const broken = brokenWords(body);
        if (broken.length > 0) found[id] = broken;
        if (id === 'model' || id === 'materials')
          t.ok(body.textContent?.includes('KHR_materials_unlit'), `${id} names the extension`);
      }
      t.equal(found, {});
    },
    { timeout: 90_000 },
  );

test('inspector panels: all names of the rail are in a window of 800 pixels', async (t) => {
  const at = await site(t, '', 1280, 800);
  await t.until(() => at.page.querySelector('.rail button'), 'the rail');
  const buttons = [...at.page.querySelectorAll<HTMLElement>('.rail button')];
  t.ok(buttons.length > 15, `${buttons.length} panels`);
  const lowest = Math.max(...buttons.map((button) => button.getBoundingClientRect().bottom));
  t.ok(lowest <= 800, `${lowest}`);
});

test('inspector panels: the timeline and the bar are one, with one scrubber; the height is kept', async (t) => {
  const at = await site(t, '', 1280, 800);
  const { page, bar, window } = at;
  await t.until(() => at.text('model-name') !== '', 'the sample character');
  t.ok(bar('timeline').offsetHeight > 0, 'the slider of the bar');
  await panel(t, at, 'timeline');
  await t.until(() => page.querySelector('.tl-playhead'), 'the playhead');
  await t.until(() => bar('timeline').offsetHeight === 0, 'the bar has no slider');
  t.equal(window.getComputedStyle(t.some(page.querySelector('.tl-time'))).display, 'none');
  t.ok(bar('time').offsetHeight > 0, 'one time');
  const dock = t.some(page.querySelector('.dock-bottom'));
  // The dock comes in by an animation.
  await t.until(
    () => Math.abs(bar('controls').getBoundingClientRect().bottom - dock.getBoundingClientRect().top) < 1.5,
    'the bar is the head of the dock',
  );
  const edge = t.some(page.querySelector<HTMLElement>('.edge-bottom'));
  const height = (): number => t.some(page.querySelector<HTMLElement>('.dock-bottom')).offsetHeight;
  const before = height();
  edge.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowUp', bubbles: true, cancelable: true }));
  await t.until(() => height() === before + 20, 'it is higher');
  t.ok(localStorage.getItem('gambol-inspector-layout')?.includes(`"bottom":${before + 20}`), 'it is kept');
});

test('inspector: a hint is at the top of the picture, and goes with a touch', async (t) => {
  const at = await site(t);
  await t.until(() => at.text('model-name') !== '', 'the sample character');
  await open(t, at, model({ clips: [] }).glb, 'still.glb');
  const hint = t.some(at.page.getElementById('hint'));
  await t.until(() => !hint.hidden && hint.textContent?.includes('no animation clips'), 'the hint');
  t.ok(hint.getBoundingClientRect().bottom < 200, `${hint.getBoundingClientRect().bottom}`);
  at.player.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
  t.equal(hint.hidden, true);
});

test('inspector: its environments differ, and so do their pictures', async (t) => {
  const seen = new Set<string>();
  for (const [name] of ENVIRONMENTS) {
    const source = namedEnvironment(name);
    t.ok(source !== undefined, name);
    seen.add(source instanceof Uint8Array ? source.join() : String(source));
  }
  t.equal(seen.size, ENVIRONMENTS.length);
  t.equal(namedEnvironment('light.hdr'), undefined);

  const at = await site(t);
  await t.until(() => at.text('model-name') !== '', 'the sample character');
  await panel(t, at, 'light');
  const pictures = (): HTMLImageElement[] => [...at.page.querySelectorAll<HTMLImageElement>('.thumbnail img')];
  await t.until(() => pictures().length === ENVIRONMENTS.length && pictures().every((one) => one.complete), 'pictures');
  const colors = pictures().map((picture) => {
    const context = t.some(new OffscreenCanvas(1, 1).getContext('2d'));
    context.imageSmoothingQuality = 'high';
    context.drawImage(picture, 0, 0, 1, 1);
    return context.getImageData(0, 0, 1, 1).data.join();
  });
  t.equal(new Set(colors).size, ENVIRONMENTS.length, colors.join(' '));
});
