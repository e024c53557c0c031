// What extensions of glTF change on the screen.

import { createViewer, type Viewer } from 'gambol';
import { test, type T } from '../page/api.ts';

async function picture(t: T, viewer: Viewer): Promise<ImageData> {
  return t.pixels(await createImageBitmap(await viewer.toBlob()));
}

test('variants change the materials, and back', async (t) => {
  const source = '/shared/assets/gltf/18_variants/18_variants.gltf';
  if (!(await fetch(source, { method: 'HEAD' })).ok) t.skip('there is no ../shared');
  const viewer = await createViewer(t.canvas(200, 200), { maxDpr: 1, background: [1, 1, 1, 1] });
  await viewer.load(source);
  t.equal(viewer.variant, null);
  t.ok(viewer.variants.length > 1, 'there are variants');
  const plain = await picture(t, viewer);
  const different = (a: ImageData, b: ImageData): number => a.data.filter((value, i) => Math.abs(value - (b.data[i] ?? 0)) > 16).length;
  const pictures: ImageData[] = [];
  for (const name of viewer.variants) {
    viewer.variant = name;
    t.equal(viewer.variant, name);
    pictures.push(await picture(t, viewer));
  }
  t.ok(pictures.some((each) => different(each, plain) > 500), 'a variant looks different');
  viewer.variant = null;
  t.samePixels(await picture(t, viewer), plain);
  await t.throws(() => { viewer.variant = 'no such thing'; }, 'argument/invalid');
  await viewer.load('/sample.glb');
  t.equal(viewer.variants.length, 0);
  t.equal(viewer.variant, null);
  viewer.dispose();
});
