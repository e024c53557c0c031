// The surface at a point of the canvas, and the occlusion of points.

import { createViewer, type GambolError, type Viewer } from 'gambol';
import { test, type T } from '../page/api.ts';

async function sample(t: T, renderer: 'own' | 'shared' | 'worker' = 'own'): Promise<Viewer> {
  const viewer = await createViewer(t.canvas(256, 256), { renderer });
  await viewer.load('/sample.glb');
  viewer.pause();
  // Setting the camera stops the automatic framing.
  viewer.camera = viewer.camera;
  return viewer;
}

/** A point that is `metres` further along the line from the camera. */
function further(viewer: Viewer, point: readonly [number, number, number], metres: number): [number, number, number] {
  const { target, azimuth, polar, distance } = viewer.camera;
  const eye = [Math.sin(azimuth) * Math.sin(polar), Math.cos(polar), Math.cos(azimuth) * Math.sin(polar)].map(
    (value, i) => (target[i] ?? 0) + distance * value,
  );
  const [x, y, z] = point.map((value, i) => value - (eye[i] ?? 0)) as [number, number, number];
  const length = Math.hypot(x, y, z);
  return [x, y, z].map((value, i) => (point[i] ?? 0) + (metres * value) / length) as [number, number, number];
}

for (const renderer of ['own', 'shared', 'worker'] as const) {
  test(`occlusion: is the distance behind the posed surface (${renderer})`, async (t) => {
    const viewer = await sample(t, renderer);
    for (const time of [0, 0.7]) {
      await viewer.seek(time);
      const { position } = t.some(viewer.pick(128, 128));
      t.close(viewer.occlusion(position), 0, 1e-4, 'a point of the surface');
      t.equal(viewer.occlusion(further(viewer, position, -0.2)), 0, 'a point before the surface');
      t.close(viewer.occlusion(further(viewer, position, 0.5)), 0.5, 1e-3, 'a point behind the surface');
      t.equal(viewer.occlusion(further(viewer, position, -1000)), 0, 'a point behind the camera');
    }
    const hidden = further(viewer, t.some(viewer.pick(128, 128)).position, 3);
    t.ok(viewer.occlusion(hidden) > 2);
    viewer.dispose();
    t.equal(viewer.occlusion(hidden), 0, 'nothing hides anything after the end');
  });
}

test('occlusion: includes all actors and members of crowds', async (t) => {
  const viewer = await sample(t);
  const { position } = t.some(viewer.pick(128, 128));
  const behind = further(viewer, position, 2);
  const before = viewer.occlusion(behind);
  const near = further(viewer, position, -0.5);
  const place = near.map((value, i) => value - (position[i] ?? 0)) as [number, number, number];
  const actor = await viewer.add(t.some(viewer.model), { position: place });
  t.close(viewer.occlusion(behind), before + 0.5, 0.05, 'an actor that stands nearer');
  actor.remove();
  t.close(viewer.occlusion(behind), before, 1e-4);
  const crowd = await viewer.addCrowd(t.some(viewer.model), { count: 1, positions: place });
  t.close(viewer.occlusion(behind), before + 0.5, 0.05, 'a member of a crowd that stands nearer');
  crowd.remove();
  t.close(viewer.occlusion(behind), before, 1e-4);
});

test('occlusion: invalid points are refused', async (t) => {
  const viewer = await sample(t);
  for (const bad of [null, undefined, [1, 2], ['1', '2', '3'], [NaN, 0, 0], [0, 0, Infinity]]) {
    const error = (await t.throws(
      () => viewer.occlusion(bad as unknown as [number, number, number]),
      'argument/invalid',
    )) as GambolError;
    t.ok(error.message.includes('point'), error.message);
  }
});
