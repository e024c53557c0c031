// The panel of the inspector that records the model.

import { longTests, test } from '../page/api.ts';
import { panel, set, site } from './support/inspector.ts';

longTests();

test('inspector: the panel Record makes files of the clip and of a session, and can be cancelled', async (t) => {
  const opened = await site(t);
  await t.until(() => opened.text('model-name') !== '', 'the model');
  const control = await panel(t, opened, 'record');
  const format = (): HTMLSelectElement => control('Format') as HTMLSelectElement;
  await t.until(() => format().options.length > 0, 'the formats');
  set(format(), 'apng');
  set(control('Width in px'), '40');
  set(control('Height in px'), '30');
  set(control('Frames per second'), '2');
  await t.frames(2);
  control('Record').click();
  const done = (): HTMLElement | undefined =>
    [...(opened.page.querySelectorAll<HTMLElement>('#record button') ?? [])].find(({ textContent }) =>
      /^Save .*\.png \([\d.]+ k?B\)$/.test(textContent ?? ''),
    );
  await t.until(() => done() !== undefined, 'the file');

  set(control('Frames per second'), '200');
  await t.frames(2);
  control('Record').click();
  await t.until(() => opened.page.querySelector('#record progress'), 'progress');
  control('Cancel').click();
  await t.until(() => !opened.page.querySelector('#record progress'), 'cancelled');

  control('Begin a session').click();
  await t.until(() => opened.page.getElementById('record')?.textContent?.includes('End the session'), 'it begins');
  opened.player.viewer?.orbit(0.3, 0);
  await t.sleep(100);
  control('End the session').click();
  await t.until(() => opened.page.getElementById('record')?.textContent?.includes('Repeat'), 'it has ended');
  control('Film the session').click();
  set(control('Frames per second'), '5');
  await t.frames(2);
  control('Record').click();
  await t.until(() => opened.page.querySelector('#record progress'), 'progress');
  await t.until(() => done() !== undefined, 'the film');
});
