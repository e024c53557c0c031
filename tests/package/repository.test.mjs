// The files around the code: the workflows of CI, the toolchain, and the form of the changelog.

import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { parse } from 'yaml';
import { read, root } from './support/files.mjs';

const workflows = readdirSync(join(root, '.github/workflows')).map((name) => [
  name,
  parse(read('.github/workflows', name)),
]);
const jobs = workflows.flatMap(([name, { jobs }]) =>
  Object.entries(jobs).map(([job, content]) => [`${name}: ${job}`, content, jobs]),
);
const steps = jobs.flatMap(([name, { steps }]) => steps.map((step) => [name, step]));

/** The options of each command of `cargo xtask help`. */
function commands() {
  const [, help] = read('xtask/src/main.rs').match(/const HELP: &str = "\\\n([\s\S]*?)";/);
  const found = new Map();
  let current;
  for (const line of help.split('\n')) {
    const [, name] = line.match(/^ {2}([a-z]+)(?= |$)/) ?? [];
    if (name) current = found.get(name) ?? new Set();
    if (name) found.set(name, current);
    for (const [option] of line.matchAll(/(?<=^ {6}|\[)--[a-z-]+/g)) current.add(option);
  }
  return found;
}

test('workflows: each job has a machine, a time limit, and steps of one kind; the jobs that it needs are there', () => {
  assert.ok(workflows.length >= 3);
  for (const [name, { on, permissions }] of workflows) assert.ok(on && permissions, name);
  for (const [name, { 'runs-on': machine, 'timeout-minutes': limit, needs = [] }, others] of jobs) {
    assert.ok(machine && limit, name);
    assert.deepEqual(
      needs.filter((one) => !others[one]),
      [],
      name,
    );
  }
  for (const [name, { uses, run }] of steps) {
    assert.ok(!uses !== !run, name);
    if (uses) assert.match(uses, /^[\w-]+\/[\w-]+@v\d+$/, name);
  }
});

test('workflows: the commands of xtask that they call exist, with their options', () => {
  const known = commands();
  assert.ok(known.get('bench').has('--publish') && known.get('demo').has('--port') && !known.get('fmt').has('--all'));
  let seen = 0;
  for (const [name, { run = '' }] of steps) {
    const line = run.replace('.ci/run', 'cargo xtask test');
    for (const [, command, rest] of line.matchAll(/cargo xtask (\S+)([^&|;>\n]*)/g)) {
      seen++;
      assert.ok(known.has(command), `${name}: ${command}`);
      for (const [option] of rest.matchAll(/(?<= )--[a-z-]+/g))
        assert.ok(known.get(command).has(option), `${name}: ${command} ${option}`);
    }
  }
  assert.ok(seen >= 6, `${seen} calls`);
});

test('workflows: artifacts that are downloaded were uploaded by a job that is needed', () => {
  for (const [name, { steps, needs = [] }, others] of jobs) {
    const all = (list) => list.flatMap((job) => [job, ...all(others[job].needs ?? [])]);
    const uploaded = all(needs).flatMap((job) =>
      others[job].steps.filter(({ uses }) => uses?.startsWith('actions/upload-artifact')).map((step) => step.with.name),
    );
    for (const { uses, with: options } of steps)
      if (uses?.startsWith('actions/download-artifact')) assert.ok(uploaded.includes(options.name), name);
  }
});

test('toolchain: the pinned one is the oldest that Cargo accepts, with all that the commands need', () => {
  const toolchain = read('rust-toolchain.toml');
  const [, channel] = toolchain.match(/^channel = "([\d.]+)"$/m);
  const [, oldest] = read('Cargo.toml').match(/^rust-version = "([\d.]+)"$/m);
  assert.equal(channel, `${oldest}.0`);
  for (const part of ['rustfmt', 'clippy', 'wasm32-unknown-unknown']) assert.ok(toolchain.includes(`"${part}"`), part);
});

test('changelog: versions go down, each with groups of the format in its order and one line for each change', () => {
  const [head, ...sections] = read('CHANGELOG.md').split(/^## /m);
  assert.ok(head.includes('https://keepachangelog.com/en/1.1.0/'));
  assert.match(sections[0], /^Unreleased\n/);
  const number = (version) => version.split('.').reduce((sum, part) => sum * 1000 + Number(part), 0);
  const versions = sections.slice(1).map((section) => section.match(/^(\d+\.\d+\.\d+) - \d{4}-\d\d-\d\d\n/)[1]);
  assert.deepEqual(
    versions,
    versions.toSorted((a, b) => number(b) - number(a)),
  );
  const order = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security'];
  for (const section of sections) {
    const [title, ...groups] = section.split(/^### /m);
    const names = groups.map((group) => group.split('\n', 1)[0]);
    assert.deepEqual(
      names,
      order.filter((name) => names.includes(name)),
      title,
    );
    for (const group of groups)
      for (const line of group.split('\n').slice(1)) assert.match(line, /^(#### .+|- .{1,140})?$/, title);
  }
});

test('changelog: a figure names the test, the benchmark or the page that has it', () => {
  for (const line of read('CHANGELOG.md')
    .split('\n')
    .filter((line) => line.startsWith('- ')))
    if (/\d\s?(%|ms|s|MiB|GB|px)\b|half a pixel|\d,\d{3}/.test(line.replaceAll(/`[^`]*`/g, '')))
      assert.match(line, /\]\((tests|benches|www|docs)\//, line);
});
