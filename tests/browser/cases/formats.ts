// FBX, BVH and DirectX .x files: `load()` converts them, and the converters are loaded for them alone.

import { createViewer, loadAsset, type AssetSource, type GambolError, type Viewer } from 'gambol';
import { test, type T } from '../page/api.ts';
import { shown } from './support/element.ts';
import { bvh, directX } from './support/foreign.ts';
import { model, png } from './support/model.ts';
import { zip } from './support/zip.ts';

const text = (words: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(words);
const codes = (viewer: Viewer): string[] => viewer.warnings.map(({ code }) => code);
const names = (viewer: Viewer): string[] => viewer.clips.map(({ name }) => name);

async function viewerOf(t: T): Promise<Viewer> {
  return createViewer(t.canvas(64, 64));
}

/** The page's requests of the converters' files so far. */
async function converters(t: T): Promise<string[]> {
  return (await t.requests())
    .filter(({ path }) => /^\/gambol\/.*(formats|convert)/.test(path))
    .map(({ path }) => (path.split('/').pop() ?? '').replace(/-[A-Z0-9]{8}\./, '.'));
}

/** Answers requests of these paths, and leaves others to the server. */
function served(t: T, files: Readonly<Record<string, BodyInit>>): string[] {
  const { fetch } = globalThis;
  const asked: string[] = [];
  globalThis.fetch = (input, options) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input, location.href);
    const body = files[pathname];
    if (body === undefined) return fetch(input, options);
    asked.push(pathname);
    return Promise.resolve(new Response(body));
  };
  t.after(() => {
    globalThis.fetch = fetch;
  });
  return asked;
}

test(
  'formats: a page that loads only glTF fetches nothing of the converters; the first other file fetches them once',
  async (t) => {
    const viewer = await viewerOf(t);
    const element = await shown(t, { src: '/sample.glb', controls: '' });
    t.ok(element.loaded, 'the element');
    await viewer.load('/sample.glb');
    await viewer.load(await zip([{ path: 'a.glb', bytes: model().glb }]));
    await viewer.load(new Map([['a.gltf', model().gltf]]), { animations: ['/sample.glb'] });
    await (await loadAsset('/sample.glb')).dispose();
    t.equal(await converters(t), []);
    for (let i = 0; i < 2; i++) await viewer.load(text(directX()));
    t.equal((await converters(t)).sort(), ['convert.js', 'gambol.formats.wasm']);
  },
  { fresh: 'it counts the requests of a page' },
);

test('formats: a .x loads from a URL, with its texture beside it', async (t) => {
  const viewer = await viewerOf(t);
  const image = await png();
  const asked = served(t, { '/art/square.x': directX('skin a.png'), '/art/skin%20a.png': image });
  await viewer.load('/art/square.x');
  t.equal([names(viewer), codes(viewer)], [['Slide'], []]);
  t.close(t.some(viewer.clips[0]).duration, 1);
  t.equal(asked, ['/art/square.x', '/art/skin%20a.png']);
  t.equal(t.some(viewer.model).info.triangles, 2);
});

test('formats: a .bvh loads from a URL; its clip has the name of the file', async (t) => {
  served(t, { '/motion/turn%20around.bvh': bvh(11) });
  const asset = await loadAsset('/motion/turn%20around.bvh');
  t.equal(asset.name, 'turn around.bvh');
  t.equal(
    asset.clips.map(({ name, duration }) => [name, Math.round(duration * 1000)]),
    [['turn around', 1000]],
  );
  t.equal(
    asset.joints.slice(0, 2).map(({ name }) => name),
    ['Hips', 'Spine'],
  );
  // A quarter of a turn about Y, and centimetres.
  const { transforms } = asset.sample(0, 0.25);
  t.close(transforms.slice(0, 7), [0, 1, 0, 0, Math.SQRT1_2, 0, Math.SQRT1_2], 1e-6);
  asset.dispose();
});

test('formats: a .bvh that stands along Z is turned, with a warning; `up` of a load decides', async (t) => {
  const joint = (name: string, offset: string, inside: string): string =>
    `JOINT ${name} { OFFSET ${offset} CHANNELS 1 Xrotation ${inside} }`;
  const leg = (x: number): string =>
    joint(`Thigh${x}`, `${x} 0 -3`, joint(`Shin${x}`, '0 0 -45', 'End Site { OFFSET 0 0 -50 }'));
  const spine = joint('Spine', '0 0 45', 'End Site { OFFSET 0 0 30 }');
  const file =
    text(`HIERARCHY ROOT Hips { OFFSET 0 0 100 CHANNELS 3 Xposition Yposition Zposition ${spine} ${leg(10)} ${leg(-10)} }
    MOTION\nFrames: 1\nFrame Time: 1\n0 -50 100 0 0 0 0 0\n`);
  for (const [up, place, warnings] of [
    [undefined, [0, 1, 0.5], ['bvh/up-guessed']],
    ['z', [0, 1, 0.5], []],
    ['y', [0, -0.5, 1], []],
  ] as const) {
    const asset = await loadAsset(file, { up });
    t.close(asset.sample(0, 0).transforms.slice(0, 3), place, 1e-6);
    const found = asset.warnings.map(({ code }) => code).filter((code) => code.startsWith('bvh/'));
    t.equal(found, warnings);
    asset.dispose();
  }
  await t.throws(() => loadAsset(file, { up: 'x' as never }), 'argument/invalid');
});

test('formats: dropped files and archives, with a texture and with several formats', async (t) => {
  const viewer = await viewerOf(t);
  const image = await png();
  const skin = text(directX('art\\skin.png'));
  for (const source of [
    [new File([skin], 'hero.X'), new File([image], 'skin.png')],
    new Map<string, Blob>([
      ['a/hero.x', new Blob([skin])],
      ['a/art/Skin.PNG', image],
    ]),
    await zip([
      { path: 'a/hero.x', bytes: skin, deflate: true },
      { path: 'a/art/skin.png', bytes: new Uint8Array(await image.arrayBuffer()) },
    ]),
  ] satisfies AssetSource[]) {
    await viewer.load(source);
    t.equal([names(viewer), codes(viewer)], [['Slide'], []], Object.prototype.toString.call(source));
  }
  await viewer.load([new File([skin], 'hero.x')]);
  t.equal(codes(viewer), ['image/missing']);
  // glTF comes first.
  await viewer.load([new File([skin], 'a.x'), new File([bvh()], 'b.bvh'), new File([model().glb], 'z.vrm')]);
  t.equal([viewer.clips.length, codes(viewer)], [3, ['load/several-models']]);
  await viewer.load(await zip([{ path: 'motion/turn.bvh', bytes: text(bvh()) }]));
  t.equal(names(viewer), ['turn']);
});

test('formats: the first bytes decide, or else the extension', async (t) => {
  const viewer = await viewerOf(t);
  for (const [source, clips] of [
    [new File([directX()], 'square.bvh'), ['Slide']],
    [new File(['\ufeff', bvh()], 'turn.txt'), ['turn']],
    [text(bvh()), ['model']],
    [new File([model({ clips: [['a', 1]] }).glb], 'hero.x'), ['a']],
    [new File([model({ clips: [['a', 1]] }).gltf], 'hero.fbx'), ['a']],
  ] as const) {
    await viewer.load(source);
    t.equal(names(viewer), clips);
  }
});

test('formats: clips of other files are converted, and the warnings of their conversion are those of the model', async (t) => {
  const viewer = await viewerOf(t);
  const { glb } = model({ node: 'Square', clips: [['Own', 1]] });
  await viewer.load(glb, { animations: [new File([directX()], 'slide.x')] });
  t.equal([names(viewer), codes(viewer)], [['Own', 'Slide'], []]);
  const lying = directX().replace('{ Red }', '{ Red } { Gone }');
  await viewer.load(glb, { animations: [new File([lying], 'slide.x'), new File(['xof 0303zzz 0032'], 'a.x')] });
  t.equal(names(viewer), ['Own', 'Slide']);
  t.equal(codes(viewer).sort(), ['x/header', 'x/reference-missing']);
});

test('formats: warnings and errors have a code and a place, and the current model stays', async (t) => {
  const viewer = await viewerOf(t);
  await viewer.load(bvhFile(bvh().replace('Frames: 5', 'Frames: 9')));
  const [warning] = viewer.warnings.filter(({ code }) => code === 'bvh/frame-count');
  t.ok(/^line \d+, column \d+$/.test(warning?.pointer ?? ''), warning?.pointer);
  t.ok(warning?.message.endsWith(`(${warning.pointer}).`), warning?.message);
  for (const [source, code, place] of [
    [bvhFile(bvh().replace('OFFSET 0 140', 'OFFSET 0 x')), 'bvh/syntax', /^line 8, column 14$/],
    [bvhFile(bvh().slice(0, 90)), 'bvh/truncated', /^line \d+, column \d+$/],
    [new File(['xof 0303zzz 0032'], 'a.x'), 'x/header', /^byte \d+/],
    [new File([directX().slice(0, 150)], 'a.x'), 'x/truncated', /^line \d+, column \d+$/],
    [new File(['zzz'], 'a.bvh'), /^bvh\//, /^line 1, column 1$/],
    [new File(['Kaydara FBX Binary  \0\x1a\0'], 'a'), /^(fbx\/|convert\/no-fbx)/, /^/],
  ] as const) {
    const error = (await t.throws(() => viewer.load(source), code)) as GambolError;
    t.ok(place.test(error.pointer ?? ''), `${error.code}: ${error.pointer}`);
    t.ok(error.message.includes(error.pointer ?? '') && error.message.endsWith('.'), error.message);
    t.equal(viewer.clips.length, 1);
  }
  for (const [decodedBytes, code] of [
    [10, 'convert/too-large'],
    [1000, 'import/too-large'],
  ] as const)
    await t.throws(() => viewer.load(bvhFile(bvh(4000)), { limits: { decodedBytes } }), code);
  const abort = new AbortController();
  const load = viewer.load(bvhFile(bvh()), { signal: abort.signal });
  abort.abort();
  await t.throws(() => load, 'load/aborted');
});

function bvhFile(content: string): File {
  return new File([content], 'turn.bvh');
}

test('formats: no bytes stop the converters, and what stops one leaves the next call and the viewer alone', async (t) => {
  const { toGlb } = await import('gambol/formats');
  const viewer = await viewerOf(t);
  await viewer.load('/sample.glb');
  const good = text(directX());
  for (let i = 0; i < 60; i++) {
    const bytes = i % 2 ? good.slice() : text(bvh());
    bytes[(i * 37) % bytes.length] = (i * 101) & 0xff;
    await toGlb(bytes.subarray(0, bytes.length - ((i * 13) % 40)), 'a').catch((error: GambolError) => {
      t.ok(/^(bvh|x|convert)\//.test(error.code) && error.code !== 'convert/panic', error.message);
    });
  }
  // A trap, forced by a view that the instance cannot copy.
  const { set } = Uint8Array.prototype;
  Uint8Array.prototype.set = () => {
    throw new WebAssembly.RuntimeError('unreachable');
  };
  try {
    await t.throws(() => toGlb(good, 'a.x'), 'convert/panic');
  } finally {
    Uint8Array.prototype.set = set;
  }
  t.equal((await toGlb(good, 'a.x')).format, 'x');
  viewer.play();
  const before = viewer.currentTime;
  await t.until(() => viewer.currentTime !== before, 'it plays');
});
