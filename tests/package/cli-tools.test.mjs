// `gambol inspect`, `optimize`, `retarget`, `bake` and `diff`.

import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { folder, glbParts, names, run, runJson } from './support/cli.mjs';
import { packed, root } from './support/files.mjs';

const { loadAsset } = await import(pathToFileURL(join(packed, 'dist/asset.js')));

const SITE = join(root, 'dist/site');
const [PIP, LUMI] = ['sample.glb', 'lumi.glb'].map((name) => join(SITE, name));

/** Writes a copy of a GLB with another JSON. */
function changed(from, to, change) {
  const { json, binary } = glbParts(from);
  change(json);
  const text = Buffer.from(JSON.stringify(json));
  const padded = Buffer.concat([text, Buffer.alloc(-text.length & 3, 0x20)]);
  const header = Buffer.alloc(20);
  [0x46546c67, 2, 28 + padded.length + binary.length, padded.length, 0x4e4f534a].forEach((value, i) =>
    header.writeUInt32LE(value, 4 * i),
  );
  const chunk = Buffer.alloc(8);
  chunk.writeUInt32LE(binary.length, 0);
  chunk.writeUInt32LE(0x004e4942, 4);
  writeFileSync(to, Buffer.concat([header, padded, chunk, binary]));
}

/** Puts all roots below a node that is moved by 1 cm. */
function shift(json) {
  const { nodes } = json.scenes[json.scene ?? 0];
  const parent = json.nodes.push({ name: 'Shift', translation: [0.01, 0, 0], children: nodes }) - 1;
  json.scenes[json.scene ?? 0].nodes = [parent];
}

test('cli tools: wrong options and files', async (t) => {
  const cwd = folder(t);
  copyFileSync(PIP, join(cwd, 'pip.glb'));
  writeFileSync(join(cwd, 'bad.glb'), 'nothing');
  for (const [line, code, message] of [
    ['diff pip.glb', 2, /An operand is missing/],
    ['diff pip.glb pip.glb pip.glb', 2, /one operand too many/],
    ['diff - -', 2, /Stdin can be read only once/],
    ['diff pip.glb pip.glb --tolerance -1mm', 2, /--tolerance must be at least 0/],
    ['diff pip.glb bad.glb', 3, /import\/unknown-format/],
    ['diff pip.glb pi.glb', 3, /Did you mean pip\.glb/],
    ['optimize pip.glb --error 0mm', 2, /--error must be above 0/],
    ['optimize pip.glb --error 1kg', 2, /--error must be a number/],
    ['optimize pip.glb out.glb --check', 2, /takes no OUT/],
    ['optimize pip.glb --compression draco', 2, /no value “draco”/],
    ['optimize bad.glb', 3, /import\/unknown-format/],
    ['retarget pip.glb', 2, /--onto MODEL is missing/],
    ['retarget pip.glb --onto pip.glb --names --foot-lock', 2, /--names excludes --foot-lock/],
    ['retarget pip.glb --onto pip.glb --names --rotations relative', 2, /--names excludes --rotations/],
    ['retarget pip.glb --onto pip.glb --rotations both', 2, /--rotations must be directions or relative, not “both”/],
    ['retarget pip.glb --onto pip.glb --bone leftUpperArm', 2, /--bone must be BONE=JOINT/],
    ['retarget pip.glb --onto pip.glb --bone leftWing=Wing', 2, /no human bone/],
    ['retarget pip.glb --onto pip.glb --bone hips=Hisp', 2, /no joint “Hisp”/],
    ['retarget pip.glb --onto pip.glb --clip Fly', 2, /no clip “Fly”/],
    ['retarget bad.glb --onto pip.glb', 3, /import\/unknown-format/],
    ['bake pip.glb --fps 0', 2, /--fps must be above 0/],
    ['bake pip.glb out.glb --as palette', 2, /palette is a \.bin/],
    ['bake pip.glb --as palette --step', 2, /--step is for the form morphs/],
    ['bake pip.glb --clip Fly', 2, /Fly/],
    ['inspect', 2, /Operands are missing/],
    ['inspect pip.glb --fail-on errors', 2, /did you mean “error”/],
    ['inspect nope.glb', 3, /no file nope\.glb/],
  ]) {
    const { code: found, stdout, stderr } = await run(line.split(' '), { cwd });
    assert.equal(found, code, `${line}: ${stderr}`);
    assert.equal(stdout, '', line);
    assert.match(stderr, message, line);
  }
  assert.deepEqual(names(cwd), ['bad.glb', 'pip.glb']);
});

/** The sample with two of its clips, so that the tests are quick; the path of `pip.glb`. */
function twoClips(cwd) {
  const path = join(cwd, 'pip.glb');
  changed(PIP, path, (json) => json.animations.splice(2));
  return path;
}

test('cli diff: a file equals itself, and a shifted one differs by the shift', async (t) => {
  const cwd = folder(t);
  const source = twoClips(cwd);
  const same = await runJson(['diff', source, source], { cwd });
  assert.deepEqual([same.exit, same.distance, same.different, same.unmatched], [0, 0, false, []]);
  const { clips } = await loadAsset(pathToFileURL(source));
  assert.deepEqual(
    same.clips.map(({ name }) => name),
    clips.map(({ name }) => name),
  );

  changed(source, join(cwd, 'shifted.glb'), shift);
  const { exit, distance, rest, tolerance } = await runJson(['diff', source, 'shifted.glb'], { cwd });
  assert.deepEqual([exit, tolerance], [1, 0]);
  for (const found of [distance, rest.distance]) assert.ok(Math.abs(found - 0.01) < 1e-6, String(found));
  for (const [limit, code] of [
    ['9.9mm', 1],
    ['10.1mm', 0],
  ])
    assert.equal((await run(['diff', source, 'shifted.glb', '-t', limit], { cwd })).code, code, limit);
  const { stdout } = await run(['diff', source, 'shifted.glb'], { cwd });
  assert.match(stdout, /largest distance: 1 cm; tolerance 0 mm: different\n$/);

  changed(source, join(cwd, 'fewer.glb'), (json) => json.animations.pop());
  const fewer = await runJson(['diff', source, 'fewer.glb'], { cwd });
  assert.deepEqual([fewer.exit, fewer.distance, fewer.unmatched], [1, 0, [clips.at(-1).name]]);
  assert.equal((await run(['diff', source, 'fewer.glb', '--common'], { cwd })).code, 0);
});

test('cli optimize: the result is smaller, within the bound by diff, and as small as it can be', async (t) => {
  const cwd = folder(t);
  const source = twoClips(cwd);
  const check = await runJson(['optimize', 'pip.glb', '--check'], { cwd });
  assert.deepEqual([check.exit, names(cwd)], [1, ['pip.glb']]);
  const { exit, files, stderr } = await runJson(['optimize', 'pip.glb', '--error', '0.1mm'], { cwd });
  assert.equal(exit, 0, stderr);
  const [{ before, after, bound, error, output }] = files;
  assert.deepEqual(
    [output, before.total, after.total],
    ['pip.optimized.glb', readFileSync(source).length, readFileSync(join(cwd, output)).length],
  );
  assert.ok(after.total < before.total && after.keys < before.keys);
  assert.ok(Math.abs(bound - 1e-4) < 1e-10 && error <= bound, `${error} of ${bound}`);
  const difference = await runJson(['diff', 'pip.glb', output, '--tolerance', '0.1mm'], { cwd });
  assert.equal(difference.exit, 0, difference.stderr);
  const asset = await loadAsset(pathToFileURL(join(cwd, output)));
  assert.deepEqual(
    asset.clips.map(({ name }) => name),
    (await loadAsset(pathToFileURL(source))).clips.map(({ name }) => name),
  );
  // A second run has nothing to do, also through a pipe.
  const { bytes } = await run(['optimize', '-', '-', '--error', '0.1mm'], {
    cwd,
    input: readFileSync(join(cwd, output)),
  });
  assert.deepEqual(bytes, readFileSync(join(cwd, output)));
  assert.equal((await run(['optimize', output, '--check', '--error', '0.1mm'], { cwd })).code, 0);
});

test('cli retarget: the poses of the new clips are those of load() with animations', async (t) => {
  const cwd = folder(t);
  const line = ['retarget', PIP, '--onto', LUMI, '-o', 'out.glb', '--clip', 'Walk', '--clip', 'Run'];
  const { exit, files, output, stderr } = await runJson(line, { cwd });
  assert.equal(exit, 0, stderr);
  assert.deepEqual([output, files.length], ['out.glb', 1]);
  assert.ok(files[0].mapped.length > 10 && files[0].clips.length === 2, JSON.stringify(files[0]));
  const [written, lumi] = await Promise.all([
    loadAsset(pathToFileURL(join(cwd, 'out.glb'))),
    loadAsset(pathToFileURL(LUMI), { animations: [pathToFileURL(PIP)] }),
  ]);
  const old = glbParts(LUMI).json;
  assert.equal(written.clips.length, old.animations.length + 2);
  for (const [i, name] of ['Walk', 'Run'].entries()) {
    const own = written.clips.find((clip) => clip.name === files[0].clips[i]);
    const other = lumi.clips.filter((clip) => clip.name === name).at(-1);
    assert.ok(Math.abs(own.duration - other.duration) < 1e-6);
    const [a, b] = [written.sample(own.id, 0.37 * own.duration), lumi.sample(other.id, 0.37 * own.duration)];
    a.matrices.forEach((value, k) => assert.ok(Math.abs(value - b.matrices[k]) < 1e-5, `${name} ${k}`));
  }
  // All other parts are those of the model.
  const { json } = glbParts(join(cwd, 'out.glb'));
  for (const key of ['nodes', 'meshes', 'skins', 'materials', 'images', 'textures', 'scenes'])
    assert.deepEqual(json[key], old[key], key);
  const replaced = await runJson(['retarget', PIP, '--onto', LUMI, '-o', 'one.glb', '--clip', 'Walk', '--replace'], {
    cwd,
  });
  assert.equal(replaced.exit, 0);
  assert.deepEqual(
    glbParts(join(cwd, 'one.glb')).json.animations.map(({ name }) => name),
    ['Walk'],
  );
});

test('cli retarget: --up is the axis that points up in BVH files', async (t) => {
  const cwd = folder(t);
  const keys = Array.from({ length: 3 }, (_, i) => `0 ${i} 7 0 0 ${10 * i}`).join('\n');
  writeFileSync(
    join(cwd, 'walk.bvh'),
    `HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET 0 9 0\n}\n}\nMOTION\nFrames: 3\nFrame Time: 0.5\n${keys}\n`,
  );
  const results = {};
  for (const up of ['y', 'z']) {
    mkdirSync(join(cwd, up));
    assert.equal((await run(['convert', 'walk.bvh', `${up}/walk.glb`, '--up', up], { cwd })).code, 0);
    const line = (clips, out, ...more) => ['retarget', clips, '--onto', 'y/walk.glb', '--names', '-o', out, ...more];
    assert.equal((await run(line(`${up}/walk.glb`, `${up}/want.glb`), { cwd })).code, 0);
    const { exit, stderr } = await runJson(line('walk.bvh', `${up}/got.glb`, '--up', up), { cwd });
    assert.equal(exit, 0, stderr);
    results[up] = readFileSync(join(cwd, up, 'got.glb'));
    assert.deepEqual(results[up], readFileSync(join(cwd, up, 'want.glb')), up);
  }
  assert.notDeepEqual(results.y, results.z);
  const { error, exit } = await runJson(['retarget', 'walk.bvh', '--onto', 'y/walk.glb', '--up', 'x'], { cwd });
  assert.deepEqual([exit, error.code], [2, 'cli/usage']);
});

test('cli bake: a morph cache without joints, and binary forms', async (t) => {
  const cwd = folder(t);
  const { exit, files, stderr } = await runJson(['bake', PIP, 'baked.glb', '--clip', 'Wave', '--fps', '10'], { cwd });
  assert.equal(exit, 0, stderr);
  const { json } = glbParts(join(cwd, 'baked.glb'));
  assert.deepEqual([json.skins, json.animations.map(({ name }) => name)], [undefined, ['Wave']]);
  const { duration } = (await loadAsset(pathToFileURL(PIP))).clips.find(({ name }) => name === 'Wave');
  assert.equal(files[0].frames, Math.ceil(duration * 10 - 1e-3) + 1);
  const asset = await loadAsset(pathToFileURL(join(cwd, 'baked.glb')));
  assert.ok(Math.abs(asset.clips[0].duration - duration) < 1e-5);
  for (const form of ['palette', 'vertices']) {
    assert.equal(
      (await run(['bake', PIP, `${form}.bin`, '--as', form, '--clip', 'Wave', '--fps', '4'], { cwd })).code,
      0,
    );
    const bytes = readFileSync(join(cwd, `${form}.bin`));
    assert.equal(bytes.toString('latin1', 0, 4), 'GMBK');
    const header = JSON.parse(bytes.toString('utf8', 12, 12 + bytes.readUInt32LE(8)));
    assert.deepEqual([header.kind, header.fps, header.clips.length], [form, 4, 1]);
  }
});

test('cli inspect: findings decide the exit code by their severity', async (t) => {
  const cwd = folder(t);
  // A clip that turns its joints by quaternions that are no units, in a channel that is there twice.
  changed(PIP, join(cwd, 'bad.glb'), (json) => {
    const [{ channels }] = json.animations;
    channels.push(channels[0]);
    json.nodes[json.skins[0].joints[1]].rotation = [0, 0, 0, 2];
  });
  const bad = await runJson(['inspect', 'bad.glb', '--fail-on', 'warning'], { cwd });
  const [{ findings, summary }] = bad.files;
  assert.equal(bad.exit, 1);
  assert.ok(
    summary.errors + summary.warnings > 0 && findings.some(({ pointer }) => pointer.startsWith('/animations/0')),
    JSON.stringify(findings),
  );
  for (const { code, severity, message } of findings) {
    assert.match(code, /^(?:inspect|import)\/[a-z-]+$/);
    assert.ok(['error', 'warning', 'info'].includes(severity) && message.length > 10);
  }
  assert.equal((await run(['inspect', 'bad.glb', '--fail-on', 'never'], { cwd })).code, 0);
  // Khronos's validator is that of the project.
  symlinkSync(join(root, 'node_modules'), join(cwd, 'node_modules'));
  const { files: said } = await runJson(['inspect', 'bad.glb', '--khronos'], { cwd });
  assert.ok(
    said[0].findings.some((finding) => finding.code.startsWith('khronos/')),
    JSON.stringify(said[0].summary),
  );
  const { code } = findings[0];
  const ignored = await runJson(['inspect', 'bad.glb', '--ignore', code], { cwd });
  assert.ok(ignored.files[0].findings.every((finding) => finding.code !== code));
  const { stdout } = await run(['inspect', 'bad.glb'], { cwd });
  assert.ok(stdout.startsWith('bad.glb: ') && stdout.includes(`[${findings[0].code}`), stdout);
  // The sample characters have no finding of severity error.
  for (const file of [PIP, LUMI]) assert.equal((await run(['inspect', file], { cwd })).code, 0, file);
  // A file that cannot be read is a finding, too.
  writeFileSync(join(cwd, 'text.glb'), 'nothing');
  assert.ok([1, 3].includes((await run(['inspect', 'text.glb'], { cwd })).code));
});
