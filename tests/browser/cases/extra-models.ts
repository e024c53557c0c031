// `<extra-model>`: further models of an element, by the interface of `<model-viewer>`.

import 'gambol/model-viewer';
import type { GambolExtraModel, GambolViewer } from 'gambol/model-viewer';
import { test, type T } from '../page/api.ts';
import { address, details, heard, made, placed } from './support/element.ts';

const SLIDES = address({ clips: [['Slide', 2]] });
const TURNS = address({
  clips: [
    ['Idle', 1],
    ['Run', 3],
  ],
});
const STILL = address({ clips: [] });

function extra(attributes: Readonly<Record<string, string>>): GambolExtraModel {
  const element = document.createElement('extra-model') as GambolExtraModel;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

const loaded = (element: EventTarget): Promise<Event> =>
  new Promise((resolve) => element.addEventListener('load', resolve, { once: true }));

/** An element with its children, after the event `load`. */
async function shown(
  attributes: Readonly<Record<string, string>>,
  ...children: readonly Element[]
): Promise<GambolViewer> {
  const element = placed(
    { 'environment-image': 'none', 'reduced-motion': 'ignore', ...attributes },
    ...(children as Element[]),
  );
  await loaded(element);
  return element;
}

const clipOf = (t: T, child: GambolExtraModel): string | undefined => t.some(child.actor).clip?.name;
const position = (t: T, child: GambolExtraModel): number[] => [...(t.some(child.actor).place.position ?? [])];

test('extra-model: load of the element waits for all models, and comes again after changes', async (t) => {
  const [one, other] = [extra({ src: TURNS }), extra({ src: STILL })];
  const element = await shown({ src: SLIDES }, one, other);
  t.ok(one.actor !== null && other.actor !== null, 'both are there');
  t.equal([element.model?.materials.length, element.extraModels.length], [1, 2]);
  t.ok(one.model === element.extraModels[0] && one.model !== element.model, 'its scene graph');
  let again = loaded(element);
  other.src = TURNS;
  await again;
  t.equal(t.some(other.actor).clips.length, 2);
  again = loaded(element);
  one.remove();
  await again;
  t.equal([element.extraModels.length, one.actor, one.model], [1, null, undefined]);
  const third = extra({ src: SLIDES });
  again = loaded(element);
  element.append(third);
  await again;
  t.ok(third.actor !== null, 'a model that was added');
});

test('extra-model: one that fails does not keep the element from loading', async (t) => {
  t.expectTrouble(/missing/);
  const lost = extra({ src: '/missing.glb' });
  const failures = details<{ type: string }>(lost, 'error');
  const element = placed({ src: SLIDES, 'environment-image': 'none' }, lost);
  const warnings = details<{ code: string }>(element, 'warning');
  element.addEventListener('warning', (event) => event.preventDefault());
  await loaded(element);
  t.equal([failures.map(({ type }) => type), lost.actor, warnings[0]?.code], [['loadfailure'], null, 'fetch/http']);
});

test('extra-model: play(), pause() and modelIndex', async (t) => {
  const [one, two] = [extra({ src: TURNS }), extra({ src: TURNS })];
  const element = await shown({ src: STILL, 'animation-name': 'Run' }, one, two);
  t.equal(element.availableAnimations, ['Idle', 'Run']);
  t.equal([clipOf(t, one), clipOf(t, two), element.paused, element.duration], ['Run', 'Run', true, 3]);
  const paused = (): (boolean | undefined)[] => [element.paused, one.actor?.paused, two.actor?.paused];
  await element.play({ modelIndex: 2 });
  t.equal(paused(), [false, true, false]);
  await element.play();
  t.equal(paused(), [false, false, false]);
  element.pause({ modelIndex: 1 });
  t.equal(paused(), [false, true, false]);
  element.pause();
  t.equal(paused(), [true, true, true]);
  element.animationName = 'Idle';
  t.equal([clipOf(t, one), clipOf(t, two), element.duration], ['Idle', 'Idle', 1]);
  // The first clip, where a model does not have the clip.
  element.animationName = 'Jump';
  t.equal(clipOf(t, one), 'Idle');
  element.timeScale = 0.5;
  element.currentTime = 0.25;
  t.equal([one.actor?.currentTime, one.actor?.playbackRate, element.currentTime], [0.25, 0.5, 0.25]);
  for (const modelIndex of [3, -1, 0.5, NaN])
    for (const call of [
      () => element.play({ modelIndex }),
      () => element.pause({ modelIndex }),
      () => element.appendAnimation('Run', { modelIndex }),
      () => element.detachAnimation('Run', { modelIndex }),
    ])
      await t.throws(call, 'argument/invalid');
  t.equal(paused(), [true, true, true]);
});

test('extra-model: play() by index before the load; an index without a model rejects then', async (t) => {
  const [one, two] = [extra({ src: TURNS }), extra({ src: TURNS })];
  const element = placed({ src: STILL, 'environment-image': 'none' }, one, two);
  const early = element.play({ modelIndex: 2 });
  await loaded(element);
  await early;
  t.equal([one.actor?.paused, two.actor?.paused], [true, false]);
  const other = placed({ src: SLIDES, 'environment-image': 'none' });
  await t.throws(() => other.play({ modelIndex: 1 }), 'argument/invalid');
  t.ok(other.loaded || other.viewer !== null, 'the element goes on');
});

test('extra-model: plays with autoplay; a clip of its own plays without', async (t) => {
  const [one, own] = [extra({ src: TURNS }), extra({ src: TURNS, 'animation-name': 'Run' })];
  const element = await shown({ src: STILL, autoplay: '' }, one, own);
  t.equal([one.actor?.paused, own.actor?.paused, clipOf(t, one), clipOf(t, own)], [false, false, 'Idle', 'Run']);
  element.animationName = 'Run';
  t.equal(clipOf(t, one), 'Run');
  const later = extra({ src: TURNS });
  const again = loaded(element);
  element.append(later);
  await again;
  t.equal([later.actor?.paused, clipOf(t, later)], [false, 'Run']);
  element.pause();
  t.equal([later.actor?.paused, own.actor?.paused], [true, true]);
});

test('extra-model: appendAnimation() and detachAnimation() by modelIndex', async (t) => {
  const [one, two] = [extra({ src: TURNS }), extra({ src: TURNS })];
  const element = await shown({ src: SLIDES }, one, two);
  const layers = (): (number | undefined)[] => [
    [...t.some(element.viewer).layers].length,
    [...t.some(one.actor).layers].length,
    [...t.some(two.actor).layers].length,
  ];
  element.appendAnimation('Run', { modelIndex: 2 });
  t.equal([layers(), element.appendedAnimations, two.actor?.paused], [[0, 0, 1], ['Run'], false]);
  // Only the models that have the clip.
  element.appendAnimation('Run');
  t.equal(layers(), [0, 1, 1]);
  element.detachAnimation('Run', { fade: false, modelIndex: 1 });
  await t.until(() => layers().join() === '0,0,1', 'one is detached');
  element.detachAnimation('Run', { fade: false });
  await t.until(() => layers().join() === '0,0,0', 'all are detached');
  await t.throws(() => element.appendAnimation('Jump'), 'clip/not-found');
});

test('extra-model: its place, with the units and defaults of model-viewer', async (t) => {
  const [one, plain] = [extra({ src: STILL, offset: '200cm 1000mm -1.5m', scale: '2' }), extra({ src: STILL })];
  const element = await shown({ src: STILL, scale: '1 3 1', orientation: '0 0 90deg' }, one, plain);
  t.close(position(t, one), [2, 1, -1.5], 1e-5);
  t.equal(one.actor?.place.scale, [2, 2, 2]);
  // Without a transform of its own it has that of the element.
  t.equal(plain.actor?.place.scale, [1, 3, 1]);
  t.close([...(plain.actor?.place.rotation ?? [])], [0, Math.SQRT1_2, 0, Math.SQRT1_2], 1e-6);
  one.offset = '3 0 0';
  await t.until(() => position(t, one)[0] === 3, 'the offset');
  // The turntable turns all models about its axis.
  const pivot = t.some(element.viewer).camera.target;
  element.resetTurntableRotation(Math.PI);
  t.close(position(t, one), [2 * pivot[0] - 3, 0, 2 * pivot[2]], 1e-4);
  const before = element.getDimensions().x;
  one.offset = '9 0 0';
  await t.until(() => element.getDimensions().x > before + 5, 'the box of all models');
});

test('extra-model: extra-model-changed bubbles, once for the changes of a task', async (t) => {
  const one = extra({ src: STILL });
  const element = await shown({ src: STILL }, one);
  const changes = details(element, 'extra-model-changed');
  one.offset = '1 0 0';
  one.setAttribute('scale', '2');
  one.background = true;
  await t.until(() => changes.length > 0, 'the event');
  t.equal(changes, [
    { srcChanged: false, src: STILL, offset: '1 0 0', orientation: null, scale: '2', background: true },
  ]);
  one.setAttribute('scale', '2');
  one.src = TURNS;
  await t.until(() => changes.length > 1, 'another event');
  t.equal([changes.length, changes[1]?.['srcChanged']], [2, true]);
});

test('extra-model: without a source of the element, the first one is its model', async (t) => {
  const [one, two] = [extra({ src: TURNS, offset: '1 0 0' }), extra({ src: SLIDES, offset: '-2 0 0' })];
  const element = made({ 'environment-image': 'none' });
  document.body.append(element);
  const events = heard(element, 'load');
  element.append(one, two);
  await t.until(() => events.length > 0, 'the models');
  t.equal([element.availableAnimations, element.extraModels.length], [['Idle', 'Run', 'Slide'], 1]);
  t.ok(
    one.actor === null && one.model === element.model && one.model !== undefined,
    'its model is that of the element',
  );
  t.close([...(element.viewer?.place.position ?? [])], [1, 0, 0], 1e-6);
  one.offset = '0 2 0';
  await t.until(() => element.viewer?.place.position?.[1] === 2, 'the place');
  one.remove();
  await t.until(() => element.viewer?.clips[0]?.name === 'Slide', 'the second one is the first now');
  t.equal([element.extraModels.length, two.actor], [0, null]);
  t.close([...(element.viewer?.place.position ?? [])], [-2, 0, 0], 1e-6);
  two.remove();
  await t.until(() => element.viewer?.model === null, 'no model');
  // A property of a child that was made before.
  const third = extra({});
  third.src = STILL;
  element.append(third);
  await t.until(() => element.viewer?.model?.clips.length === 0, 'the third one');
  element.src = SLIDES;
  await t.until(() => element.viewer?.clips.length === 1, 'the source');
  await t.until(() => third.actor !== null, 'a further model');
});

test('extra-model: points of the surface and hotspots by their model', async (t) => {
  const one = extra({ src: STILL, offset: '-3 0 0' });
  const labels = [
    { slot: 'hotspot-a', 'data-position': '0.5 0.5 0', 'data-model-index': '1' },
    { slot: 'hotspot-b', 'data-surface': '1 0 0 0 1 2 0.25 0.25 0.5' },
    // The attribute takes precedence over the eight numbers, which are of the first model.
    { slot: 'hotspot-c', 'data-surface': '0 0 0 1 2 0.25 0.25 0.5', 'data-model-index': '1' },
    { slot: 'hotspot-d', 'data-surface': '0 0 0 1 2 0.25 0.25 0.5' },
    { slot: 'hotspot-e', 'data-position': '0 0 0', 'data-model-index': '7' },
  ].map((attributes) => {
    const label = document.createElement('button');
    for (const [name, value] of Object.entries(attributes)) label.setAttribute(name, value);
    return label;
  });
  const element = await shown(
    { src: STILL, features: 'picking', 'camera-orbit': '0deg 90deg 9m', 'camera-target': '-1m 0.5m 0m' },
    one,
    ...labels,
  );
  const viewer = t.some(element.viewer);
  const page = (x: number, y: number): [number, number] => {
    const { left, top } = viewer.canvas.getBoundingClientRect();
    const at = t.some(viewer.project([x, y, 0]));
    return [left + at.x, top + at.y];
  };
  await t.until(() => element.positionAndNormalFromPoint(...page(-2.5, 0.5)) !== null, 'the second model');
  const [first, second] = [page(0.5, 0.5), page(-2.5, 0.5)].map((at) => element.positionAndNormalFromPoint(...at));
  t.equal([first?.modelIndex, second?.modelIndex], [0, 1]);
  for (const point of [first, second]) t.close([t.some(point).position.x, t.some(point).position.y], [0.5, 0.5], 0.02);
  t.equal(element.surfaceFromPoint(...page(0.75, 0.25))?.split(' ').length, 8);
  const surface = t.some(element.surfaceFromPoint(...page(-2.25, 0.25)));
  t.ok(surface.startsWith('1 0 0 0 1 2 '), surface);
  t.ok(element.materialFromPoint(...page(-2.5, 0.5)) === t.some(one.model).materials[0], 'its material');
  const place = (name: string): number | undefined => element.queryHotspot(name)?.canvasPosition.x;
  const at = (x: number): number => t.some(viewer.project([x, 0.75, 0])).x;
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => place(`hotspot-${name}`));
  t.close([a, b, c, d] as number[], [at(-2.5), at(-2.25), at(-2.25), at(0.75)], 0.5);
  t.equal(element.queryHotspot('hotspot-e'), null);
  element.updateHotspot({ name: 'hotspot-e', modelIndex: 1, surface });
  await t.until(() => place('hotspot-e') !== undefined, 'a hotspot that was moved to the model');
  t.close([place('hotspot-e') as number], [at(-2.25)], 0.5);
  one.remove();
  await t.until(() => element.queryHotspot('hotspot-a') === null, 'hotspots of a model that was removed');
});
