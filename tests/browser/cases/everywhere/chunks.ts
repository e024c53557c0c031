// Scripts that are loaded lazily. If one cannot be loaded, the call that needs it fails with `load/chunk`. The next
// call loads it, and everything else keeps working.

import { createViewer, type GambolError, type Viewer } from 'gambol';
import { OTHERS, longTests, freshPages, test, type T } from '../../page/api.ts';
import { details, shown } from '../support/element.ts';
import { EXR_PIZ } from '../support/exr.ts';
import { directX } from '../support/foreign.ts';

freshPages('they observe scripts that a page loads once');

async function sample(t: T): Promise<Viewer> {
  const viewer = await createViewer(t.canvas(64, 64));
  await viewer.load('/sample.glb');
  return viewer;
}

/**
 * Expects two failures with `load/chunk` and the name of the script, and then success; the viewers keep working
 * meanwhile.
 */
async function failsTwice(
  t: T,
  script: string,
  viewers: readonly Viewer[],
  call: () => Promise<unknown>,
): Promise<void> {
  t.expectTrouble(/503|Failed to load|[Mm]odule|MIME/);
  const errors = viewers.map((viewer) => {
    const seen: unknown[] = [];
    viewer.addEventListener('error', ({ detail }) => seen.push(detail));
    return seen;
  });
  // A browser requests a script that has failed before once or twice: again at its own address and then at another.
  await t.refuse(script, 99);
  for (let i = 0; i < 2; i++) {
    const error = (await t.throws(call, 'load/chunk')) as GambolError;
    t.ok(/^[A-Z].*again\.$/.test(error.message), error.message);
  }
  await t.refuse(script, 0);
  await call();
  for (const viewer of viewers) {
    const { currentTime } = viewer;
    viewer.play();
    await t.until(() => viewer.currentTime !== currentTime, 'it plays');
  }
  t.equal(errors.flat(), []);
}

longTests(OTHERS);

test('lazy scripts: stills', async (t) => {
  const viewer = await sample(t);
  await failsTwice(t, '/extras-', [viewer], () => viewer.toBlob({ time: 0.5, width: 16, height: 16 }));
});

test('lazy scripts: viewers with a worker', async (t) => {
  const viewer = await sample(t);
  await failsTwice(t, '/remote-', [viewer], async () => {
    const other = await createViewer(t.canvas(64, 64), { renderer: 'worker' });
    other.dispose();
  });
});

test('lazy scripts: without the worker script the main thread draws', async (t) => {
  t.expectTrouble(/503|Failed to load|worker/i);
  await t.refuse('/worker', 99);
  const viewer = await createViewer(t.canvas(64, 64), { renderer: 'worker' });
  const warnings: string[] = [];
  viewer.addEventListener('warning', ({ detail }) => warnings.push(detail.code));
  await viewer.load('/sample.glb');
  await t.until(() => warnings.length > 0, 'the warning');
  t.equal(warnings[0], 'render/no-worker');
});

for (const [name, script] of [
  ['Fox_draco.glb', '/draco-'],
  ['Fox_draco.glb', '/draco.wasm'],
] as const) {
  test(`lazy scripts: the Draco decoder: ${script}`, async (t) => {
    const response = await fetch(`/shared/assets/variants/${name}`);
    if (!response.ok) t.skip('there is no ../shared');
    const bytes = new Uint8Array(await response.arrayBuffer());
    const viewer = await sample(t);
    await failsTwice(t, script, [viewer], () => viewer.add(bytes));
  });
}

for (const file of ['/convert-', '/gambol.formats.wasm']) {
  test(`lazy scripts: the converters of other formats: ${file}`, async (t) => {
    const viewer = await sample(t);
    await failsTwice(t, file, [viewer], () => viewer.add(new File([directX()], 'square.x')));
  });
}

for (const file of ['/panorama-', '/exr-', '/gambol.exr.wasm']) {
  test(`lazy scripts: readers of environments: ${file}`, async (t) => {
    const viewer = await sample(t);
    t.equal(
      (await t.requests()).filter(({ path }) => path.includes(file)),
      [],
      'nothing before',
    );
    await failsTwice(t, file, [viewer], () => viewer.setEnvironment(EXR_PIZ));
    t.equal(viewer.environment, EXR_PIZ);
  });
}

test('lazy scripts: the camera controls: a viewer without them plays, and has them after the next setting', async (t) => {
  t.expectTrouble(/503|Failed to load|[Mm]odule|MIME/);
  const { length } = await t.requests();
  const plain = await createViewer(t.canvas(64, 64), { cameraControls: false });
  plain.dispose();
  const asked = async (): Promise<boolean> =>
    (await t.requests()).slice(length).some(({ path }) => path.includes('/camera-controls-'));
  t.equal(await asked(), false);
  await t.refuse('/camera-controls-', 99);
  const viewer = await createViewer(t.canvas(64, 64));
  const warnings: string[] = [];
  viewer.addEventListener('warning', ({ detail }) => warnings.push(detail.code));
  await viewer.load('/sample.glb');
  viewer.cameraControls = { touchAction: 'pan-x' };
  await t.until(() => warnings.length > 0, 'the warning');
  t.equal(
    [warnings[0], viewer.canvas.style.touchAction, viewer.cameraControls],
    ['load/chunk', '', { touchAction: 'pan-x' }],
  );
  await t.refuse('/camera-controls-', 0);
  viewer.cameraControls = { touchAction: 'pan-y' };
  viewer.cameraControls = null;
  viewer.cameraControls = { touchAction: 'none' };
  await t.until(() => viewer.canvas.style.touchAction, 'the controls');
  t.equal(viewer.canvas.style.touchAction, 'none');
  viewer.cameraControls = null;
  t.equal([await asked(), viewer.canvas.style.touchAction], [true, '']);
  const other = await createViewer(t.canvas(64, 64));
  t.equal(other.canvas.style.touchAction, 'none', 'at once');
});

test('lazy scripts: the controls of an element appear after the next attempt', async (t) => {
  t.expectTrouble(/503|Failed to load|[Mm]odule|MIME/);
  await t.refuse('/controls-', 1);
  const element = await shown(t, { controls: '' });
  const errors = details<GambolError>(element, 'error');
  t.ok(element.loaded && element.viewer, 'it shows its model');
  element.controls = false;
  element.controls = true;
  await t.until(() => element.shadowRoot?.querySelector('[part=controls]'), 'the bar');
  t.equal(
    errors.filter(({ code }) => code !== 'load/chunk'),
    [],
  );
});
