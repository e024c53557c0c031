// `<gambol-viewer>`: its loading and disposal, its attributes, and the API that pages for <model-viewer> use.

import type { GambolViewer } from 'gambol/element';
import { test } from '../../page/api.ts';
import { address, details, heard, made, part, placed, shown } from '../support/element.ts';
import { countGlObjects } from '../support/watch.ts';

/** The tolerance for equal times, in seconds. */
const SAME = 1e-6;

test(
  'element: lazy loading makes no request until it is near the viewport',
  async (t) => {
    const live = countGlObjects();
    const none = live();
    const space = document.createElement('div');
    space.style.height = '8000px';
    document.body.append(space);
    const element = placed({ src: '/sample.glb', alt: 'Somebody', autoplay: '' });
    const events = heard(element, 'progress', 'load', 'poster-dismissed', 'model-visibility', 'play');
    const progress = details<{ totalProgress: number }>(element, 'progress');
    await t.frames(5);
    const asked = async (): Promise<(string | undefined)[]> =>
      (await t.requests())
        .map(({ path }) => path)
        .filter((path) => /\.(wasm|glb)$/.test(path))
        .map((path) => path.split('/').pop());
    t.equal([live(), await asked(), element.viewer, element.loaded], [none, [], null, false]);
    element.scrollIntoView();
    await t.until(() => element.modelIsVisible, 'the model');
    t.equal([...(await asked())].sort(), ['gambol.wasm', 'sample.glb']);
    t.equal(
      events.filter((name) => name !== 'progress'),
      ['play', 'load', 'poster-dismissed', 'model-visibility'],
    );
    const ratios = progress.map(({ totalProgress }) => totalProgress);
    t.ok(ratios.every((ratio, i) => ratio >= (ratios[i - 1] ?? 0)) && ratios.at(-1) === 1, 'progress that never falls');
    t.ok(!element.paused && element.duration > 0 && element.availableAnimations.length > 2, 'it plays');
    t.equal(element.viewer?.canvas.getAttribute('aria-label'), 'Somebody');
  },
  { fresh: 'it observes which files are loaded' },
);

test('element: attributes are reflected by properties, with the defaults of <model-viewer>', async (t) => {
  const element = made();
  const defaults = {
    src: null,
    loading: 'auto',
    reveal: 'auto',
    autoplay: false,
    animationName: null,
    animationCrossfadeDuration: 300,
    cameraControls: false,
    cameraOrbit: '0deg 75deg 105%',
    cameraTarget: 'auto auto auto',
    fieldOfView: 'auto',
    minCameraOrbit: 'auto',
    interactionPrompt: 'auto',
    interactionPromptThreshold: 3000,
    interpolationDecay: 50,
    autoRotate: false,
    autoRotateDelay: 3000,
    exposure: 1,
    shadowIntensity: 0,
    shadowSoftness: 1,
    toneMapping: 'auto',
    touchAction: 'pan-y',
    timeScale: 1,
    orientation: '0 0 0',
    scale: '1 1 1',
    variantName: null,
    paused: true,
    loaded: false,
    modelIsVisible: false,
    currentTime: 0,
    duration: 0,
    canActivateAR: false,
    repetitions: Infinity,
    fps: 'auto',
  } as const;
  for (const [name, value] of Object.entries(defaults)) t.equal(Reflect.get(element, name), value, name);
  element.cameraControls = true;
  element.exposure = 2;
  element.cameraOrbit = '1rad 1rad 1m';
  element.src = 'a.glb';
  t.equal(
    ['camera-controls', 'exposure', 'camera-orbit', 'src'].map((name) => element.getAttribute(name)),
    ['', '2', '1rad 1rad 1m', 'a.glb'],
  );
  element.setAttribute('shadow-intensity', '7');
  element.setAttribute('loading', 'never');
  element.setAttribute('time-scale', 'fast');
  element.setAttribute('loop-mode', 'PINGPONG');
  t.equal([element.shadowIntensity, element.loading, element.timeScale, element.loopMode], [1, 'auto', 1, 'pingpong']);
  element.src = null;
  t.equal(element.hasAttribute('src'), false);
  // A property that a framework sets before the class is defined.
  const early = document.createElement('div') as unknown as GambolViewer;
  Object.assign(early, { exposure: 3 });
  t.equal(Object.hasOwn(early, 'exposure'), true);
});

test('element: a clip is set and played once in one task, as in model-viewer issue 3144', async (t) => {
  const mv = await shown(t, { 'animation-crossfade-duration': '0' });
  const counts = { finished: 0, loop: 0 };
  mv.addEventListener('finished', () => (counts.finished += 1));
  mv.addEventListener('loop', () => (counts.loop += 1));
  mv.animationName = 'Short';
  mv.play({ repetitions: 1 });
  t.equal([mv.paused, mv.duration], [false, mv.viewer?.clips[1]?.duration]);
  await t.until(() => counts.finished === 1, 'its end');
  await t.frames(12);
  t.equal([counts, mv.currentTime], [{ finished: 1, loop: 0 }, mv.duration]);
  // As in pull request 5179.
  mv.animationName = 'Slide';
  mv.currentTime = 0;
  mv.timeScale = 20;
  mv.play({ repetitions: 1 });
  await t.until(() => counts.finished === 2, 'the end of the other');
  t.close(mv.currentTime, 2, SAME);
  // A seek is exact: after the end, at any speed, to the last frame.
  for (const time of [0.5, 2, 0]) {
    mv.currentTime = time;
    t.close(mv.currentTime, time, SAME);
  }
  mv.timeScale = -1;
  mv.currentTime = 2;
  t.close(mv.currentTime, 2, SAME);
  // The second clip of a name that repeats has an id of its own.
  t.equal(mv.availableAnimations, ['Slide', 'Short', 'Slide~2']);
  mv.animationName = 'Slide~2';
  t.close(mv.duration, 1, SAME);
  const warnings = heard(mv, 'warning');
  mv.animationName = 'nothing';
  t.equal([warnings.length, mv.viewer?.clip?.id], [1, 'Slide'], 'an unknown name is the first clip, with a warning');
});

test('element: calls before the load apply after it', async (t) => {
  const element = made({ src: address(), 'environment-image': 'none', 'animation-index': '2' });
  element.currentTime = 0.25;
  const played = element.play({ repetitions: 3 });
  t.equal([element.paused, element.currentTime], [false, 0.25]);
  document.body.append(element);
  await played;
  t.equal([element.paused, element.viewer?.clip?.id], [false, 'Slide~2']);
  t.ok(element.currentTime >= 0.25, 'from there');
  element.timeScale = 20;
  await t.until(() => element.ended, 'the end');
  t.equal(element.viewer?.iteration, 3);
  // A promise of another model, which is aborted.
  element.src = address({ clips: [['Other', 3]] });
  const other = element.play();
  element.pause();
  await t.throws(() => other, 'play/aborted');
  await t.until(() => element.duration === 3, 'the other model');
  t.equal(element.paused, true);
});

test('element: the last of two sources counts; an invalid one shows a message, and the next one works', async (t) => {
  const element = await shown(t);
  const loads = details<{ url: string }>(element, 'load');
  const [first, second] = [address({ clips: [['First', 1]] }), address({ clips: [['Second', 1]] })];
  element.src = first;
  element.src = second;
  await t.until(() => loads.length > 0, 'a load');
  t.equal([loads.map(({ url }) => url), element.availableAnimations], [[second], ['Second']]);

  const errors = details(element, 'error');
  t.expectTrouble(/404|nowhere/);
  element.src = '/nowhere/<img src=x onerror=alert(1)>.glb';
  await t.until(() => errors.length === 1, 'the error');
  t.equal(
    [errors[0]?.['type'], errors[0]?.['code'], element.availableAnimations],
    ['loadfailure', 'fetch/http', ['Second']],
    'the model before stays',
  );
  element.remove();

  const fresh = placed({ src: '/nowhere/<b>hero.glb' });
  const words = (): HTMLElement => part(t, fresh, 'error');
  await t.until(() => !words().hidden, 'the words');
  t.ok(words().textContent?.includes('hero') && words().querySelector('b') === null, words().textContent ?? '');
  fresh.src = address();
  await t.until(() => fresh.modelIsVisible, 'the next one');
  t.equal(words().hidden, true);
});

test('element: moving it keeps the viewer, removal frees it, and insertion creates it again', async (t) => {
  const live = countGlObjects();
  const none = live();
  const element = await shown(t);
  const { viewer } = element;
  const frame = document.createElement('div');
  document.body.append(frame);
  frame.append(element);
  await t.frames(3);
  t.ok(viewer !== null && element.viewer === viewer, 'the same viewer');
  element.remove();
  await t.until(() => element.viewer === null, 'the end');
  // The shared context of elements is kept for a while.
  await t.until(() => !live()['Buffer'] && !live()['Texture'] && !live()['Program'], 'all is given back');
  t.equal([live(), element.loaded], [none, false]);
  frame.append(element);
  await t.until(() => element.modelIsVisible, 'the model again');
  // Removal during a load.
  element.src = '/sample.glb';
  element.remove();
  await t.until(() => element.viewer === null, 'the end');
  t.equal(element.viewer, null);
});

test('element: reveal determines the end of the poster', async (t) => {
  const element = made({
    src: address(),
    'environment-image': 'none',
    reveal: 'manual',
    poster: 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>',
  });
  document.body.append(element);
  const events = heard(element, 'load', 'poster-dismissed', 'model-visibility');
  await t.frames(10);
  t.equal([element.viewer, part(t, element, 'poster').classList.contains('gone')], [null, false]);
  element.loading = 'eager';
  await t.until(() => element.loaded, 'the model');
  t.equal([events, element.modelIsVisible], [['load'], false]);
  element.dismissPoster();
  t.equal(
    [events, element.modelIsVisible, part(t, element, 'poster').classList.contains('gone')],
    [['load', 'poster-dismissed', 'model-visibility'], true, true],
  );
  element.showPoster();
  t.equal([element.modelIsVisible, part(t, element, 'poster').classList.contains('gone')], [false, false]);
});

test('element: with reduced motion, autoplay shows the pose and controls', async (t) => {
  const real = window.matchMedia.bind(window);
  window.matchMedia = (query) =>
    query.includes('reduced-motion') ? ({ ...real('all'), matches: true } as MediaQueryList) : real(query);
  const element = placed({
    src: address(),
    'environment-image': 'none',
    autoplay: '',
    'auto-rotate': '',
    'auto-rotate-delay': '0',
  });
  const warnings = details<{ code: string }>(element, 'warning');
  await t.until(() => element.modelIsVisible, 'the model');
  await t.frames(10);
  t.equal(
    [element.paused, element.currentTime, element.turntableRotation, warnings.map(({ code }) => code)],
    [true, 0, 0, ['motion/reduced']],
  );
  part(t, element, 'play-button').click();
  t.equal(element.paused, false);
  element.remove();
  const insistent = await shown(t, { autoplay: '', 'reduced-motion': 'ignore' });
  t.equal([insistent.paused, insistent.shadowRoot?.querySelector('[part=controls]')], [false, null]);
});

test(
  'element: without WebGL, the fallback content of the page is shown',
  async (t) => {
    const real = HTMLCanvasElement.prototype.getContext;
    HTMLCanvasElement.prototype.getContext = (() => null) as unknown as typeof real;
    const bare = placed({ src: address(), poster: 'data:image/svg+xml,<svg xmlns="http://www.w3.org/2000/svg"/>' });
    const errors = details<{ code: string }>(bare, 'error');
    await t.until(() => errors.length === 1, 'the error');
    t.equal(
      [errors[0]?.code, part(t, bare, 'error').hidden, part(t, bare, 'poster').classList.contains('gone')],
      ['render/webgl2-unsupported', false, false],
    );
    const words = document.createElement('p');
    words.textContent = 'A picture would be here.';
    words.slot = 'fallback';
    const told = placed({ src: address() }, words);
    t.ok(words.getBoundingClientRect().height === 0, 'not seen before');
    await t.until(() => words.getBoundingClientRect().height > 0, 'the words of the page');
    t.equal(part(t, told, 'error').hidden, true);
    HTMLCanvasElement.prototype.getContext = real;
    part<HTMLButtonElement>(t, bare, 'retry-button').click();
    await t.until(() => bare.modelIsVisible, 'another try');
  },
  { fresh: 'no shared context may be there before' },
);

test('element: animation-src adds clips of other files', async (t) => {
  const [walk, run, jump] = (['Walk', 'Run', 'Jump'] as const).map((name) =>
    address({ node: 'Hips', clips: [[name, 1]] }),
  );
  const element = await shown(t, { src: walk ?? '', 'animation-src': ` ${run}\n${jump}`, 'animation-name': 'Jump' });
  t.equal([element.availableAnimations, element.viewer?.clip?.id], [['Walk', 'Run', 'Jump'], 'Jump']);
  element.animationSrc = run ?? '';
  await t.until(() => element.availableAnimations.length === 2, 'another list');
  t.equal(element.viewer?.clip?.id, 'Walk', 'there is no such clip any more');
});
