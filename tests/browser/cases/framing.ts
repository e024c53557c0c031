// What the camera frames by itself in `<gambol-viewer>`.

import { test } from '../page/api.ts';
import { shown } from './support/element.ts';

test('the element frames the clip that plays, and glides out for a larger one', async (t) => {
  const element = await shown(t, { src: '/sample.glb' });
  const viewer = t.some(element.viewer);
  const radius = (): number => element.getCameraOrbit().radius;
  const first = radius();
  t.ok(viewer.framedCamera !== null, 'nobody has moved the camera');
  // A paused clip is framed at once. The eye along the direction of view: the radius alone also changes with the depth of the target.
  const eye = (): number => {
    const { theta, phi, radius } = element.getCameraOrbit();
    const { x, y, z } = element.getCameraTarget();
    return x * Math.sin(phi) * Math.sin(theta) + y * Math.cos(phi) + z * Math.sin(phi) * Math.cos(theta) + radius;
  };
  let farthest = eye();
  for (const { name } of viewer.clips) {
    element.animationName = name;
    await t.frames(2);
    t.ok(eye() >= farthest - 1e-4, `${name}: it never comes nearer by itself: ${eye()} after ${farthest}`);
    farthest = eye();
  }
  const widest = radius();
  t.ok(widest > 1.05 * first, `${widest} for all clips, ${first} for the first`);
  t.ok(viewer.framedCamera !== null, 'it still frames by itself');

  const other = await shown(t, { src: '/sample.glb', autoplay: '' });
  await t.until(() => !other.paused && other.currentTime > 0.1, 'it plays');
  const near = other.getCameraOrbit().radius;
  t.close(near, first, 1e-3 * first, 'the first clip alone');
  const seen: number[] = [];
  for (const { name } of t.some(other.viewer).clips) {
    other.animationName = name;
    for (let i = 0; i < 4; i++) {
      await t.frames(1);
      seen.push(other.getCameraOrbit().radius);
    }
  }
  await t.until(() => other.getCameraOrbit().radius > 0.999 * widest, `all the way out to ${widest}`);
  t.ok(seen.some((now) => now > 1.001 * near && now < 0.999 * widest), `it glides: ${seen}`);
  // 100 % is what is framed now.
  other.cameraOrbit = '0deg 75deg 100%';
  other.jumpCameraToGoal();
  t.close(other.getCameraOrbit().radius, widest / 1.05, 1e-2 * widest);
});
