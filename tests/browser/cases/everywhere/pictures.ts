// Rendered pictures: real characters, and skinning on the GPU compared with the CPU.

import { createViewer, type Viewer } from 'gambol';
import { OTHERS, test, type T } from '../../page/api.ts';

const WIDTH = 320;
const HEIGHT = 320;

async function shown(t: T, source: string, skinning: 'gpu' | 'cpu' = 'gpu'): Promise<Viewer> {
  const canvas = t.canvas(WIDTH, HEIGHT);
  const viewer = await createViewer(canvas, { skinOn: skinning, maxDpr: 1, background: [1, 1, 1, 1] });
  await viewer.load(source);
  return viewer;
}

/** The viewer's picture. A canvas's own buffer is invalid after its frame is presented. */
async function picture(t: T, viewer: Viewer): Promise<ImageData> {
  return t.pixels(await createImageBitmap(await viewer.toBlob()));
}

/** The number of pixels that differ from the white background. */
function covered(pixels: Uint8ClampedArray): number {
  let count = 0;
  for (let i = 0; i < pixels.length; i += 4) {
    if ((pixels[i] ?? 0) + (pixels[i + 1] ?? 0) + (pixels[i + 2] ?? 0) < 3 * 250) count += 1;
  }
  return count;
}

function needShared(t: T, response: Response): void {
  if (!response.ok) t.skip('there is no ../shared');
}

const CHARACTERS = ['Fox', 'CesiumMan', 'RobotExpressive'];

for (const name of ['sample', ...CHARACTERS]) {
  const source = name === 'sample' ? '/sample.glb' : `/shared/assets/gltf/${name}.glb`;

  test(`pictures: ${name} is visible and moves`, async (t) => {
    if (name !== 'sample') needShared(t, await fetch(source, { method: 'HEAD' }));
    const viewer = await shown(t, source);
    await viewer.seek(0);
    const before = (await picture(t, viewer)).data;
    const seen = covered(before);
    t.ok(seen > 0.03 * WIDTH * HEIGHT && seen < 0.8 * WIDTH * HEIGHT, `${seen} pixels are covered`);
    viewer.play();
    await t.until(() => viewer.currentTime > 0.15);
    viewer.pause();
    await viewer.seek(0.37 * viewer.duration);
    const after = (await picture(t, viewer)).data;
    let moved = 0;
    for (let i = 0; i < before.length; i += 4) {
      if (Math.abs((before[i] ?? 0) - (after[i] ?? 0)) > 24) moved += 1;
    }
    t.ok(moved > 50, `${moved} pixels have changed`);
    await t.screenshot(`plays-${name}`);
    viewer.dispose();
  });

  test(
    `pictures: ${name} looks the same with skinning on GPU and CPU`,
    async (t) => {
      if (name !== 'sample') needShared(t, await fetch(source, { method: 'HEAD' }));
      const gpu = await shown(t, source);
      const cpu = await shown(t, source, 'cpu');
      for (const clip of gpu.clips.slice(0, 3)) {
        for (const fraction of clip.index === 0 ? [0, 0.13, 0.5, 0.777, 1] : [0.13, 0.777]) {
          for (const viewer of [gpu, cpu]) {
            viewer.clip = clip.index;
            await viewer.seek(fraction * clip.duration);
          }
          // If an edge is at the border of a sample, the last bit of a position decides; hence a few outliers.
          t.samePixels(await picture(t, gpu), await picture(t, cpu), { channel: 3, outliers: 0.0005 });
        }
      }
      const buffers = (viewer: Viewer): number => viewer.liveObjects()['buffers'] ?? 0;
      t.ok(buffers(cpu) > buffers(gpu), 'the deformed vertices have buffers of their own');
      gpu.dispose();
      cpu.dispose();
    },
    { all: name === 'sample' ? OTHERS : true },
  );
}
