// Time that a steady frame costs the page's main thread: time update, poses, uploads, draw calls; without the GPU's
// work. It measures one character of 20 joints and a hundred, each at its own time, in gambol and in three.js in turns.

import { createViewer } from 'gambol';
import * as THREE from 'three';
import { clone } from 'three/addons/utils/SkeletonUtils.js';
import { even } from '../../tests/browser/cases/support/panorama.ts';
import { character } from './character.ts';
import { framesByHand } from './frames-by-hand.ts';
import { ThreeStage, canvas } from './three-stage.ts';

/** The picture's width and height: few pixels, so that the GPU's work is short. */
const SIZE = 64;
/** Milliseconds from frame to frame. */
const STEP = 1000 / 60;
const SAMPLES = 200;
const WARM_UP = 50;

interface Result {
  name: string;
  value: number;
  unit: string;
}

/** A player that renders single frames. */
interface Player {
  frame(): void;
  /** Waits for the GPU. */
  finish(): void;
  dispose(): void;
}

export async function run(): Promise<Result[]> {
  if (!crossOriginIsolated) throw new Error('the clock is too coarse');
  const results: Result[] = [];
  for (const count of [1, 100]) {
    const players = [await gambol(count), await three(count)];
    // Enough frames that the clock's resolution of 5 µs hardly matters, few enough that no command waits for the GPU.
    const frames = count === 1 ? 16 : 1;
    const times: number[][] = [[], []];
    for (const player of players) if (drawCalls(player) < 1) throw new Error('nothing is drawn');
    for (let sample = -WARM_UP; sample < SAMPLES; sample++) {
      for (const [i, player] of players.entries()) {
        const start = performance.now();
        for (let frame = 0; frame < frames; frame++) player.frame();
        const took = (performance.now() - start) / frames;
        player.finish();
        if (sample >= 0) times[i]?.push(1e3 * took);
      }
      // Lets the browser run its own tasks.
      if (sample % 20 === 0) await new Promise((resolve) => setTimeout(resolve));
    }
    const [own = 0, other = 0] = times.map(lowest);
    results.push(
      { name: `frame.${count}.us`, value: own, unit: 'µs' },
      { name: `frame.three.${count}.us`, value: other, unit: 'µs' },
      { name: `frame.three_ratio.${count}`, value: other / own, unit: '×' },
    );
    for (const player of players) player.dispose();
  }
  return results;
}

/** The number of draw calls in a frame. */
function drawCalls(player: Player): number {
  let count = 0;
  const prototype = WebGL2RenderingContext.prototype as unknown as Record<string, (...values: unknown[]) => unknown>;
  const names = ['drawElements', 'drawElementsInstanced', 'drawArrays', 'drawArraysInstanced'];
  const before = names.map((name) => prototype[name]);
  names.forEach((name, i) => {
    prototype[name] = function (...values) {
      count += 1;
      return before[i]?.apply(this, values);
    };
  });
  player.frame();
  names.forEach((name, i) => Object.assign(prototype, { [name]: before[i] }));
  return count;
}

/** The 10th percentile: other work on the machine only ever adds time. */
function lowest(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 10)] ?? NaN;
}

/** The positions of the characters. */
function places(count: number): [x: number, y: number, z: number][] {
  const side = Math.ceil(Math.sqrt(count));
  return Array.from({ length: count }, (_, i) => [2 * (i % side) - side, 0, -2 * Math.floor(i / side)]);
}

async function gambol(count: number): Promise<Player> {
  const made = canvas(SIZE);
  const viewer = await createViewer(made, { maxDpr: 1, cameraControls: false });
  await viewer.setEnvironment(even(0.5));
  await viewer.load(character());
  const actors = [];
  for (const position of places(count).slice(1)) actors.push(await viewer.add(viewer.model as never, { position }));
  for (const [i, performer] of [viewer, ...actors].entries()) {
    await performer.seek((i * 0.37) % performer.duration);
    performer.play({ loopMode: 'repeat' });
  }
  viewer.framing = 'pose';
  viewer.frame();
  const frame = await framesByHand(STEP);
  const gl = made.getContext('webgl2');
  return { frame, finish: () => gl?.finish(), dispose: () => viewer.dispose() };
}

async function three(count: number): Promise<Player> {
  const stage = new ThreeStage(canvas(SIZE));
  stage.setEnvironment(even(0.5));
  const gltf = await stage.load(character().buffer);
  stage.scene.clear();
  const mixers: any[] = places(count).map((place, i) => {
    const copy = clone(gltf.scene);
    copy.position.set(...place);
    stage.scene.add(copy);
    const mixer = new THREE.AnimationMixer(copy);
    mixer.clipAction(gltf.animations[0]).play();
    mixer.setTime((i * 0.37) % gltf.animations[0].duration);
    return mixer;
  });
  const side = 2 * Math.sqrt(count);
  stage.look({ azimuth: 0.44, polar: 1.36, distance: 3 * side, target: [0, 0.5, -side / 2], fovY: 0.8 });
  return {
    frame() {
      for (const mixer of mixers) mixer.update(STEP / 1000);
      stage.render();
    },
    finish: () => stage.renderer.getContext().finish(),
    dispose: () => stage.dispose(),
  };
}
