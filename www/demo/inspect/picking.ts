// Selecting nodes in the picture, and framing them.

import type { Inspector } from './inspector.ts';

/** The movement in CSS pixels up to which a press is a click. */
const STILL = 5;
/** The share of the field of view that a framed node fills. */
const SHARE = 0.6;

/** A click on the picture selects the joint that moves the surface there; beside the model it deselects. */
export function installPicking(inspector: Inspector): void {
  const { player } = inspector;
  let start: { readonly x: number; readonly y: number } | undefined;
  const canvasOf = (event: PointerEvent | MouseEvent): HTMLCanvasElement | undefined => {
    const [target] = event.composedPath();
    return target instanceof HTMLCanvasElement ? target : undefined;
  };
  const jointAt = (event: MouseEvent): number | undefined => {
    const canvas = canvasOf(event);
    if (!canvas || !inspector.viewer) return undefined;
    const { left, top } = canvas.getBoundingClientRect();
    return inspector.viewer.pick(event.clientX - left, event.clientY - top)?.joint?.index;
  };
  player.addEventListener('pointerdown', (event) => {
    start =
      event.isPrimary && event.button === 0 && canvasOf(event) ? { x: event.clientX, y: event.clientY } : undefined;
  });
  player.addEventListener('pointerup', (event) => {
    const moved = start ? Math.hypot(event.clientX - start.x, event.clientY - start.y) : Infinity;
    start = undefined;
    if (moved > STILL || event.shiftKey) return;
    const node = jointAt(event) ?? null;
    if (node !== inspector.view.peek().node) inspector.change({ node, label: '' }, 'selection');
  });
}

/** Moves the camera to a node: to its surface if it is a joint with bones around it, otherwise to what it carries. */
export function frameNode(inspector: Inspector, index: number): void {
  const { viewer } = inspector;
  const joint = viewer?.joint(index);
  if (!viewer || !joint) return;
  const at = (world: Float32Array): readonly [number, number, number] => [
    world[12] ?? 0,
    world[13] ?? 0,
    world[14] ?? 0,
  ];
  const target = at(joint.world.slice());
  const near = [joint.parent, ...joint.children].flatMap((other) => (other ? [at(other.world.slice())] : []));
  const distances = near.map(([x, y, z]) => Math.hypot(x - target[0], y - target[1], z - target[2]));
  // Without bones around it, a tenth of the model.
  const { radius } = viewer.boundingSphere ?? { radius: 1 };
  const size = Math.max(...distances, 0.1 * radius);
  viewer.moveCamera({ target, distance: size / (SHARE * Math.tan(0.5 * viewer.camera.fovY)) });
}
