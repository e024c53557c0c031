// `<model>` of `gambol/model`: each case is a sentence of the explainer or the draft of immersive-web/model-element, in the order of these.

import { browser, test } from '../../page/api.ts';
import {
  GLB,
  METRES,
  address,
  blob,
  box,
  colorAt,
  heard,
  made,
  numbers,
  placed,
  ready,
  refusal,
  source,
} from '../support/model-element.ts';

const MISSING = '/gambol/none.glb';
const identity = (): number[] => [...new DOMMatrix().toFloat64Array()];
const matrix = (element: HTMLModelElement): number[] => [...element.entityTransform.toFloat64Array()];

// ---- the interface

test('model element: the interface has the members of the draft, and its values without a source', async (t) => {
  t.equal(Object.prototype.toString.call(document.createElement('model')), '[object HTMLUnknownElement]', 'untouched');
  const element = document.createElement('model');
  t.ok(element instanceof HTMLModelElement && element instanceof HTMLElement, 'instanceof');
  t.ok(!(document.createElement('mode') instanceof HTMLModelElement), 'another element');
  t.equal(String(element), '[object HTMLModelElement]');
  t.equal(HTMLModelElement.name, 'HTMLModelElement');
  t.ok((await t.throws(() => new HTMLModelElement())) instanceof TypeError, 'no constructor');
  const { currentSrc, src, poster, environmentMap, stageMode, autoplay, loop, loading, width, height } = element;
  t.equal(
    { currentSrc, src, poster, environmentMap, stageMode, autoplay, loop, loading, width, height },
    {
      currentSrc: '',
      src: '',
      poster: '',
      environmentMap: '',
      stageMode: '',
      autoplay: false,
      loop: false,
      loading: 'eager',
      width: 0,
      height: 0,
    },
  );
  const { duration, currentTime, playbackRate, paused } = element;
  t.equal(
    { duration, currentTime, playbackRate, paused },
    { duration: 0, currentTime: 0, playbackRate: 1, paused: true },
  );
  t.equal(
    [numbers(element.boundingBoxCenter), numbers(element.boundingBoxExtents)],
    [
      [0, 0, 0],
      [0, 0, 0],
    ],
  );
  t.ok(element.boundingBoxCenter instanceof DOMPointReadOnly && element.entityTransform instanceof DOMMatrixReadOnly);
  t.equal([matrix(element), element.entityTransform.is2D], [identity(), false]);
  const { ready: promise } = element;
  t.ok(promise === element.ready && element.environmentMapReady instanceof Promise, 'the same promise');
  for (const name of [
    'currentSrc',
    'ready',
    'boundingBoxCenter',
    'boundingBoxExtents',
    'environmentMapReady',
    'duration',
    'paused',
  ])
    t.equal(Object.getOwnPropertyDescriptor(HTMLModelElement.prototype, name)?.set, undefined, `${name} is read-only`);
  await t.throws(
    () => Reflect.get(HTMLModelElement.prototype, 'ready', document.createElement('p')),
    'Illegal invocation',
  );
  t.equal(element.children.length, 0, 'no child without a source');
});

test('model element: properties reflect attributes', (t) => {
  const element = document.createElement('model');
  const attribute = (name: string): string | null => element.getAttribute(name);
  element.src = 'some.glb';
  element.poster = 'some.png';
  element.environmentMap = 'some.hdr';
  t.equal(['src', 'poster', 'environmentmap'].map(attribute), ['some.glb', 'some.png', 'some.hdr']);
  t.equal(
    [element.src, element.poster, element.environmentMap],
    ['some.glb', 'some.png', 'some.hdr'].map((name) => new URL(name, document.baseURI).href),
  );
  for (const mode of ['orbit', 'none', 'Hello']) {
    element.stageMode = mode;
    t.equal([element.stageMode, attribute('stagemode')], [mode, mode]);
  }
  element.autoplay = element.loop = true;
  t.equal([attribute('autoplay'), attribute('loop')], ['', '']);
  element.autoplay = element.loop = false;
  t.equal([attribute('autoplay'), attribute('loop')], [null, null]);
  element.loading = 'lazy';
  t.equal([attribute('loading'), element.loading], ['lazy', 'lazy']);
  element.setAttribute('loading', 'soon');
  t.equal(element.loading, 'eager');
  element.width = 320.7;
  element.setAttribute('height', ' 240px');
  t.equal([attribute('width'), element.width, element.height], ['320', 320, 240]);
  element.width = -1;
  t.equal([attribute('width'), element.width], ['0', 0]);
  element.removeAttribute('src');
});

test('model element: an element of markup has its properties before its observer was called', (t) => {
  document.body.innerHTML = '<model src="hero.glb" width="20"></model><mode width="20"></mode>';
  const [element, other] = document.body.children;
  t.equal((element as HTMLModelElement).width, 20);
  t.ok((element as HTMLModelElement).ready instanceof Promise);
  t.equal((other as HTMLModelElement).width, undefined, 'another unknown element');
  Object.assign(t.some(other), { width: 5 });
  t.equal([(other as HTMLModelElement).width, other?.getAttribute('width')], [5, '20']);
  element?.remove();
});

// ---- sources

test('model element: the source is src, or the first <source> that fits', (t) => {
  const url = (name: string): string => new URL(name, document.baseURI).href;
  const element = made();
  t.equal(element.currentSrc, '');
  const first = source('');
  element.append(first);
  t.equal(element.currentSrc, '', 'a source without src');
  first.src = 'first.glb';
  t.equal(element.currentSrc, url('first.glb'), 'its src was set');
  element.append(source('second.glb'));
  t.equal(element.currentSrc, url('first.glb'), 'a second source');
  element.prepend(source('zeroth.glb'));
  t.equal(element.currentSrc, url('zeroth.glb'), 'one before');
  element.firstElementChild?.remove();
  t.equal(element.currentSrc, url('first.glb'), 'removed');
  first.type = 'model/unknown';
  t.equal(element.currentSrc, url('second.glb'), 'a type that cannot be shown');
  first.type = 'Model/glTF-binary; charset=x';
  t.equal(element.currentSrc, url('first.glb'), 'a type in other letters, with parameters');
  first.media = 'print';
  t.equal(element.currentSrc, url('second.glb'), 'a media query that does not match');
  first.media = 'screen';
  t.equal(element.currentSrc, url('first.glb'), 'one that matches');
  first.type = 'model/vnd.usdz+zip';
  t.equal(element.currentSrc, url('second.glb'), 'USD is not read');
  element.src = 'own.glb';
  t.equal(element.currentSrc, url('own.glb'), 'src');
  element.src = '';
  t.equal(element.currentSrc, url('second.glb'), 'an empty src');
  element.src = 'http://[';
  t.equal(element.currentSrc, url('second.glb'), 'no URL');
});

test('model element: USD files are not fetched; the next source is', async (t) => {
  const element = placed(
    {},
    source('/gambol/a.usdz'),
    source('/gambol/b.usdz', 'model/vnd.usdz+zip'),
    source(address(), GLB),
  );
  const events = heard(element);
  await element.ready;
  await t.sleep(0);
  t.equal([element.currentSrc.startsWith('blob:'), events], [true, ['load']]);
  const alone = placed({ src: '/gambol/alone.usdz' });
  t.equal(alone.currentSrc, new URL('/gambol/alone.usdz', location.href).href);
  t.equal(await refusal(t, alone.ready), 'NotSupportedError');
  t.equal(
    (await t.requests()).filter(({ path }) => path.includes('.usdz')),
    [],
  );
});

test('model element: the next source is tried after one that cannot be loaded', async (t) => {
  t.expectTrouble(/404|Failed to load/);
  const [missing, broken, good] = [source(MISSING), source(blob(new Uint8Array(40)), GLB), source(address(), GLB)];
  const element = placed({}, missing, broken, good);
  const events = [missing, broken, good, element].map(heard);
  const { ready: promise } = element;
  t.equal(await promise, element);
  await t.sleep(0);
  t.equal([element.currentSrc, element.ready === promise], [good.src, true], 'one promise for the list');
  t.equal(events, [['error'], ['error'], [], ['load']]);
  good.remove();
  t.equal(element.currentSrc, missing.src, 'another list is tried from its beginning');
  t.equal(await refusal(t, element.ready), 'AbortError', 'the reason of the last source');
});

test('model element: without a source that fits, ready rejects and the fallback content stays', async (t) => {
  const element = placed(
    {},
    source('a.usdz', 'model/vnd.usdz+zip'),
    source('b.x', 'model/x'),
    document.createElement('p'),
  );
  const events = heard(element);
  t.equal(await refusal(t, element.ready), 'NotSupportedError');
  await t.sleep(0);
  t.equal([events, element.currentSrc, getComputedStyle(element).display], [['error'], '', 'inline']);
  const { ready: failed } = element;
  element.append(source(address(), GLB));
  t.ok(element.ready !== failed, 'a new promise');
  await element.ready;
});

test('model element: a source that the parser has not read yet may fit', async (t) => {
  const frame = document.createElement('iframe');
  frame.srcdoc = `<!doctype html><base href="/"><script type="module" async src="/gambol/dist/model.js"></script>
    <model>
      <source src="a.usdz" type="model/vnd.usdz+zip">
      <script src="/__tests/trouble.js?delay=2500"></script>
      <source src="/sample.glb" type="${GLB}">
    </model>`;
  document.body.append(frame);
  let element: HTMLModelElement | undefined | null;
  await t.until(() => {
    const { contentWindow: view } = frame;
    element = view && 'HTMLModelElement' in view ? view.document.querySelector('model') : null;
    return element;
  }, 'the element');
  const { ready: promise, ownerDocument } = t.some(element);
  const events = heard(t.some(element));
  // The others run the script only after the parser.
  if (browser === 'chromium') t.equal(ownerDocument.readyState, 'loading');
  await promise;
  t.equal([events.includes('error'), element?.currentSrc.endsWith('/sample.glb')], [false, true]);
});

// ---- promises and events

test('model element: ready rejects with NetworkError for a file that cannot be fetched', async (t) => {
  t.expectTrouble(/404|Failed to load/);
  const element = placed({ src: MISSING });
  const events = heard(element);
  t.equal(await refusal(t, element.ready), 'NetworkError');
  const error = await element.ready.catch((reason: unknown) => reason);
  t.equal((error as { cause: { code: string } }).cause.code, 'fetch/http');
  await t.sleep(0);
  t.equal(events, ['error']);
});

test('model element: ready rejects with AbortError for a file that cannot be read', async (t) => {
  const element = placed({ src: blob('no model at all') });
  const events = heard(element);
  t.equal(await refusal(t, element.ready), 'AbortError');
  t.equal(events, ['error']);
  t.equal([element.duration, numbers(element.boundingBoxExtents), matrix(element)], [0, [0, 0, 0], identity()]);
});

test('model element: a change or a removal of the source aborts ready, and renews it', async (t) => {
  const first = source(address());
  const element = placed({}, first);
  const events = heard(element);
  const { ready: one } = element;
  first.src = address();
  const { ready: two } = element;
  t.ok(one !== two, 'after a change');
  first.remove();
  const { ready: three } = element;
  t.ok(two !== three, 'after the removal');
  t.equal([await refusal(t, one), await refusal(t, two), element.currentSrc], ['AbortError', 'AbortError', '']);
  await t.sleep(0);
  t.equal(events, ['error'], 'no source is left');
  element.append(first);
  t.equal(element.ready, three, 'the promise for the next source');
  t.equal(await three, element);
  await t.sleep(0);
  t.equal(events, ['error', 'load']);
});

test('model element: a removed source takes its model away', async (t) => {
  const element = await ready({ src: box([100, 50, 200], [2, 2, 2]) });
  element.removeAttribute('src');
  t.equal(
    [numbers(element.boundingBoxCenter), numbers(element.boundingBoxExtents), matrix(element)],
    [[0, 0, 0], [0, 0, 0], identity()],
  );
  t.equal([element.querySelector('gambol-model-view'), getComputedStyle(element).display], [null, 'inline']);
});

// ---- the box and the transform

test('model element: the bounding box is that of the model, and does not follow the transform', async (t) => {
  for (const [centre, extents] of [
    [
      [100, 50, 200],
      [2, 2, 2],
    ],
    [
      [0, 0, 0],
      [1, 3, 0.5],
    ],
    [
      [1, 1, 1],
      [2, 2, 0],
    ],
  ] as const) {
    const element = await ready({ src: box(centre, extents) });
    for (const step of ['initially', 'transformed']) {
      t.close(numbers(element.boundingBoxCenter), centre, 1e-4, step);
      t.close(numbers(element.boundingBoxExtents), extents, 1e-4, step);
      element.entityTransform = new DOMMatrix().scale(3, 3, 3).rotate(10, 20, 30);
    }
    element.remove();
  }
  const element = await ready({ src: address(), autoplay: '', loop: '' });
  const before = element.boundingBoxCenter;
  await t.sleep(100);
  t.equal(element.boundingBoxCenter, before, 'nor the animation');
  t.close(numbers(before), [0.5, 0.5, 0]);
});

test('model element: initially the model fills the element, behind the plane of the page', async (t) => {
  for (const [width, height, centre, extents] of [
    [300, 150, [0, 0, 0], [2, 2, 0]],
    [100, 400, [5, -3, 2], [2, 2, 1]],
    [200, 200, [0, 1, 0], [0.1, 4, 3]],
  ] as const) {
    const element = await ready({ src: box(centre, extents), width: `${width}`, height: `${height}` });
    const scale = Math.min((width * METRES) / extents[0], (height * METRES) / extents[1]);
    const corner = (sign: number): number[] => {
      const [x, y, z] = centre.map((value, i) => value + (sign * (extents[i] ?? 0)) / 2);
      return numbers(element.entityTransform.transformPoint(new DOMPoint(x, y, z)));
    };
    const [x, y, z] = extents.map((extent) => extent * scale) as [number, number, number];
    t.close(corner(1), [x / 2, y / 2, 0], 1e-6, 'front');
    t.close(corner(-1), [-x / 2, -y / 2, -z], 1e-6, 'back');
    element.remove();
  }
});

test('model element: the picture fills the element, and follows the transform', async (t) => {
  const element = await ready({
    src: box([7, 0, 0], [2, 2, 0]),
    style: 'position: fixed; left: 0; top: 0; width: 200px; height: 100px; background: rgb(0, 0, 255)',
  });
  const [red, blue] = [
    [255, 0, 0],
    [0, 0, 255],
  ];
  t.close(await colorAt(t, 55, 6), red, 3, 'the upper left corner of the square');
  t.close(await colorAt(t, 145, 94), red, 3, 'the lower right one');
  t.close(await colorAt(t, 44, 50), blue, 3, 'left of it: the background of the element');
  const initial = element.entityTransform;
  // 50 pixels to the right on the plane of the page.
  element.entityTransform = new DOMMatrix().translate(50 * METRES, 0, 0).multiply(initial);
  t.close(await colorAt(t, 94, 50), blue, 3, 'moved');
  t.close(await colorAt(t, 195, 50), red, 3, 'moved');
  element.entityTransform = initial.scale(0.02);
  await t.frames(2);
  t.close(await colorAt(t, 102, 50), blue, 3, 'a speck');
  element.entityTransform = initial;
  t.close(await colorAt(t, 55, 6), red, 3, 'the initial transform again');
});

test('model element: the transform is read back as it was set, and is checked', async (t) => {
  const waiting = placed();
  await t.throws(() => (waiting.entityTransform = new DOMMatrix()), /no model yet/);
  const element = await ready();
  const turned = new DOMMatrix().translate(0, 0, -10).rotate(0, 57, 0).scale(2, 2, 2);
  element.entityTransform = turned;
  t.close(matrix(element), [...turned.toFloat64Array()]);
  t.ok(element.entityTransform !== turned, 'a copy');
  turned.translateSelf(1, 1, 1);
  t.ok(element.entityTransform.m41 !== turned.m41, 'of the numbers');
  const before = matrix(element);
  for (const wrong of [
    new DOMMatrix().skewX(20),
    new DOMMatrix().scale(2).rotate(10, 20, 30),
    new DOMMatrix().scale(0),
    new DOMMatrix([NaN, 0, 0, 1, 0, 0]),
  ])
    await t.throws(() => (element.entityTransform = wrong), /entityTransform must be made of/);
  const projection = new DOMMatrix();
  projection.m34 = 0.1;
  await t.throws(() => (element.entityTransform = projection), /entityTransform must be made of/);
  for (const wrong of [null, {}, [1, 0, 0, 1, 0, 0], 'none'])
    await t.throws(() => (element.entityTransform = wrong as unknown as DOMMatrix), /must be a DOMMatrixReadOnly/);
  t.equal(matrix(element), before, 'unchanged');
});

test('model element: another size leaves the transform as it is; another model has its own', async (t) => {
  const element = await ready({ src: box([0, 0, 0], [2, 2, 2]), width: '300', height: '40' });
  const before = matrix(element);
  element.height = 300;
  await t.frames(3);
  t.equal(matrix(element), before);
  element.src = box([0, 1, 0], [1, 3, 1]);
  t.equal(matrix(element), identity(), 'while it is loading');
  await element.ready;
  t.close(element.entityTransform.m11, (300 * METRES) / 3);
});

test('model element: without a size, the model is fitted when it has one', async (t) => {
  const element = await ready({ src: box([0, 0, 0], [2, 2, 2]), style: 'display: none' });
  t.equal(matrix(element), identity());
  element.style.display = '';
  await t.until(() => element.entityTransform.m11 !== 1, 'the fit');
  t.close(element.entityTransform.m11, (150 * METRES) / 2);
});
