// `gambol/lips` in Node: faults of cues, then the visemes of a time. The sound itself needs a browser.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { packed } from './support/files.mjs';

const { cueWeights, lips } = await import(pathToFileURL(join(packed, 'dist/lips.js')));

test('faults of cues are errors', () => {
  const faults = [
    7,
    [null],
    [{ viseme: 'aa' }],
    [{ time: -1, viseme: 'aa' }],
    [{ time: NaN, viseme: 'aa' }],
    [{ time: 0 }],
    [{ time: 0, viseme: 'constructor' }],
    [{ time: 0, viseme: 'aa', weight: 2 }],
  ];
  for (const cues of faults) {
    assert.throws(() => cueWeights(cues, 0), { code: 'argument/invalid' }, JSON.stringify(cues));
    assert.throws(() => lips({ model: null }, () => 0, { cues }), { code: 'argument/invalid' });
  }
  assert.throws(() => lips({ model: null }, () => 0), { code: 'argument/invalid' });
  assert.throws(() => lips({ model: null }, () => 0, { cues: [] }), { code: 'actor/removed' });
  assert.throws(() => lips({ model: { expressions: [] } }, () => 0, { cues: [] }), { code: 'expression/not-found' });
});

test('the mouth is a function of time', () => {
  const cues = [
    { time: 0.4, viseme: 'sil' },
    { time: 0.1, viseme: 'viseme_E', weight: 0.5 },
    { time: 0.2, viseme: 'PP' },
  ];
  assert.deepEqual(cueWeights([], 1), {});
  assert.deepEqual(cueWeights(cues, 0.05), {});
  assert.deepEqual(cueWeights(cues, 0.19), { ee: 0.5 });
  assert.deepEqual(cueWeights(cues, 0.3), { PP: 1 });
  assert.deepEqual(cueWeights(cues, 0.6), {}, 'silence closes the mouth');
  const half = cueWeights(cues, 0.24, 0.08);
  assert.ok(Math.abs(half.ee - 0.25) < 1e-9 && Math.abs(half.PP - 0.5) < 1e-9);
  // A cue is complete before the next one, however long the fade is.
  assert.ok(cueWeights(cues, 0.2 - 1e-9, 10).ee > 0.499);
});
