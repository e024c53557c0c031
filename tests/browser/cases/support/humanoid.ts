// Humanoids with other names, proportions, rest poses and axes of bones.

/** The parts of a side: human bone, Mixamo's name, the part above, and the position at rest on the left, in metres. */
const SIDE = [
  ['Shoulder', 'Shoulder', 'chest', 0.05, 1.45, 0],
  ['UpperArm', 'Arm', 'Shoulder', 0.2, 1.45, 0],
  ['LowerArm', 'ForeArm', 'UpperArm', 0.47, 1.45, 0],
  ['Hand', 'Hand', 'LowerArm', 0.72, 1.45, 0],
  ['UpperLeg', 'UpLeg', 'hips', 0.1, 0.95, 0],
  ['LowerLeg', 'Leg', 'UpperLeg', 0.1, 0.5, 0.02],
  ['Foot', 'Foot', 'LowerLeg', 0.1, 0.08, 0],
  ['Toes', 'ToeBase', 'Foot', 0.1, 0.02, 0.12],
] as const;
const MIDDLE = [
  ['hips', 'Hips', '', 0, 1, 0],
  ['spine', 'Spine', 'hips', 0, 1.12, 0],
  ['chest', 'Spine1', 'spine', 0, 1.28, 0],
  ['neck', 'Neck', 'chest', 0, 1.5, 0],
  ['head', 'Head', 'neck', 0, 1.6, 0],
] as const;

interface Bone {
  readonly bone: string;
  readonly name: string;
  readonly parent: number;
  readonly at: readonly [number, number, number];
}

export interface HumanoidOptions {
  /** `mixamo`: names of Mixamo; `vrm`: other names, with the map of VRM 1.0. */
  readonly names: 'mixamo' | 'vrm';
  /** The height relative to 1.7 m. */
  readonly scale?: number;
  /** The angle of the arms at rest, in radians below the horizontal. */
  readonly arms?: number;
  /** `true` if the axes of all bones are turned. */
  readonly turned?: boolean;
  /** The name of a clip of two seconds that moves arms, legs and hips. */
  readonly clip?: string;
}

/** The human bones of {@link humanoid} with their indices. */
export function boneIndices(): Record<string, number> {
  return Object.fromEntries(bones({ names: 'mixamo' }).map(({ bone }, index) => [bone, index]));
}

function bones({ names, scale = 1, arms = 0 }: HumanoidOptions): Bone[] {
  const all: Bone[] = [];
  const add = (bone: string, mixamo: string, parent: string, at: readonly [number, number, number]): void => {
    const [x, y, z] = at.map((number) => number * scale);
    all.push({
      bone,
      name: names === 'mixamo' ? `mixamorig:${mixamo}` : `J_${all.length}`,
      parent: all.findIndex((other) => other.bone === parent),
      at: [x ?? 0, y ?? 0, z ?? 0],
    });
  };
  for (const [bone, mixamo, parent, x, y, z] of MIDDLE) add(bone, mixamo, parent, [x, y, z]);
  for (const [side, sign] of [
    ['left', 1],
    ['right', -1],
  ] as const) {
    for (const [bone, mixamo, parent, x, y, z] of SIDE) {
      const along = bone === 'LowerArm' || bone === 'Hand' ? x - 0.2 : 0;
      const isPart = parent !== 'chest' && parent !== 'hips';
      add(`${side}${bone}`, `${side === 'left' ? 'Left' : 'Right'}${mixamo}`, isPart ? `${side}${parent}` : parent, [
        sign * (x - along + along * Math.cos(arms)),
        y - along * Math.sin(arms),
        z,
      ]);
    }
  }
  return all;
}

/** A glTF file of a humanoid; its only mesh is a triangle at the head. */
export function humanoid(options: HumanoidOptions): Blob {
  const all = bones(options);
  // A quarter turn about X, and its inverse for translations: (x, y, z) → (x, z, -y).
  const { turned = false, clip, names } = options;
  const quarter = Math.SQRT1_2;
  const nodes = all.map(({ name, parent, at }, index) => {
    const [px, py, pz] = all[parent]?.at ?? [0, 0, 0];
    const [x, y, z] = [at[0] - px, at[1] - py, at[2] - pz];
    const children = all.flatMap((other, i) => (other.parent === index ? [i] : []));
    return {
      name,
      translation: turned && parent >= 0 ? [x, z, -y] : [x, y, z],
      ...(turned && parent < 0 ? { rotation: [quarter, 0, 0, quarter] } : {}),
      ...(children.length > 0 ? { children } : {}),
      ...(all[index]?.bone === 'head' ? { mesh: 0 } : {}),
    };
  });
  const times = [0, 0.5, 1, 2];
  const turns = (axis: readonly number[], angles: readonly number[]): number[] =>
    angles.flatMap((angle) => [...axis.map((part) => part * Math.sin(angle / 2)), Math.cos(angle / 2)]);
  const hips = all[0]?.at ?? [0, 0, 0];
  const channels: readonly (readonly [bone: string, path: string, values: number[]])[] = [
    ['leftUpperArm', 'rotation', turns([0, 0, 1], [0, -1.1, 0.4, 0])],
    ['leftLowerArm', 'rotation', turns([0, 1, 0], [0, -0.9, -0.2, 0])],
    ['rightUpperLeg', 'rotation', turns([1, 0, 0], [0, -0.8, 0.3, 0])],
    ['hips', 'translation', [0, 0.1, -0.05, 0].flatMap((y) => [hips[0], hips[1] + y, hips[2]])],
  ];
  const triangle = [-0.1, 0, 0, 0.1, 0, 0, 0, 0.2, 0];
  const data = [times, triangle, ...channels.map(([, , values]) => values)];
  const bin = Float32Array.from(data.flat());
  let offset = 0;
  const bufferViews = data.map((values) => {
    const view = { buffer: 0, byteOffset: offset, byteLength: values.length * 4 };
    offset += view.byteLength;
    return view;
  });
  const types = ['SCALAR', 'VEC3', ...channels.map(([, path]) => (path === 'rotation' ? 'VEC4' : 'VEC3'))];
  const json = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes,
    meshes: [{ primitives: [{ attributes: { POSITION: 1 } }] }],
    ...(names === 'vrm' && {
      extensionsUsed: ['VRMC_vrm'],
      extensions: {
        VRMC_vrm: {
          specVersion: '1.0',
          humanoid: { humanBones: Object.fromEntries(all.map(({ bone }, node) => [bone, { node }])) },
        },
      },
    }),
    ...(clip !== undefined && {
      animations: [
        {
          name: clip,
          samplers: channels.map((_, i) => ({ input: 0, output: i + 2 })),
          channels: channels.map(([bone, path], sampler) => ({
            sampler,
            target: { node: all.findIndex((other) => other.bone === bone), path },
          })),
        },
      ],
    }),
    accessors: data.map((_, i) => ({
      bufferView: i,
      componentType: 5126,
      count: i === 1 ? 3 : times.length,
      type: types[i],
      ...(i === 0 && { min: [0], max: [2] }),
      ...(i === 1 && { min: [-0.1, 0, 0], max: [0.1, 0.2, 0] }),
    })),
    bufferViews,
    buffers: [
      {
        byteLength: bin.byteLength,
        uri: `data:application/octet-stream;base64,${btoa(String.fromCharCode(...new Uint8Array(bin.buffer)))}`,
      },
    ],
  };
  return new Blob([JSON.stringify(json)], { type: 'model/gltf+json' });
}
