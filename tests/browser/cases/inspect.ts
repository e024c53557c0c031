// The animation doctor in pages; the rules are tested natively (crates/tools/tests/inspect), and Node in tests/package.

import { GambolError, inspect } from 'gambol/tools';
import { test } from '../page/api.ts';
import { FRAMES, GAP, hitching } from './support/hitch.ts';

test('inspect: a page gets findings with numbers, and a signal ends the call', async (t) => {
  const file = new File([hitching()], 'swing.gltf');
  const { findings, summary } = await inspect([file]);
  t.equal(
    findings.map(({ code, severity }) => `${severity} ${code}`),
    ['warning inspect/loop-seam', 'info inspect/name-twice'],
  );
  t.equal([summary.errors, summary.warnings, summary.infos, summary.clips, summary.keys], [0, 1, 1, 1, FRAMES + 1]);
  const [seam, twice] = findings;
  t.ok(Math.abs((seam?.values['distance']?.value ?? NaN) - GAP) < 1e-6, JSON.stringify(seam?.values));
  t.equal([seam?.values['distance']?.unit, seam?.clip, seam?.node, seam?.time], ['m', 0, 0, FRAMES / 30]);
  t.equal(seam?.plot?.times.filter((time) => time === 0).length, 2, 'the seam, at the end and at the start');
  t.equal(twice?.nodes, [1, 2]);
  const stopped = await inspect([file], { signal: AbortSignal.abort() }).catch((error: unknown) => error);
  t.ok(stopped instanceof GambolError && stopped.code === 'load/aborted', String(stopped));
});
