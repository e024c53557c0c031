// The choice of the scene of a file: unknown scenes, and those that are shown.

import { createViewer, loadAsset } from 'gambol';
import { test } from '../page/api.ts';
import { placed } from './support/element.ts';
import { model } from './support/model.ts';
import { Scene } from './support/scene.ts';
import { picture } from './support/watch.ts';

test('scenes: a load shows the scene of its option, and unknown ones are errors', async (t) => {
  const scene = new Scene();
  const red = scene.node({ mesh: scene.square(scene.unlit([1, 0, 0])) });
  const green = scene.node({ mesh: scene.square(scene.unlit([0, 1, 0])) });
  scene.json.scenes = [
    { name: 'Day', nodes: [0, red] },
    { name: 'Night', nodes: [0, green] },
    { nodes: [0] },
    { name: 'Day', nodes: [0, red, green] },
  ];
  scene.json.scene = 1;
  const file = scene.file();
  const viewer = await createViewer(t.canvas(64, 64), { maxDpr: 1, background: [0, 0, 0, 1] });
  const colour = async (): Promise<number[]> => {
    viewer.activeCamera = 0;
    return [...(await picture(t, viewer)).data.slice(0, 3)].map((value) => Number(value > 127));
  };
  for (const [option, shown, name] of [
    [undefined, [0, 1, 0], 'Night'],
    ['Day', [1, 0, 0], 'Day'],
    [0, [1, 0, 0], 'Day'],
    ['Night', [0, 1, 0], 'Night'],
    ['1', [0, 1, 0], 'Night'],
    [3, undefined, 'Day~2'],
    ['Day~2', undefined, 'Day~2'],
  ] as const) {
    await viewer.load(file, option === undefined ? {} : { scene: option });
    t.equal(viewer.model?.scenes, ['Day', 'Night', 'Scene 3', 'Day~2']);
    t.equal(viewer.model?.scene, name);
    if (shown) t.equal(await colour(), shown, String(option));
  }
  for (const [bad, code] of [
    ['Nigth', 'scene/not-found'],
    [4, 'scene/not-found'],
    [-1, 'scene/not-found'],
    [0.5, 'scene/not-found'],
    [NaN, 'scene/not-found'],
    ['7', 'scene/not-found'],
    [null, 'argument/invalid'],
    [{}, 'argument/invalid'],
  ] as const) {
    const error = await t.throws(() => viewer.load(file, { scene: bad as never }), code);
    if (bad === 'Nigth') t.ok(String(error).includes('did you mean “Night”?'), String(error));
    t.equal(viewer.model?.scene, 'Day~2', 'the model before stays');
  }
  // A file of what is shown has its scene.
  await viewer.load(file, { scene: 'Day' });
  for (const options of [{ pose: true }, {}]) {
    const exported = await loadAsset(await viewer.exportGlb(options));
    t.equal([exported.scene, exported.scenes.length], ['Day', 4], JSON.stringify(options));
    exported.dispose();
  }
  // Models of other scenes are not shared.
  const url = URL.createObjectURL(file);
  const others = await Promise.all([0, 1].map(() => createViewer(t.canvas(), { renderer: 'shared' })));
  await Promise.all(others.map((other, index) => other.load(url, { scene: index })));
  t.equal(
    others.map((other) => other.model?.scene),
    ['Day', 'Night'],
  );
  URL.revokeObjectURL(url);
  const none = model();
  const bare = { ...none.json, scenes: undefined, scene: undefined };
  await t.throws(() => loadAsset(new Blob([JSON.stringify(bare)]), { scene: 0 }), 'scene/not-found');
});

test('scenes: the attribute of the element, whose change reloads the model', async (t) => {
  const scene = new Scene();
  const meshes = [0, 1].map((green) => scene.square(scene.unlit([1 - green, green, 0])));
  const nodes = meshes.map((mesh) => scene.node({ mesh }));
  scene.json.scenes = nodes.map((node, i) => ({ name: `Scene${i}`, nodes: [0, node] }));
  const src = URL.createObjectURL(scene.file());
  const element = placed({ src, scene: 'Scene1' });
  await t.until(() => element.loaded && element.viewer?.model?.scene === 'Scene1', 'the scene of the attribute');
  element.scene = '0';
  await t.until(() => element.loaded && element.viewer?.model?.scene === 'Scene0', 'another scene');
  element.removeAttribute('scene');
  t.equal(element.scene, null);
  URL.revokeObjectURL(src);
});
