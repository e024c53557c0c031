// Avatars: the front of both versions of VRM, meshes for the wearer's eyes, spring bones of scaled elements, and models far from
// the origin.

import { createViewer, type Viewer } from 'gambol';
import { test, type T } from '../page/api.ts';
import { placed } from './support/element.ts';

interface Part {
  readonly name?: string;
  readonly parent?: number;
  readonly translation?: readonly number[];
  /** The index of a square: before the body (0), behind it (1), or a large one before both (2). */
  readonly mesh?: number;
}

const BONES = ['hips', 'spine', 'head', 'leftUpperLeg', 'rightUpperLeg', 'leftUpperArm', 'rightUpperArm'];

/** An avatar: hips (0), spine (1) and head (2), and further parts. */
function avatar(version: 0 | 1, parts: readonly Part[], extensions: object = {}, extra: object = {}): Blob {
  // Each square is seen from one side only.
  const square = (size: number, z: number, back: boolean): number[] => {
    const corners = [
      [-size, 0],
      [size, 0],
      [size, 2 * size],
      [-size, 2 * size],
    ].map(([x = 0, y = 0]) => [x, y, z]);
    const order = back ? [0, 2, 1, 0, 3, 2] : [0, 1, 2, 0, 2, 3];
    return order.flatMap((i) => corners[i] ?? []);
  };
  // VRM 0 looks along −Z.
  const [front, isOld] = version ? [1, false] : [-1, true];
  const squares = [square(0.5, 0.1 * front, isOld), square(0.5, -0.1 * front, !isOld), square(2, 0.5 * front, isOld)];
  const times = [0, 0.5, 1];
  const turned = [0, Math.sin(Math.PI / 6), 0, Math.cos(Math.PI / 6)];
  const data = [...squares.flat(), ...times, 0, 0, 0, 1, ...turned, 0, 0, 0, 1];
  let byteOffset = 0;
  const accessor = (count: number, type: string, width: number, bounds: object = {}): object => {
    const view = { bufferView: 0, byteOffset, componentType: 5126, count, type, ...bounds };
    byteOffset += 4 * width * count;
    return view;
  };
  const box = { min: [-2, 0, -0.5], max: [2, 4, 0.5] };
  const accessors = [
    ...squares.map(() => accessor(6, 'VEC3', 3, box)),
    accessor(3, 'SCALAR', 1, { min: [0], max: [1] }),
    accessor(3, 'VEC4', 4),
  ];
  const own: Part[] = [
    { name: 'hips', translation: [0, 0.5, 0] },
    { name: 'spine', parent: 0, translation: [0, 0.2, 0] },
    { name: 'head', parent: 1, translation: [0, 0.4, 0] },
    ...parts,
  ];
  const nodes = own.map(({ parent: _, ...node }, i) => ({
    ...node,
    children: own.flatMap(({ parent }, child) => (parent === i ? [child] : [])),
  }));
  const human = version
    ? Object.fromEntries(BONES.slice(0, 3).map((bone, node) => [bone, { node }]))
    : BONES.slice(0, 3).map((bone, node) => ({ bone, node }));
  const json = {
    asset: { version: '2.0' },
    extensionsUsed: [version ? 'VRMC_vrm' : 'VRM', 'KHR_materials_unlit', ...Object.keys(extensions)],
    extensions: { [version ? 'VRMC_vrm' : 'VRM']: { humanoid: { humanBones: human }, ...extra }, ...extensions },
    scenes: [{ nodes: own.flatMap(({ parent }, i) => (parent === undefined ? [i] : [])) }],
    nodes: nodes.map(({ children, ...node }) => (children.length ? { ...node, children } : node)),
    meshes: [0, 1, 2].map((i) => ({ primitives: [{ attributes: { POSITION: i }, material: i }] })),
    materials: [
      [1, 0, 0, 1],
      [0, 0, 1, 1],
      [0, 1, 0, 1],
    ].map((baseColorFactor) => ({
      pbrMetallicRoughness: { baseColorFactor },
      extensions: { KHR_materials_unlit: {} },
    })),
    animations: [
      {
        name: 'Sway',
        samplers: [{ input: 3, output: 4 }],
        channels: [{ sampler: 0, target: { node: 0, path: 'rotation' } }],
      },
    ],
    accessors,
    bufferViews: [{ buffer: 0, byteLength: 4 * data.length }],
    buffers: [
      {
        byteLength: 4 * data.length,
        uri: `data:application/octet-stream;base64,${btoa(String.fromCharCode(...new Uint8Array(Float32Array.from(data).buffer)))}`,
      },
    ],
  };
  return new Blob([JSON.stringify(json)], { type: 'model/gltf+json' });
}

const SQUARES: readonly Part[] = [{ mesh: 0 }, { mesh: 1 }];

/** The mesh in the middle of the picture; null without one. */
const seen = (viewer: Viewer): number | null => viewer.pick(50, 50)?.surface?.[0] ?? null;

test('avatars: the camera is before the face of both versions of VRM, and so is the target of look-at', async (t) => {
  for (const version of [0, 1] as const) {
    const viewer = await createViewer(t.canvas(100, 100));
    await viewer.load(avatar(version, SQUARES));
    viewer.pause();
    const front = version ? 1 : -1;
    t.equal(viewer.model?.front, [0, 0, front]);
    t.equal(seen(viewer), 0, `VRM ${version}`);
    viewer.camera = { azimuth: 0 };
    t.equal(seen(viewer), 0, `VRM ${version}, azimuth 0`);
    viewer.camera = { azimuth: Math.PI };
    t.equal(seen(viewer), 1, `VRM ${version}, from behind`);
    const head = viewer.joint('head');
    const forward = (): readonly number[] => [8, 9, 10].map((i) => Math.round(1e3 * (head.world[i] ?? NaN)) / 1e3 + 0);
    head.lookAt([0, 1.1, front]);
    t.equal(forward(), [0, 0, 1], `VRM ${version}, a point before the face`);
    head.lookAt([front, 1.1, 0]);
    t.equal(forward(), [1, 0, 0], `VRM ${version}, a point at the side`);
    viewer.dispose();
  }
});

test('avatars: the pointer pans the picture with it for both versions of VRM', async (t) => {
  for (const version of [0, 1] as const) {
    const viewer = await createViewer(t.canvas(100, 100));
    await viewer.load(avatar(version, SQUARES));
    viewer.pause();
    viewer.camera = { azimuth: 0, polar: Math.PI / 2 };
    const before = t.some(viewer.project([0, 0.5, 0]), 'a point');
    const { target } = viewer.camera;
    viewer.camera = { target: [target[0] + 0.1, target[1], target[2]] };
    const { x } = t.some(viewer.project([0, 0.5, 0]), 'a point');
    t.ok(version ? x < before.x : x > before.x, `VRM ${version}: +X is at the other side of the picture`);
    viewer.dispose();
  }
});

test('avatars: an element shows the front of VRM 0, with the words for its sides', async (t) => {
  const element = placed({ src: URL.createObjectURL(avatar(0, SQUARES)), 'camera-orbit': '0deg 90deg 105%' });
  element.style.cssText = 'width: 100px; height: 100px';
  await t.until(() => element.modelIsVisible, 'the model');
  const viewer = t.some(element.viewer, 'the viewer');
  t.equal(seen(viewer), 0);
  t.equal(element.getCameraOrbit().theta, 0);
  element.cameraOrbit = '180deg 90deg 105%';
  element.jumpCameraToGoal();
  t.equal(seen(viewer), 1);
  element.remove();
});

test('avatars: meshes for the wearer alone are neither drawn, framed nor picked', async (t) => {
  for (const version of [0, 1] as const) {
    const hides = version
      ? { firstPerson: { meshAnnotations: [{ node: 5, type: 'firstPersonOnly' }] } }
      : { firstPerson: { meshAnnotations: [{ mesh: 2, firstPersonFlag: 'FirstPersonOnly' }] } };
    const viewer = await createViewer(t.canvas(100, 100));
    await viewer.load(avatar(version, SQUARES));
    const [alone, picture] = [viewer.bounds, viewer.toDataURL()];
    await viewer.load(avatar(version, [...SQUARES, { mesh: 2 }], {}, hides));
    t.equal(viewer.bounds, alone);
    t.equal(seen(viewer), 0);
    t.ok(viewer.toDataURL() === picture, `VRM ${version}: the same picture`);
    await viewer.load(avatar(version, [...SQUARES, { mesh: 2 }]));
    t.equal(seen(viewer), 2, 'without the annotation');
    viewer.dispose();
  }
});

/** An avatar with a tail of spring bones. */
function tailed(): string {
  const joints = [5, 6, 7, 8];
  const parts = joints.map((node, i) => ({
    name: `Tail${i}`,
    parent: i ? node - 1 : 2,
    translation: [i ? 0.1 : 0.2, 0, 0],
  }));
  const joint = (node: number): object => ({ node, stiffness: 0.5, gravityPower: 0.3, dragForce: 0.4 });
  const springs = { specVersion: '1.0', springs: [{ joints: joints.map(joint) }] };
  return URL.createObjectURL(avatar(1, [...SQUARES, ...parts], { VRMC_springBone: springs }));
}

const middle = (viewer: Viewer, joint: string): readonly number[] =>
  [12, 13, 14].map((i) => viewer.joint(joint).world[i] ?? NaN);

/** The direction of a bone of the tail in each frame. */
async function swung(
  t: T,
  attributes: Readonly<Record<string, string>>,
  change?: (viewer: Viewer, i: number) => void,
): Promise<number[]> {
  const element = placed({
    src: tailed(),
    timeline: 'manual',
    autoplay: '',
    'reduced-motion': 'ignore',
    ...attributes,
  });
  await t.until(() => element.loaded, 'the model');
  const viewer = t.some(element.viewer, 'the viewer');
  const directions: number[] = [];
  for (let i = 0; i < 24; i++) {
    change?.(viewer, i);
    viewer.advance(1 / 60);
    const [from, to] = [middle(viewer, 'Tail1'), middle(viewer, 'Tail2')];
    const way = to.map((value, axis) => value - (from[axis] ?? NaN));
    directions.push(...way.map((value) => value / Math.hypot(...way)));
  }
  element.remove();
  return directions;
}

const apart = (a: readonly number[], b: readonly number[]): number =>
  Math.max(...a.map((value, i) => Math.abs(value - (b[i] ?? NaN))));

test('avatars: spring bones of a scaled, turned or teleported element do not whip', async (t) => {
  const want = await swung(t, {});
  t.ok(apart(want, [...want.slice(0, 3), ...want.slice(0, -3)]) > 0.01, 'the tail swings');
  for (const scale of ['10 10 10', '0.1 0.1 0.1'])
    t.ok(apart(await swung(t, { scale }), want) < 1e-3, `scale ${scale}`);
  const turned = await swung(t, { orientation: '0 0 180deg' });
  // Half a turn about the vertical axis.
  t.ok(
    apart(
      turned,
      want.map((value, i) => (i % 3 === 1 ? value : -value)),
    ) < 1e-3,
    'orientation',
  );
  const later = await swung(t, {}, (viewer, i) => {
    if (i === 12) viewer.place = { scale: 4 };
  });
  t.ok(apart(later, want) < 1e-3, 'a scale that is set while time runs');
  const far = { position: [80, 0, 0] } as const;
  const teleported = await swung(t, {}, (viewer, i) => {
    if (i === 12) viewer.teleport(far);
  });
  t.ok(apart(teleported, want) < 0.1, 'a teleport');
  const whipped = await swung(t, {}, (viewer, i) => {
    if (i === 12) viewer.place = far;
  });
  t.ok(apart(whipped, want) > 0.2, 'the same as a motion');
});

test('avatars: models far from the origin have a warning', async (t) => {
  const viewer = await createViewer(t.canvas(100, 100));
  await t.throws(() => viewer.teleport({ position: [NaN, 0, 0] }), 'argument/invalid');
  for (const [x, codes] of [
    [10_000, []],
    [1_000_000, ['import/far-from-origin']],
    [6_378_137, ['import/far-from-origin']],
  ] as const) {
    await viewer.load(avatar(1, [{ mesh: 0, translation: [x, 0, 0] }]));
    const told = viewer.warnings.map(({ code }) => code).filter((code) => code === 'import/far-from-origin');
    t.equal(told, codes, `${x} m`);
  }
});
