// ZIP archives of models, and files with missing buffers.

import { createViewer, loadAsset, type AssetSource, type GambolError, type Viewer } from 'gambol';
import { test, type T } from '../page/api.ts';
import { model, png } from './support/model.ts';
import { shown } from './support/element.ts';
import { zip, type ZipPart } from './support/zip.ts';

const text = (words: string): Uint8Array => new TextEncoder().encode(words);
const bytesOf = async (blob: Blob): Promise<Uint8Array> => new Uint8Array(await blob.arrayBuffer());

async function viewerOf(t: T): Promise<Viewer> {
  return createViewer(t.canvas(64, 64));
}

/** A .gltf in a folder with its buffer and its image. */
async function parts(change: Partial<ZipPart> = {}): Promise<ZipPart[]> {
  const { gltf, bin } = model({ bufferUri: 'data/mesh.bin', imageUri: 'skin%20a.png' });
  return [
    { path: 'hero/', bytes: new Uint8Array() },
    { path: 'hero/hero.gltf', bytes: await bytesOf(gltf), deflate: true, ...change },
    { path: 'hero/data/mesh.bin', bytes: new Uint8Array(bin), deflate: true, ...change },
    { path: 'hero/skin a.png', bytes: await bytesOf(await png()) },
    { path: '__MACOSX/hero/._hero.gltf', bytes: text('resource fork') },
    { path: 'readme.txt', bytes: text('read me') },
  ];
}

const codes = (viewer: Viewer): string[] => viewer.warnings.map(({ code }) => code);

test('archives: a .zip from any kind of source loads like the folder in it', async (t) => {
  const viewer = await viewerOf(t);
  const bytes = await zip(await parts());
  const address = URL.createObjectURL(new Blob([bytes]));
  for (const source of [
    bytes,
    bytes.buffer,
    new Blob([bytes]),
    new File([bytes], 'hero.zip'),
    address,
    [new File([bytes], 'hero.zip')],
    new Map([
      ['a/hero.zip', new Blob([bytes])],
      ['notes.txt', new Blob()],
    ]),
  ] satisfies AssetSource[]) {
    await viewer.load(model({}).glb);
    await viewer.load(source);
    t.equal([viewer.clips.length, codes(viewer)], [3, []], Object.prototype.toString.call(source));
  }
  const asset = await loadAsset(bytes);
  t.equal(asset.clips.length, 3);
  asset.dispose();
  const element = await shown(t, {});
  element.srcObject = new Blob([bytes]);
  await new Promise((resolve) => element.addEventListener('load', resolve, { once: true }));
  t.equal(element.viewer?.clips.length, 3);
});

test('archives: stored, streamed and Zip64 files are read, with a comment at the end', async (t) => {
  const viewer = await viewerOf(t);
  for (const change of [
    { deflate: false },
    { streamed: true },
    { wide: true },
    { deflate: false, wide: true, streamed: true },
  ]) {
    await viewer.load(await zip(await parts(change), 'packed by hand PK\x05\x06'));
    t.equal([viewer.clips.length, codes(viewer)], [3, []], JSON.stringify(change));
  }
});

test('archives: damaged, encrypted and oversized ones fail with codes, and the current model stays', async (t) => {
  const viewer = await viewerOf(t);
  await viewer.load(model().glb);
  const good = await zip(await parts());
  const part = (change: Partial<ZipPart>): ZipPart => ({
    path: 'a.glb',
    bytes: new Uint8Array(model().glb),
    deflate: true,
    ...change,
  });
  const wrongDirectory = good.slice();
  new DataView(wrongDirectory.buffer).setUint32(good.byteLength - 6, 7, true);
  const spanned = good.slice();
  new DataView(spanned.buffer).setUint16(good.byteLength - 18, 1, true);
  const flipped = good.slice();
  flipped[120] = (flipped[120] ?? 0) ^ 0xff;
  const cases: readonly (readonly [string, Uint8Array<ArrayBuffer>])[] = [
    ['load/archive-broken', new Uint8Array([0x50, 0x4b, 3, 4])],
    ['load/archive-broken', good.slice(0, good.byteLength / 2)],
    ['load/archive-broken', wrongDirectory],
    ['load/archive-broken', flipped],
    ['load/archive-broken', await zip([part({ checksum: 1 })])],
    ['load/archive-broken', await zip([part({ checksum: 1, deflate: false })])],
    ['load/archive-broken', await zip([part({ size: 10 })])],
    ['load/archive-broken', await zip([part({ size: 100_000 })])],
    ['load/archive-broken', await zip([part({ method: 8, deflate: false })])],
    ['load/archive-unsupported', await zip([part({ flags: 1 })])],
    ['load/archive-unsupported', await zip([part({ method: 14 })])],
    ['load/archive-unsupported', spanned],
    ['load/no-model', await zip([{ path: 'a.txt', bytes: text('a') }])],
    ['load/no-model', await zip([])],
    ['load/no-model', await zip([{ path: 'b.zip', bytes: good }])],
    ['load/not-a-model', await zip([part({ bytes: good })])],
    // Sixty-five million zeros in sixty-five thousand bytes, with the correct size in the header and with a wrong one.
    ['load/too-large', await zip([part({ bytes: new Uint8Array(65 * 2 ** 20) })])],
    ['load/too-large', await zip([part({ size: 0xfffffffe })])],
    ['load/archive-broken', await zip([part({ bytes: new Uint8Array(65 * 2 ** 20), size: 1000 })])],
    [
      'load/too-large',
      await zip(Array.from({ length: 20_001 }, (_, i) => ({ path: String(i), bytes: new Uint8Array() }))),
    ],
  ];
  for (const [i, [code, bytes]] of cases.entries()) {
    const error = (await t.throws(() => viewer.load(bytes), code)) as GambolError;
    t.ok(/^[A-Z]/.test(error.message) && error.message.endsWith('.'), `${i}: ${error.message}`);
    t.equal(viewer.clips.length, 3, String(i));
  }
});

test('archives: truncation and changed bytes fail with a code', async (t) => {
  const { glb } = model();
  const bytes = await zip([{ path: 'a.glb', bytes: new Uint8Array(glb), deflate: true }]);
  const known = /^(load|import)\//;
  const loaded = async (source: Uint8Array<ArrayBuffer>): Promise<string> =>
    loadAsset(source).then(
      (asset) => {
        asset.dispose();
        return 'load/ok';
      },
      (error: GambolError) => error.code,
    );
  for (let i = 0; i < 60; i++) {
    const cut = bytes.slice(0, Math.floor((bytes.byteLength * i) / 60));
    t.ok(known.test(await loaded(cut)), `cut ${i}`);
    const changed = bytes.slice();
    const at = i < 45 ? bytes.byteLength - 1 - i * 2 : i * 7;
    changed[at] = (changed[at] ?? 0) ^ 0x41;
    const code = await loaded(changed);
    t.ok(known.test(code), `${at}: ${code}`);
  }
});

test('archives: paths that lead out of the archive are skipped with a warning', async (t) => {
  const viewer = await viewerOf(t);
  const { gltf, bin } = model({ bufferUri: '../../mesh.bin' });
  const files: ZipPart[] = [{ path: 'a/hero.gltf', bytes: await bytesOf(gltf) }];
  for (const path of ['../mesh.bin', '/mesh.bin', 'C:\\mesh.bin', 'a/../../mesh.bin', '..\\mesh.bin'])
    files.push({ path, bytes: new Uint8Array(bin) });
  const error = (await t.throws(async () => viewer.load(await zip(files)), 'load/missing-resource')) as GambolError;
  t.ok(error.message.includes('../../mesh.bin'), error.message);
  // A path of a model must not leave the archive.
  files.push({ path: 'mesh.bin', bytes: new Uint8Array(bin) });
  await viewer.load(await zip(files));
  t.equal(codes(viewer), ['load/archive-path']);
  t.ok(viewer.warnings[0]?.message.includes('C:/mesh.bin'), viewer.warnings[0]?.message);
});

test('missing buffers: the other parts are shown, and a warning names the buffer', async (t) => {
  const viewer = await viewerOf(t);
  const { gltf, bin } = model({ bufferUri: 'mesh.bin' });
  const json = JSON.parse(await gltf.text()) as {
    buffers: object[];
    bufferViews: object[];
    accessors: object[];
    meshes: { primitives: object[] }[];
  };
  // A second primitive in a separate file.
  json.buffers.push({ uri: 'sword%20a.bin', byteLength: 36 });
  json.bufferViews.push({ buffer: 1, byteLength: 36 });
  json.accessors.push({ bufferView: json.bufferViews.length - 1, componentType: 5126, type: 'VEC3', count: 3 });
  json.meshes[0]?.primitives.push({ attributes: { POSITION: json.accessors.length - 1 } });
  const scene = new Blob([JSON.stringify(json)]);
  const load = (sword?: Blob): Promise<void> =>
    viewer.load(
      new Map<string, Blob>([
        ['hero.gltf', scene],
        ['mesh.bin', new Blob([bin])],
        ...(sword ? [['sword a.bin', sword] as const] : []),
      ]),
    );
  await load(new Blob([new Uint8Array(36)]));
  t.equal(
    codes(viewer).filter((code) => /buffer/.test(code)),
    [],
  );
  for (const [sword, code] of [
    [undefined, 'import/buffer-missing'],
    [new Blob([new Uint8Array(35)]), 'import/buffer-too-short'],
    [
      new Blob(['version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 12345\n']),
      'import/buffer-missing',
    ],
  ] as const) {
    await load(sword);
    t.equal(viewer.clips.length, 3);
    const [first] = viewer.warnings.filter((warning) => /buffer/.test(warning.code));
    t.equal(
      [first?.code, first?.message.includes('sword%20a.bin'), /^[A-Z]/.test(first?.message ?? '')],
      [code, true, true],
      first?.message,
    );
  }
  // Without the other file nothing remains to show.
  const error = (await t.throws(
    () => viewer.load(new Map([['hero.gltf', scene]])),
    'load/missing-resource',
  )) as GambolError;
  t.ok(error.message.includes('mesh.bin'), error.message);
});
