// gambol, by its public functions.

import { createViewer, type Viewer } from 'gambol';
import { framesByHand } from '../frames-by-hand.ts';
import { STEP, camera, canvas, contextOf, phase, places, type Player, type Scene } from './player.ts';

export async function gambol(scene: Scene): Promise<Player> {
  const made = canvas();
  const viewer = await createViewer(made, { maxDpr: 1, cameraControls: false });
  await viewer.load(scene.file);
  await fill(viewer, scene);
  const { position: [x, y, z], target, fovY } = camera(scene);
  const [dx, dy, dz] = [x - target[0], y - target[1], z - target[2]];
  const distance = Math.hypot(dx, dy, dz);
  viewer.camera = { azimuth: Math.atan2(dx, dz), polar: Math.acos(dy / distance), distance, target, fovY };
  const frame = await framesByHand(1000 * STEP);
  return {
    gl: contextOf(made),
    // The timeline moves, with its events, and who asks for the box of a pose has everybody posed: pose, node matrices, palette and
    // boxes of all, in wasm; the calls are what any page would make.
    update() {
      viewer.advance(STEP);
      void viewer.bounds;
    },
    frame,
    wasmBytes: () => viewer.stats.memoryBytes,
  };
}

/** Puts everybody on stage, playing: actors one by one. */
async function fill(viewer: Viewer, scene: Scene): Promise<void> {
  const { model } = viewer;
  if (!model) throw new Error('no model');
  const [first, ...others] = places(scene);
  viewer.place = { position: first ?? [0, 0, 0] };
  const actors = await Promise.all(others.map((position) => viewer.add(model, { position })));
  [viewer, ...actors].forEach((performer, i) => {
    performer.play({ loopMode: 'repeat' });
    performer.currentTime = phase(i, performer.duration);
  });
}
