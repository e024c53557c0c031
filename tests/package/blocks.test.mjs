// The code blocks of the documents. Those in JavaScript and HTML run in browsers (tests/browser/cases/readme.ts), those of
// frameworks with the projects of tests/packages, and those in Rust are tests of rustdoc. This file has the rest.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import Ajv from 'ajv/dist/2020.js';
import { codeBlocks } from './support/blocks.mjs';
import { manifest, packed, read, root } from './support/files.mjs';

const blocks = codeBlocks(root);
const of = (...languages) => blocks.filter(({ language }) => languages.includes(language));
const place = ({ document, line }) => `${document}, line ${line}`;

test('code blocks: each has a test, or a reason for none', () => {
  assert.ok(blocks.length > 60, `${blocks.length} blocks`);
  const tested = ['js', 'html', 'tsx', 'vue', 'svelte', 'rust', 'sh', 'json'];
  assert.deepEqual(blocks.filter(({ language }) => !tested.includes(language)).map(place), []);
  const marks = blocks.map(({ mark }) => mark).filter(Boolean);
  assert.deepEqual(
    marks.filter((mark) => !/^(run: node|not run: .{10,})$/.test(mark)),
    [],
  );
  const left = marks.filter((mark) => mark.startsWith('not run'));
  assert.ok(left.length <= 3, left.join(', '));
});

test('code blocks: those for Node run there', () => {
  const marked = blocks.filter(({ mark }) => mark === 'run: node');
  assert.ok(marked.length >= 2);
  const folder = mkdtempSync(join(tmpdir(), 'gambol-blocks-'));
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(packed, join(folder, 'node_modules/gambol'));
  writeFileSync(join(folder, 'hero.glb'), readFileSync(join(root, 'dist/site/sample.glb')));
  marked.forEach(({ code }, i) => {
    const file = join(folder, `${i}.mjs`);
    const check = !code.includes('hash')
      ? ''
      : "if (matrices.length === 0 || !/^[\\da-f]+$/.test(hash)) throw new Error('no pose');";
    writeFileSync(file, `${code}\n${check}\n`);
    execFileSync(process.execPath, [file], { cwd: folder, stdio: 'pipe' });
  });
});

test('code blocks: commands are those of cargo xtask, of npm and of cargo', () => {
  const [, help] = read('xtask/src/main.rs').match(/const HELP: &str = "\\\n([^]*?)";/);
  const commands = new Set([...help.matchAll(/^ {2}(\w+)/gm)].map(([, name]) => name));
  const examples = new Set(
    ['blend', 'bones', 'extension', 'obj', 'pose', 'retarget', 'sample', 'thumbnails'].filter(
      (name) => existsSync(join(root, `examples/${name}.rs`)) || existsSync(join(root, `examples/${name}/main.rs`)),
    ),
  );
  const wrong = [];
  for (const block of of('sh')) {
    for (const line of block.code.trim().split('\n')) {
      const known =
        commands.has(line.match(/^cargo xtask (\w+)/)?.[1]) ||
        line === `npm install ${manifest.name}` ||
        // Those of the guide to the command line run in cli-guide.test.mjs.
        (/^npx gambol [a-z]+/.test(line) && block.document === 'docs/guides/command-line.md') ||
        line === 'cargo add gambol --no-default-features';
      if (!known) wrong.push(`${place(block)}: ${line}`);
    }
  }
  // Commands in the text.
  for (const document of new Set(blocks.map(({ document }) => document))) {
    for (const [, name] of read(document).matchAll(/`cargo xtask (\w+)/g))
      if (!commands.has(name)) wrong.push(`${document}: cargo xtask ${name}`);
    for (const [, name] of read(document).matchAll(/`cargo run (?:--release )?--example (\w+)/g))
      if (!examples.has(name)) wrong.push(`${document}: --example ${name}`);
  }
  assert.deepEqual(wrong, []);
});

test('code blocks: settings are JSON, and name files of the package', () => {
  const isMachine = ({ code }) => JSON.parse(code).format === 'gambol-states';
  for (const block of of('json').filter((one) => !isMachine(one))) {
    const paths = Object.values(JSON.parse(block.code)).flat();
    assert.ok(paths.length > 0, place(block));
    assert.deepEqual(
      paths.filter((path) => !existsSync(join(packed, path.replace('./node_modules/gambol/', '')))),
      [],
    );
  }
});

test('code blocks: state machines match the schema of the package', () => {
  const schema = JSON.parse(readFileSync(join(packed, 'dist/states.schema.json'), 'utf8'));
  const check = new Ajv({ strict: false }).compile(schema);
  const machines = of('json').map(({ code }) => JSON.parse(code));
  const found = machines.filter(({ format }) => format === 'gambol-states');
  assert.ok(found.length > 0);
  for (const machine of found) assert.ok(check(machine), JSON.stringify(check.errors));
});

test('code blocks: those in Rust are tests of rustdoc', () => {
  const library = read('src/lib.rs');
  for (const block of of('rust')) assert.ok(library.includes(`include_str!("../${block.document}")`), place(block));
});
