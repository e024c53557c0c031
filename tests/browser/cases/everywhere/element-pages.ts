// Pages written for <model-viewer>, with the tag renamed: their markup and their scripts.

import 'gambol/element';
import type { GambolViewer } from 'gambol/element';
import { test, type T } from '../../page/api.ts';
import { address, details } from '../support/element.ts';
import { Scene, type Json } from '../support/scene.ts';

/** Inserts the page's markup; SRC is the address of the model. */
function page(t: T, markup: string, src = address()): GambolViewer {
  document.body.innerHTML = markup.replaceAll('SRC', src).replaceAll('model-viewer', 'gambol-viewer');
  return t.some(document.querySelector('gambol-viewer'));
}

test('element pages: a poster with a button, a custom progress bar, loading on demand', async (t) => {
  const viewer = page(
    t,
    `
    <model-viewer id="lazy" src="SRC" reveal="manual" loading="lazy" camera-controls touch-action="pan-y" shadow-intensity="1" alt="A square" ar ar-modes="webxr">
      <div id="lazy-load-poster" slot="poster"></div>
      <div id="button" slot="poster">Load 3D model</div>
      <div class="progress" slot="progress-bar"><div class="update"></div></div>
    </model-viewer>`,
  );
  const bar = t.some(document.querySelector<HTMLElement>('.update'));
  viewer.addEventListener('progress', (event) => {
    const { totalProgress } = (event as unknown as CustomEvent<{ totalProgress: number }>).detail;
    bar.style.width = `${totalProgress * 100}%`;
  });
  t.equal(viewer.loaded, false);
  document.querySelector('#button')?.addEventListener('click', () => viewer.dismissPoster());
  document.querySelector<HTMLElement>('#button')?.click();
  await t.until(() => viewer.modelIsVisible, 'the model');
  t.equal(
    [bar.style.width, viewer.canActivateAR, getComputedStyle(t.some(document.querySelector('#button'))).visibility],
    ['100%', false, 'visible'],
  );
  await t.until(
    () => t.some(viewer.shadowRoot?.querySelector('.poster')).checkVisibility({ visibilityProperty: true }) === false,
    'the poster goes',
  );
});

test('element pages: animations crossfade, change by a timer, and play once on a click', async (t) => {
  const viewer = page(
    t,
    '<model-viewer id="paused-change-demo" camera-controls touch-action="pan-y" autoplay animation-name="Short" animation-crossfade-duration="100" src="SRC"></model-viewer>',
  );
  const loads = details(viewer, 'load');
  await t.until(() => loads.length > 0, 'the model');
  t.equal([viewer.paused, viewer.viewer?.clip?.id], [false, 'Short']);
  viewer.animationName = 'Slide';
  viewer.pause();
  t.equal(viewer.paused, true);
  viewer.currentTime = 1;
  viewer.appendAnimation('Short', { weight: 0.5, fade: true, repetitions: 2 });
  t.equal([viewer.appendedAnimations, viewer.currentTime], [['Short'], 1]);
  t.equal(viewer.paused, false, 'what is appended plays');
  viewer.detachAnimation('Short');
  // The page's goal: "play once, then back to the loop".
  const done: string[] = [];
  viewer.addEventListener(
    'finished',
    () => {
      done.push(viewer.animationName ?? '');
      viewer.animationName = 'Slide';
      viewer.play();
    },
    { once: true },
  );
  viewer.animationName = 'Short';
  viewer.play({ repetitions: 1 });
  await t.until(() => done.length === 1, 'the end');
  await t.until(() => viewer.viewer?.clip?.id === 'Slide' && !viewer.paused, 'the loop again');
  t.equal([done, viewer.viewer?.repetitions], [['Short'], Infinity]);
});

test('element pages: annotations move the camera', async (t) => {
  const viewer = page(
    t,
    `
    <model-viewer id="camera-demo" src="SRC" camera-orbit="-8.142746deg 68.967deg 3m" camera-target="0.5m 0.5m 0m" field-of-view="45deg" interpolation-decay="0" min-field-of-view="45deg" max-field-of-view="45deg" touch-action="none" disable-tap>
      <button class="view-button" slot="hotspot-0" data-position="0.1 0.2 0" data-normal="0 0 1" data-orbit="10deg 80deg 2m" data-target="0.1m 0.2m 0m">1</button>
      <button class="view-button" slot="hotspot-1" data-position="0.9m 80cm 0m" data-normal="0m 0m -1m" data-visibility-attribute="visible"><div class="annotation">Two</div></button>
    </model-viewer>`,
  );
  await t.until(() => viewer.modelIsVisible, 'the model');
  t.close(viewer.getFieldOfView(), 45, 1e-3);
  const [first, second] = document.querySelectorAll<HTMLElement>('.view-button');
  first?.addEventListener('click', () => {
    viewer.cameraTarget = first.dataset['target'] ?? '';
    viewer.cameraOrbit = first.dataset['orbit'] ?? '';
    viewer.fieldOfView = '45deg';
  });
  first?.click();
  await t.until(() => Math.abs(viewer.getCameraOrbit().radius - 2) < 1e-3, 'the view');
  t.close([viewer.getCameraOrbit().theta, viewer.getCameraTarget().x], [Math.PI / 18, 0.1], 1e-3);
  t.equal(
    [
      viewer.queryHotspot('hotspot-0')?.facingCamera,
      viewer.queryHotspot('hotspot-1')?.facingCamera,
      second?.hasAttribute('data-visible'),
    ],
    [true, false, false],
  );
  // The camera's target is the centre of the picture.
  const { x = 0, y = 0 } = viewer.queryHotspot('hotspot-0')?.canvasPosition ?? {};
  const { width, height } = viewer.getBoundingClientRect();
  t.close([x, y], [width / 2, height / 2], 0.5);
});

test('element pages: variants, dimensions, and a picture to download', async (t) => {
  const scene = new Scene();
  scene.node({ mesh: scene.square(scene.unlit([1, 0, 0])) });
  const blue = scene.unlit([0, 0, 1]);
  const json = scene.json as Json;
  json.extensionsUsed = [...json.extensionsUsed, 'KHR_materials_variants'];
  json.extensions = { ...json.extensions, KHR_materials_variants: { variants: [{ name: 'red' }, { name: 'blue' }] } };
  json.meshes[0].primitives[0].extensions = {
    KHR_materials_variants: {
      mappings: [
        { material: 0, variants: [0] },
        { material: blue, variants: [1] },
      ],
    },
  };
  const viewer = page(
    t,
    '<model-viewer src="SRC" variant-name="blue" camera-orbit="0deg 90deg 105%" tone-mapping="commerce" environment-image="neutral" exposure="1.2"></model-viewer><select id="variant"></select>',
    URL.createObjectURL(scene.file()),
  );
  await t.until(() => viewer.modelIsVisible, 'the model');
  t.equal(viewer.availableVariants, ['red', 'blue']);
  const middle = async (): Promise<number[]> => {
    const { data, width, height } = t.pixels(await createImageBitmap(await viewer.toBlob({ idealAspect: false })));
    return [
      ...data.slice(
        4 * (Math.floor(height / 2) * width + width / 2),
        4 * (Math.floor(height / 2) * width + width / 2) + 3,
      ),
    ];
  };
  const [red = 0, , seen = 0] = await middle();
  t.ok(seen > 150 && red < 60, 'blue');
  const applied = details(viewer, 'variant-applied');
  viewer.variantName = 'red';
  await t.until(() => applied.length === 1, 'the event after the setter has returned');
  t.ok(((await middle())[0] ?? 0) > 150, 'red');
  const size = viewer.getDimensions();
  t.close([size.x, size.y, size.z], [2, 2, 0], 1e-3);
  t.ok(
    /^data:image\/png;base64,.{100}/.test(viewer.toDataURL('image/png')) &&
      /^data:image\/jpeg/.test(viewer.toDataURL('image/jpeg', 0.8)),
    'as an address',
  );
  const warnings = details<{ code: string }>(viewer, 'warning');
  viewer.variantName = 'green';
  t.equal([warnings.length, viewer.viewer?.variant], [1, 'red']);
});

test('element pages: scrolling moves the camera', async (t) => {
  const viewer = page(
    t,
    '<div style="position: sticky; top: 0"><model-viewer src="SRC" camera-orbit="calc(-1.5rad + env(window-scroll-y) * 4rad) calc(0deg + 70deg) 2m" interpolation-decay="0"></model-viewer></div><div style="height: 3000px"></div>',
  );
  await t.until(() => viewer.modelIsVisible, 'the model');
  t.close(viewer.getCameraOrbit().theta, -1.5, 1e-12);
  scrollTo(0, (document.documentElement.scrollHeight - innerHeight) / 2);
  await t.until(() => Math.abs(viewer.getCameraOrbit().theta - 0.5) < 1e-2, 'half way');
});
