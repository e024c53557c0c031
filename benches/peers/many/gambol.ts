// gambol, by its public functions: many copies are a crowd, as its documentation recommends, or actors, each a complete
// one.

import { createViewer, type Viewer } from 'gambol';
import { framesByHand } from '../frames-by-hand.ts';
import { STEP, camera, canvas, contextOf, phase, places, type Player, type Scene } from './player.ts';

export function gambol(scene: Scene): Promise<Player> {
  return scene.count > 1 ? gambolCrowd(scene) : gambolActors(scene);
}

/**
 * A crowd with default options: small members interpolate between cached poses. That depends on the picture's height,
 * so it is that of a typical page.
 */
export async function gambolAuto(scene: Scene): Promise<Player | undefined> {
  return scene.count > 1 ? gambolCrowd(scene, 'auto', 720) : undefined;
}

export async function gambolActors(scene: Scene): Promise<Player> {
  const [viewer, made] = await begin();
  await viewer.load(scene.file);
  const { model } = viewer;
  if (!model) throw new Error('no model');
  const [first, ...others] = places(scene);
  viewer.place = { position: first ?? [0, 0, 0] };
  const actors = await Promise.all(others.map((position) => viewer.add(model, { position })));
  [viewer, ...actors].forEach((performer, i) => {
    performer.play({ loopMode: 'repeat' });
    performer.currentTime = phase(i, performer.duration);
  });
  return {
    ...(await player(viewer, made, scene)),
    // Advances the timeline, with its events. Reading `bounds` computes pose, node matrices, palette and boxes of all
    // actors, in wasm. These are calls that any page could make.
    update() {
      viewer.advance(STEP);
      void viewer.bounds;
    },
  };
}

async function gambolCrowd(scene: Scene, updateRate: 'full' | 'auto' = 'full', size?: number): Promise<Player> {
  const [viewer, made] = await begin(size);
  const crowd = await viewer.addCrowd(scene.file, { positions: places(scene).flat(), updateRate });
  crowd.set({
    times: Float64Array.from({ length: scene.count }, (_, i) => phase(i, crowd.model.clips[0]?.duration ?? 1)),
  });
  const all = await player(viewer, made, scene);
  return {
    ...all,
    update() {
      all.frame();
    },
    // Crowds are posed only while rendering, so the time comes from the statistics of the frame.
    updateTime: () => viewer.stats.updateTime,
  };
}

async function begin(size?: number): Promise<[Viewer, HTMLCanvasElement]> {
  const made = canvas(size);
  return [await createViewer(made, { maxDpr: 1, cameraControls: false }), made];
}

async function player(viewer: Viewer, made: HTMLCanvasElement, scene: Scene): Promise<Omit<Player, 'update'>> {
  const {
    position: [x, y, z],
    target,
    fovY,
  } = camera(scene);
  const [dx, dy, dz] = [x - target[0], y - target[1], z - target[2]];
  const distance = Math.hypot(dx, dy, dz);
  viewer.camera = { azimuth: Math.atan2(dx, dz), polar: Math.acos(dy / distance), distance, target, fovY };
  return { gl: contextOf(made), frame: await framesByHand(1000 * STEP), wasmBytes: () => viewer.stats.memoryBytes };
}
