// The comparison of gambol's poses with those of the oracle, in this page.

import { loadAsset, type Asset } from 'gambol/asset';
import { byId, element } from '../app/dom.ts';
import { INTERPOLATIONS, randomFile, randomNumbers } from './cases.ts';
import { Oracle } from './oracle.ts';

/** Times at random for each clip, besides those of its keys. */
const TIMES = 200;
/** Keys of each clip at most. */
const KEYS = 60;
/** Generated files for each interpolation. */
const FILES = 10;

interface Result {
  readonly name: string;
  poses: number;
  joints: number;
  /** The largest distance of a joint's place from the oracle's, in metres. */
  metres: number;
  /** The largest angle between an axis of a joint and the oracle's, in degrees. */
  degrees: number;
}

/** Adds the differences of one clip to the result. */
function compare(asset: Asset, oracle: Oracle, clip: number, seed: number, result: Result): void {
  const random = randomNumbers(seed);
  const duration = oracle.duration(clip);
  const times = Array.from({ length: TIMES }, () => (random() * 1.1 - 0.05) * duration);
  const keys = oracle.keys(clip);
  const step = Math.max(1, Math.ceil(keys.length / KEYS));
  for (const time of [...times, ...keys.filter((_, i) => i % step === 0)]) {
    const { matrices } = asset.sample(clip, time);
    const worlds = oracle.worlds(clip, time);
    for (const [joint, { index }] of asset.joints.entries()) {
      const expected = worlds[index] ?? [];
      const own = matrices.subarray(16 * joint, 16 * joint + 16);
      const axis = (from: ArrayLike<number>, column: number): readonly [number, number, number] => {
        const at = 4 * column;
        return [from[at] ?? NaN, from[at + 1] ?? NaN, from[at + 2] ?? NaN];
      };
      const [a, b] = [axis(own, 3), axis(expected, 3)];
      result.metres = Math.max(result.metres, Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]));
      for (let column = 0; column < 3; column++)
        result.degrees = Math.max(result.degrees, angle(axis(own, column), axis(expected, column)));
    }
    result.poses += 1;
  }
  result.joints = asset.joints.length;
}

type Axis = readonly [number, number, number];

/** The angle between two directions in degrees, exact also where it is tiny. */
function angle(a: Axis, b: Axis): number {
  const cross = Math.hypot(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]);
  return (Math.atan2(cross, a[0] * b[0] + a[1] * b[1] + a[2] * b[2]) * 180) / Math.PI;
}

/** A small number with two digits and an exponent: 3.2 × 10⁻⁷. */
export function small(value: number): string {
  if (value === 0) return '0';
  const exponent = Math.floor(Math.log10(value));
  const digits = [...String(exponent)].map((one) => (one === '-' ? '⁻' : ('⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(one)] ?? ''))).join('');
  return `${(value / 10 ** exponent).toFixed(1)} × 10${digits}`;
}

const started = (name: string): Result => ({ name, poses: 0, joints: 0, metres: 0, degrees: 0 });
/** Lets the page draw and react. */
const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

/** Compares all clips of the sample character and of the generated files; calls `done` after each result. */
async function compareAll(done: (result: Result) => void): Promise<void> {
  const bytes = await (await fetch(new URL('./sample.glb', import.meta.url))).arrayBuffer();
  const sample = await loadAsset(bytes.slice(0));
  const oracle = new Oracle(bytes);
  for (const { index, name } of sample.clips) {
    const result = started(name);
    compare(sample, oracle, index, index + 1, result);
    done(result);
    await pause();
  }
  sample.dispose();
  for (const [kind, interpolation] of INTERPOLATIONS.entries()) {
    const result = started(`${FILES} random files, ${interpolation}`);
    for (let i = 0; i < FILES; i++) {
      const file = randomFile(1000 * kind + i, interpolation);
      const asset = await loadAsset(file.buffer.slice(0));
      compare(asset, new Oracle(file.buffer), 0, i, result);
      asset.dispose();
      await pause();
    }
    done(result);
  }
}

/** Installs the button that compares, and its table. */
export function installConformance(): void {
  const button = byId<HTMLButtonElement>('conform');
  const [state, table] = [byId('conform-state'), byId('conform-table')];
  const rows = element('tbody');
  table.querySelector('table')?.append(rows);
  button.hidden = false;
  button.addEventListener('click', async () => {
    button.disabled = true;
    rows.replaceChildren();
    table.hidden = false;
    state.textContent = 'Comparing …';
    const results: Result[] = [];
    try {
      await compareAll((result) => {
        results.push(result);
        const { name, poses, joints, metres, degrees } = result;
        const title = element('th', '', name);
        title.scope = 'row';
        const cells = [poses.toLocaleString('en'), String(joints), `${small(metres)} m`, `${small(degrees)}°`];
        rows.append(element('tr', '', title, ...cells.map((text) => element('td', '', text))));
      });
      const poses = results.reduce((sum, result) => sum + result.poses, 0);
      const metres = Math.max(...results.map((result) => result.metres));
      const degrees = Math.max(...results.map((result) => result.degrees));
      state.textContent = `${poses.toLocaleString('en')} poses compared. The largest difference is ${small(metres)} m and ${small(degrees)}°.`;
    } catch (error) {
      state.textContent = `The comparison failed: ${String(error)}`;
    }
    button.disabled = false;
    button.focus();
  });
}
