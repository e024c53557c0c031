// The pages of www/examples: each shows its model, its control does what the page says, and the console stays empty. The
// smallest ones are in `everywhere/examples.ts`.

import type { ShownMaterial } from 'gambol';
import type { GambolCrowd, GambolViewer } from 'gambol/element';
import { longTests, test } from '../page/api.ts';
import { find, opened, slide, type Example } from './support/examples.ts';

// `examples.ts` runs the smallest ones on each change.
longTests();

const file = async (page: Example, name: string, source: string): Promise<File> =>
  new page.File([await (await fetch(source)).arrayBuffer()], name);

test('examples: children.html has a layer, an attachment and a label', async (t) => {
  const page = await opened(t, 'children');
  const element = find<GambolViewer>(t, page, 'gambol-viewer');
  await t.until(() => !element.paused && element.viewer?.layers.size === 1, 'the layer');
  const asked = async (): Promise<boolean> =>
    (await t.requests()).some(({ path, status }) => path === '/examples/sword.gltf' && status === 200);
  while (!(await asked())) await t.sleep(20);
  const [label, box] = [find(t, page, 'button'), element].map((one) => one.getBoundingClientRect());
  t.ok(label && box && label.left > box.left && label.right < box.right, 'the label is in the picture');
  t.ok(label && box && label.top > box.top && label.bottom < (box.top + box.bottom) / 2, 'the label is at the head');
});

test('examples: characters.html has a second character with a sword and a label, and a crowd', async (t) => {
  const page = await opened(t, 'characters');
  const [second, sword] = page.document.querySelectorAll('gambol-actor');
  const crowd = find<GambolCrowd>(t, page, 'gambol-crowd');
  await t.until(() => second?.actor && sword?.actor && crowd.crowd, 'all are on stage');
  t.equal([second?.actor?.clip?.name, second?.actor?.paused, crowd.crowd?.count], ['Wave', false, 12]);
  const button = find(t, page, 'button');
  await t.until(() => page.getComputedStyle(button).visibility === 'visible', 'the label');
  // The camera moves back until all are in the picture.
  await t.until(() => {
    const [label, box] = [button, find(t, page, 'gambol-viewer')].map((one) => one.getBoundingClientRect());
    // The second character is to the right of the middle.
    return label && box && label.left + label.right > box.left + box.right && label.right < box.right;
  }, 'at the second character');
});

test('examples: cross-fade.html plays the clip of a button', async (t) => {
  const page = await opened(t, 'cross-fade');
  await t.until(() => page.document.querySelectorAll('button').length === page.viewer.clips.length, 'the buttons');
  const run = t.some([...page.document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Run'));
  run.click();
  await t.until(() => run.getAttribute('aria-pressed') === 'true', 'the button is pressed');
  t.equal([page.viewer.clip?.name, page.viewer.paused], ['Run', false]);
  t.equal(page.document.querySelectorAll('[aria-pressed=true]').length, 1);
});

test('examples: layer.html fades the layer by its box', async (t) => {
  const page = await opened(t, 'layer');
  await t.until(() => page.viewer.layers.size === 1, 'the layer');
  const [wave] = [...page.viewer.layers];
  find(t, page, 'input').click();
  await t.until(() => wave?.weight === 0, 'no weight');
  find(t, page, 'input').click();
  await t.until(() => wave?.weight === 1, 'the whole weight');
  t.equal(page.viewer.clip?.name, 'Walk');
});

test('examples: blend-space.html mixes by its slider', async (t) => {
  const page = await opened(t, 'blend-space');
  await t.until(() => page.gait, 'the blend space');
  slide(t, page, '0.75');
  t.equal([page.gait.value, page.viewer.blend === page.gait, page.viewer.paused], [0.75, true, false]);
});

test('examples: configurator.html sets the material by its form', async (t) => {
  const page = await opened(t, 'configurator');
  const fur = (): ShownMaterial => page.viewer.material('Fur').values;
  const [color, shine, lacquer] = ['color', 'range', 'checkbox'].map((type) =>
    find<HTMLInputElement>(t, page, `[type=${type}]`),
  );
  t.some(color).value = '#0000ff';
  t.some(shine).value = '1';
  t.some(lacquer).checked = true;
  t.some(color).dispatchEvent(new Event('input', { bubbles: true }));
  await t.until(() => page.viewer.uses('materials'), 'the feature');
  await t.until(() => fur().clearcoat === 1, 'the lacquer');
  t.close([...fur().baseColor], [0, 0, 1, 1]);
  t.equal(fur().roughness, 0);
  find(t, page, 'button').click();
  await t.until(() => fur().clearcoat === 0, 'as in the file');
  t.close([...fur().baseColor, fur().roughness], [1, 1, 1, 1, 0.85], 1e-4);
});

test('examples: sword.html puts the sword into a hand', async (t) => {
  const page = await opened(t, 'sword');
  await t.until(() => page.sword, 'the sword');
  const side = (): number => t.some(page.sword.bounds).min[0] + t.some(page.sword.bounds).max[0];
  await t.until(() => side() < 0, 'in the right hand, which is at −X');
  find(t, page, '[data-joint=HandL]').click();
  await t.until(() => side() > 0, 'in the left hand');
  // The label moves with the next frame.
  await t.until(() => {
    const [label, stage] = ['#label', '.stage'].map((selector) => find(t, page, selector).getBoundingClientRect());
    return label && stage && label.top > stage.top && label.bottom < (stage.top + stage.bottom) / 2;
  }, 'the label');
});

test('examples: look-at.html turns the head to the pointer', async (t) => {
  const page = await opened(t, 'look-at');
  const { left, top, width, height } = find(t, page, 'canvas').getBoundingClientRect();
  /** The direction of the head's front to the left of the model, which is to the right of the picture. */
  const front = (): number => page.viewer.joint('Head').world[8] ?? NaN;
  const point = (x: number): boolean =>
    page.document.dispatchEvent(
      new page.PointerEvent('pointermove', { clientX: left + x * width, clientY: top + height / 2 }),
    );
  point(0.95);
  await t.until(() => front() > 0.3, 'to the right');
  point(0.05);
  await t.until(() => front() < -0.3, 'to the left');
});

test('examples: scroll.html plays by the scroll position', async (t) => {
  const page = await opened(t, 'scroll');
  const element = find<GambolViewer>(t, page, 'gambol-viewer');
  t.equal(element.currentTime, 0);
  page.scrollTo(0, page.document.documentElement.scrollHeight);
  await t.until(() => element.currentTime > 0.99 * element.duration, 'the end of the clip');
});

test(
  'examples: crowd.html gives another clip to its 500 members',
  async (t) => {
    const page = await opened(t, 'crowd');
    const { crowd } = page;
    t.equal(crowd.count, 500);
    const duration = (name: string): number => t.some(crowd.model.clips.find((clip) => clip.name === name)).duration;
    const latest = (): number => Math.max(...crowd.times());
    t.ok(latest() > duration('Walk'), `in Dance: ${latest()}`);
    [...page.document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Walk')?.click();
    await t.until(() => latest() <= duration('Walk'), 'in Walk');
  },
  { all: true },
);

test(
  'examples: still.html makes a picture',
  async (t) => {
    const page = await opened(t, 'still');
    find(t, page, 'button').click();
    const link = find<HTMLAnchorElement>(t, page, 'a[download]');
    const image = find<HTMLImageElement>(t, page, 'img');
    await t.until(() => !link.hidden && image.complete, 'the picture');
    t.equal([image.naturalWidth, image.naturalHeight, link.href === image.src], [600, 800, true]);
    t.equal(page.viewer.paused, false);
  },
  { all: true },
);

test('examples: other-file.html plays a BVH file, and the clips of a chosen file', async (t) => {
  const page = await opened(t, 'other-file');
  const status = find(t, page, '[role=status]');
  find(t, page, 'button').click();
  await t.until(() => status.textContent?.startsWith('squat.bvh: 1 new clips, 21 bones'), 'the BVH file');
  t.equal([page.viewer.clip?.index, page.viewer.paused], [14, false]);
  const hipsAt = async (time: number): Promise<number> => {
    await page.viewer.seek(time);
    return page.viewer.joint('Hips').world[13] ?? NaN;
  };
  page.viewer.pause();
  const [standing, squatting] = [await hipsAt(0), await hipsAt(1)];
  t.ok(squatting < 0.8 * standing, `it squats: ${standing}, ${squatting}`);
  const input = find<HTMLInputElement>(t, page, 'input');
  const chosen = new page.DataTransfer();
  chosen.items.add(await file(page, 'pip.glb', '/sample.glb'));
  input.files = chosen.files;
  input.dispatchEvent(new page.Event('change'));
  await t.until(() => status.textContent?.startsWith('pip.glb: 14 new clips'), 'the chosen file');
  t.equal(page.viewer.clips.length, 29);
});

test('examples: drop.html shows a chosen file, a dropped file and an error', async (t) => {
  const page = await opened(t, 'drop');
  const status = find(t, page, '[role=status]');
  await t.until(() => status.textContent?.startsWith('Pip: 14 clips,'), 'the sample');
  const input = find<HTMLInputElement>(t, page, 'input');
  const chosen = new page.DataTransfer();
  chosen.items.add(await file(page, 'sword.gltf', '/examples/sword.gltf'));
  input.files = chosen.files;
  input.dispatchEvent(new page.Event('change'));
  await t.until(() => status.textContent?.startsWith('sword.gltf: 0 clips'), 'the chosen file');
  const dropped = new page.DataTransfer();
  dropped.items.add(await file(page, 'hero.glb', '/sample.glb'));
  page.document.dispatchEvent(new page.DragEvent('drop', { dataTransfer: dropped, cancelable: true }));
  await t.until(() => status.textContent?.startsWith('hero.glb: 14 clips,'), 'the dropped file');
  const wrong = new page.DataTransfer();
  wrong.items.add(new page.File(['no model'], 'wrong.glb'));
  page.document.dispatchEvent(new page.DragEvent('drop', { dataTransfer: wrong, cancelable: true }));
  await t.until(() => !status.textContent?.includes('clips'), 'the error');
  t.ok((status.textContent ?? '').length > 20, status.textContent ?? '');
});

test('examples: index.html leads to each page', async (t) => {
  const page = await t.page('/examples/', 360, 640);
  const links = [...page.document.querySelectorAll<HTMLAnchorElement>('dt a')];
  t.ok(links.length >= 13, String(links.length));
  for (const { href, textContent } of links) {
    const text = await (await fetch(href)).text();
    t.ok(text.includes(`<h1>${textContent ?? ''}</h1>`), href);
  }
});
