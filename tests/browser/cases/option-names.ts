// Options with misspelt names: each call refuses them and names the option that was meant.

import { createViewer, GambolError, init, loadAsset, type Viewer } from 'gambol';
import { toGlb } from 'gambol/formats';
import { readGltf } from 'gambol/gltf';
import { lips } from 'gambol/lips';
import { record, replaySession } from 'gambol/record';
import { bake, diff, exportUsdz, inspect, optimize, retarget } from 'gambol/tools';
import { test } from '../page/api.ts';
import { shown } from './support/element.ts';
import { model } from './support/model.ts';

type Any = any;

const SAMPLE = '/sample.glb';

/** Calls with one option by a wrong name, and the right name. */
function calls(viewer: Viewer): Readonly<Record<string, readonly [call: () => unknown, right: string]>> {
  const any: Any = viewer;
  const joint: Any = viewer.joint('Head');
  const bytes = model().glb;
  const source = { asset: bytes };
  return {
    createViewer: [() => createViewer(document.createElement('canvas'), { autplay: true } as Any), 'autoplay'],
    'createViewer, controls': [
      () => createViewer(document.createElement('canvas'), { cameraControls: { zom: true } as Any }),
      'zoom',
    ],
    init: [() => init({ wsm: '/gambol.wasm' } as Any), 'wasm'],
    load: [() => any.load(SAMPLE, { animatons: [] }), 'animations'],
    'load, limits': [() => any.load(SAMPLE, { limits: { vertexes: 5 } }), 'vertices'],
    'load, retarget': [() => any.load(SAMPLE, { retarget: { footlok: true } }), 'footLock'],
    loadAsset: [() => loadAsset(bytes, { baseUrl: '/' } as Any), 'baseURL'],
    addClips: [() => any.model.addClips(SAMPLE, { clip: ['Walk'] }), 'clips'],
    add: [() => any.add(viewer.model, { postion: [1, 0, 0] }), 'position'],
    'add, attachTo': [() => any.add(viewer.model, { attachTo: { joint: 'Head', ofset: [0, 1, 0] } }), 'offset'],
    addSprite: [() => any.addSprite('/a.png', { sise: 1 }), 'size'],
    addCrowd: [() => any.addCrowd(viewer.model, { cout: 3 }), 'count'],
    play: [() => any.play('Wave', { transtion: 'cut' }), 'transition'],
    transitionTo: [() => any.transitionTo('Wave', { snyc: 'phase' }), 'sync'],
    'layers.add': [() => any.layers.add('Wave', { wieght: 1 }), 'weight'],
    blendSpace: [() => any.blendSpace({ clips: [['Walk', 0]], synk: 'phase' }), 'sync'],
    loadStates: [() => any.loadStates('{}', { autoPlay: false }), 'autoplay'],
    expression: [() => any.expression('happy', { wieght: 1 }), 'weight'],
    'expression.override': [() => any.expression('happy').override(1, { fad: 1 }), 'fade'],
    'morph.override': [() => any.morph('jawOpen').override(1, { wight: 1 }), 'weight'],
    setExpression: [() => any.model.setExpression('x', { morphs: {}, binry: true }), 'binary'],
    blink: [() => any.blink({ sed: 1 }), 'seed'],
    glance: [() => any.glance({ amout: 1 }), 'amount'],
    feet: [() => any.feet({ gruond: 'flat' }), 'ground'],
    setRootMotion: [() => any.setRootMotion('keep', { vertikal: true }), 'vertical'],
    place: [() => (any.place = { rotaton: [0, 0, 0, 1] }), 'rotation'],
    override: [() => joint.override({ rotation: [0, 0, 0, 1] }, { spase: 'world' }), 'space'],
    'override, transform': [() => joint.override({ translaton: [0, 0, 0] }), 'translation'],
    lookAt: [() => joint.lookAt([0, 0, 5], { limt: 1 }), 'limit'],
    ik: [() => joint.ik([0, 0, 5], { pol: [0, 0, 1] }), 'pole'],
    spring: [() => joint.spring({ stifness: 1 }), 'stiffness'],
    attach: [() => joint.attach(document.createElement('p'), [0, 0, 0], { spce: 'joint' }), 'space'],
    project: [() => any.project([0, 0, 0], 'Head', { spac: 'joint' }), 'space'],
    flipbook: [() => any.material(0).flipbook({ columns: 1, rows: 1, fsp: 3 }), 'fps'],
    moveCamera: [() => any.moveCamera({ azimut: 1 }), 'azimuth'],
    cameraLimits: [() => (any.cameraLimits = { pollar: [0, 1] }), 'polar'],
    cameraPadding: [() => (any.cameraPadding = { lft: 20 }), 'left'],
    cameraControls: [() => (any.cameraControls = { zoomSensitvity: 2 }), 'zoomSensitivity'],
    setEnvironment: [() => any.setEnvironment('studio', { signl: null }), 'signal'],
    toBlob: [() => any.toBlob({ mimetype: 'image/png' }), 'mimeType'],
    renderAt: [() => any.renderAt(0, { widht: 5 }), 'width'],
    toDataURL: [() => any.toDataURL({ qualty: 1 }), 'quality'],
    exportGlb: [() => any.exportGlb({ psoe: true }), 'pose'],
    'exportGlb, record': [() => any.exportGlb({ record: { too: 1 } }), 'to'],
    exportObj: [() => any.exportObj({ nam: 'x' }), 'name'],
    exportUsdz: [() => any.exportUsdz({ clp: 'x' }), 'clip'],
    record: [() => record(viewer, { formt: 'gif' } as Any), 'format'],
    replaySession: [() => replaySession(viewer, source as Any, { sgnal: null } as Any).catch(refused), 'signal'],
    lips: [() => lips(viewer, [] as Any, { amont: 1 } as Any), ''],
    toGlb: [() => toGlb(bytes, 'a.bvh', { metersPerUnit: 1 } as Any), 'metresPerUnit'],
    readGltf: [() => readGltf(bytes, { credential: 'omit' } as Any), 'credentials'],
    inspect: [() => inspect(bytes, { ignor: [] } as Any), 'ignore'],
    optimize: [() => optimize(bytes, { compresion: 'none' } as Any), 'compression'],
    diff: [() => diff(bytes, bytes, { onprogress: () => undefined } as Any), 'onProgress'],
    'exportUsdz of tools': [() => exportUsdz(bytes, { animaton: 'Walk' } as Any), 'animation'],
    bake: [() => bake(bytes, { interpolaton: 'step' } as Any), 'interpolation'],
    retarget: [() => retarget(bytes, [bytes], { kep: false } as Any), 'keep'],
  };
}

/** A session is checked before its options, which this case does not have. */
function refused(error: unknown): never {
  throw error instanceof GambolError && !error.message.includes('sgnal')
    ? new GambolError('argument/invalid', '“sgnal”; did you mean “signal”?')
    : error;
}

test('option names: a misspelt one is refused, and the right one is suggested', async (t) => {
  const viewer = await createViewer(t.canvas(64, 64));
  await viewer.load('/fen.glb');
  for (const [name, [call, right]] of Object.entries(calls(viewer))) {
    const error = await t
      .throws(async () => call(), 'argument/invalid')
      .catch((failure: Error) => {
        t.fail(`${name}: ${failure.message}`);
      });
    const { message } = error as GambolError;
    if (right !== '') t.ok(message.includes(`did you mean “${right}”`), `${name}: ${message}`);
  }
});

test('option names: limits of a load that are no numbers are refused before the load', async (t) => {
  for (const limit of [10n, Symbol('x'), 'many', NaN, -1, {}, null]) {
    const options = { limits: { nodes: limit } } as Any;
    const error = (await t.throws(() => loadAsset(model().glb, options), 'argument/invalid')) as GambolError;
    t.ok(error.message.includes('limits.nodes'), error.message);
  }
  (await loadAsset(model().glb, { limits: { nodes: Infinity } })).dispose();
});

test('option names: those of the element are refused, too', async (t) => {
  const element: Any = await shown(t);
  const all: readonly (readonly [call: () => unknown, right: string])[] = [
    [() => element.play({ repetition: 2 }), 'repetitions'],
    [() => element.appendAnimation('Short', { timescale: 2 }), 'timeScale'],
    [() => element.detachAnimation('Short', { fad: true }), 'fade'],
    [() => element.updateHotspot({ name: 'hotspot-a', postion: '0 0 0' }), 'position'],
    [() => element.toBlob({ idealAspct: true }), 'idealAspect'],
    [() => element.renderAt(0, { hight: 4 }), 'height'],
  ];
  for (const [call, right] of all) {
    const error = (await t.throws(async () => call(), 'argument/invalid')) as GambolError;
    t.ok(error.message.includes(`did you mean “${right}”`), error.message);
  }
});
