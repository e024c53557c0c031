// State machines: on viewers, actors and elements, by JSON and by markup.

import { createViewer, type States, type StatesOptions, type Viewer } from 'gambol';
import { test, type T } from '../page/api.ts';
import { address, details, placed } from './support/element.ts';
import { Loss } from './support/loss.ts';
import { model } from './support/model.ts';
import { picture } from './support/watch.ts';
import { remote } from './support/workers.ts';

/** A machine on the clips of the small model: `Slide` (2 s) and `Short` (0.15 s). */
const machine = (more: object = {}): object => ({
  format: 'gambol-states',
  version: 1,
  inputs: { speed: { type: 'number', default: 0.5 }, armed: { type: 'boolean' }, jump: { type: 'trigger' } },
  layers: [
    {
      name: 'base',
      states: {
        Idle: { clip: 'Slide', leave: 'gone' },
        Air: {
          enter: 'up',
          machine: {
            states: { Rise: { clip: 'Short', loop: 'once' }, Fall: { clip: 'Slide', rate: 2 } },
            transitions: [{ from: 'Rise', to: 'Fall', exitTime: 1, mode: 'cut' }],
          },
        },
      },
      transitions: [
        { from: 'Idle', to: 'Air', when: [{ input: 'jump' }], mode: 'cut' },
        { from: 'Air', to: 'Idle', when: [{ input: 'armed' }], duration: 0.25 },
      ],
      ...more,
    },
  ],
});

const file = (): Uint8Array<ArrayBuffer> => model().glb;

async function shown(t: T, viewer?: Viewer): Promise<Viewer> {
  const one = viewer ?? (await createViewer(t.canvas(64, 64), { maxDpr: 1 }));
  one.timeline = 'manual';
  await one.load(file());
  return one;
}

const noWarnings = (viewer: Viewer): string[] => {
  const codes: string[] = [];
  viewer.addEventListener('warning', (event) => {
    event.preventDefault();
    codes.push(event.detail.code);
  });
  return codes;
};

test('states: invalid sources, machines, inputs and names are errors, and the machine before goes on', async (t) => {
  const viewer = await createViewer(t.canvas(64, 64), { maxDpr: 1 });
  await t.throws(() => viewer.loadStates(machine()), 'actor/removed');
  await shown(t, viewer);
  t.equal(viewer.states, null);
  const states = await viewer.loadStates(machine());
  t.ok(viewer.states === states && !states.removed, 'it plays');
  for (const source of [null, undefined, 7, true, () => 1, Symbol('s')] as unknown as object[])
    await t.throws(() => viewer.loadStates(source), 'argument/invalid');
  const circle: Record<string, unknown> = {};
  circle['circle'] = circle;
  await t.throws(() => viewer.loadStates(circle), 'argument/invalid');
  await t.throws(() => viewer.loadStates('http://['), 'argument/invalid');
  await t.throws(() => viewer.loadStates('/no-such-machine.json'), 'fetch/http');
  await t.throws(() => viewer.loadStates('{'), 'states/invalid-json');
  await t.throws(() => viewer.loadStates({}), 'states/format');
  await t.throws(() => viewer.loadStates(machine(), null as unknown as StatesOptions), 'argument/invalid');
  await t.throws(() => viewer.loadStates(machine(), { autoplay: 1 as unknown as boolean }), 'argument/invalid');
  await t.throws(() => viewer.loadStates({ format: 'gambol-states', version: 2 }), 'states/version');
  const error = await viewer.loadStates(machine({ states: { Idle: { clip: 7 } } })).catch((thrown: unknown) => thrown);
  t.equal((error as { pointer?: string }).pointer, '/layers/0/states/Idle/clip');
  t.ok(viewer.states === states && !states.removed, 'it still plays');

  await t.throws(() => (states.inputs['sped'] = 1), /no input “sped”; did you mean “speed”\?/);
  await t.throws(() => (states.inputs['toString'] = 1), 'argument/invalid');
  for (const wrong of [NaN, Infinity, true, '1', null, undefined, {}] as unknown as number[])
    await t.throws(() => (states.inputs['speed'] = wrong), 'argument/invalid');
  for (const name of ['armed', 'jump'])
    for (const wrong of [1, 'true', null, undefined] as unknown as boolean[])
      await t.throws(() => (states.inputs[name] = wrong), 'argument/invalid');
  t.equal({ ...states.inputs }, { speed: 0.5, armed: false, jump: false });
  for (const name of ['speed', 'armed', 'jmp', '', 7, null] as string[])
    await t.throws(() => states.fire(name), 'argument/invalid');
  for (const layer of ['bas', 1, -1, 0.5, NaN] as string[])
    await t.throws(() => states.current(layer), 'argument/invalid');
  t.equal([states.current(), states.current('base'), states.current(0)], ['Idle', 'Idle', 'Idle']);

  states.remove();
  states.remove();
  t.ok(viewer.states === null && states.removed, 'it has ended');
  await t.throws(() => states.fire('jump'), 'states/removed');
  await t.throws(() => (states.inputs['speed'] = 1), 'states/removed');
  await t.throws(() => states.current(), 'states/removed');
  t.equal(states.time, 0);
  viewer.dispose();
  await t.throws(() => viewer.loadStates(machine()), 'viewer/disposed');
});

test('states: unknown clips, joints and members are warnings, and the rest works', async (t) => {
  const viewer = await shown(t);
  const warnings: { code: string; message: string; pointer: string }[] = [];
  viewer.addEventListener('warning', (event) => {
    event.preventDefault();
    warnings.push(event.detail);
  });
  const states = await viewer.loadStates(machine({ inital: 'Air', states: { Idle: { clip: 'Slid' }, Air: {} } }));
  t.equal(
    warnings.map(({ code, pointer }) => [code, pointer]),
    [
      ['states/unknown-field', '/layers/0/inital'],
      ['states/unknown-clip', ''],
    ],
  );
  t.ok(/did you mean "Slide"/.test(warnings[1]?.message ?? ''), warnings[1]?.message);
  states.fire('jump');
  viewer.advance(0.1);
  t.equal(states.current(), 'Air');
});

test('states: a script has the states and the poses of the native test, here and in a worker', async (t) => {
  const golden = (await (await fetch('/__tests/poses/states.json')).json()) as {
    machine: object;
    script: { advance: number; set?: Record<string, number | boolean>; fire?: string }[];
    hashes: string[];
    states: string[][];
  };
  const sample = new Uint8Array(await (await fetch('/sample.glb')).arrayBuffer());
  const pictures: ImageData[] = [];
  for (const viewer of [
    await createViewer(t.canvas(96, 96), { maxDpr: 1, background: [0, 0, 0, 1] }),
    await remote(t, { background: [0, 0, 0, 1] }, [96, 96]),
  ]) {
    viewer.timeline = 'manual';
    await viewer.load(sample.slice());
    const states = await viewer.loadStates(JSON.stringify(golden.machine));
    const [hashes, paths]: [string[], string[][]] = [[], []];
    for (const { advance, set = {}, fire } of golden.script) {
      Object.assign(states.inputs, set);
      if (fire !== undefined) states.fire(fire);
      viewer.advance(advance);
      hashes.push(viewer.poseHash());
      paths.push(states.layers.map((layer) => states.current(layer)));
    }
    t.equal(paths, golden.states);
    t.equal(hashes, golden.hashes);
    pictures.push(await picture(t, viewer));
  }
  t.samePixels(t.some(pictures[1]), t.some(pictures[0]));
});

test('states: events have exact times, and inputs are read back', async (t) => {
  const viewer = await shown(t);
  noWarnings(viewer);
  const events: unknown[] = [];
  for (const name of ['statechange', 'stateenter', 'stateleave'] as const)
    viewer.addEventListener(name, ({ detail }) => {
      const { layer, time, ...more } = detail;
      events.push([name, layer, time, ...Object.values(more)]);
    });
  const states = await viewer.loadStates(new Blob([JSON.stringify(machine())]));
  t.equal(states.names, ['Idle', 'Air', 'Air/Rise', 'Air/Fall']);
  viewer.advance(0.25);
  t.equal(events.splice(0), [
    ['stateenter', 'base', 0, 'Idle', null],
    ['statechange', 'base', 0, null, 'Idle'],
  ]);
  states.inputs['speed'] = 2;
  states.fire('jump');
  t.equal({ ...states.inputs }, { speed: 2, armed: false, jump: true });
  viewer.advance(0.25);
  t.equal(states.inputs['jump'], false, 'used');
  const fall = 0.25 + Math.fround(0.15);
  t.equal(events.splice(0), [
    ['stateleave', 'base', 0.25, 'Idle', 'gone'],
    ['stateenter', 'base', 0.25, 'Air', 'up'],
    ['stateenter', 'base', 0.25, 'Air/Rise', null],
    ['statechange', 'base', 0.25, 'Idle', 'Air/Rise'],
    ['stateleave', 'base', fall, 'Air/Rise', null],
    ['stateenter', 'base', fall, 'Air/Fall', null],
    ['statechange', 'base', fall, 'Air/Rise', 'Air/Fall'],
  ]);
  t.equal([states.time, viewer.clip?.name, viewer.playbackRate], [0.5, 'Slide', 1]);
  states.inputs['jump'] = true;
  states.inputs['jump'] = false;
  states.inputs['armed'] = true;
  viewer.advance(0.1);
  t.equal(states.current(), 'Idle');
});

test('states: pause, rate and seek act on the machine; a clip and another model end it', async (t) => {
  const viewer = await shown(t);
  const states = await viewer.loadStates(machine());
  viewer.pause();
  states.fire('jump');
  viewer.advance(1);
  t.equal([states.current(), states.time, viewer.paused], ['Idle', 0, true]);
  viewer.playbackRate = 2;
  viewer.play();
  viewer.advance(0.05);
  t.equal(states.current(), 'Air/Rise');
  t.close(viewer.currentTime, 0.1, 1e-12);
  viewer.currentTime = 0;
  viewer.advance(0.07);
  t.equal(states.current(), 'Air/Rise', 'the exit time counts from the seek');
  viewer.advance(0.01);
  t.equal(states.current(), 'Air/Fall');
  viewer.playbackRate = 0.5;
  const before = viewer.currentTime;
  viewer.advance(0.1);
  t.close(viewer.currentTime - before, 0.1, 1e-12);
  t.equal(viewer.loopMode, 'repeat');

  viewer.play('Short');
  t.ok(states.removed && viewer.states === null, 'a clip ends it');
  const next = await viewer.loadStates(machine());
  const later = (): Blob => new Blob([JSON.stringify(machine())]);
  const [first, second] = await Promise.allSettled([viewer.loadStates(later()), viewer.loadStates(later())]);
  t.ok(next.removed && second.status === 'fulfilled' && viewer.states === second.value, 'the last one plays');
  t.equal((first as PromiseRejectedResult).reason.code, 'load/aborted');
  await viewer.load(file());
  t.equal(viewer.states, null);
  await t.throws(() => (second as PromiseFulfilledResult<States>).value.fire('jump'), 'states/removed');
});

test('states: transitions that lead on and on stop, with one warning', async (t) => {
  const viewer = await shown(t);
  const codes = noWarnings(viewer);
  const when = [{ input: 'armed' }];
  const states = await viewer.loadStates(
    machine({
      states: { A: {}, B: {} },
      transitions: [
        { from: 'A', to: 'B', when, mode: 'cut' },
        { from: 'B', to: 'A', when, mode: 'cut' },
      ],
    }),
  );
  states.inputs['armed'] = true;
  viewer.advance(0.1);
  viewer.advance(0.1);
  t.equal(codes, ['states/loop']);
  states.inputs['armed'] = false;
  viewer.advance(0.1);
  t.equal(states.current(), 'A');
});

test('states: frames are drawn while a transition is due, and not at rest', async (t) => {
  const viewer = await createViewer(t.canvas(64, 64), { maxDpr: 1 });
  await viewer.load(file());
  const states = await viewer.loadStates(
    machine({
      states: { Wait: {}, Rise: { clip: 'Short', loop: 'once' }, End: {} },
      transitions: [
        { from: 'Wait', to: 'Rise', exitSeconds: 0.05, mode: 'cut' },
        { from: 'Rise', to: 'End', when: [{ input: 'jump' }], mode: 'cut' },
      ],
    }),
  );
  await t.until(() => states.current() === 'Rise' && viewer.ended, 'the exit time, and the end of the clip');
  await t.frames(3);
  const { frames } = viewer.stats;
  await t.sleep(100);
  t.equal(viewer.stats.frames, frames, 'nothing changes');
  states.fire('jump');
  await t.until(() => states.current() === 'End', 'the input');
});

test('states: each actor has its own, also after a loss of the context', async (t) => {
  const viewer = await shown(t);
  const other = await viewer.add(t.some(viewer.model), { position: [0, 2, 0] });
  const [one, two] = [await viewer.loadStates(machine()), await other.loadStates(machine())];
  two.fire('jump');
  viewer.advance(0.1);
  t.equal([one.current(), two.current()], ['Idle', 'Air/Rise']);
  const loss = new Loss(t, viewer.canvas);
  loss.take();
  await t.until(() => loss.times === 1, 'the loss');
  one.fire('jump');
  viewer.advance(0.1);
  await t.until(() => !viewer.canvas.hidden && viewer.stats.frames > 0, 'the context');
  t.equal([one.current(), two.current()], ['Air/Rise', 'Air/Fall']);
  const still = await viewer.renderAt(1, { width: 32, height: 32 });
  t.equal([still.width, one.current()], [32, 'Air/Rise'], 'a still changes nothing');
  other.remove();
  await t.throws(() => two.fire('jump'), 'states/removed');
});

test('states: the attribute and the property of the element', async (t) => {
  const url = URL.createObjectURL(new Blob([JSON.stringify(machine())], { type: 'application/json' }));
  const element = placed({ src: address(), states: url, 'environment-image': 'none', 'reduced-motion': 'ignore' });
  const changes = details(element, 'statechange');
  await t.until(() => element.modelIsVisible && element.states !== null, 'the machine');
  const states = element.states as States;
  t.ok(states === element.viewer?.states, 'that of the viewer');
  t.ok(element.paused, 'without autoplay it is paused');
  states.inputs['speed'] = 3;
  await element.play();
  await t.until(() => changes.length === 1, 'the first state');
  t.equal(changes[0]?.['to'], 'Idle');
  // Another machine keeps the inputs.
  const warnings = details(element, 'warning');
  element.states = machine({ initial: 'Air' });
  t.ok(element.getAttribute('states')?.startsWith('{"format"'), 'JSON in the attribute');
  await t.until(() => element.states !== null && element.states !== states, 'another one');
  t.equal((element.states as States).inputs['speed'], 3);
  element.states = '{"format":"gambol-states"}';
  await t.until(() => warnings.length === 1, 'a warning');
  t.equal(warnings[0]?.['code'], 'states/version');
  element.removeAttribute('states');
  await t.until(() => element.states === null, 'none');
  element.states = null;
});

test('states: <gambol-states> and its children are the same as a file', async (t) => {
  const template = document.createElement('div');
  template.innerHTML = `<gambol-states inputs="speed=0.5 armed:boolean jump:trigger" name="base">
    <gambol-state name="Idle" animation="Slide" leave="gone">
      <gambol-transition to="Air" when="jump" mode="cut"></gambol-transition>
    </gambol-state>
    <gambol-state name="Air" enter="up">
      <gambol-transition to="Idle" when="armed, speed <= 1" duration="0.25"></gambol-transition>
      <gambol-state name="Rise" animation="Short" loop-mode="once">
        <gambol-transition to="Fall" exit-time="1" mode="cut"></gambol-transition>
      </gambol-state>
      <gambol-state name="Fall" blend="speed" clips="Slide 0, Short -1.5" time-scale="2"></gambol-state>
    </gambol-state>
    <gambol-states name="upper" mode="additive" weight="0.5">
      <gambol-state name="None"></gambol-state>
      <gambol-state name="Wave" animation="Short" segment="0 0.1"></gambol-state>
      <gambol-transition from="*" to="Wave" when="!armed, speed != 0.5"></gambol-transition>
    </gambol-states>
  </gambol-states>`;
  const markup = t.some(template.firstElementChild);
  const element = placed(
    { src: address(), autoplay: '', 'environment-image': 'none', 'reduced-motion': 'ignore' },
    markup,
  );
  const warnings = details(element, 'warning');
  await t.until(() => element.modelIsVisible && element.states !== null, 'the machine');
  const viewer = t.some(element.viewer);
  viewer.timeline = 'manual';
  const states = element.states as States;
  t.equal(warnings, []);
  t.equal({ ...states.inputs }, { speed: 0.5, armed: false, jump: false });
  t.equal(
    [states.layers, states.names],
    [
      ['base', 'upper'],
      ['Idle', 'Air', 'Air/Rise', 'Air/Fall', 'None', 'Wave'],
    ],
  );
  states.fire('jump');
  viewer.advance(0.05);
  t.equal([states.current(), states.current('upper')], ['Air/Rise', 'None']);
  states.inputs['speed'] = 0.75;
  viewer.advance(0.15);
  t.equal([states.current(), states.current('upper')], ['Air/Fall', 'Wave']);
  states.inputs['armed'] = true;
  viewer.advance(0.01);
  t.equal(states.current(), 'Idle');

  // A change reads it again.
  const idle = t.some(markup.querySelector('gambol-state'));
  t.equal([idle.name, idle.timeScale, idle.loopMode], ['Idle', 1, 'repeat']);
  states.inputs['armed'] = false;
  idle.querySelector('gambol-transition')?.setAttribute('when', 'speed > 0.6');
  await t.until(() => element.states !== null && element.states !== states, 'another machine');
  const next = element.states as States;
  t.equal({ ...next.inputs }, { speed: 0.75, armed: false, jump: false });
  viewer.advance(0.01);
  t.equal(next.current(), 'Air/Rise');
  idle.setAttribute('animation', 'Slid');
  await t.until(() => warnings.length === 1, 'a warning');
  t.equal(warnings[0]?.['code'], 'states/unknown-clip');
  markup.remove();
  await t.until(() => element.states === null, 'none');
});
