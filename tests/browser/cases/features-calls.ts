// The calls, settings and markup that need a feature: each asks for exactly the modules that it needs, and without them fails alone.

import { createViewer, loadAsset, type BlendSpace, type GambolError, type Viewer } from 'gambol';
import type { GambolViewer } from 'gambol/element';
import { lips } from 'gambol/lips';
import { record } from 'gambol/record';
import { OTHERS, freshPages, longTests, test, type T } from '../page/api.ts';
import { details, made } from './support/element.ts';
import { blocked, fetched, namesFiles, nothingFetched } from './support/features.ts';
import { bvh } from './support/foreign.ts';
import { humanoid } from './support/humanoid.ts';
import { png } from './support/model.ts';
import { even } from './support/panorama.ts';
import { Scene } from './support/scene.ts';

freshPages('they observe which features a page loads');
longTests(OTHERS);

/** Each row of the tables loads a model. */
const LONG = { timeout: 150_000 };

async function viewerOf(t: T, file = '/sample.glb'): Promise<Viewer> {
  // Browsers allow 16 contexts.
  const viewer = await createViewer(t.canvas(64, 64), { maxDpr: 1, renderer: 'shared' });
  await viewer.load(file);
  return viewer;
}

const sky = (): Blob => new Blob([even(0.5)]);

const MACHINE = {
  format: 'gambol-states',
  version: 1,
  layers: [{ name: 'base', states: { Idle: { clip: 'Idle' } }, transitions: [] }],
};

/** A file with instances of a mesh, which few files have. */
function instances(): File {
  const scene = new Scene();
  scene.use('EXT_mesh_gpu_instancing');
  const attributes = { TRANSLATION: scene.accessor('VEC3', [0, 0, 0, 1, 0, 0]) };
  scene.node({ mesh: scene.square(scene.matt([1, 0, 0])), extensions: { EXT_mesh_gpu_instancing: { attributes } } });
  return new File([scene.file()], 'instances.gltf');
}

/** A file with bumpy squares, each with its own tangents or without. */
function bumpy(...tangents: readonly boolean[]): Blob {
  const scene = new Scene();
  const normalTexture = { index: scene.texture() };
  for (const has of tangents) {
    const TANGENT = (): number =>
      scene.accessor(
        'VEC4',
        [0, 1, 2, 3].flatMap(() => [1, 0, 0, 1]),
      );
    scene.node({
      mesh: scene.square(scene.matt([0.5, 0.5, 0.5], { normalTexture }), has ? { TANGENT: TANGENT() } : {}),
    });
  }
  return scene.file();
}

function gaitOf(viewer: Viewer): BlendSpace {
  const clips: [string, number][] = [
    ['Walk', 0],
    ['Run', 1],
  ];
  return viewer.blendSpace({ clips });
}

/** The name of a call, the features that it needs, and the call. */
type Call<Result> = readonly [name: string, features: readonly string[], call: (viewer: Viewer, t: T) => Result];

const ASYNCHRONOUS: readonly Call<Promise<unknown>>[] = [
  ['addCrowd', ['crowds'], (viewer, t) => viewer.addCrowd(t.some(viewer.model), { count: 2 })],
  ['addSprite', ['extras'], async (viewer) => viewer.addSprite(await png(8))],
  ['toBlob of another size', ['extras'], (viewer) => viewer.toBlob({ width: 16 })],
  ['renderAt', ['extras'], (viewer) => viewer.renderAt(0.1, { width: 16, height: 16 })],
  ['exportGlb', ['extras'], (viewer) => viewer.exportGlb({ pose: true })],
  ['exportObj', ['extras'], (viewer) => viewer.exportObj()],
  ['exportUsdz', ['extras'], (viewer) => viewer.exportUsdz()],
  ['record', ['extras'], (viewer) => record(viewer, { format: 'apng', to: 0.1, fps: 10, width: 16, height: 16 })],
  ['setEnvironment', ['light'], (viewer) => viewer.setEnvironment(sky())],
  ['setSkyboxImage', ['light'], (viewer) => viewer.setSkyboxImage(sky())],
  ['material.set', ['materials'], (viewer) => viewer.material('Fur').set({ baseColor: 'red' })],
  ['model.addClips', ['retargeting'], (viewer, t) => t.some(viewer.model).addClips('/sample.glb')],
  [
    'model.createClip',
    ['retargeting'],
    (viewer, t) =>
      t.some(viewer.model).createClip({ name: 'New', tracks: [{ morph: 'smile', times: [0], values: [1] }] }),
  ],
  ['model.editClip', ['retargeting'], (viewer, t) => t.some(viewer.model).editClip('Wave', { reverse: true })],
  ['model.removeClip', ['retargeting'], (viewer, t) => t.some(viewer.model).removeClip('Wave')],
  ['loadStates', ['states'], (viewer) => viewer.loadStates(MACHINE)],
  ['load of motion alone', ['retargeting'], (viewer) => viewer.load(new File([bvh()], 'dance.bvh'))],
  ['load of instances', ['decoding'], (viewer) => viewer.load(instances())],
  ['load without tangents', ['decoding'], (viewer) => viewer.load(bumpy(false))],
  ['add without some tangents', ['decoding'], (viewer) => viewer.add(bumpy(true, false))],
  ['createViewer with skinOn', ['extras'], (_, t) => createViewer(t.canvas(32, 32), { skinOn: 'cpu' })],
];

test(
  'feature calls: asynchronous ones ask for their modules alone, reject without them, and work afterwards',
  async (t) => {
    const block = await blocked(t);
    for (const [name, features, call] of ASYNCHRONOUS) {
      const viewer = await viewerOf(t);
      t.equal(block.asked(), [], `${name}: before`);
      const hash = viewer.poseHash();
      const error = (await t.throws(() => call(viewer, t), 'load/chunk')) as GambolError;
      t.equal(block.asked(), features, name);
      namesFiles(t, error.message, features);
      t.equal([viewer.poseHash(), viewer.stats.actors], [hash, 1], `${name}: nothing has changed`);
      viewer.dispose();
    }
    await block.release();
    for (const [name, , call] of ASYNCHRONOUS) {
      const viewer = await viewerOf(t);
      await call(viewer, t).catch((error: unknown) => t.fail(`${name}: ${String(error)}`));
      viewer.dispose();
    }
  },
  LONG,
);

const FREE: readonly Call<unknown>[] = [
  ['play', [], (viewer) => viewer.play('Run', { transition: 'crossfade' })],
  ['layers.add', [], (viewer) => viewer.layers.add('Wave', { mask: 'ShoulderR/**' })],
  ['blendSpace', [], (viewer) => viewer.play(gaitOf(viewer))],
  ['setMarkers', [], (viewer) => viewer.setMarkers('Walk', [{ name: 'step', time: 0.1 }])],
  ['override', [], (viewer) => viewer.joint('Tail1').override({ rotation: [0, 0.3, 0, 0.95] })],
  ['lookAt', [], (viewer) => viewer.joint('Head').lookAt([0, 1, 2], { limit: 1 })],
  ['ik', [], (viewer) => viewer.joint('HandR').ik([0.4, 1.1, 0.3], { pole: [0, 0, -1] })],
  ['attach', [], (viewer, t) => viewer.joint('Head').attach(t.canvas(8, 8), [0, 0.2, 0])],
  ['loadAsset', [], async () => (await loadAsset('/sample.glb')).sample('Walk', 0.5)],
  ['add', [], (viewer, t) => viewer.add(t.some(viewer.model), { attachTo: { joint: 'Head' } })],
  ['toBlob', [], (viewer) => viewer.toBlob()],
  ['channels', [], (viewer, t) => t.some(viewer.model).channels('Walk')],
  ['project', [], (viewer) => viewer.project([0, 1, 0])],
  ['morphs', [], (viewer, t) => t.some(viewer.model).morphs],
  ['travel', [], (viewer) => viewer.travel],
  ['visible', [], (viewer) => (viewer.node('Tuft').visible = false)],
  ['background', [], (viewer) => (viewer.background = [1, 0, 0, 1])],
  ['load with tangents', [], (viewer) => viewer.load(bumpy(true))],
];

test('feature calls: those of the core ask for nothing', async (t) => {
  for (const [name, , call] of FREE) {
    const viewer = await viewerOf(t);
    await Promise.resolve(call(viewer, t)).catch((error: unknown) => t.fail(`${name}: ${String(error)}`));
    await t.frames(2);
    viewer.dispose();
  }
  await nothingFetched(t);
});

const SYNCHRONOUS: readonly Call<unknown>[] = [
  ['feet', ['body'], (viewer) => viewer.feet({ ground: () => 0 })],
  ['setRootMotion', ['body'], (viewer) => viewer.setRootMotion('in-place')],
  ['clipTravel', ['body'], (viewer) => viewer.clipTravel('Walk', 0.2)],
  ['spring', ['body'], (viewer) => viewer.joint('Tail1').spring({ stiffness: 0.5 })],
  ['ik', ['body'], (viewer) => viewer.joint('Tail5').ik([0, 0.3, -0.5], { chain: 4 })],
  ['lookAt', ['body'], (viewer) => viewer.joint('Head').lookAt([0, 1, 2], { joints: { Neck: 0.3 }, speed: 4 })],
  ['billboard', ['extras'], (viewer) => viewer.joint('Head').billboard('full')],
  ['flipbook', ['extras'], (viewer) => viewer.material(0).flipbook({ columns: 2, rows: 2 })],
  ['cell', ['extras'], (viewer) => viewer.material(0).cell],
  ['expressions', ['faces'], (viewer, t) => t.some(viewer.model).expressions],
  ['setExpression', ['faces'], (viewer, t) => t.some(viewer.model).setExpression('smirk', { morphs: {} })],
  ['expression', ['faces'], (viewer) => viewer.expression('happy')],
  ['blink', ['faces'], (viewer) => viewer.blink({ seed: 7 })],
  ['glance', ['faces'], (viewer) => viewer.glance({ seed: 7 })],
  // `lips()` calls it.
  ['expression', ['faces'], (viewer) => lips(viewer, () => 0, { cues: [{ time: 0, viseme: 'aa' }] }).stop()],
  ['values', ['materials'], (viewer) => viewer.material(0).values],
  ['pick', ['picking'], (viewer) => viewer.pick(32, 32)],
  ['nodeFromPoint', ['picking'], (viewer) => viewer.nodeFromPoint(32, 32)],
  ['surface', ['picking'], (viewer) => viewer.surface([0, 0, 0, 1, 2, 1, 0, 0])],
  ['occlusion', ['picking'], (viewer) => viewer.occlusion([0, 0, 0])],
  ['materialFromPoint', ['materials'], (viewer) => viewer.materialFromPoint(32, 32)],
  ['humanoid', ['retargeting'], (viewer, t) => t.some(viewer.model).humanoid],
];

test('feature calls: synchronous ones throw without use(), change nothing, fetch nothing, and work after it', async (t) => {
  // Fen has a face, and Pip a tail.
  const [fen, pip] = [await viewerOf(t, '/fen.glb'), await viewerOf(t)];
  for (const viewer of [fen, pip]) viewer.pause();
  for (const [name, features, call] of SYNCHRONOUS) {
    const [feature = ''] = features;
    const viewer = feature === 'faces' ? fen : pip;
    const hash = viewer.poseHash();
    const { message } = (await t.throws(() => call(viewer, t), 'feature/not-used')) as GambolError;
    t.ok(
      message.includes(`\`${feature}\``) && message.includes(`await viewer.use('${feature}')`),
      `${name}: ${message}`,
    );
    t.ok(message.includes(name) || message.startsWith('This call '), `${name}: ${message}`);
    t.equal([viewer.uses(feature as 'body'), viewer.poseHash()], [false, hash], name);
  }
  t.equal([pip.layers.size, pip.stats.actors, pip.rootMotion, pip.travel, pip.states], [0, 1, 'keep', null, null]);
  await nothingFetched(t);
  for (const [name, features, call] of SYNCHRONOUS) {
    const [feature = ''] = features;
    await pip.use(feature as 'body');
    t.ok(fen.uses(feature as 'body'), `${name}: one instance serves both viewers`);
    call(feature === 'faces' ? fen : pip, t);
  }
  t.equal(await fetched(t), ['body', 'extras', 'faces', 'materials', 'picking', 'retargeting']);
});

test('feature calls: crowd.pick() needs picking, and names of human bones are found with retargeting', async (t) => {
  const viewer = await createViewer(t.canvas(64, 64));
  await viewer.load(humanoid({ names: 'mixamo' }));
  const crowd = await viewer.addCrowd(t.some(viewer.model), { count: 2 });
  crowd.lookAt([0, 1.6, 4], { joint: 'Head', nearest: 1, speed: 4 });
  await t.frames(3);
  await t.throws(() => crowd.pick(32, 32), 'feature/not-used');
  const error = (await t.throws(() => viewer.joint('leftUpperLeg'), 'joint/not-found')) as GambolError;
  t.ok(error.message.includes("await viewer.use('retargeting')"), error.message);
  t.equal(await fetched(t), ['crowds']);
  await viewer.use('picking', 'retargeting');
  crowd.pick(32, 32);
  t.equal(viewer.joint('leftUpperLeg').index, viewer.joint('LeftUpLeg').index);
  const other = (await t.throws(() => viewer.joint('Nobody'), 'joint/not-found')) as GambolError;
  t.ok(!other.message.includes('retargeting'), other.message);
  t.equal(await fetched(t), ['crowds', 'picking', 'retargeting']);
});

const SETTINGS: readonly Call<void>[] = [
  ['skinning', ['extras'], (viewer) => void (viewer.skinning = 'dual-quaternion')],
  ['debug', ['extras'], (viewer) => void (viewer.debug = 'skeleton')],
  ['skybox', ['light'], (viewer) => void (viewer.skybox = true)],
  ['skyboxHeight', ['light'], (viewer) => void (viewer.skyboxHeight = 1)],
  ['shadowIntensity', ['light'], (viewer) => void (viewer.shadowIntensity = 0.5)],
];

test(
  'feature calls: settings ask for their modules alone, warn without them, and apply afterwards',
  async (t) => {
    const block = await blocked(t);
    for (const [name, features, set] of SETTINGS) {
      const viewer = await viewerOf(t);
      const warnings = details<GambolError>(viewer, 'warning');
      set(viewer, t);
      await t.until(() => warnings.length > 0, `the warning of ${name}`);
      t.equal([warnings.map(({ code }) => code), block.asked()], [['load/chunk'], features], name);
      namesFiles(t, warnings[0]?.message ?? '', features);
      viewer.play('Walk');
      await t.until(() => viewer.currentTime > 0, 'it plays');
      viewer.dispose();
    }
    await block.release();
    for (const [name, features, set] of SETTINGS) {
      const viewer = await viewerOf(t);
      const warnings = details<GambolError>(viewer, 'warning');
      const before = viewer.toDataURL();
      set(viewer, t);
      // The others do not change this picture.
      if (['debug', 'skybox', 'shadowIntensity'].includes(name))
        await t.until(() => viewer.toDataURL() !== before, `the effect of ${name}`);
      while (!(await fetched(t)).includes(features[0] ?? '')) await t.sleep(20);
      await t.frames(3);
      t.equal(warnings, [], name);
      viewer.dispose();
    }
    t.equal(await fetched(t), ['extras', 'light']);
  },
  LONG,
);

test('feature calls: settings with their default ask for nothing', async (t) => {
  const viewer = await viewerOf(t);
  viewer.skinning = 'linear';
  viewer.debug = 'none';
  viewer.skybox = false;
  viewer.shadowIntensity = 0;
  viewer.shadowSoftness = 0.5;
  viewer.environmentIntensity = 2;
  viewer.exposure = 1.5;
  viewer.toneMapping = 'agx';
  await t.frames(3);
  await nothingFetched(t);
});

const panorama = (): string => URL.createObjectURL(sky());
const states = (): string => URL.createObjectURL(new Blob([JSON.stringify(MACHINE)], { type: 'application/json' }));

/** Markup, and the features that it needs: the attributes and the content of an element. */
const MARKUP: readonly (readonly [
  features: readonly string[],
  attributes: Readonly<Record<string, string>>,
  content?: string,
])[] = [
  [[], {}, '<gambol-layer animation="Wave" mask="ShoulderR/**"></gambol-layer>'],
  [[], {}, '<gambol-marker animation="Walk" time="0.1" name="step"></gambol-marker>'],
  [[], {}, '<gambol-look joint="Head" target="pointer"></gambol-look>'],
  [[], {}, '<gambol-ik end="HandL" target="0.3 0.5 0.2" pole="0 0 -1"></gambol-ik>'],
  [[], {}, '<gambol-attach joint="HandR" src="/sample.glb" scale="0.2"></gambol-attach>'],
  [[], {}, '<gambol-actor src="/sample.glb" position="1 0 0"></gambol-actor>'],
  [[], {}, '<button slot="hotspot-head" data-joint="Head">Pip</button>'],
  [[], { skinning: 'linear', debug: 'none', 'shadow-intensity': '0', 'environment-image': 'neutral' }],
  [['body'], {}, '<gambol-spring chain="Tail1/**" stiffness="0.6"></gambol-spring>'],
  [['body'], {}, '<gambol-ik end="Tail5" chain="4" target="0 0.3 -0.5"></gambol-ik>'],
  [['body'], { 'root-motion': 'in-place' }],
  [['faces'], {}, '<gambol-expression name="blink" weight="0.5"></gambol-expression>'],
  [['crowds'], {}, '<gambol-crowd src="/sample.glb" count="2"></gambol-crowd>'],
  [['states'], {}, '<gambol-states><gambol-state name="Idle" animation="Idle"></gambol-state></gambol-states>'],
  [['states'], { states: '?' }],
  [['extras'], {}, '<gambol-sprite src="?" joint="Head"></gambol-sprite>'],
  [['extras'], {}, '<gambol-billboard joint="Head"></gambol-billboard>'],
  [['extras'], { debug: 'skeleton' }],
  [['extras'], { skinning: 'dual-quaternion' }],
  [['light'], { 'shadow-intensity': '0.5' }],
  [['light'], { 'environment-image': '?' }],
  [['light'], { 'skybox-image': '?' }],
  [['materials'], {}, '<gambol-material name="Fur" roughness="0.4"></gambol-material>'],
  [['retargeting'], { 'animation-src': '/sample.glb' }],
  [['picking'], {}, '<button slot="hotspot-belt" data-position="0 0.9 0.1" data-normal="0 0 1">Belt</button>'],
  [['picking', 'states'], { features: 'picking states' }],
  [
    ['body'],
    {},
    '<gambol-actor src="/sample.glb" position="1 0 0"><gambol-spring chain="Tail1/**"></gambol-spring></gambol-actor>',
  ],
];

/** An element with a row of {@link MARKUP}. `?` stands for the address of a file of the right kind. */
async function marked([[feature], attributes, content = '']: (typeof MARKUP)[number]): Promise<GambolViewer> {
  const image = URL.createObjectURL(await png(8));
  const given = Object.entries(attributes).map(([name, value]) => {
    if (value !== '?') return [name, value];
    return [name, name === 'states' ? states() : panorama()];
  });
  // Fen has a face.
  const element = made({ src: feature === 'faces' ? '/fen.glb' : '/sample.glb', ...Object.fromEntries(given) });
  element.innerHTML = content.replace('?', image);
  return element;
}

test(
  'feature calls: markup asks for its modules alone, and without them the model is shown with a warning',
  async (t) => {
    const block = await blocked(t);
    for (const row of MARKUP) {
      const [features] = row;
      const element = await marked(row);
      const name = element.outerHTML;
      const warnings = details<GambolError>(element, 'warning');
      document.body.append(element);
      await t.until(() => element.loaded, `the model of ${name}`);
      if (features.length > 0)
        await t.until(() => warnings.some(({ code }) => code === 'load/chunk'), `the warning of ${name}`);
      await t.frames(3);
      t.equal(block.asked(), [...features], name);
      for (const { code, message } of warnings) if (code === 'load/chunk') namesFiles(t, message, features);
      if (features.length === 0) t.equal(warnings, [], name);
      element.remove();
      await t.sleep(10);
    }
  },
  LONG,
);

test(
  'feature calls: markup with its modules has no warnings',
  async (t) => {
    for (const row of MARKUP) {
      const element = await marked(row);
      const name = element.outerHTML;
      const warnings = details<GambolError>(element, 'warning');
      document.body.append(element);
      await t.until(() => element.loaded, `the model of ${name}`);
      await t.frames(3);
      t.equal(warnings, [], name);
      t.equal(
        row[0].map((feature) => element.viewer?.uses(feature as 'body')),
        row[0].map(() => true),
        name,
      );
      element.remove();
      await t.sleep(10);
    }
    t.equal(await fetched(t), [
      'body',
      'crowds',
      'extras',
      'faces',
      'light',
      'materials',
      'picking',
      'retargeting',
      'states',
    ]);
  },
  LONG,
);

test('feature calls: children that are added later load their features first', async (t) => {
  const element = made({ src: '/sample.glb' });
  document.body.append(element);
  await t.until(() => element.loaded, 'the model');
  await nothingFetched(t);
  const warnings = details(element, 'warning');
  element.insertAdjacentHTML('beforeend', '<gambol-spring chain="Tail1/**"></gambol-spring>');
  const viewer = t.some(element.viewer);
  await t.until(() => viewer.uses('body'), 'the feature');
  await t.frames(3);
  t.equal([warnings, await fetched(t)], [[], ['body']]);
});

test('feature calls: points of an element need picking', async (t) => {
  const element = made({ src: '/sample.glb' });
  t.equal(element.positionAndNormalFromPoint(10, 10), null);
  document.body.append(element);
  await t.until(() => element.loaded, 'the model');
  const { left, top, width, height } = element.getBoundingClientRect();
  const point = [left + width / 2, top + height / 2] as const;
  await t.throws(() => element.positionAndNormalFromPoint(...point), 'feature/not-used');
  await t.throws(() => element.surfaceFromPoint(...point), 'feature/not-used');
  await nothingFetched(t);
  await element.use('picking');
  t.ok(element.positionAndNormalFromPoint(...point), 'the model is hit');
  t.ok(element.surfaceFromPoint(...point), 'a point of the surface');
  t.equal(await fetched(t), ['picking']);
});
