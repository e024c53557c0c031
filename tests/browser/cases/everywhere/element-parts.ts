// Parts of the element are loaded lazily.

import { test, type T } from '../../page/api.ts';
import { placed } from '../support/element.ts';

/** The parts of the element that the page has loaded so far. */
async function parts(t: T): Promise<string[]> {
  const names = (await t.requests()).map(
    ({ path }) => /\/(camera-controls|controls|child-sync|hotspots|timeline|joint-names)-\w+\.js$/.exec(path)?.[1],
  );
  return names.filter((name) => name !== undefined).sort();
}

test(
  'element parts: are loaded on demand, and once',
  async (t) => {
    const element = placed({ src: '/sample.glb', autoplay: '' });
    await t.until(() => element.modelIsVisible, 'the model');
    await t.frames(5);
    t.equal(await parts(t), []);
    element.cameraControls = true;
    await t.until(() => element.viewer?.canvas.style.touchAction, 'the camera controls');
    t.equal(await parts(t), ['camera-controls']);

    // The first key is handled, and does not reach the page.
    const key = new KeyboardEvent('keydown', { key: ' ', bubbles: true, cancelable: true });
    t.equal([element.paused, element.dispatchEvent(key)], [false, false]);
    await t.until(() => element.paused, 'the key');
    t.equal(await parts(t), ['camera-controls', 'controls']);

    const find = (part: string): Element | null => element.shadowRoot?.querySelector(`[part~=${part}]`) ?? null;
    element.controls = true;
    t.ok(find('controls') !== null, 'a bar at once, since it came with the keys');
    const spot = document.createElement('button');
    spot.slot = 'hotspot-1';
    element.append(spot, document.createElement('gambol-marker'));
    await t.until(() => element.queryHotspot('hotspot-1') !== null, 'the hotspot');
    element.timeline = 'manual';
    element.debug = 'names';
    await t.until(() => element.shadowRoot?.querySelector('.gambol-names span') !== null, 'the names');
    element.debug = null;
    element.controls = false;
    element.controls = true;
    await t.until(() => find('controls') !== null, 'the bar');
    t.equal(await parts(t), ['camera-controls', 'child-sync', 'controls', 'hotspots', 'joint-names', 'timeline']);
  },
  { fresh: 'it observes which scripts are loaded' },
);

test('element parts: those of the initial attributes are ready with the model', async (t) => {
  const spot = document.createElement('button');
  spot.slot = 'hotspot-1';
  const element = placed({ src: '/sample.glb', controls: '', timeline: 'manual', 'camera-controls': '' }, spot);
  await new Promise((resolve) => element.addEventListener('load', resolve, { once: true }));
  t.ok(element.shadowRoot?.querySelector('[part~=controls]') !== null, 'the bar');
  t.ok(element.queryHotspot('hotspot-1') !== null, 'the hotspot');
  t.equal([element.viewer?.timeline, element.viewer?.canvas.style.touchAction], ['manual', 'pan-y']);
});
