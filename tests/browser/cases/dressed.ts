// Changes of materials and nodes by the page. The oracle is another file: a material that a page has changed looks to the bit as one
// that has these values in its file.

import { createViewer, type GambolError, type MaterialValues, type Viewer, type ViewerOptions } from 'gambol';
import { test, type T } from '../page/api.ts';
import { details, placed } from './support/element.ts';
import { regained } from './support/loss.ts';
import { SIZE, Scene, type Seen, lit, seen, texel, texels, through, type Json } from './support/scene.ts';
import { picture } from './support/watch.ts';
import { remote } from './support/workers.ts';

/** Browsers allow 16 contexts. */
const SHARED: ViewerOptions = { renderer: 'shared' };

/** The place of each number in the JSON of a material, by the specifications, and a value. */
const NUMBERS: readonly (readonly [name: keyof MaterialValues, path: string, value: number | readonly number[]])[] = [
  ['baseColor', 'pbrMetallicRoughness/baseColorFactor', [0.9, 0.3, 0.1, 1]],
  ['metallic', 'pbrMetallicRoughness/metallicFactor', 0.75],
  ['roughness', 'pbrMetallicRoughness/roughnessFactor', 0.3],
  ['emissive', 'emissiveFactor', [0.2, 0.1, 0.6]],
  ['normalScale', 'normalTexture/scale', 0.25],
  ['occlusionStrength', 'occlusionTexture/strength', 0.5],
  ['emissiveStrength', 'extensions/KHR_materials_emissive_strength/emissiveStrength', 2.5],
  ['ior', 'extensions/KHR_materials_ior/ior', 2],
  ['specular', 'extensions/KHR_materials_specular/specularFactor', 0.2],
  ['specularColor', 'extensions/KHR_materials_specular/specularColorFactor', [1, 0.2, 0.3]],
  ['clearcoat', 'extensions/KHR_materials_clearcoat/clearcoatFactor', 0.8],
  ['clearcoatRoughness', 'extensions/KHR_materials_clearcoat/clearcoatRoughnessFactor', 0.4],
  ['sheenColor', 'extensions/KHR_materials_sheen/sheenColorFactor', [0.9, 0.5, 0.1]],
  ['sheenRoughness', 'extensions/KHR_materials_sheen/sheenRoughnessFactor', 0.6],
  ['transmission', 'extensions/KHR_materials_transmission/transmissionFactor', 0.7],
  ['thickness', 'extensions/KHR_materials_volume/thicknessFactor', 0.4],
  ['attenuationDistance', 'extensions/KHR_materials_volume/attenuationDistance', 0.5],
  ['attenuationColor', 'extensions/KHR_materials_volume/attenuationColor', [0.2, 0.9, 0.4]],
  ['iridescence', 'extensions/KHR_materials_iridescence/iridescenceFactor', 0.9],
  ['iridescenceIor', 'extensions/KHR_materials_iridescence/iridescenceIor', 1.6],
  ['iridescenceThicknessMinimum', 'extensions/KHR_materials_iridescence/iridescenceThicknessMinimum', 200],
  ['iridescenceThicknessMaximum', 'extensions/KHR_materials_iridescence/iridescenceThicknessMaximum', 500],
  ['anisotropyStrength', 'extensions/KHR_materials_anisotropy/anisotropyStrength', 0.7],
  ['anisotropyRotation', 'extensions/KHR_materials_anisotropy/anisotropyRotation', 0.8],
  ['dispersion', 'extensions/KHR_materials_dispersion/dispersion', 2],
  ['diffuseTransmission', 'extensions/KHR_materials_diffuse_transmission/diffuseTransmissionFactor', 0.5],
  [
    'diffuseTransmissionColor',
    'extensions/KHR_materials_diffuse_transmission/diffuseTransmissionColorFactor',
    [0.4, 0.8, 0.2],
  ],
];

/** Writes a value at a path of a material; its extension is declared. */
function put(scene: Scene, material: Json, path: string, value: unknown): void {
  const keys = path.split('/');
  if (keys[0] === 'extensions') scene.use(keys[1] ?? '');
  const last = keys.pop() ?? '';
  let at = material;
  for (const key of keys) at = at[key] ??= {};
  at[last] = typeof value === 'object' ? [...(value as number[])] : value;
}

/** A lit square with a texture in each slot of the core. */
function square(change: (scene: Scene, material: Json) => void = () => undefined): Scene {
  const scene = new Scene();
  const texture = scene.texture();
  const material: Json = {
    name: 'Skin',
    pbrMetallicRoughness: { baseColorFactor: [0.6, 0.7, 0.8, 1], metallicFactor: 0.1, roughnessFactor: 0.8 },
    normalTexture: { index: texture },
    occlusionTexture: { index: texture },
  };
  const other: Json = { name: 'Other', pbrMetallicRoughness: { baseColorTexture: { index: texture } } };
  const index = scene.add('materials', material);
  scene.add('materials', other);
  change(scene, material);
  scene.node({ name: 'Body', mesh: scene.square(index) });
  const light = scene.light({ type: 'directional', intensity: 2 });
  scene.node({ rotation: [0, Math.sin(0.3), 0, Math.cos(0.3)], extensions: lit(light) });
  return scene;
}

async function sameAs(t: T, viewer: Viewer, scene: Scene, what: string): Promise<void> {
  const wanted = await through(t, scene, SHARED);
  t.equal([...(await picture(t, viewer)).data], [...(await picture(t, wanted)).data], what);
  wanted.dispose();
}

test('materials by hand: wrong arguments are errors, and nothing changes', async (t) => {
  const viewer = await through(t, square());
  const before = [...(await picture(t, viewer)).data];
  const skin = viewer.material('Skin');
  for (const wrong of [
    { baseColour: 'red' },
    { baseColor: 'reddish' },
    { baseColor: [1, 0] },
    { baseColor: [1, 0, NaN] },
    { baseColor: 1 },
    { metallic: NaN },
    { metallic: Infinity },
    { metallic: '1' },
    { metallic: 1, roughness: 'smooth' },
    { alphaMode: 'blended' },
    { doubleSided: 1 },
    { unlit: 'yes' },
    { baseColorTexture: 7 },
    { baseColorTexture: { image: 'a.png' } },
    { baseColorTexture: { source: 'a.png', material: 'Other' } },
    { baseColorTexture: { wrapS: 'round' } },
    { baseColorTexture: { texCoord: -1 } },
    { baseColorTexture: { offset: [0] } },
    { baseColorTexture: { material: 'Other', texture: 'baseColor' } },
    'red',
    7,
  ])
    await t.throws(() => skin.set(wrong as MaterialValues), 'argument/invalid');
  for (const wrong of [{ fade: -1 }, { fade: NaN }, { weight: 2 }, { weight: NaN }, { time: 1 }])
    await t.throws(() => skin.set({ metallic: 1 }, wrong), 'argument/invalid');
  await t.throws(() => skin.set({ baseColorTexture: { material: 'Othre' } }), 'material/not-found');
  await t.throws(() => viewer.material('Skni'), /did you mean “Skin”/);
  await t.throws(() => skin.set({ metallic: 1, baseColorTexture: '/missing.png' }), 'fetch/http');
  t.expectTrouble(/missing\.png/);
  await t.throws(() => skin.set({ baseColorTexture: new Blob(['no image']) }), 'image/unsupported');
  await t.throws(() => skin.set({ metallic: 1, baseColorTexture: new Image() }), 'image/broken');
  t.equal([...(await picture(t, viewer)).data], before, 'the picture is as before');
});

test(
  'materials by hand: each number looks as in a file that has it',
  async (t) => {
    // Layers that show others are on in both.
    const base: readonly (readonly [string, unknown])[] = [
      ['extensions/KHR_materials_volume/thicknessFactor', 0.2],
      ['extensions/KHR_materials_transmission/transmissionFactor', 0.3],
    ];
    for (const [name, path, value] of NUMBERS) {
      const layer = /extensions\/(\w+)/.exec(path)?.[1];
      const withLayer = (scene: Scene, material: Json): void => {
        const needed = /volume|dispersion/.test(path) ? base : [];
        for (const [at, of] of needed) put(scene, material, at, of);
        // The number has an effect only if the switch of its layer is on.
        const on = NUMBERS.find(([, other]) => layer !== undefined && other.includes(layer));
        if (on && on[0] !== name && layer !== 'KHR_materials_volume') put(scene, material, on[1], on[2]);
      };
      const viewer = await through(t, square(withLayer), SHARED);
      const before = [...(await picture(t, viewer)).data];
      await viewer.material('Skin').set({ [name]: value });
      await sameAs(
        t,
        viewer,
        square((scene, material) => {
          withLayer(scene, material);
          put(scene, material, path, value);
        }),
        name,
      );
      const shown = viewer.material('Skin').values[name as 'metallic'] as unknown;
      t.close([shown].flat() as number[], [value].flat(), 1e-6, `values.${name}`);
      await viewer.material('Skin').set({ [name]: null });
      t.equal([...(await picture(t, viewer)).data], before, `${name}: null gives back the file's`);
      viewer.dispose();
    }
  },
  { timeout: 180_000 },
);

test('materials by hand: switches look as in a file that has them', async (t) => {
  const cases: readonly (readonly [MaterialValues, (scene: Scene, material: Json) => void])[] = [
    [
      { unlit: true },
      (scene, material) => {
        scene.use('KHR_materials_unlit');
        (material.extensions ??= {}).KHR_materials_unlit = {};
      },
    ],
    [
      { alphaMode: 'mask', alphaCutoff: 0.7, baseColor: [1, 1, 1, 0.6] },
      (_, material) => {
        Object.assign(material, { alphaMode: 'MASK', alphaCutoff: 0.7 });
        material.pbrMetallicRoughness.baseColorFactor = [1, 1, 1, 0.6];
      },
    ],
    [
      { alphaMode: 'blend', baseColor: [1, 0, 0, 0.5] },
      (_, material) => {
        material.alphaMode = 'BLEND';
        material.pbrMetallicRoughness.baseColorFactor = [1, 0, 0, 0.5];
      },
    ],
  ];
  for (const [values, change] of cases) {
    const viewer = await through(t, square(), SHARED);
    const before = [...(await picture(t, viewer)).data];
    await viewer.material('Skin').set(values);
    await sameAs(t, viewer, square(change), JSON.stringify(values));
    await viewer.material('Skin').set(null);
    t.equal([...(await picture(t, viewer)).data], before, 'set(null) gives back the file');
    viewer.dispose();
  }
  const turned = (change?: (scene: Scene, material: Json) => void): Scene => {
    const scene = square(change);
    scene.json.nodes[1].rotation = [0, 1, 0, 0];
    return scene;
  };
  const viewer = await through(t, turned(), SHARED);
  t.ok(!(await seen(t, viewer)).covered(0, 0), 'a back face is hidden');
  await viewer.material('Skin').set({ doubleSided: true });
  await sameAs(
    t,
    viewer,
    turned((_, material) => (material.doubleSided = true)),
    'double-sided',
  );
});

test('materials by hand: textures by bytes, canvas, bitmap and another material', async (t) => {
  const canvas = texels();
  const blob = await new Promise<Blob>((resolve) => canvas.toBlob((made) => resolve(t.some(made))));
  const nearest = { mag: 'nearest', min: 'nearest', mip: 'none' } as const;
  const scene = new Scene();
  const plain = scene.unlit([1, 1, 1]);
  scene.json.materials[plain].name = 'Plain';
  scene.json.materials[scene.unlit([1, 1, 1], { index: scene.texture() })].name = 'Textured';
  scene.node({ mesh: scene.square(plain) });
  const viewer = await through(t, scene);
  const material = viewer.material('Plain');
  const shows = async (what: string): Promise<void> => {
    const now = await seen(t, viewer);
    const places = [
      [-0.7, 0.7, 0, 0],
      [0.7, 0.7, 3, 0],
      [-0.7, -0.7, 0, 3],
      [0.2, 0.2, 2, 1],
    ] as const;
    for (const [x, y, column, row] of places) t.equal(now.texel(x, y), texel(column, row), `${what} at ${x}, ${y}`);
  };
  const sources = [canvas, blob, URL.createObjectURL(blob), await createImageBitmap(blob), { material: 'Textured' }];
  for (const [i, source] of sources.entries()) {
    const settings = typeof source === 'object' && 'material' in source ? source : { source, ...nearest };
    await material.set({ baseColorTexture: settings });
    await shows(`source ${i}`);
    const { baseColorTexture } = material.values;
    t.equal([baseColorTexture?.own, baseColorTexture?.image], i === 4 ? [false, 0] : [true, null]);
    await material.set({ baseColorTexture: null });
    t.equal((await seen(t, viewer)).at(0.2, 0.2), [255, 255, 255], 'null gives back the file');
  }
  await material.set({ baseColorTexture: { source: blob, ...nearest, offset: [0.5, 0], scale: [0.25, 0.25] } });
  t.equal((await seen(t, viewer)).texel(0, 0), texel(2, 0), 'the transform shows one texel');
  // A canvas is read again when it is passed again.
  await material.set({ baseColorTexture: { source: canvas, ...nearest, offset: [0, 0], scale: [1, 1] } });
  const context = t.some(canvas.getContext('2d'));
  context.fillStyle = '#00ff00';
  context.fillRect(0, 0, 4, 4);
  await shows('the canvas before');
  await material.set({ baseColorTexture: { source: canvas, ...nearest } });
  t.equal((await seen(t, viewer)).at(0, 0), [0, 255, 0]);
  await viewer.material('Textured').set({ baseColorTexture: false });
  t.equal(viewer.material('Textured').values.baseColorTexture, null);
});

test('materials by hand: another actor of the model keeps its own, and a removed one leaves nothing', async (t) => {
  const scene = new Scene();
  const skin = scene.unlit([1, 1, 1]);
  scene.json.materials[skin].name = 'Skin';
  scene.node({ mesh: scene.square(skin), scale: [0.4, 0.4, 1], translation: [-0.5, 0, 0] });
  const viewer = await through(t, scene);
  const model = t.some(viewer.model);
  const objects = viewer.liveObjects();
  const other = await viewer.add(model, { position: [1, 0, 0] });
  const canvas = document.createElement('canvas');
  t.some(canvas.getContext('2d')).fillRect(0, 0, 1, 1);
  await other.material('Skin').set({ baseColor: '#ff0000' });
  const now = await seen(t, viewer);
  t.equal(
    [now.at(-0.5, 0), now.at(0.5, 0)],
    [
      [255, 255, 255],
      [255, 0, 0],
    ],
  );
  await viewer.material('Skin').set({ baseColor: '#00ff00', baseColorTexture: canvas });
  await other.material('Skin').set({ baseColorTexture: canvas });
  other.remove();
  await viewer.material('Skin').set(null);
  t.equal((await seen(t, viewer)).at(-0.5, 0), [255, 255, 255]);
  t.equal(viewer.liveObjects(), objects, 'all GL objects of changes are deleted');
});

test('materials by hand: a fade is a function of time, and the hand wins over the clip by weight', async (t) => {
  const scene = new Scene();
  const skin = scene.unlit([0, 0, 0]);
  scene.json.materials[skin].name = 'Skin';
  scene.node({ mesh: scene.square(skin) });
  scene.animate(`/materials/${skin}/pbrMetallicRoughness/baseColorFactor`, 'VEC4', [0, 2], [1, 0, 0, 1, 1, 1, 0, 1]);
  const viewer = await through(t, scene);
  viewer.timeline = 'manual';
  viewer.advance(0);
  viewer.play(0);
  viewer.advance(1);
  const color = (): readonly number[] => viewer.material('Skin').values.baseColor;
  t.close([...color()], [1, 0.5, 0, 1], 1e-6, 'the clip');
  await viewer.material('Skin').set({ baseColor: [0, 0, 1, 1] }, { weight: 0.5 });
  t.close([...color()], [0.5, 0.25, 0.5, 1], 1e-6, 'half of both');
  await viewer.material('Skin').set({ baseColor: [0, 0, 1, 1] }, { fade: 0.5 });
  t.close([...color()], [0.5, 0.25, 0.5, 1], 1e-6, 'a fade begins with what is shown');
  viewer.advance(0.25);
  t.close([...color()], [0.25, 0.625 * 0.25, 0.75, 1], 1e-5, 'in the middle of the fade, above the clip at 1.25 s');
  viewer.advance(0.25);
  t.close([...color()], [0, 0, 1, 1], 1e-6, 'the hand');
  await viewer.material('Skin').set({ baseColor: null }, { fade: 0.25 });
  viewer.advance(0.25);
  t.close([...color()], [1, 0.875, 0, 1], 1e-6, 'the clip again');
});

test('materials by hand: they survive the loss of the context', async (t) => {
  const scene = square();
  const canvas = t.canvas(64, 64);
  const viewer = await createViewer(canvas, { maxDpr: 1, background: [0, 0, 0, 1] });
  await viewer.load(scene.file());
  viewer.activeCamera = 0;
  const source = document.createElement('canvas');
  const context = t.some(source.getContext('2d'));
  context.fillStyle = 'orange';
  context.fillRect(0, 0, 300, 150);
  await viewer.material('Skin').set({ baseColorTexture: source, clearcoat: 1, roughness: 0.2 });
  const before = [...(await picture(t, viewer)).data];
  await regained(t, viewer);
  t.equal([...(await picture(t, viewer)).data], before);
});

test('materials by hand: a worker shows the same', async (t) => {
  const source = document.createElement('canvas');
  const context = t.some(source.getContext('2d'));
  context.fillStyle = 'teal';
  context.fillRect(0, 0, 300, 150);
  const values = { baseColorTexture: source, sheenColor: 'gold', roughness: 0.3 };
  const here = await through(t, square());
  await here.material('Skin').set(values);
  const there = await remote(t, { background: [0, 0, 0, 1] }, [SIZE, SIZE]);
  await there.load(square().file());
  there.activeCamera = 0;
  await there.material('Skin').set(values);
  there.node('Body').visible = true;
  t.close([...(await picture(t, there)).data], [...(await picture(t, here)).data], 1);
});

test('materials by hand: a crowd changes as a whole', async (t) => {
  const scene = new Scene();
  const skin = scene.unlit([1, 1, 1]);
  scene.json.materials[skin].name = 'Skin';
  scene.node({ name: 'Square', mesh: scene.square(skin), scale: [0.4, 0.4, 1] });
  // The camera is that of the viewer's own model, which is out of sight.
  const stage = new Scene();
  stage.node({ mesh: stage.square(stage.unlit([1, 1, 1])), translation: [9, 0, 0] });
  const viewer = await through(t, stage);
  const crowd = await viewer.addCrowd(scene.file(), {
    positions: [-0.5, 0, 0, 0.5, 0, 0],
    tints: [1, 1, 1, 1, 1, 0, 1, 1],
  });
  await crowd.material('Skin').set({ baseColor: [0, 1, 1, 1] });
  const now = await seen(t, viewer);
  t.equal(
    [now.at(-0.5, 0), now.at(0.5, 0)],
    [
      [0, 255, 255],
      [0, 0, 255],
    ],
    'the colour, and its tint',
  );
  t.equal([...crowd.material('Skin').values.baseColor], [0, 1, 1, 1]);
  await crowd.material('Skin').set(null);
  t.equal((await seen(t, viewer)).at(-0.5, 0), [255, 255, 255]);
});

test('nodes by hand: a hidden node is hidden with all below it, in place of the file and its clip', async (t) => {
  const scene = new Scene();
  const mesh = scene.square(scene.unlit([1, 1, 1]));
  const child = scene.add('nodes', { name: 'Child', mesh, scale: [0.2, 0.2, 1], translation: [0.5, 0, 0] });
  const parent = scene.node({ name: 'Parent', children: [child] });
  scene.use('KHR_node_visibility');
  scene.node({
    name: 'Hidden',
    mesh,
    scale: [0.2, 0.2, 1],
    translation: [-0.5, 0, 0],
    extensions: { KHR_node_visibility: { visible: false } },
  });
  const viewer = await through(t, scene);
  const both = async (): Promise<boolean[]> => {
    const now: Seen = await seen(t, viewer);
    return [now.covered(0.5, 0), now.covered(-0.5, 0)];
  };
  t.equal(await both(), [true, false]);
  t.equal([viewer.node('Child').visible, viewer.node('Hidden').visible], [true, false]);
  viewer.node(parent).visible = false;
  t.equal(await both(), [false, false]);
  t.equal(viewer.node('Child').visible, false);
  viewer.node('Child').visible = true;
  t.equal(await both(), [false, false], 'its parent is hidden');
  viewer.node('Hidden').visible = true;
  viewer.node('Parent').visible = true;
  t.equal(await both(), [true, true]);
  viewer.node('Parent').visible = viewer.node('Hidden').visible = viewer.node('Child').visible = null;
  t.equal(await both(), [true, false]);
  await t.throws(() => (viewer.node('Child').visible = 1 as unknown as boolean), 'argument/invalid');
  await t.throws(() => viewer.node('Chidl'), 'joint/not-found');
});

test('nodes and materials by hand: those at a point of the canvas', async (t) => {
  const scene = square();
  const viewer = await through(t, scene);
  t.equal([viewer.materialFromPoint(32, 32)?.name, viewer.nodeFromPoint(32, 32)?.name], ['Skin', 'Body']);
  viewer.node('Body').visible = false;
  t.equal([viewer.materialFromPoint(32, 32), viewer.nodeFromPoint(32, 32)], [null, null]);
  await t.throws(() => viewer.materialFromPoint(NaN, 0), 'argument/invalid');
});

test('children: gambol-material and gambol-node', async (t) => {
  const scene = new Scene();
  const skin = scene.unlit([1, 1, 1]);
  scene.json.materials[skin].name = 'Skin';
  scene.node({ name: 'Square', mesh: scene.square(skin) });
  const first = document.createElement('gambol-material');
  first.setAttribute('name', 'Skin');
  first.setAttribute('base-color', '#ff0000');
  const element = placed({ src: URL.createObjectURL(scene.file()), 'environment-image': 'none' }, first);
  const warnings = details(element, 'warning');
  await new Promise((resolve) => element.addEventListener('load', resolve));
  const viewer = t.some(element.viewer);
  viewer.activeCamera = 0;
  await t.until(async () => (await seen(t, viewer)).at(0, 0)[1] === 0, 'the colour of the child');
  const child = t.some(element.querySelector('gambol-material'));
  child.setAttribute('base-color', '#0000ff');
  await t.until(async () => (await seen(t, viewer)).at(0, 0)[2] === 255, 'its change');
  t.equal((child as HTMLElement & { baseColor: string }).baseColor, '#0000ff');
  const node = document.createElement('gambol-node');
  node.setAttribute('name', 'Square');
  node.hidden = true;
  element.append(node);
  await t.until(() => viewer.node('Square').visible === false, 'the node is hidden');
  node.remove();
  child.remove();
  await t.until(async () => (await seen(t, viewer)).at(0, 0).join() === '255,255,255', 'what the file has');
  t.equal(warnings, []);
  child.setAttribute('base-color', '#00ff00');
  child.setAttribute('roughness', 'smooth');
  element.append(child);
  await t.until(() => warnings.length > 0, 'a warning');
  t.equal((warnings[0] as unknown as GambolError).code, 'argument/invalid');
  await t.until(
    async () => (await seen(t, viewer)).at(0, 0).join() === '0,255,0',
    'what is wrong does not hold back the rest',
  );
  child.setAttribute('base-color', 'greenish');
  await t.until(() => warnings.length > 2, 'warnings about both');
  t.equal((await seen(t, viewer)).at(0, 0).join(), '0,255,0', 'the colour before');
});

test('materials by hand: exportGlb() writes them', async (t) => {
  const canvas = document.createElement('canvas');
  const context = t.some(canvas.getContext('2d'));
  context.fillStyle = '#20c040';
  context.fillRect(0, 0, 300, 150);
  const viewer = await through(t, square(), SHARED);
  await viewer.material('Skin').set({
    baseColorTexture: { source: canvas, wrapS: 'clamp', scale: [2, 3] },
    normalTexture: { material: 'Other', texture: 'baseColorTexture' },
    roughness: 0.25,
    clearcoat: 0.5,
    sheenColor: [0.25, 0.5, 0.75],
    alphaMode: 'mask',
    doubleSided: true,
    // Beyond the ranges of glTF, and without the texture that they belong to: the file would be invalid.
    metallic: 3,
    emissive: [-1, 0, 0],
    ior: 0.5,
    clearcoatNormalScale: 2,
  });
  const before = await picture(t, viewer);
  const file = await viewer.exportGlb();
  const again = await createViewer(t.canvas(SIZE, SIZE), { maxDpr: 1, background: [0, 0, 0, 1], renderer: 'shared' });
  await again.load(file);
  again.activeCamera = 0;
  t.equal(again.warnings, []);
  t.close([...(await picture(t, again)).data], [...before.data], 1, 'the file looks as the page did');
  await again.use('materials');
  const { roughness, clearcoat, sheenColor, alphaMode, doubleSided, baseColorTexture } = again.material('Skin').values;
  t.equal(
    [roughness, clearcoat, [...sheenColor], alphaMode, doubleSided],
    [0.25, 0.5, [0.25, 0.5, 0.75], 'mask', true],
  );
  const { metallic, emissive, ior, clearcoatNormalScale } = again.material('Skin').values;
  t.equal([metallic, [...emissive], ior, clearcoatNormalScale], [1, [0, 0, 0], 1, 1]);
  t.equal([baseColorTexture?.wrapS, baseColorTexture?.scale], ['clamp', [2, 3]]);
});

test('variants of the page: changes of materials by a name', async (t) => {
  const viewer = await through(t, square());
  const before = [...(await picture(t, viewer)).data];
  await t.throws(() => viewer.addVariant('', {}), 'argument/invalid');
  await t.throws(() => viewer.addVariant('Night', { Skni: { metallic: 1 } }), 'material/not-found');
  await viewer.addVariant('Night', { Skin: { baseColor: 'navy', roughness: 1 } });
  t.equal([viewer.variants, viewer.variant], [['Night'], null]);
  viewer.variant = 'Night';
  t.equal(viewer.variant, 'Night');
  const night = [...(await picture(t, viewer)).data];
  const other = await through(t, square());
  await other.material('Skin').set({ baseColor: 'navy', roughness: 1 });
  t.equal(night, [...(await picture(t, other)).data]);
  await viewer.addVariant('Night', { Skin: { baseColor: 'red' } });
  await other.material('Skin').set({ baseColor: 'red', roughness: null });
  t.equal(
    [...(await picture(t, viewer)).data],
    [...(await picture(t, other)).data],
    'a variant that is shown, replaced',
  );
  viewer.removeVariant('Night');
  t.equal([viewer.variants, viewer.variant, [...(await picture(t, viewer)).data]], [[], null, before]);
});
