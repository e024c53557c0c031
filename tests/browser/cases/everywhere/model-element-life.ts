// `<model>` of `gambol/model`: the stage mode, the animation, the light, the fallback content, and the life of elements in pages.

import { observeModels } from 'gambol/model';
import { browser, test, type T } from '../../page/api.ts';
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
import { Loss } from '../support/loss.ts';
import { even } from '../support/panorama.ts';

const FIXED = 'position: fixed; left: 0; top: 0; width: 200px; height: 100px';
const matrix = (element: HTMLModelElement): number[] => [...element.entityTransform.toFloat64Array()];
const view = (element: Element): HTMLElement | null => element.querySelector('gambol-model-view');
const display = (element: Element): string => getComputedStyle(element).display;

// ---- the stage mode

test('model element: orbit shows the model in every orientation, and makes the transform read-only', async (t) => {
  const element = await ready({ src: box([1, 1, 1], [2, 2, 2]), width: '200', height: '100' });
  element.entityTransform = element.entityTransform.scale(2000).rotate(0, 0, 40);
  element.stageMode = 'orbit';
  const diameter = Math.hypot(2, 2, 2);
  const scale = (100 * METRES) / diameter;
  const check = (): void => {
    const transform = element.entityTransform;
    t.close(
      numbers(transform.transformPoint(element.boundingBoxCenter)),
      [0, 0, (-scale * diameter) / 2],
      1e-6,
      'centre',
    );
    const { m11, m12, m13 } = transform;
    t.close(Math.hypot(m11, m12, m13), scale, 1e-6, 'scale');
  };
  check();
  t.close(
    Math.atan2(element.entityTransform.m12, element.entityTransform.m11),
    (40 / 180) * Math.PI,
    1e-6,
    'the rotation stays',
  );
  const before = matrix(element);
  const thrown = await t.throws(() => (element.entityTransform = new DOMMatrix()), /read-only/);
  t.equal([(thrown as DOMException).name, matrix(element)], ['InvalidStateError', before]);
  element.height = 50;
  await t.until(() => Math.abs(element.entityTransform.m43 - before[14]!) > 1e-6, 'the fit in the other size');
  const orbited = matrix(element);
  element.stageMode = 'none';
  t.equal(matrix(element), orbited, 'the transform stays');
  element.entityTransform = new DOMMatrix();
  // A mode that is there before the model.
  const second = await ready({ src: box([1, 1, 1], [2, 2, 2]), width: '200', height: '100', stagemode: 'ORBIT' });
  t.close(second.entityTransform.m11, scale);
});

test('model element: in orbit, drags and arrow keys rotate the model', async (t) => {
  const element = await ready({
    src: box([0, 0, 0], [1, 1, 1], [1, 0, 0], [0, 0.5, 0]),
    style: FIXED,
    stagemode: 'orbit',
  });
  const angle = (): number => Math.atan2(-element.entityTransform.m13, element.entityTransform.m11);
  const drag = (x: number, y: number): Promise<void> =>
    t.act(
      { type: 'move', x: 100, y: 50 },
      { type: 'down' },
      { type: 'move', x: 100 + x / 2, y: 50 + y / 2 },
      { type: 'move', x: 100 + x, y: 50 + y },
      { type: 'up' },
    );
  t.close(await colorAt(t, 100, 50), [255, 0, 0], 3, 'the front');
  await drag(25, 0);
  t.close(angle(), Math.PI / 2, 1e-3, 'a quarter turn: its front moves with the pointer');
  await drag(25, 0);
  const [red, green, blue] = await colorAt(t, 100, 50);
  t.ok(red === 0 && green! > 100 && blue === 0, 'the back');
  await drag(0, 400);
  t.close(element.entityTransform.m22, 0, 1e-6, 'the pitch ends above the model');
  const before = matrix(element);
  await t.act({ type: 'move', x: 20, y: 20 });
  t.equal(matrix(element), before, 'a move without a button');
  // Pages prevent the gesture by its first event, even with a listener that is called later.
  for (const type of ['pointerdown', 'mousedown']) {
    const prevent = (event: Event): void => event.preventDefault();
    addEventListener(type, prevent, { once: true });
    await drag(25, 0);
    t.equal(matrix(element), before, `${type} prevented`);
  }
  element.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowUp', cancelable: true }));
  t.close(
    element.entityTransform.m22 /
      Math.hypot(element.entityTransform.m21, element.entityTransform.m22, element.entityTransform.m23),
    Math.sin(Math.PI / 12),
    1e-6,
    'a key',
  );
  element.stageMode = 'none';
  const last = matrix(element);
  await drag(25, 0);
  element.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowUp', cancelable: true }));
  t.equal(matrix(element), last, 'not in another mode');
});

// ---- the animation

test('model element: play and pause', async (t) => {
  const empty = placed();
  t.equal(await refusal(t, empty.play()), 'InvalidStateError', 'without a model');
  t.equal(await empty.pause(), undefined);
  const still = await ready({ src: box([0, 0, 0], [1, 1, 1]), autoplay: '' });
  t.equal([still.duration, still.currentTime, still.paused], [0, 0, true]);
  t.equal(await refusal(t, still.play()), 'InvalidStateError', 'without an animation');
  still.currentTime = 30;
  t.equal(still.currentTime, 0);

  const element = await ready();
  t.close(element.duration, 2);
  t.equal([element.currentTime, element.paused], [0, true], 'it waits');
  element.autoplay = true;
  t.ok(element.paused, 'autoplay is for the load');
  t.equal(await element.play(), undefined);
  t.ok(!element.paused);
  await t.until(() => element.currentTime > 0, 'it runs');
  t.equal(await element.pause(), undefined);
  t.ok(element.paused);
  for (const [set, read] of [
    [1, 1],
    [-5, 0],
    [90, 2],
  ] as const) {
    element.currentTime = set;
    t.close(element.currentTime, read);
  }
  for (const wrong of [NaN, Infinity, 'soon']) {
    await t.throws(() => (element.currentTime = wrong as number), /must be a finite number/);
    await t.throws(() => (element.playbackRate = wrong as number), /must be a finite number/);
  }
  element.playbackRate = 0.5;
  t.equal([element.playbackRate, element.duration], [0.5, 2], 'the duration is not scaled');
});

test('model element: autoplay plays on load; without loop the animation ends, with it it repeats', async (t) => {
  const element = await ready({ src: address({ clips: [['Short', 0.3]] }), autoplay: '' });
  await t.until(() => element.paused, 'the end');
  t.close(element.currentTime, 0.3);
  await element.play();
  t.ok(element.currentTime < 0.3, 'it begins again');
  element.loop = true;
  let turns = 0;
  let before = element.currentTime;
  await t.until(() => {
    if (element.currentTime < before) turns++;
    before = element.currentTime;
    return turns > 1;
  }, 'two turns');
  t.ok(!element.paused);
});

test('model element: autoplay waits if the system asks for reduced motion', async (t) => {
  if (browser !== 'chromium') t.skip('only its driver can');
  await t.act({ type: 'reduce-motion', on: true });
  const element = await ready({ autoplay: '' });
  t.ok(element.paused);
  await element.play();
  t.ok(!element.paused);
});

// ---- the light

test('model element: environmentMapReady', async (t) => {
  t.expectTrouble(/404|Failed to load/);
  const element = placed({ src: address(), environmentmap: '/gambol/none.hdr' });
  const { environmentMapReady: missing } = element;
  t.equal(await refusal(t, missing), 'NetworkError');
  element.environmentMap = URL.createObjectURL(new Blob([even(0.5)]));
  const { environmentMapReady: aborted } = element;
  t.ok(aborted !== missing, 'another promise');
  element.environmentMap = URL.createObjectURL(new Blob([even(2)]));
  t.equal(await refusal(t, aborted), 'AbortError');
  t.equal(await element.environmentMapReady, undefined);
  element.src = address();
  await element.ready;
  t.equal(await element.environmentMapReady, undefined, 'it stays with another model');
  element.environmentMap = blob('no picture');
  t.equal(await refusal(t, element.environmentMapReady), 'AbortError');
  const { environmentMapReady: broken } = element;
  element.environmentMap = '';
  t.ok(element.environmentMapReady !== broken);
});

// ---- fallback content, poster and layout

test('model element: fallback content is hidden while the model is shown', async (t) => {
  t.expectTrouble(/404|Failed to load/);
  const image = Object.assign(document.createElement('p'), { textContent: 'No model' });
  const element = placed(
    { style: 'background: white; color: black; width: 120px' },
    source(address(), GLB),
    'Text ',
    image,
  );
  t.equal([display(image), display(element)], ['block', 'inline'], 'before the script of the element runs');
  t.equal(element.duration, 0);
  t.equal([display(image), display(element)], ['block', 'inline-block'], 'while it is loading');
  await element.ready;
  t.equal(display(image), 'none', 'shown');
  t.equal(getComputedStyle(element).webkitTextFillColor, 'rgba(0, 0, 0, 0)', 'the text beside it, too');
  element.append(document.createElement('b'));
  t.equal(display(t.some(element.querySelector('b'))), 'none', 'added later');
  element.src = '/gambol/none.glb';
  await element.ready.catch(() => undefined);
  t.equal([display(image), display(element), view(element)], ['block', 'inline', null], 'after a failure');
  t.equal(element.getAttribute('style'), 'background: white; color: black; width: 120px', 'no style of its own');
});

test('model element: the poster is shown until the model is, and after a failure without fallback content', async (t) => {
  t.expectTrouble(/404|Failed to load/);
  const canvas = document.createElement('canvas');
  Object.assign(canvas, { width: 40, height: 20 });
  const context = t.some(canvas.getContext('2d'));
  context.fillStyle = 'rgb(0, 128, 0)';
  context.fillRect(0, 0, 40, 20);
  const poster = canvas.toDataURL();
  const fallback = document.createElement('p');
  const slow = placed({ src: '/sample.glb?delay=4000', poster, style: FIXED }, fallback);
  t.ok(slow.paused);
  t.equal(display(fallback), 'none');
  await t.until(async () => (await colorAt(t, 5, 5))[1]! > 100, 'the poster');
  slow.remove();
  const failed = placed({ src: '/gambol/none.glb', poster, style: FIXED });
  await failed.ready.catch(() => undefined);
  t.close(await colorAt(t, 5, 5), [0, 128, 0], 3, 'after a failure');
  failed.append(fallback);
  await t.until(() => view(failed) === null, 'the fallback content');
  failed.remove();
  const element = await ready({ src: box([0, 0, 0], [2, 1, 0]), poster, style: FIXED });
  t.close(await colorAt(t, 5, 5), [255, 0, 0], 3, 'the model');
  element.remove();
});

test('model element: its size is 300 × 150, that of its attributes, or that of the styles of the page', async (t) => {
  const size = (element: Element): number[] => {
    const { width, height } = element.getBoundingClientRect();
    return [width, height];
  };
  const canvas = { src: address() };
  t.equal(size(await ready(canvas)), [300, 150]);
  t.equal(size(await ready({ ...canvas, width: '120', height: '80px' })), [120, 80]);
  t.equal(
    size(await ready({ ...canvas, style: 'width: 10em; font-size: 12px; height: 30px; padding: 5px' })),
    [130, 40],
  );
  t.equal(
    size(await ready({ ...canvas, width: '400', height: '200', style: 'width: 100px; height: auto' })),
    [100, 50],
    'the ratio of the attributes',
  );
  document.body.style.width = '500px';
  t.equal(size(await ready({ ...canvas, width: '50%', height: '"] {} x' })), [250, 150]);
  const style = Object.assign(document.createElement('style'), {
    textContent: ':where(model) { } model { width: 64px; height: 32px; }',
  });
  document.head.append(style);
  const element = await ready({ ...canvas, width: '400' });
  t.equal(size(element), [64, 32], 'a rule of the page');
  element.width = 20;
  style.remove();
  t.equal(size(element), [20, 150]);
});

// ---- life

test('model element: moved, removed and added again, it keeps its state', async (t) => {
  const element = await ready({ src: address(), loop: '' });
  const events = heard(element);
  const { ready: promise } = element;
  const child = view(element);
  element.entityTransform = element.entityTransform.rotate(0, 30, 0);
  const before = matrix(element);
  const section = document.createElement('section');
  document.body.append(section);
  section.append(element);
  await t.sleep(50);
  t.equal([view(element), element.duration, events], [child, 2, []], 'moved: nothing is loaded again');
  element.currentTime = 1.25;
  await element.play();
  element.remove();
  await t.sleep(50);
  t.equal([element.paused, element.duration, matrix(element)], [true, 2, before], 'removed');
  t.ok(element.currentTime >= 1.25);
  t.equal(await refusal(t, element.play()), 'InvalidStateError', 'it is not shown');
  document.body.append(element);
  await t.until(() => !element.paused, 'it plays again');
  t.ok(element.currentTime > 1.2, 'at its time');
  t.equal([element.ready === promise, matrix(element), events], [true, before, []]);
});

test('model element: removed while it is loading, its load goes on when it is added again', async (t) => {
  const element = placed({ src: '/sample.glb?delay=700' });
  const events = heard(element);
  const { ready: promise } = element;
  await t.sleep(100);
  element.remove();
  await t.sleep(1200);
  t.equal(events, []);
  document.body.append(element);
  t.equal([await promise, element.ready === promise], [element, true]);
});

test('model element: copies have views of their own', async (t) => {
  const element = await ready();
  const copy = element.cloneNode(true) as HTMLModelElement;
  document.body.append(copy);
  await copy.ready;
  t.equal(
    [copy.querySelectorAll('gambol-model-view').length, view(copy) !== view(element), copy.duration],
    [1, true, 2],
  );
  document.body.insertAdjacentHTML('beforeend', element.outerHTML);
  const parsed = document.body.lastElementChild as HTMLModelElement;
  await parsed.ready;
  t.equal([parsed.querySelectorAll('gambol-model-view').length, parsed.duration], [1, 2]);
  // A page that replaces all content of the element.
  parsed.innerHTML = '<p>Text</p>';
  await t.until(() => view(parsed), 'its view is there again');
  t.equal([parsed.children.length, parsed.duration, display(t.some(parsed.querySelector('p')))], [2, 2, 'none']);
});

test('model element: properties that were set before the upgrade, and markup in shadow roots', async (t) => {
  const host = document.createElement('div');
  document.body.append(host);
  const root = host.attachShadow({ mode: 'open' });
  root.innerHTML = '<model></model>';
  const first = t.some(root.querySelector('model'));
  Object.defineProperty(first, 'src', { value: address(), configurable: true, writable: true, enumerable: true });
  Object.defineProperty(first, 'currentTime', { value: 1, configurable: true, writable: true, enumerable: true });
  await t.sleep(20);
  t.equal(Object.getPrototypeOf(first) === HTMLModelElement.prototype, false, 'its root is not observed');
  observeModels(root);
  t.ok(first.src.startsWith('blob:') && first.hasAttribute('src'));
  await first.ready;
  t.equal(first.getBoundingClientRect().width, 300, 'styles in the shadow root');
  root.append(made({ src: address() }));
  const second = t.some(root.querySelectorAll('model')[1]);
  await t.until(() => Object.getPrototypeOf(second) === HTMLModelElement.prototype, 'one that is added later');
  await second.ready;
  host.remove();
});

test('model element: in the document of a frame, and back', async (t) => {
  const element = await ready({ src: box([0, 0, 0], [2, 2, 2]), stagemode: 'orbit' });
  const events = heard(element);
  const frame = document.createElement('iframe');
  frame.srcdoc = '<!doctype html><body></body>';
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
  document.body.append(frame);
  await loaded;
  for (const place of [t.some(frame.contentDocument).body, document.body]) {
    place.append(element);
    await t.sleep(50);
    t.ok(element instanceof HTMLModelElement, 'its class');
    t.close(numbers(element.boundingBoxExtents), [2, 2, 2], 1e-6, 'its model');
    t.equal([element.getBoundingClientRect().width, events], [300, []], 'its style');
    element.style.height = place === document.body ? '150px' : '75px';
    const size = place === document.body ? 150 : 75;
    await t.until(
      () => Math.abs(element.entityTransform.m11 - (size * METRES) / Math.hypot(2, 2, 2)) < 1e-6,
      'its size is observed',
    );
  }
});

test('model element: lazy models load near the viewport; many share a context, and are freed', async (t) => {
  const far = placed({ src: '/sample.glb?far', loading: 'lazy', style: 'position: absolute; top: 9000px' });
  const src = address();
  const all = Array.from({ length: 20 }, () => placed({ src, width: '40', height: '30' }));
  await Promise.all(all.map(({ ready: promise }) => promise));
  t.equal(
    (await t.requests()).filter(({ path }) => path.endsWith('?far')),
    [],
  );
  far.style.top = '0';
  await far.ready;
  for (const element of [...all, far]) element.remove();
  await t.sleep(50);
  // Every context of the page is in use again, one for each viewer, without a message that the oldest was lost.
  for (const element of all) document.body.append(element);
  await Promise.all(all.map(({ ready: promise }) => promise));
});

test('model element: without the scripts of the player it fails, and the next source tries again', async (t) => {
  t.expectTrouble(/503|Failed to load|[Mm]odule|MIME/);
  await t.refuse('/index.js', 99);
  const frame = document.createElement('iframe');
  frame.srcdoc = `<!doctype html><base href="/"><script type="module" src="/gambol/dist/model.js"></script>
    <model src="/sample.glb"><p>Text</p></model>`;
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
  document.body.append(frame);
  await loaded;
  const element = t.some(frame.contentDocument?.querySelector('model'));
  const error: unknown = await element.ready.then(
    () => t.fail('ready resolved'),
    (reason: unknown) => reason,
  );
  t.equal([(error as DOMException).name, view(element)], ['NetworkError', null]);
  await t.refuse('/index.js', 0);
  element.src = '/sample.glb?again';
  await element.ready;
  const { length } = (await t.requests()).filter(({ path }) => path.endsWith('?again'));
  t.equal(length, 1, 'one request, which began before the module was there');
});

test(
  'model element: it survives a loss of the context, and shows its fallback content after the last one',
  async (t) => {
    const { getContext } = HTMLCanvasElement.prototype;
    const canvases: HTMLCanvasElement[] = [];
    t.after(() => (HTMLCanvasElement.prototype.getContext = getContext));
    HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, kind: string, ...rest: unknown[]) {
      if (kind === 'webgl2') canvases.push(this);
      return (getContext as (...args: unknown[]) => RenderingContext | null).call(this, kind, ...rest);
    } as typeof getContext;
    const element = await ready({ src: box([0, 0, 0], [2, 1, 0]), style: FIXED });
    const events = heard(element);
    const loss = new Loss(t, t.some(canvases[0]));
    loss.take();
    await t.until(() => loss.times === 1, 'the loss');
    t.close(await colorAt(t, 5, 5), [255, 0, 0], 3, 'the last picture');
    await t.sleep(100);
    element.entityTransform = element.entityTransform.translate(1, 0, 0);
    await t.until(async () => ((await colorAt(t, 5, 5))[1] ?? 0) > 200, 'a picture after it');
    t.equal(events, []);
    for (let times = 2; times <= 3; times++) {
      loss.returns = times < 3;
      loss.take();
      await t.until(() => loss.times === times, `loss ${times}`);
      await t.sleep(200);
    }
    await t.until(() => events.length > 0, 'the end of the context');
    t.equal([events, view(element)], [['error'], null]);
    element.src = address();
    await element.ready;
  },
  { fresh: 'the page has no context before' },
);

test('model element: screen readers get the text of the element or of its fallback content', async (t) => {
  // The shadow root is closed, so its texts are read by the accessibility tree of an open one.
  const { attachShadow } = Element.prototype;
  const roots: ShadowRoot[] = [];
  t.after(() => (Element.prototype.attachShadow = attachShadow));
  Element.prototype.attachShadow = function (init) {
    const root = attachShadow.call(this, init);
    roots.push(root);
    return root;
  };
  const labels = (): (string | null)[] => {
    const canvas = t.some(roots.at(-1)?.querySelector('canvas'));
    return ['role', 'aria-label', 'aria-hidden', 'tabindex'].map((name) => canvas.getAttribute(name));
  };
  const image = Object.assign(document.createElement('img'), { alt: 'A hero' });
  const element = await ready({ src: address() }, image);
  t.equal(labels(), ['img', 'A hero', null, null]);
  element.setAttribute('alt', 'A red square');
  await t.until(() => labels()[1] === 'A red square', 'alt');
  element.setAttribute('aria-label', 'A square');
  element.stageMode = 'orbit';
  t.equal(labels(), ['img', 'A square', null, '0']);
  for (const name of ['alt', 'aria-label', 'stagemode']) element.removeAttribute(name);
  image.remove();
  await t.until(() => labels()[2] === 'true', 'without a text');
});

// ---- browsers with the element

test('model element: a browser that has HTMLModelElement keeps its own', async (t: T) => {
  const frame = document.createElement('iframe');
  frame.srcdoc = '<!doctype html><body><model src="/gambol/none.glb"></model></body>';
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }));
  document.body.append(frame);
  await loaded;
  const page = frame.contentWindow as Window & typeof globalThis;
  class Native {}
  Object.assign(page, { HTMLModelElement: Native });
  const names = (object: object): string => Object.getOwnPropertyNames(object).sort().join();
  const { document: doc, HTMLUnknownElement: Unknown } = page;
  const before = [names(Unknown.prototype), names(page), doc.documentElement.outerHTML];
  const script = Object.assign(doc.createElement('script'), { type: 'module', src: '/gambol/dist/model.js' });
  const ran = new Promise((resolve) => script.addEventListener('load', resolve));
  doc.head.append(script);
  await ran;
  script.remove();
  await t.sleep(50);
  t.equal([names(Unknown.prototype), names(page), doc.documentElement.outerHTML], before);
  t.ok((page.HTMLModelElement as unknown) === Native, 'its class');
  t.equal([page.customElements.get('gambol-model-view'), doc.adoptedStyleSheets.length], [undefined, 0]);
  const urls = Array.from(page.performance.getEntriesByType('resource'), ({ name }) => new URL(name).pathname);
  t.equal(
    urls.filter((path) => /index|wasm|none\.glb/.test(path)),
    [],
    'nothing else is fetched',
  );
});
