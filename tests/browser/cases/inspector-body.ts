// The panels of the inspector for state machines, feet, springs and expressions.

import { longTests, test, type T } from '../page/api.ts';
import { panel, press, set, site, type Site } from './support/inspector.ts';

longTests();

const ready = (t: T, { text }: Site): Promise<unknown> =>
  t.until(() => text('model-name') === 'Sample character', 'the sample character');

/** The address of the page with its settings, once a pause has written them. */
async function link(t: T, { window }: Site, has: string): Promise<string> {
  await t.until(() => decodeURIComponent(window.location.hash).includes(has), `the link has ${has}`);
  return window.location.hash;
}

test(
  'inspector: a sample state machine plays, by inputs, triggers, keys and a graph',
  async (t) => {
    const at = await site(t);
    const { page, window, player } = at;
    await ready(t, at);
    player.pause();
    let states = await panel(t, at, 'states');
    states('Sample machine').click();
    await t.until(() => player.states && page.querySelectorAll('#states .states-graph').length === 2, 'two layers');
    t.ok(!player.paused, 'it plays');
    set(states('speed'), '2');
    await t.until(() => player.states?.current() === 'Move', 'the input moves the machine');
    await t.until(
      () => page.querySelector('#states .states-box.active')?.getAttribute('aria-label') === 'Move, active',
      'in the graph',
    );
    await t.until(
      () => /statechange base: Idle → Move/.test(page.querySelector('.states-log')?.textContent ?? ''),
      'log',
    );
    states('wave').click();
    await t.until(() => player.states?.current('arm') === 'Wave', 'a trigger');

    // A state by the keyboard: its transitions.
    const box = t.some(page.querySelector<HTMLElement>('#states .states-box[aria-label^="Move"]'));
    box.focus();
    press(box, 'Enter');
    await t.until(() => box.getAttribute('aria-pressed') === 'true', 'selected');
    const list = [...page.querySelectorAll('#states .states-list li')].map(({ textContent }) => textContent);
    t.ok(
      list.some((words) => words?.startsWith('→ Idle speed <= 0.1')),
      list.join(),
    );

    // A clip ends the machine, and undo brings it back with its input.
    page.querySelector<HTMLElement>('.clip[data-clip="2"], [data-clip="2"]')?.click();
    await t.until(() => player.states === null && player.viewer?.clip?.id === 'Run', 'the clip');
    await t.until(() => states('Start again'), 'the machine can start again');
    press(page.body, 'z', { ctrlKey: true });
    await t.until(() => player.states?.current() === 'Move', 'undone');
    const hash = await link(t, at, '"speed":2');
    t.ok(hash.includes('states='), 'the machine is in the link');
    t.ok(!hash.includes('clip='), 'in the place of the clip');
    window.frameElement?.remove();

    const again = await site(t, hash);
    await ready(t, again);
    await t.until(() => again.player.states?.current() === 'Move', 'the link starts it, with its input');
    states = await panel(t, again, 'states');
    t.equal((states('speed') as HTMLInputElement).value, '2');
    states('Stop').click();
    await t.until(() => again.player.states === null, 'stopped');
    t.ok(again.player.viewer?.clip === null || !again.player.paused, 'its clip plays on');
  },
  { all: false, timeout: 150_000 },
);

test(
  'inspector: faults of a state machine are shown with their JSON pointers, in panel and editor',
  async (t) => {
    const at = await site(t);
    const { page, window, player } = at;
    await ready(t, at);
    const states = await panel(t, at, 'states');
    const open = (machine: object): void => {
      const frame = window as Window & typeof globalThis;
      const files = new frame.DataTransfer();
      files.items.add(new frame.File([JSON.stringify(machine)], 'machine.json'));
      const input = t.some(page.querySelector<HTMLInputElement>('#states input[type=file]'));
      input.files = files.files;
      input.dispatchEvent(new Event('change', { bubbles: true }));
    };
    const layer = (inner: object): object => ({ format: 'gambol-states', version: 1, layers: [{ states: inner }] });
    t.expectTrouble(/states\/unknown-clip/);
    open(layer({ A: { machine: { states: { B: { clip: 'Walk' }, C: { clip: 'Wolk' } } } } }));
    await t.until(() => player.states?.current() === 'A/B', 'it plays');
    await t.until(
      () => page.querySelector('#states .findings')?.textContent?.includes('states/unknown-clip'),
      'a warning',
    );

    // The machine within a state.
    const box = t.some(page.querySelector('#states .states-box'));
    t.equal(box.getAttribute('aria-label'), 'A, active');
    box.dispatchEvent(new MouseEvent('click', { bubbles: true }));
    await t.until(() => page.querySelector('#states .states-list'), 'selected');
    states('Show the states inside').click();
    await t.until(() => page.querySelectorAll('#states .states-box').length === 2, 'two states');

    open(layer({ A: { clip: 7 } }));
    await t.until(() => page.querySelector('#states .pointer')?.textContent === '/layers/0/states/A/clip', 'an error');
    t.equal(player.states?.current(), 'A/B', 'the machine before goes on');
    page.querySelector<HTMLElement>('#states button.pointer')?.click();
    const text = (): ShadowRoot | null | undefined => page.querySelector('#states dialog .json-text')?.shadowRoot;
    await t.until(() => text()?.querySelector('.json-place')?.textContent === '7', 'the place in the editor');
    const dialog = t.some(page.querySelector<HTMLDialogElement>('#states dialog'));
    dialog.close();
    await t.until(() => !page.querySelector('#states dialog'), 'closed');
    press(page.body, 'z', { ctrlKey: true });
    await t.until(() => !page.querySelector('#states .pointer[title]')?.textContent?.endsWith('/A/clip'), 'undone');
  },
  { timeout: 150_000 },
);

test(
  'inspector: feet on a ground that is drawn, and springs that swing',
  async (t) => {
    const at = await site(t);
    const { page, window, player } = at;
    await ready(t, at);
    const viewer = t.some(player.viewer);
    player.pause();
    const height = (joint: string): number => t.some(viewer.joint(joint).world[13]);
    const apart = height('FootL') - height('FootR');
    const body = await panel(t, at, 'body');
    body('Feet on the ground').click();
    set(body('Ground'), 'steps');
    await t.until(() => Math.abs(height('FootL') - height('FootR') - apart) > 0.05, 'a foot is a step higher');

    set(body('Joint at which the chain begins'), 'Hips/Tail1');
    await t.until(() => !(body('Add') as HTMLButtonElement).disabled, 'a path names a joint');
    body('Add').click();
    await t.until(() => page.querySelectorAll('#body .layers li').length === 1, 'a spring');
    set(body('Stiffness'), '0.25');
    set(body('Gravity'), '1.5');
    const tip = (): number[] => [...viewer.joint('Tail5').world.slice(12, 15)];
    player.play();
    const still = tip();
    body('Shake').click();
    await t.until(() => (body('Shake') as HTMLButtonElement).disabled, 'it is shaken');
    await t.until(() => Math.hypot(...tip().map((value, i) => value - (still[i] ?? 0))) > 0.02, 'it swings');
    await t.until(() => !(body('Shake') as HTMLButtonElement).disabled, 'to the end');
    t.equal([...(viewer.place.position ?? [])], [0, 0, 0]);
    const hash = await link(t, at, '"stiffness":0.25');

    press(page.body, 'z', { ctrlKey: true });
    await t.until(() => body('Gravity').getAttribute('aria-valuetext') === '0.00', 'a number is undone');
    body('Remove the spring of Tail1').click();
    await t.until(() => page.querySelectorAll('#body .layers li').length === 0, 'removed');
    window.frameElement?.remove();

    const again = await site(t, hash);
    await ready(t, again);
    const other = await panel(t, again, 'body');
    t.equal(
      [(other('Ground') as HTMLSelectElement).value, (other('Gravity') as HTMLInputElement).value],
      ['steps', '1.5'],
    );
    const feet = (): number =>
      t.some(again.player.viewer).joint('FootL').world[13]! - t.some(again.player.viewer).joint('FootR').world[13]!;
    await t.until(() => Math.abs(feet() - apart) > 0.05, 'the link has the ground');
  },
  { timeout: 150_000 },
);

test(
  'inspector: expressions by sliders, by the palette and by a link',
  async (t) => {
    const at = await site(t, '#src=./fen.glb');
    const { page, window, player, text } = at;
    await t.until(() => text('model-name') !== '', 'Fen');
    const face = await panel(t, at, 'expressions');
    const weight = (morph: string): number => t.some(player.viewer).morph(morph).weight;
    set(face('happy'), '1');
    await t.until(() => weight('mouthSmileLeft') > 0.5, 'a smile');
    face('Blink').click();
    const hash = await link(t, at, '"blink":true');
    press(page.body, 'z', { ctrlKey: true });
    await t.until(() => !(face('Blink') as HTMLInputElement).checked, 'undone');
    face('Return happy to the clips').click();
    await t.until(() => weight('mouthSmileLeft') < 0.5, 'the face of the clip');

    press(page.body, 'k', { ctrlKey: true });
    // The palette clears its field when it opens.
    await t.frames(2);
    const input = t.some(page.querySelector<HTMLInputElement>('dialog.palette input'));
    set(input, 'expression happy');
    await t.until(
      () => page.querySelector('.palette [aria-selected=true] span')?.textContent === 'Expression: happy',
      'the command',
    );
    press(input, 'Enter');
    await t.until(() => weight('mouthSmileLeft') > 0.5, 'a smile again');
    window.frameElement?.remove();

    const again = await site(t, hash);
    await t.until(() => again.text('model-name') !== '', 'Fen');
    await t.until(() => t.some(again.player.viewer).morph('mouthSmileLeft').weight > 0.5, 'the link has the smile');
    const other = await panel(t, again, 'expressions');
    t.ok((other('Blink') as HTMLInputElement).checked, 'and the blinks');
  },
  { all: false, timeout: 150_000 },
);
