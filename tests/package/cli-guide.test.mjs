// Each command line of docs/guides/command-line.md runs, and the workflow for GitHub Actions does its work.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { parse } from 'yaml';
import { codeBlocks } from './support/blocks.mjs';
import { folder, names, program, run, short } from './support/cli.mjs';
import { read, root } from './support/files.mjs';

const GUIDE = 'docs/guides/command-line.md';
const SITE = join(root, 'dist/site');
const hasBash = spawnSync('bash', ['--version']).status === 0;
const skip = !hasBash && 'no bash';

/** A folder with the files that the guide names. */
function project(t) {
  const cwd = folder(t);
  for (const name of ['models/deep', 'mocap', 'bin']) mkdirSync(join(cwd, name), { recursive: true });
  // The first bytes decide the format, so that the names are those of the guide.
  for (const [name, from] of [
    ['hero.glb', 'sample.glb'],
    ['models/lumi.glb', 'lumi.glb'],
    ['models/deep/fen.glb', 'fen.glb'],
    ['walk.fbx', 'lumi.glb'],
    ['run.bvh', 'fen.glb'],
    ['mocap.glb', 'lumi.glb'],
  ])
    copyFileSync(join(SITE, from), join(cwd, name));
  const motion =
    'HIERARCHY\nROOT Hips\n{\nOFFSET 0 0 0\nCHANNELS 3 Xposition Yposition Zposition\nEnd Site\n{\nOFFSET 0 9 0\n}\n}\nMOTION\nFrames: 2\nFrame Time: 0.5\n0 0 0\n0 1 0\n';
  for (const name of ['mocap/one.bvh', 'mocap/two.bvh']) writeFileSync(join(cwd, name), motion);
  for (const name of ['npx', 'gambol']) {
    const shift = name === 'npx' ? 'shift; ' : '';
    writeFileSync(join(cwd, 'bin', name), `#!/bin/bash\n${shift}exec "${process.execPath}" "${program}" "$@"\n`);
    chmodSync(join(cwd, 'bin', name), 0o755);
  }
  return cwd;
}

const shell = (cwd, script, env = {}) =>
  spawnSync('bash', ['-e', '-c', script], {
    cwd,
    encoding: 'utf8',
    env: { ...process.env, PATH: `${join(cwd, 'bin')}:${process.env.PATH}`, ...env },
  });

test('cli guide: each command line runs', { skip: skip || short }, async (t) => {
  const cwd = project(t);
  const lines = codeBlocks(root)
    .filter(({ document, language }) => document === GUIDE && language === 'sh')
    .flatMap(({ code }) => code.trim().split('\n'));
  assert.ok(lines.length > 12, `${lines.length} lines`);
  // Without a browser, render says so.
  const allowed = (line, status) =>
    status === 0 ||
    (status === 4 && line.startsWith('npx gambol render')) ||
    (status === 1 && line.startsWith('npx gambol inspect'));
  for (const line of lines) {
    const { status, stderr } = shell(cwd, line);
    assert.ok(allowed(line, status), `${line}: ${status}\n${stderr}`);
  }
  for (const name of [
    'hero.optimized.glb',
    'small',
    'walk.glb',
    'clips',
    'hero.gltf',
    'hero.bin',
    'hero-moves.glb',
    'out.glb',
  ])
    assert.ok(existsSync(join(cwd, name)), name);
});

test('cli guide: every command has a section, and each option in the text exists', async () => {
  const text = read(GUIDE);
  const { stdout: help } = await run(['help']);
  const commands = [...help.matchAll(/^ {2}([a-z]+) {2}/gm)].map(([, name]) => name).filter((name) => name !== 'help');
  assert.deepEqual(
    [...text.matchAll(/^\| \[`([a-z]+)`\]\(#\1\)/gm)].map(([, name]) => name).sort(),
    commands.toSorted(),
  );
  for (const name of commands) {
    const [, section] = text.match(new RegExp(`\n## ${name}\n([^]*?)(?=\n## |$)`)) ?? assert.fail(name);
    const { stdout } = await run(['help', name]);
    for (const [option] of section.matchAll(/--[a-z][a-z-]+/g)) {
      if (option !== '--global')
        assert.ok(stdout.includes(`${option} `) || stdout.includes(`${option}\n`), `${name} ${option}`);
    }
  }
});

test('cli guide: the workflow for GitHub Actions inspects, optimises and compares the models of a branch', {
  skip: skip || short,
}, (t) => {
  const cwd = project(t);
  const { on, jobs, permissions } = parse(read('examples/github-action/gambol.yml'));
  assert.deepEqual([Object.keys(on), permissions], [['pull_request'], { contents: 'read' }]);
  const steps = jobs.models.steps.filter(({ run: script, name }) => script && name !== 'Install gambol');
  assert.equal(steps.length, 3);
  const git = (...args) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...args], { cwd, stdio: 'pipe' });
  git('init', '-q', '-b', 'main');
  writeFileSync(join(cwd, '.gitignore'), 'bin\n');
  git('add', '.gitignore');
  git('commit', '-q', '-m', 'first');
  git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  git('checkout', '-q', '-b', 'change');
  copyFileSync(join(cwd, 'hero.glb'), join(cwd, 'my hero.glb'));
  git('add', 'my hero.glb', 'models/deep/fen.glb');
  git('commit', '-q', '-m', 'models');
  for (const { name, run: script } of steps) {
    const { status, stderr, stdout } = shell(cwd, script, { GITHUB_BASE_REF: 'main', RUNNER_TEMP: join(cwd, 'bin') });
    assert.equal(status, 0, `${name}: ${stderr}${stdout}`);
  }
  assert.deepEqual(names(join(cwd, 'small')), ['models', 'my hero.glb']);
  assert.ok(readFileSync(join(cwd, 'small/my hero.glb')).length < readFileSync(join(cwd, 'hero.glb')).length);
});
