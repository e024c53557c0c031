// The smallest pages of www/examples; `cases/example-pages.ts` has the others.

import type { GambolViewer } from 'gambol/element';
import { test } from '../../page/api.ts';
import { part } from '../support/element.ts';
import { find, opened, slide } from '../support/examples.ts';

test('examples: element.html plays, and has a bar', async (t) => {
  const page = await opened(t, 'element');
  const element = find<GambolViewer>(t, page, 'gambol-viewer');
  await t.until(() => !element.paused, 'it plays');
  part(t, element, 'play-button').click();
  await t.until(() => element.paused, 'it is paused');
});

test('examples: canvas.html plays a clip', async (t) => {
  const { viewer } = await opened(t, 'canvas');
  await t.until(() => viewer.clip?.name === 'Wave' && viewer.currentTime > 0, 'it waves');
});

test('examples: two-viewers.html has one model, and sets the time of both', async (t) => {
  const page = await opened(t, 'two-viewers');
  slide(t, page, '0.5');
  const [one, two] = page.viewers;
  t.equal([one?.currentTime, two?.currentTime], [t.some(one).duration / 2, t.some(one).duration / 2]);
  t.equal((await t.requests()).filter(({ path }) => path === '/sample.glb').length, 1, 'requests');
});
