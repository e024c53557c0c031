// `<gambol-viewer>` with models without an address, and with controls of the page.

import { test } from '../page/api.ts';
import { address, heard, made, part, placed, shown } from './support/element.ts';
import { model } from './support/model.ts';

test('srcObject: replaces src until it is null', async (t) => {
  const element = made({ src: address(), controls: '', 'environment-image': 'none' });
  element.srcObject = new File([model({}).glb], 'given.glb');
  document.body.append(element);
  await t.until(() => element.modelIsVisible, 'the file');
  t.equal(element.viewer?.model?.name, 'given.glb');
  const loads = heard(element, 'load', 'error');
  element.src = '/nowhere/hero.glb';
  await t.frames(3);
  t.equal(loads, [], 'another src is not asked for');
  element.src = address();
  element.srcObject = null;
  await t.until(() => loads.length === 1, 'src again');
  t.equal([loads, element.viewer?.model?.url], [['load'], element.src]);

  element.srcObject = new Uint8Array([1, 2, 3, 4]);
  await t.until(() => loads.length === 2, 'what is no model');
  t.equal([loads.at(-1), element.duration > 0], ['error', true], 'the model before stays');
  element.srcObject = '/sample.glb';
  await t.until(() => loads.length === 3, 'an address');
  t.equal(element.availableAnimations[0], 'Idle');
  t.equal(
    part<HTMLSelectElement>(t, element, 'clip-select').options[0]?.text,
    'Idle',
    'the bar has the clips of the new one',
  );
});

test('srcObject: works without src, also if it was set before the element was defined', async (t) => {
  const element = placed({ 'environment-image': 'none' });
  await t.frames(2);
  t.equal(element.viewer, null, 'nothing to show');
  element.srcObject = model({}).glb;
  await t.until(() => element.modelIsVisible, 'bytes');
});

test('animation-name: setting the same name selects the clip again', async (t) => {
  const element = await shown(t, { 'animation-name': 'Short' });
  const viewer = t.some(element.viewer);
  viewer.play('Slide');
  element.animationName = 'Short';
  t.equal(viewer.clip?.name, 'Short');
});

test('slot controls: is placed between the picture and the bar', async (t) => {
  const own = document.createElement('p');
  own.slot = 'controls';
  own.style.cssText = 'margin: 0; height: 30px';
  const element = await shown(t, { controls: '' }, own);
  await t.frames(2);
  const [picture, page, bar] = [part(t, element, 'canvas'), own, part(t, element, 'controls')].map((each) =>
    each.getBoundingClientRect(),
  );
  t.equal([picture?.bottom, page?.bottom], [page?.top, bar?.top]);
  t.equal(page?.height, 30);
});

test('skybox-height: is a length', async (t) => {
  const element = await shown(t, { 'skybox-height': '160cm' });
  const heights = ['2m', '1.5', 'nonsense', '-1m', '', 'infinity'].map((height) => {
    element.setAttribute('skybox-height', height);
    return element.viewer?.skyboxHeight;
  });
  t.equal(heights, [2, 1.5, 0, 0, 0, 0]);
  element.setAttribute('skybox-height', '160cm');
  t.close(element.viewer?.skyboxHeight ?? 0, 1.6);
});

test('entityTransform: is the place of the model as a matrix', async (t) => {
  const element = placed({
    src: address(),
    'environment-image': 'none',
    orientation: '0deg 0deg 90deg',
    scale: '1 2 3',
  });
  const numbers = (matrix: DOMMatrixReadOnly): number[] => [...matrix.toFloat64Array()];
  const said = numbers(new DOMMatrix().rotateSelf(0, 90, 0).scaleSelf(1, 2, 3));
  t.close(numbers(element.entityTransform), said, 1e-9, 'as attributes say');
  await t.until(() => element.modelIsVisible, 'the model');
  const viewer = t.some(element.viewer);
  const bad: readonly DOMMatrix[] = [
    new DOMMatrix().scaleSelf(1, 0, 1),
    new DOMMatrix().skewXSelf(20),
    new DOMMatrix([NaN, 0, 0, 1, 0, 0]),
    new DOMMatrix([1, 0, 0, 1, Infinity, 0]),
    Object.assign(new DOMMatrix(), { m14: 0.5 }),
    Object.assign(new DOMMatrix(), { m44: 2 }),
  ];
  for (const matrix of bad) await t.throws(() => (element.entityTransform = matrix), 'argument/invalid');
  t.close(numbers(element.entityTransform), said, 1e-9, 'nothing has changed');
  for (const axis of [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
    [1, -1, 0],
    [-1, 2, 3],
  ] as const) {
    for (const angle of [0, 1e-7, 37, 90, 179.9999, 180, 270]) {
      for (const scale of [
        [1, 1, 1],
        [2, 0.5, 3],
        [-1, 1, 1],
        [1, 1, -0.1],
      ] as const) {
        const matrix = new DOMMatrix()
          .translateSelf(0.1, -2, 3)
          .rotateAxisAngleSelf(...axis, angle)
          .scaleSelf(...scale);
        element.entityTransform = matrix;
        t.close(numbers(element.entityTransform), numbers(matrix), 1e-6, `${axis} ${angle} ${scale}`);
      }
    }
  }
  element.entityTransform = new DOMMatrix().translateSelf(1, 2, 3).rotateSelf(0, 90, 0);
  const { min, max } = t.some(viewer.bounds);
  t.close([...min, ...max], [1, 2, 2, 1, 3, 3], 1e-5, 'the model stands there');
  element.resetTurntableRotation(1);
  t.close(numbers(element.entityTransform).slice(12), [1, 2, 3, 1], 1e-6, 'without the turntable');
  element.resetTurntableRotation(0);
  element.src = address();
  await t.until(() => element.loaded && viewer.bounds !== null, 'another model');
  await element.ready;
  t.close(t.some(viewer.bounds).min, [1, 2, 2], 1e-5, 'stands there too');
  element.scale = '1 1 1';
  t.close(numbers(element.entityTransform), numbers(new DOMMatrix().rotateSelf(0, 90, 0)), 1e-9, 'attributes again');
  const early = Object.assign(document.createElement('gambol-viewer'), {
    entityTransform: new DOMMatrix().translateSelf(5, 0, 0),
  });
  t.equal(early.entityTransform.m41, 5);
});
