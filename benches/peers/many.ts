// One, a hundred and a thousand copies of a character, in gambol, three.js, Babylon.js and PlayCanvas in turns. It
// measures the main thread's time per frame, the uploads to the GPU, and the memory. `cargo xtask bench peers` runs it.
//
// - `update_us`: the time update, sampling of clips, and all matrices up to the skinning matrices. `update` of each
//   player in many/ documents its calls.
// - `submit_us`: a whole frame: the same, uploads and draw calls; without the GPU's work, which is awaited between
//   frames.
// - `upload_bytes`, `draw_calls`: of one steady frame, counted in the WebGL calls (many/meter.ts).
// - `heap_mb`: the growth of the page's memory: objects and typed arrays, as the browser measures it, and all of wasm's
//   memory.
//
// All players use the same file, 64 × 64 pixels (`gambol_auto` 720 × 720) and no light. All copies are in view, without
// culling, each at its own time. Each player makes copies as its own documentation recommends.

import { gambol, gambolActors, gambolAuto } from './many/gambol.ts';
import { babylon } from './many/babylon.ts';
import { upload } from './many/meter.ts';
import { MODELS, type Model } from './many/models.ts';
import { SIZE, finish, type Player, type Scene } from './many/player.ts';
import { playcanvas } from './many/playcanvas.ts';
import { three } from './many/three.ts';

/** The players; the ratios are relative to the first. */
const PLAYERS: Readonly<Record<string, (scene: Scene) => Promise<Player | undefined>>> = {
  gambol,
  gambol_auto: gambolAuto,
  gambol_actors: gambolActors,
  three,
  babylon,
  playcanvas,
};
const COUNTS = [1, 100, 1000];
/** The turns of each player; fewer if they take longer than `LONGEST` milliseconds. */
const TURNS = 200;
const WARM_UP = 50;
const LONGEST = 20_000;
/** The least number of turns. */
const FEWEST = 8;

/** The runner's selection: a model, or a model and a count, such as `character.100`; empty selects all. */
declare const ONLY: string;

interface Result {
  name: string;
  value: number;
  unit: string;
}

/**
 * Measures each case in a page of its own, one after the other, so that no case finds the memory or compiled code of
 * another. The results are kept in the session's storage.
 */
export async function run(): Promise<Result[]> {
  if (!crossOriginIsolated) throw new Error('the clock is too coarse');
  const cases = MODELS.flatMap((model) => COUNTS.map((count) => ({ model, count }))).filter(({ model, count }) =>
    ['', model.name, `${model.name}.${count}`].includes(ONLY),
  );
  const at = Number(sessionStorage.getItem('at') ?? 0);
  const results = JSON.parse(sessionStorage.getItem('results') ?? '[]') as Result[];
  const next = cases[at];
  if (!next) return withPlainNames(results);
  const file = await next.model.file();
  if (file) results.push(...(await measure(next.model, file, next.count)));
  sessionStorage.setItem('at', String(at + 1));
  sessionStorage.setItem('results', JSON.stringify(results));
  location.reload();
  return new Promise(() => undefined);
}

async function measure(model: Model, file: Uint8Array<ArrayBuffer>, count: number): Promise<Result[]> {
  const results: Result[] = [];
  const players = new Map<string, Player>();
  for (const [name, make] of Object.entries(PLAYERS)) {
    const add = (what: string, value: number, unit: string): number =>
      results.push({ name: `peers.${name}.${model.name}.${count}.${what}`, value, unit });
    const before = await memory();
    const player = await make({ file: file.slice(), count, height: model.height });
    if (!player) continue;
    players.set(name, player);
    await check(name, player);
    // With a larger picture the memory includes its buffers, which is not comparable.
    if (player.gl.canvas.width === SIZE)
      add('heap_mb', ((await memory()) - before + (player.wasmBytes?.() ?? 0)) / 1e6, 'MB');
    const { bytes, calls, draws } = upload(() => player.frame());
    if (draws < count) throw new Error(`${name} draws ${draws} times for ${count} characters`);
    add('upload_bytes', bytes, 'B');
    add('draw_calls', calls, '');
  }
  const times = await inTurns([...players.values()], count);
  [...players.keys()].forEach((name, i) => {
    const { update = [], submit = [] } = times[i] ?? {};
    results.push({ name: `peers.${name}.${model.name}.${count}.update_us`, value: lowest(update), unit: 'µs' });
    results.push({ name: `peers.${name}.${model.name}.${count}.submit_us`, value: lowest(submit), unit: 'µs' });
  });
  for (const what of ['update', 'submit']) {
    const of = (player: string): number =>
      results.find(({ name }) => name === `peers.${player}.${model.name}.${count}.${what}_us`)?.value ?? NaN;
    for (const name of players.keys()) {
      if (name !== 'gambol')
        results.push({
          name: `peers.${name}.${model.name}.${what}_ratio.${count}`,
          value: of(name) / of('gambol'),
          unit: '×',
        });
    }
  }
  return results;
}

/** The microseconds of each turn of each player. */
async function inTurns(players: readonly Player[], count: number): Promise<{ update: number[]; submit: number[] }[]> {
  // Enough calls that the clock's resolution of 5 µs and cold caches hardly matter; few enough that no command waits
  // for the GPU.
  const [updates, frames] = count === 1 ? [2048, 16] : [count < 1000 ? 4 : 1, 1];
  const times = players.map(() => ({ update: [] as number[], submit: [] as number[] }));
  const timed = (times: number, what: () => void): number => {
    const start = performance.now();
    for (let i = 0; i < times; i++) what();
    return (1e3 * (performance.now() - start)) / times;
  };
  const told = (times: number, player: Player, updateTime: () => number): number => {
    let sum = 0;
    for (let i = 0; i < times; i++) {
      player.update();
      sum += (1e3 * updateTime()) / times;
    }
    return sum;
  };
  let began = performance.now();
  for (let turn = -WARM_UP; turn < TURNS; turn++) {
    // The order rotates. Between its update and its frame each player finds the others' data in the caches.
    const order = players.map((_, i) => (i + turn + WARM_UP) % players.length);
    for (const i of order) {
      const player = players[i];
      if (!player) continue;
      // Not timed: on a page of its own a player would find its code and data in the caches.
      player.update();
      times[i]?.update.push(
        player.updateTime ? told(updates, player, player.updateTime) : timed(updates, player.update),
      );
      if (player.updateTime) finish(player.gl);
    }
    for (const i of order) {
      const player = players[i];
      if (!player) continue;
      times[i]?.submit.push(timed(frames, () => player.frame()));
      finish(player.gl);
    }
    // Lets the browser run its own tasks.
    if (turn % 10 === 0) await new Promise((resolve) => setTimeout(resolve));
    const late = performance.now() - began > LONGEST;
    if (turn < 0 && (turn === -1 || performance.now() - began > LONGEST / 4)) {
      for (const { update, submit } of times) update.length = submit.length = 0;
      [turn, began] = [-1, performance.now()];
    } else if (late && turn >= FEWEST) break;
  }
  return times;
}

/** The 10th percentile: other work on the machine only ever adds time. */
function lowest(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 10)] ?? NaN;
}

/** Adds ratios under names without a model: those of CesiumMan, or else of the generated character. */
function withPlainNames(results: Result[]): Result[] {
  const model = results.some(({ name }) => name.includes('.cesium_man.')) ? 'cesium_man' : 'character';
  const plain = results.filter(({ name }) => name.includes(`.${model}.`) && name.includes('_ratio.'));
  return [...results, ...plain.map(({ name, ...rest }) => ({ name: name.replace(`.${model}.`, '.'), ...rest }))];
}

/** Throws unless the player draws something, and it moves. */
async function check(name: string, player: Player): Promise<void> {
  const copy = new OffscreenCanvas(SIZE, SIZE).getContext('2d', { willReadFrequently: true });
  const picture = (): Uint8ClampedArray => {
    player.frame();
    copy?.clearRect(0, 0, SIZE, SIZE);
    copy?.drawImage(player.gl.canvas, 0, 0, SIZE, SIZE);
    return copy?.getImageData(0, 0, SIZE, SIZE).data ?? new Uint8ClampedArray();
  };
  // Players that draw nothing until their shaders are compiled get some time.
  for (let tries = 0; tries < 100; tries++) {
    const first = picture();
    for (let step = 0; step < 10; step++) player.update();
    const second = picture();
    if (second.some((value, i) => Math.abs(value - (first[i] ?? 0)) > 8)) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`nothing moves in ${name}'s picture`);
}

/** Bytes of the page's objects and typed arrays. */
async function memory(): Promise<number> {
  const { measureUserAgentSpecificMemory } = performance as {
    measureUserAgentSpecificMemory?: () => Promise<{ bytes: number }>;
  };
  if (!measureUserAgentSpecificMemory) return NaN;
  return (await measureUserAgentSpecificMemory.call(performance)).bytes;
}
