// The walk: a direction that is wished for becomes heading, speed and position.

import type { Place } from 'gambol';
import { ground, WALKED } from './ground.ts';

/** The largest speed in m/s, the speed of the clip `Run`. */
export const FASTEST = 1.07;
/** The largest turn in radians per second, and the largest change of speed in m/s². */
const [TURN, PUSH] = [3.6, 2.4];

export class Walker {
  /** The position on the ground in metres. */
  x = 0;
  z = 0;
  /** The direction in radians from +Z towards +X. */
  heading = 0;
  /** In m/s. */
  speed = 0;

  /**
   * Walks for some seconds.
   *
   * - `east`, `south`: the direction along X and Z, and the share of the largest speed, at most 1
   */
  step(seconds: number, east: number, south: number): void {
    const wish = Math.min(1, Math.hypot(east, south));
    let goal = 0;
    if (wish > 0) {
      const turn = wrapped(Math.atan2(east, south) - this.heading);
      const most = TURN * seconds;
      this.heading = wrapped(this.heading + Math.max(-most, Math.min(most, turn)));
      // Slow until the direction is right.
      goal = wish * FASTEST * Math.max(0, Math.cos(turn));
    }
    const [x, z] = [Math.sin(this.heading), Math.cos(this.heading)];
    const [far, away] = [Math.hypot(this.x, this.z), this.x * x + this.z * z];
    // It stops before the edge.
    if (away > 0) goal = Math.min(goal, Math.max(0, 2 * (WALKED - far)));
    this.speed += Math.max(-PUSH * seconds, Math.min(PUSH * seconds, goal - this.speed));
    this.x += x * this.speed * seconds;
    this.z += z * this.speed * seconds;
  }

  /** The place on the ground, upright. */
  get place(): Place {
    const half = this.heading / 2;
    return {
      position: [this.x, ground(this.x, this.z).y, this.z],
      rotation: [0, Math.sin(half), 0, Math.cos(half)],
    };
  }
}

/** The same angle from −π to π. */
function wrapped(angle: number): number {
  return angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));
}
