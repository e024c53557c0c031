// `gambol/record` in Node: the import has no side effects, and faults that need no page. Recordings need a browser.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { packed } from './support/files.mjs';

const { record, recordSession, replaySession, sheetLayout } = await import(
  pathToFileURL(join(packed, 'dist/record.js'))
);

test('record: a recording needs a viewer', async () => {
  for (const viewer of [undefined, null, {}, { engine: {} }, 'viewer']) {
    await assert.rejects(record(viewer), { code: 'argument/invalid' });
    await assert.rejects(recordSession(viewer), { code: 'argument/invalid' });
    await assert.rejects(replaySession(viewer, { version: 1, duration: 0, timeline: 0, calls: [] }), {
      code: 'argument/invalid',
    });
  }
});

test('record: a file without a layout is no sprite sheet', async () => {
  const cut = Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 1, 0, 105, 84, 88, 116, 0, 0, 0, 0);
  for (const file of [null, 'sheet.png', new Blob([]), new Blob(['text']), new Blob([cut])])
    await assert.rejects(sheetLayout(file), { code: 'argument/invalid' });
});
