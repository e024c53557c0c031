// `gambol/formats` in Node: BVH and DirectX .x files become GLB, faults have a code and a place, and nothing stops it.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { packed } from './support/files.mjs';

const { GambolError, toGlb } = await import(pathToFileURL(join(packed, 'dist/formats.js')));
const { readGltf } = await import(pathToFileURL(join(packed, 'dist/gltf.js')));
const { GambolError: same, loadAsset } = await import(pathToFileURL(join(packed, 'dist/index.js')));
const bytesOf = (text) => new TextEncoder().encode(text);

const BVH = `HIERARCHY
ROOT Hips
{
  OFFSET 0 100 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Spine
  {
    OFFSET 0 140 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 60 0
    }
  }
}
MOTION
Frames: 2
Frame Time: 0.5
0 100 0 0 0 0 0 0 0
0 100 0 0 0 90 0 0 0
`;
const X = `xof 0303txt 0032
Frame Square {
  Mesh { 3; 0;0;0;, 1;0;0;, 1;1;0;; 1; 3;0,1,2;; MeshMaterialList { 1; 1; 0;; Material { 1;0;0;1;; 0; 0;0;0;; 0;0;0;; TextureFilename { "skin 1.png"; } } } }
}
AnimationSet Slide { Animation { { Square } AnimationKey { 2; 2; 0;3;0,0,0;;, 4800;3;1,0,0;;; } } }
`;

const FBX = `; FBX 7.4.0 project file
FBXHeaderExtension:  {
  FBXVersion: 7400
}
Objects:  {
  Geometry: 1, "Geometry::Triangle", "Mesh" {
    Vertices: *9 {
      a: 0,0,0,100,0,0,100,100,0
    }
    PolygonVertexIndex: *3 {
      a: 0,1,-3
    }
  }
  Model: 2, "Model::Triangle", "Mesh" {
    Version: 232
  }
}
Connections:  {
  C: "OO",2,0
  C: "OO",1,2
}
`;

/** The JSON of a GLB. */
function jsonOf(glb) {
  const view = new DataView(glb.buffer, glb.byteOffset);
  assert.deepEqual([view.getUint32(0, true), view.getUint32(8, true)], [0x46546c67, glb.byteLength]);
  return JSON.parse(new TextDecoder().decode(glb.subarray(20, 20 + view.getUint32(12, true))));
}

test('toGlb: a BVH becomes nodes and a clip, in metres', async () => {
  const { glb, warnings, format } = await toGlb(bytesOf(BVH), 'walk.bvh');
  assert.deepEqual([format, warnings], ['bvh', []]);
  const { animations, nodes } = jsonOf(glb);
  assert.equal(animations[0].name, 'walk');
  assert.deepEqual(
    nodes.slice(0, 2).map(({ name }) => name),
    ['Hips', 'Spine'],
  );
  const asset = await loadAsset(glb);
  const [hips] = [asset.sample(0, 0.5).transforms.slice(0, 7)];
  const expected = [0, 1, 0, 0, Math.SQRT1_2, 0, Math.SQRT1_2];
  for (const [i, value] of expected.entries()) assert.ok(Math.abs(hips[i] - value) < 1e-6, `${i}: ${hips[i]}`);
  const inches = await loadAsset((await toGlb(bytesOf(BVH), 'walk.bvh', { metresPerUnit: 0.0254 })).glb);
  assert.ok(Math.abs(inches.sample(0, 0).transforms[1] - 2.54) < 1e-6);
});

test('toGlb: a BVH that stands along Z is turned, with a warning; `up` decides', async () => {
  const leg = (
    x,
  ) => `JOINT Thigh${x} { OFFSET ${x} 0 -2 CHANNELS 1 Xrotation JOINT Shin${x} { OFFSET 0 0 -43 CHANNELS 1 Xrotation
    End Site { OFFSET 0 0 -45 } } }`;
  const file = `HIERARCHY ROOT Hips { OFFSET 0 0 90 CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
    JOINT Spine { OFFSET 0 0 50 CHANNELS 1 Xrotation End Site { OFFSET 0 0 30 } } ${leg(9)} ${leg(-9)} }
    MOTION\nFrames: 1\nFrame Time: 1\n1 2 90 0 0 0 0 0 0 0 0\n`;
  const of = async (options) => {
    const { glb, warnings } = await toGlb(bytesOf(file), 'a.bvh', { metresPerUnit: 1, ...options });
    const [hips] = jsonOf(glb).nodes;
    return [hips.translation, warnings.map(({ code }) => code)];
  };
  assert.deepEqual(await of({}), [[0, 90, 0], ['bvh/up-guessed']]);
  assert.deepEqual(await of({ up: 'z' }), [[0, 90, 0], []]);
  assert.deepEqual(await of({ up: 'y' }), [[0, 0, 90], []]);
});

test('toGlb: a .x becomes a mesh, a clip and the URI of its texture; an ArrayBuffer does as well', async () => {
  const { glb, format } = await toGlb(bytesOf(X).buffer, 'hero');
  assert.equal(format, 'x');
  const { animations, images, meshes } = jsonOf(glb);
  assert.deepEqual([animations[0].name, meshes.length, images[0].uri], ['Slide', 1, 'skin%201.png']);
});

test('toGlb: an FBX becomes a mesh; a damaged one is an error with a place', async (t) => {
  const call = toGlb(bytesOf(FBX), 'triangle');
  if (
    (await call.then(
      () => '',
      ({ code }) => code,
    )) === 'convert/no-fbx'
  )
    return t.skip('this build has no FBX');
  const { glb, format } = await call;
  assert.equal(format, 'fbx');
  const { info, joints } = await loadAsset(glb);
  assert.deepEqual([info.vertices, info.triangles, joints[0].name], [3, 1, 'Triangle']);
  await assert.rejects(toGlb(bytesOf('Kaydara FBX Binary  \0\x1a\0??????'), 'a'), ({ code, pointer }) => {
    assert.match(`${code} ${pointer}`, /^fbx\/[a-z-]+ byte \d+/);
    return true;
  });
});

test('toGlb: calls at the same time and one after the other have the same result', async () => {
  const calls = await Promise.all([0, 1, 2].map(() => toGlb(bytesOf(X), 'a.x')));
  calls.push(await toGlb(bytesOf(X), 'a.x'));
  for (const { glb } of calls) assert.deepEqual(glb, calls[0].glb);
  assert.equal(new Set(calls.map(({ glb }) => glb.buffer)).size, calls.length);
});

test('toGlb: a fault has a code and a place; a repair is a warning with both', async () => {
  const { warnings } = await toGlb(bytesOf(BVH.replace('Frames: 2', 'Frames: 7')), 'a.bvh');
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ['bvh/frame-count'],
  );
  assert.match(warnings[0].message, /^[A-Z].+ \(line \d+, column \d+\)\.$/);
  assert.match(warnings[0].pointer, /^line \d+, column \d+$/);
  for (const [bytes, code, pointer] of [
    [BVH.replace('0 140 0', '0 ? 0'), 'bvh/syntax', 'line 8, column 14'],
    ['xof 0303txt 0032\nFrame {', 'x/truncated', /^line 2/],
    ['xof 0303bzi 0032', 'x/header', /^byte/],
    ['glTF', 'convert/unknown-format', undefined],
    ['', 'convert/unknown-format', undefined],
  ]) {
    const error = await toGlb(bytesOf(bytes), 'a').then(assert.fail, (thrown) => thrown);
    assert.ok(error instanceof GambolError && error instanceof same, String(error));
    assert.equal(error.code, code, error.message);
    if (pointer === undefined) assert.equal(error.pointer, undefined);
    else assert.match(error.pointer, new RegExp(pointer));
    assert.ok(error.message.includes(error.pointer ?? ''), error.message);
  }
  await assert.rejects(toGlb(bytesOf(BVH), 'a.bvh', { decodedBytes: 10 }), { code: 'convert/too-large' });
});

test('toGlb: formats that are not read are named in the words of readGltf()', async () => {
  const table = readFileSync(new URL('../../crates/gltf/src/other_formats.rs', import.meta.url), 'latin1');
  const rows = table.slice(table.indexOf('const FORMATS'), table.indexOf('pub fn other_format'));
  const named = new Set();
  // Every text of the table, as the beginning of a file and as the extension of a name.
  for (const [, quoted] of rows.matchAll(/"((?:[^"\\]|\\.)*)"/g)) {
    const text = JSON.parse(`"${quoted}"`);
    for (const [bytes, name] of [
      [bytesOf(`${text.replaceAll('?', '\0')} 1`), 'model'],
      [bytesOf('\0'), `a.${text}`],
    ]) {
      const message = (call) =>
        call.then(
          () => '',
          (error) => error.message,
        );
      const words = (said) => /is (.*, which gambol does not read\. .*)$/.exec(said)?.[1];
      const said = words(await message(toGlb(bytes, name)));
      assert.equal(words(await message(readGltf(new File([bytes], name)))), said, `${text} ${name}`);
      if (said !== undefined) named.add(said);
    }
  }
  assert.equal(named.size, rows.split('row(').length - 1);
  await assert.rejects(toGlb(bytesOf('<COLLADA>'), 'hero.dae'), {
    code: 'convert/unknown-format',
    message: /^The file is a COLLADA document, which gambol does not read\. Convert it with Assimp/,
  });
});

test('toGlb: invalid arguments and aborted calls reject with their codes', async () => {
  for (const given of [
    [],
    ['text', 'a.bvh'],
    [new Float32Array(4), 'a.bvh'],
    [bytesOf(BVH)],
    [bytesOf(BVH), 7],
    [bytesOf(BVH), 'a.bvh', null],
    [bytesOf(BVH), 'a.bvh', { metresPerUnit: 0 }],
    [bytesOf(BVH), 'a.bvh', { metresPerUnit: '1' }],
    [bytesOf(BVH), 'a.bvh', { up: 'Z' }],
    [bytesOf(BVH), 'a.bvh', { decodedBytes: NaN }],
    [bytesOf(BVH), 'a.bvh', { signal: {} }],
  ])
    await assert.rejects(toGlb(...given), { code: 'argument/invalid' }, JSON.stringify(given));
  await assert.rejects(toGlb(bytesOf(BVH), 'a.bvh', { signal: AbortSignal.abort() }), {
    code: 'load/aborted',
    name: 'AbortError',
  });
  const abort = new AbortController();
  const call = toGlb(bytesOf(BVH), 'a.bvh', { signal: abort.signal });
  abort.abort();
  await assert.rejects(call, { code: 'load/aborted' });
});

test('toGlb: damaged files are errors with a code or are repaired, and never stop the converter', async () => {
  let seed = 7;
  const random = (below) => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed % below;
  };
  for (let i = 0; i < 400; i++) {
    const bytes = bytesOf(i % 2 ? BVH : X);
    for (let k = random(4); k >= 0; k--) bytes[random(bytes.length)] = random(256);
    const cut = bytes.subarray(0, i % 3 ? bytes.length : random(bytes.length));
    await toGlb(cut, i % 2 ? 'a.bvh' : 'a.x').catch(({ code, message }) => {
      assert.match(code, /^(bvh|x|convert)\//, message);
      assert.notEqual(code, 'convert/panic', message);
    });
  }
});
