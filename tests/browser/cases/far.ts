// Coordinates near the limit of f32: the camera frames the remaining parts, and every number that a page reads is
// finite.

import { createViewer, type Viewer } from 'gambol';
import { test } from '../page/api.ts';
import { shown } from './support/element.ts';
import { model } from './support/model.ts';

interface Json {
  nodes: { mesh?: number; scale?: number[]; translation?: number[] }[];
  scenes: { nodes: number[] }[];
}

/** The square, with additional nodes that show it. */
function withNodes(...nodes: Json['nodes']): Uint8Array<ArrayBuffer> {
  const json = structuredClone(model().json) as Json;
  for (const node of nodes) json.scenes[0]?.nodes.push(json.nodes.push({ mesh: 0, ...node }) - 1);
  return new TextEncoder().encode(JSON.stringify(json));
}

const FAR = [
  { scale: [3.4e38, 3.4e38, 3.4e38] },
  { translation: [3.4e38, -3.4e38, 3.4e38] },
  { scale: [1e30, 1e30, 1e30] },
];

function numbers(viewer: Viewer): number[] {
  const { camera, bounds } = viewer;
  return [
    camera.azimuth,
    camera.polar,
    camera.distance,
    ...camera.target,
    camera.fovY,
    ...(bounds ? [...bounds.min, ...bounds.max] : []),
  ];
}

const allFinite = (values: readonly number[]): boolean => values.every(Number.isFinite);

test('far parts: the camera frames the near parts, and all numbers are finite', async (t) => {
  const viewer = await createViewer(t.canvas(64, 64));
  const blank = viewer.toDataURL();
  await viewer.load(model().glb);
  const [near, picture] = [numbers(viewer), viewer.toDataURL()];
  t.ok(picture !== blank, 'the square');
  for (const node of FAR) {
    await viewer.load(withNodes(node));
    t.equal(
      viewer.warnings.map(({ code, pointer }) => [code, pointer]),
      [['import/too-far', '/nodes/1/mesh']],
    );
    t.equal(numbers(viewer), near, JSON.stringify(node));
  }
  await viewer.load(withNodes({ translation: [3.4e38, 0, 0] }));
  t.ok(viewer.toDataURL() === picture, 'the picture of the square alone');
});

test('far parts: a model without near parts has finite numbers, also on the element', async (t) => {
  const json = structuredClone(model().json) as Json;
  Object.assign(json.nodes[0] ?? {}, { scale: [3.4e38, 3.4e38, 3.4e38] });
  const bytes = new TextEncoder().encode(JSON.stringify(json));
  const viewer = await createViewer(t.canvas(64, 64));
  await viewer.load(bytes);
  t.ok(allFinite(numbers(viewer)) && viewer.camera.distance > 0, JSON.stringify(numbers(viewer)));
  for (const source of [bytes, withNodes(...FAR)]) {
    const element = await shown(t, {});
    element.srcObject = new Blob([source]);
    await new Promise((resolve) => element.addEventListener('load', resolve, { once: true }));
    const [size, middle, orbit, target] = [
      element.getDimensions(),
      element.getBoundingBoxCenter(),
      element.getCameraOrbit(),
      element.getCameraTarget(),
    ];
    const all = [
      size.x,
      size.y,
      size.z,
      middle.x,
      middle.y,
      middle.z,
      orbit.theta,
      orbit.phi,
      orbit.radius,
      target.x,
      target.y,
      target.z,
    ];
    t.ok(allFinite(all) && orbit.radius > 0, JSON.stringify(all));
    element.remove();
  }
});
