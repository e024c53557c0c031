// `gambol/model-viewer`: the scene graph of `<model-viewer>` on `<gambol-viewer>`.

import 'gambol/model-viewer';
import type { GambolViewer, Material, Model } from 'gambol/model-viewer';
import { test, type T } from '../page/api.ts';
import { details, made } from './support/element.ts';
import { Scene, seen, texel, texels, type Rgb } from './support/scene.ts';

/** A white and a grey square, side by side; the file has a variant in which the first one is grey. */
function squares(): Scene {
  const scene = new Scene();
  const [white, grey] = [scene.unlit([1, 1, 1]), scene.unlit([0.5, 0.5, 0.5])];
  Object.assign(scene.json.materials[white], { name: 'White' });
  Object.assign(scene.json.materials[grey], { name: 'Grey' });
  scene.use('KHR_materials_variants');
  scene.json.extensions = { KHR_materials_variants: { variants: [{ name: 'Dull' }] } };
  const extensions = { KHR_materials_variants: { mappings: [{ material: grey, variants: [0] }] } };
  scene.node({ mesh: scene.square(white, {}, { extensions }), scale: [0.4, 0.4, 1], translation: [-0.5, 0, 0] });
  scene.node({ mesh: scene.square(grey), scale: [0.4, 0.4, 1], translation: [0.5, 0, 0] });
  return scene;
}

async function shown(t: T, scene: Scene, attributes: Readonly<Record<string, string>> = {}): Promise<GambolViewer> {
  const src = URL.createObjectURL(scene.file());
  const element = made({ src, 'environment-image': 'none', ...attributes });
  element.style.cssText = 'width: 64px; height: 64px';
  document.body.append(element);
  await new Promise((resolve) => element.addEventListener('load', resolve, { once: true }));
  t.some(element.viewer).activeCamera = 0;
  return element;
}

const colours = async (t: T, element: GambolViewer): Promise<Rgb[]> => {
  const now = await seen(t, t.some(element.viewer));
  return [now.at(-0.5, 0), now.at(0.5, 0)];
};
/** The grey square. */
const GREY: Rgb = [187, 187, 187];
const graph = (t: T, element: GambolViewer): Model => t.some(element.model);
const first = (t: T, element: GambolViewer): Material => t.some(graph(t, element).materials[0]);

test('scene graph: materials by index and name, and their factors', async (t) => {
  t.equal(made().model, undefined);
  const element = await shown(t, squares());
  const model = graph(t, element);
  t.equal(
    model.materials.map(({ name, index }) => [name, index]),
    [
      ['White', 0],
      ['Grey', 1],
    ],
  );
  t.equal([model.getMaterialByName('Grey'), model.getMaterialByName('Gray')], [model.materials[1], null]);
  t.ok(element.model === model, 'the same object every time');
  const { pbrMetallicRoughness: pbr } = first(t, element);
  t.equal([pbr.baseColorFactor, pbr.metallicFactor, pbr.roughnessFactor], [[1, 1, 1, 1], 1, 1]);
  pbr.setBaseColorFactor([1, 0, 0, 1]);
  t.equal(pbr.baseColorFactor, [1, 0, 0, 1]);
  t.equal(await colours(t, element), [[255, 0, 0], GREY]);
  pbr.setBaseColorFactor('#00ff00');
  t.equal(await colours(t, element), [[0, 255, 0], GREY]);
  pbr.setMetallicFactor(0.25);
  pbr.setRoughnessFactor(0.75);
  t.equal([pbr.metallicFactor, pbr.roughnessFactor], [0.25, 0.75]);
});

test('scene graph: each setter of a material is read back', async (t) => {
  const material = first(t, await shown(t, squares()));
  const numbers = [
    'emissiveStrength',
    'clearcoatFactor',
    'clearcoatRoughnessFactor',
    'clearcoatNormalScale',
    'ior',
    'sheenRoughnessFactor',
    'transmissionFactor',
    'thicknessFactor',
    'attenuationDistance',
    'specularFactor',
    'iridescenceFactor',
    'iridescenceIor',
    'iridescenceThicknessMinimum',
    'iridescenceThicknessMaximum',
    'anisotropyStrength',
    'anisotropyRotation',
  ] as const;
  const colors = ['emissiveFactor', 'sheenColorFactor', 'attenuationColor', 'specularColorFactor'] as const;
  const setters = material as unknown as Record<string, (value: unknown) => void>;
  const setterOf = (name: string): string => `set${name.slice(0, 1).toUpperCase()}${name.slice(1)}`;
  for (const name of numbers) {
    setters[setterOf(name)]?.call(material, 0.625);
    t.equal(material[name], 0.625, name);
  }
  for (const name of colors) {
    setters[setterOf(name)]?.call(material, [0.25, 0.5, 0.75]);
    t.equal(material[name], [0.25, 0.5, 0.75], name);
  }
  material.setAlphaMode('MASK');
  material.setAlphaCutoff(0.25);
  material.setDoubleSided(true);
  t.equal([material.getAlphaMode(), material.getAlphaCutoff(), material.getDoubleSided()], ['MASK', 0.25, true]);
  await t.throws(() => material.setAlphaMode('CLEAR' as 'MASK'), 'argument/invalid');
});

test('scene graph: textures of an address, of a canvas and of another place, with their samplers', async (t) => {
  const canvas = texels();
  const blob = await new Promise<Blob>((resolve) => canvas.toBlob((image) => resolve(t.some(image))));
  const element = await shown(t, squares());
  const { baseColorTexture } = first(t, element).pbrMetallicRoughness;
  t.equal(baseColorTexture.texture, null);
  const texture = t.some(await element.createTexture(URL.createObjectURL(blob), 'image/png'));
  texture.sampler.setMagFilter(9728);
  texture.sampler.setMinFilter(9728);
  baseColorTexture.setTexture(texture);
  t.ok(baseColorTexture.texture === texture, 'it is read back at once');
  const at = async (x: number, y: number): Promise<Rgb> => (await seen(t, t.some(element.viewer))).texel(x, y);
  await t.until(async () => (await at(-0.78, 0.28)).join() === texel(0, 0).join(), 'the upper left texel');
  const columns = [-0.78, -0.58, -0.42, -0.22];
  for (const [row, y] of [0.28, 0.08, -0.12, -0.28].entries())
    for (const [column, x] of columns.entries()) t.equal(await at(x, y), texel(column, row));
  texture.sampler.setOffset({ u: 0.25, v: 0 });
  texture.sampler.setScale({ u: 0.25, v: 0.25 });
  await t.until(async () => (await at(-0.5, 0)).join() === texel(1, 0).join(), 'one texel by the transform');
  t.equal([texture.sampler.minFilter, texture.sampler.magFilter, texture.sampler.wrapS], [9728, 9728, 10497]);
  await t.throws(() => texture.sampler.setWrapS(7), 'argument/invalid');
  const drawn = element.createCanvasTexture();
  const source = drawn.source.element as HTMLCanvasElement;
  const paint = (color: string): void => {
    const into = t.some(source.getContext('2d'));
    into.fillStyle = color;
    into.fillRect(0, 0, source.width, source.height);
  };
  paint('#0000ff');
  baseColorTexture.setTexture(drawn);
  await t.until(async () => (await colours(t, element))[0]?.join() === '0,0,255', 'the canvas');
  paint('#ff00ff');
  drawn.source.update();
  await t.until(async () => (await colours(t, element))[0]?.join() === '255,0,255', 'the canvas, updated');
  baseColorTexture.setTexture(null);
  await t.until(async () => (await colours(t, element))[0]?.join() === '255,255,255', 'no texture');
});

test('scene graph: a texture of the file in another material, and in another model; its image', async (t) => {
  const scene = new Scene();
  const [textured, plain] = [scene.unlit([1, 1, 1], { index: scene.texture() }), scene.unlit([0.5, 0.5, 0.5])];
  Object.assign(scene.json.images[0], { name: 'Tiles' });
  for (const [at, material] of [textured, plain].entries())
    scene.node({ mesh: scene.square(material), scale: [0.4, 0.4, 1], translation: [at - 0.5, 0, 0] });
  const element = await shown(t, scene);
  const [from, to] = graph(t, element).materials.map(({ pbrMetallicRoughness }) => pbrMetallicRoughness);
  const texture = t.some(from?.baseColorTexture.texture);
  t.equal([texture.source.name, texture.source.type, texture.sampler.magFilter], ['Tiles', 'embedded', 9728]);
  const thumbnail = await (await fetch(await texture.source.createThumbnail(4, 4))).blob();
  const bitmap = await createImageBitmap(thumbnail);
  t.equal([thumbnail.type, bitmap.width, bitmap.height], ['image/png', 4, 4]);
  to?.setBaseColorFactor([1, 1, 1, 1]);
  to?.baseColorTexture.setTexture(texture);
  const corner = async (): Promise<Rgb> => (await seen(t, t.some(element.viewer))).texel(0.22, 0.28);
  await t.until(async () => (await corner()).join() === texel(0, 0).join(), 'the texture of the other material');
  // In its own place it is that of the file again.
  from?.baseColorTexture.setTexture(null);
  from?.baseColorTexture.setTexture(texture);
  const first = async (): Promise<Rgb> => (await seen(t, t.some(element.viewer))).texel(-0.78, 0.28);
  await t.until(async () => (await first()).join() === texel(0, 0).join(), 'the texture of the file');
  const other = await shown(t, squares());
  graph(t, other).materials[0]?.pbrMetallicRoughness.baseColorTexture.setTexture(texture);
  await t.until(
    async () => (await seen(t, t.some(other.viewer))).texel(-0.78, 0.28).join() === texel(0, 0).join(),
    'the texture of the other model',
  );
});

test('scene graph: texts of numbers, as sliders give them, and colours of three numbers', async (t) => {
  const element = await shown(t, squares());
  const { pbrMetallicRoughness: pbr } = first(t, element);
  pbr.setMetallicFactor('0.25' as unknown as number);
  pbr.setRoughnessFactor('0.75' as unknown as number);
  pbr.setBaseColorFactor([1, 0, 0]);
  t.equal([pbr.metallicFactor, pbr.roughnessFactor, pbr.baseColorFactor], [0.25, 0.75, [1, 0, 0, 1]]);
  const warnings = details<{ code: string }>(element, 'warning');
  element.addEventListener('warning', (event) => event.preventDefault());
  for (const wrong of ['', 'x', 'NaN', NaN, null, {}]) pbr.setMetallicFactor(wrong as number);
  await t.until(() => warnings.length >= 5, 'warnings');
  t.ok(
    warnings.every(({ code }) => code === 'argument/invalid'),
    'their code',
  );
  const texture = t.some(await element.createTexture('/a/b/tiles.png?x=1'));
  t.equal([texture.name, texture.source.name, texture.source.uri], ['tiles.png', 'tiles.png', '/a/b/tiles.png?x=1']);
  texture.name = 'Other';
  t.equal(texture.name, 'Other');
});

test('scene graph: variants of the file and of the page', async (t) => {
  const element = await shown(t, squares());
  const model = graph(t, element);
  const [white, grey] = model.materials;
  t.equal(
    [white?.isActive, grey?.isActive, white?.hasVariant('Dull'), grey?.hasVariant('Dull')],
    [true, true, false, true],
  );
  element.variantName = 'Dull';
  t.equal([white?.isActive, await colours(t, element)], [false, [GREY, GREY]]);
  const red = t.some(model.createMaterialInstanceForVariant(0, 'Red', 'Festive', false));
  red.pbrMetallicRoughness.setBaseColorFactor([1, 0, 0, 1]);
  t.equal(element.availableVariants, ['Dull', 'Festive']);
  t.equal([red.name, red.index, red.isActive, red.hasVariant('Festive')], ['Red', 2, false, true]);
  element.variantName = 'Festive';
  await t.until(async () => (await colours(t, element))[0]?.join() === '255,0,0', 'the variant of the page');
  t.equal([red.isActive, model.createMaterialInstanceForVariant(0, 'Again', 'Festive', true)], [true, null]);
  element.variantName = null;
  t.equal(await colours(t, element), [[255, 255, 255], GREY]);
  model.deleteVariant('Festive');
  t.equal(element.availableVariants, ['Dull']);
  await t.throws(() => model.createMaterialInstanceForVariant(9, 'No', 'Other', true), 'material/not-found');
});

test('scene graph: exportScene() writes materials, scale and orientation', async (t) => {
  const element = await shown(t, squares(), { scale: '1 2 3' });
  first(t, element).pbrMetallicRoughness.setBaseColorFactor([0, 0, 1, 1]);
  const before = element.getDimensions();
  for (const binary of [true, false]) {
    const file = await element.exportScene({ binary });
    t.equal(file.type, binary ? 'model/gltf-binary' : 'model/gltf+json');
    const again = made({ src: URL.createObjectURL(file), 'environment-image': 'none' });
    document.body.append(again);
    await new Promise((resolve) => again.addEventListener('load', resolve, { once: true }));
    const after = again.getDimensions();
    t.close([after.x, after.y, after.z], [before.x, before.y, before.z], 1e-5);
    t.equal(first(t, again).pbrMetallicRoughness.baseColorFactor, [0, 0, 1, 1]);
    t.equal(again.availableVariants, ['Dull']);
    again.remove();
  }
});

test('scene graph: the material at a point of the page, the JSON of the file, and failures as warnings', async (t) => {
  const element = await shown(t, squares());
  const warnings = details<{ code: string }>(element, 'warning');
  const { left, top } = element.getBoundingClientRect();
  t.equal(
    [element.materialFromPoint(left + 16, top + 32)?.name, element.materialFromPoint(left + 48, top + 32)?.name],
    ['White', 'Grey'],
  );
  t.equal(element.materialFromPoint(left + 1, top + 1), null);
  t.equal(
    (element.originalGltfJson as { materials: { name: string }[] }).materials.map(({ name }) => name),
    ['White', 'Grey'],
  );
  t.expectTrouble(/missing/);
  const lost = t.some(await element.createTexture('/missing.png'));
  first(t, element).pbrMetallicRoughness.baseColorTexture.setTexture(lost);
  await t.until(() => warnings.length > 0, 'a warning');
  t.equal([warnings[0]?.code, await colours(t, element)], ['fetch/http', [[255, 255, 255], GREY]]);
  t.equal(element.extraModels, []);
});
