// The feet and springs of the view, set on the viewer.

import { computed, effect, signal } from '@preact/signals';
import type { Actor, JointInfo, Place, Viewer } from 'gambol';
import { list, number, numbers, object, text } from '../document.ts';
import type { Inspector } from '../inspector.ts';
import type { SpringSetting } from '../view.ts';
import { groundFile, groundOf } from './ground.ts';

/** The initial numbers of a spring. */
export const SPRING = { stiffness: 0.8, drag: 0.3, gravity: 0, radius: 0, collider: null } as const;

/** A spring of a VRM file. */
export interface FileSpring {
  readonly node: number;
  readonly name: string;
  readonly stiffness: number;
  readonly drag: number;
  readonly gravity: number;
  readonly radius: number;
}

export class Body {
  /** The message of a model without legs. */
  readonly feetFault = signal('');
  /** The messages of springs, by node. */
  readonly springFaults = signal<Readonly<Record<number, string>>>({});
  /** `true` while the model is shaken. */
  readonly shaking = signal(false);
  readonly #inspector: Inspector;
  /** The surface of the ground in the picture. */
  #surface: Promise<Actor | null> = Promise.resolve(null);

  constructor(inspector: Inspector) {
    this.#inspector = inspector;
    const { view, model } = inspector;
    const feet = computed(() => {
      const { ground, pelvis } = view.value;
      return JSON.stringify([ground, pelvis]);
    });
    effect(() => {
      feet.value;
      const { viewer } = inspector;
      if (model.value && viewer) this.#stand(viewer);
    });
    const springs = computed(() => view.value.springs);
    let [set, of]: [readonly SpringSetting[], unknown] = [[], undefined];
    effect(() => {
      const [wanted, loaded, { viewer }] = [springs.value, model.value, inspector];
      if (!loaded || !viewer) return;
      const before = of === loaded ? set : [];
      const faults: Record<number, string> = {};
      for (const { node } of before) if (!wanted.some((each) => each.node === node)) viewer.joint(node).spring(null);
      for (const spring of wanted) {
        if (before.includes(spring) && this.springFaults.peek()[spring.node] === undefined) continue;
        try {
          const { node, collider, ...options } = spring;
          const colliders = collider === null ? [] : [{ joint: collider, radius: 0 }];
          viewer.joint(node).spring({ ...options, colliders });
        } catch (error) {
          faults[spring.node] = messageOf(error);
        }
      }
      [set, of] = [wanted.filter(({ node }) => faults[node] === undefined), loaded];
      this.springFaults.value = faults;
    });
  }

  /** Moves the model to and fro, so that springs swing. */
  shake(): void {
    const { viewer, player } = this.#inspector;
    if (!viewer?.model || this.shaking.peek()) return;
    this.shaking.value = true;
    // Springs hold while the clip is paused.
    void player.play();
    const [{ model, place }, reach] = [viewer, 0.15 * heightOf(viewer)];
    const [x = 0, y = 0, z = 0] = (place.position ?? []) as ArrayLike<number> & Iterable<number>;
    let [time, before] = [0, performance.now()];
    const step = (now: number): void => {
      if (viewer.model !== model) {
        this.shaking.value = false;
        return;
      }
      // A slow page shakes the model for longer, so that no step skips the motion.
      time += Math.min(Math.max(0, now - before) / 1000, LONGEST_STEP);
      before = now;
      const rest = Math.max(0, 1 - time / SHAKE);
      const moved: Place = { ...place, position: [x + reach * rest * Math.sin(SHAKES * time), y, z] };
      viewer.place = rest > 0 ? moved : place;
      this.shaking.value = rest > 0;
      if (rest > 0) requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  #stand(viewer: Viewer): void {
    const { ground, pelvis } = this.#inspector.view.peek();
    const height = heightOf(viewer);
    let shown = ground !== null && ground !== 'flat' ? ground : null;
    try {
      if (ground === null) viewer.feet(null);
      else viewer.feet({ ground: shown === null ? 'flat' : groundOf(shown, height), pelvis });
      this.feetFault.value = '';
    } catch (error) {
      shown = null;
      this.feetFault.value = messageOf(error);
    }
    const uneven = shown;
    // One after the other, so that there is one surface at most.
    this.#surface = this.#surface.then(async (before) => {
      before?.remove();
      if (uneven === null || viewer.model === null) return null;
      return viewer.add(groundFile(uneven, height)).catch(() => null);
    });
  }
}

/** Seconds. */
const SHAKE = 2;
const LONGEST_STEP = 0.05;
/** Radians per second. */
const SHAKES = 14;

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The height of the model with one digit, so that it is the same in each pose. */
export function heightOf({ bounds }: Viewer): number {
  const height = (bounds?.max[1] ?? 1) - (bounds?.min[1] ?? 0);
  return Number(height.toPrecision(1)) || 1;
}

/** The springs of the file: VRMC_springBone, or `secondaryAnimation` of VRM 0. */
export function fileSprings(json: Readonly<Record<string, unknown>>): FileSpring[] {
  const extensions = object(json, 'extensions');
  const version1 = list(object(extensions, 'VRMC_springBone'), 'springs').flatMap((spring): FileSpring[] => {
    const first = list(spring, 'joints')[0] ?? {};
    const node = number(first, 'node');
    const value = (key: string, otherwise: number): number => number(first, key) ?? otherwise;
    const numbersOf = {
      stiffness: value('stiffness', 1),
      drag: value('dragForce', 0.5),
      gravity: value('gravityPower', 0),
      radius: value('hitRadius', 0),
    };
    return node === null ? [] : [{ node, name: text(spring, 'name') ?? '', ...numbersOf }];
  });
  const groups = list(object(object(extensions, 'VRM'), 'secondaryAnimation'), 'boneGroups');
  const version0 = groups.flatMap((group) => {
    const value = (key: string, otherwise: number): number => number(group, key) ?? otherwise;
    const numbersOf = {
      // The name has this spelling in VRM 0.
      stiffness: value('stiffiness', 1),
      drag: value('dragForce', 0.5),
      gravity: value('gravityPower', 0),
      radius: value('hitRadius', 0),
    };
    return numbers(group['bones']).map((node) => ({ node, name: text(group, 'comment') ?? '', ...numbersOf }));
  });
  return [...version1, ...version0];
}

const SWINGING = /tail|ear|hair|braid|pony|scarf|cape|cloak|skirt|ribbon|tie|tuft|antenna|feeler|whisker/i;

/** The tops of the chains whose names tell that they swing. */
export function swinging(joints: readonly JointInfo[]): JointInfo[] {
  const parents = new Set(joints.map(({ parent }) => parent));
  return joints.filter(({ index, name, parent }) => {
    const above = parent === null ? undefined : joints[parent];
    return parents.has(index) && SWINGING.test(name) && !(above && SWINGING.test(above.name));
  });
}

/** The names from the root to a joint. */
export function pathOf(joints: readonly JointInfo[], index: number): string {
  const names: string[] = [];
  for (let joint = joints[index]; joint; joint = joint.parent === null ? undefined : joints[joint.parent])
    names.unshift(joint.name || `Node ${joint.index}`);
  return names.join('/');
}
