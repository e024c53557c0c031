// Files of motion alone in the inspector: a character wears the clip, beside the figure of its bones, and a sentence says so.

import type { Actor } from 'gambol';
import type { Inspector } from '../../../www/demo/inspect/inspector.ts';
import { longTests, test, type T } from '../page/api.ts';
import { bvh } from './support/foreign.ts';
import { boneIndices, humanoid } from './support/humanoid.ts';
import { site, type Site } from './support/inspector.ts';

// `smoke.ts` opens the page on each change.
longTests();

const TIME = { timeout: 150_000 };

/** A humanoid without its mesh, as files of clips have it. */
async function meshless(options: Parameters<typeof humanoid>[0]): Promise<Record<string, unknown>> {
  const json = JSON.parse(await humanoid(options).text()) as Record<string, unknown>;
  delete json['meshes'];
  for (const node of json['nodes'] as { mesh?: number }[]) delete node.mesh;
  return json;
}

/** A GLB of the JSON, whose buffer is a data URI. */
function glb(json: unknown): Uint8Array<ArrayBuffer> {
  const text = new TextEncoder().encode(JSON.stringify(json));
  const size = 4 * Math.ceil(text.length / 4);
  const bytes = new Uint8Array(20 + size).fill(0x20);
  new DataView(bytes.buffer).setUint32(0, 0x46546c67, true);
  [2, bytes.length, size, 0x4e4f534a].forEach((value, i) => {
    new DataView(bytes.buffer).setUint32(4 + 4 * i, value, true);
  });
  bytes.set(text, 20);
  return bytes;
}

/** A humanoid with other names, whose triangle is the mesh of a skin. */
async function skinned(): Promise<string> {
  const json = JSON.parse(await humanoid({ names: 'vrm' }).text()) as {
    nodes: { mesh?: number; skin?: number }[];
    meshes: { primitives: { attributes: Record<string, number> }[] }[];
    accessors: object[];
  };
  const { nodes, meshes, accessors } = json;
  const zeros = accessors.push({ componentType: 5121, count: 3, type: 'VEC4' }) - 1;
  const weights = Uint8Array.of(255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0);
  const all = json as unknown as { buffers: object[]; bufferViews: object[]; skins: object[] };
  all.buffers.push({
    byteLength: 12,
    uri: `data:application/octet-stream;base64,${btoa(String.fromCharCode(...weights))}`,
  });
  all.bufferViews.push({ buffer: 1, byteLength: 12 });
  const view = all.bufferViews.length - 1;
  accessors.push({ bufferView: view, componentType: 5121, normalized: true, count: 3, type: 'VEC4' });
  Object.assign(meshes[0]?.primitives[0]?.attributes ?? {}, { JOINTS_0: zeros, WEIGHTS_0: zeros + 1 });
  for (const node of nodes) if (node.mesh !== undefined) node.skin = 0;
  all.skins = [{ joints: nodes.map((_, node) => node) }];
  return JSON.stringify(json);
}

/** A clip of VRMC_vrm_animation. */
async function vrma(): Promise<string> {
  const json = await meshless({ names: 'mixamo', clip: 'Salute' });
  const humanBones = Object.fromEntries(Object.entries(boneIndices()).map(([bone, node]) => [bone, { node }]));
  return JSON.stringify({
    ...json,
    extensionsUsed: ['VRMC_vrm_animation'],
    extensions: { VRMC_vrm_animation: { specVersion: '1.0', humanoid: { humanBones } } },
  });
}

async function open(t: T, { page, window, text }: Site, content: BlobPart, name: string): Promise<void> {
  const { File: FrameFile, DataTransfer: FrameTransfer } = window as Window & typeof globalThis;
  const files = new FrameTransfer();
  files.items.add(new FrameFile([content], name));
  const picker = t.some(page.querySelector<HTMLInputElement>('#file-input'));
  picker.files = files.files;
  picker.dispatchEvent(new Event('change'));
  await t.until(() => text('model-name') === name, name);
}

const note = ({ page }: Site): HTMLElement => page.getElementById('motion-note') as HTMLElement;
const sentence = (at: Site): string => (note(at).hidden ? '' : at.text('motion-note-words'));

/** The number of pixels with the colour of Pip's fur, which neither the bones nor the page have, at the present time. */
async function fur(t: T, { player }: Site): Promise<number> {
  const viewer = t.some(player.viewer);
  const { data } = t.pixels(await viewer.renderAt(viewer.currentTime, { width: 400, height: 300 }));
  let count = 0;
  for (let i = 0; i < data.length; i += 4) {
    const [red = 0, , blue = 0, alpha = 0] = data.subarray(i, i + 4);
    if (alpha > 200 && red - blue > 80) count++;
  }
  return count;
}

/** The inspector of the page, which it has for the console. */
const wearer = ({ window }: Site): Actor | null =>
  (window as unknown as { readonly inspector: Inspector }).inspector.wearing.actor.peek();

/** Waits for the sentence; returns the character that wears the clip. */
async function worn(t: T, at: Site, words: string): Promise<Actor> {
  await t.until(() => sentence(at) !== '', 'the sentence');
  t.equal(sentence(at), words);
  return t.some(wearer(at), 'the character');
}

for (const [kind, name, content] of [
  ['a BVH file', 'squat.bvh', async () => (await fetch('/examples/squat.bvh')).text()],
  ['a GLB file', 'salute.glb', async () => glb(await meshless({ names: 'mixamo', clip: 'Salute' }))],
  ['a VRMA file', 'salute.vrma', vrma],
] as const)
  test(
    `inspector motion alone: Pip wears ${kind} beside the figure of its bones, in step`,
    async (t) => {
      const at = await site(t);
      const { player, text } = at;
      await t.until(() => text('model-name') === 'Sample character', 'the sample character');
      t.equal([sentence(at), wearer(at)], ['', null], 'nothing for a character');
      await open(t, at, await content(), name);
      const actor = await worn(t, at, `${name} is motion alone: Pip wears it; the figure of bones is the source.`);
      const viewer = t.some(player.viewer);
      t.ok(viewer.model?.isMotion && actor.model?.joints.some(({ skinned }) => skinned), 'a figure, and a character');
      // Beside each other, in the picture.
      player.pause();
      await viewer.seek(0);
      const seen = await fur(t, at);
      t.ok(seen > 500, `${seen} pixels of fur`);
      const [own, other] = [t.some(viewer.measure()), t.some(actor.measure())];
      t.ok(other.max[0] < own.min[0], `${other.max[0]} is left of ${own.min[0]}`);

      // Its pose is that of the retargeted clip at the time of the viewer, while that seeks, plays and changes its speed.
      const first = actor.poseHash();
      await viewer.seek(0.5);
      t.equal([actor.currentTime, actor.clip?.name, actor.paused], [0.5, viewer.clip?.name, true]);
      t.ok(actor.poseHash() !== first, 'another pose');
      await viewer.seek(0);
      t.equal(actor.poseHash(), first, 'the same pose again');
      player.timeScale = 0.5;
      player.loopMode = 'pingpong';
      await player.play();
      await t.until(() => viewer.currentTime > 0.2, 'it plays');
      await t.frames(2);
      t.equal([actor.paused, actor.playbackRate, actor.loopMode], [false, 0.5, 'pingpong']);
      t.close(actor.currentTime, viewer.currentTime, 1e-3, 'in step');

      // The sentence is at the top, and can be closed; the character stays.
      const box = note(at).getBoundingClientRect();
      t.ok(box.top > 40 && box.bottom < 160, `${box.top} … ${box.bottom}`);
      at.click('motion-note-close');
      t.equal([sentence(at), wearer(at) === actor], ['', true]);

      // A model ends both.
      await open(t, at, await humanoid({ names: 'mixamo', clip: 'Salute' }).text(), 'other.gltf');
      t.equal([sentence(at), wearer(at), await fur(t, at)], ['', null, 0]);
    },
    TIME,
  );

test(
  'inspector motion alone: the character before wears it if it can, otherwise Pip, otherwise none',
  async (t) => {
    const at = await site(t);
    await t.until(() => at.text('model-name') === 'Sample character', 'the sample character');
    await open(t, at, await skinned(), 'hero.gltf');
    await open(t, at, glb(await meshless({ names: 'mixamo', clip: 'Salute' })), 'salute.glb');
    const hero = await worn(
      t,
      at,
      'salute.glb is motion alone: hero.gltf wears it; the figure of bones is the source.',
    );
    t.equal([hero.model?.name, await fur(t, at)], ['hero.gltf', 0]);
    // The same character for the next file, whose bones only Pip has.
    await open(t, at, bvh(), 'turn.bvh');
    const pip = await worn(t, at, 'turn.bvh is motion alone: Pip wears it; the figure of bones is the source.');
    t.equal(pip.model?.name, 'sample.glb');
    await open(t, at, bvh().replace('Hips', 'Crane').replace('Spine', 'Hook'), 'crane.bvh');
    await t.until(() => sentence(at) !== '', 'the sentence');
    t.equal(
      sentence(at),
      'crane.bvh is motion alone: the figure shows its bones; neither hero.gltf nor Pip can wear it.',
    );
    t.equal([wearer(at), at.player.viewer?.model?.isMotion, await fur(t, at)], [null, true, 0]);
    // A file that fails leaves all as it is.
    await open(t, at, bvh(), 'turn.bvh');
    await t.until(() => sentence(at) !== '', 'the sentence');
    const before = t.some(wearer(at), 'Pip again');
    const files = new DataTransfer();
    files.items.add(new File(['?'], 'broken.glb'));
    at.window.dispatchEvent(new DragEvent('drop', { dataTransfer: files, bubbles: true, cancelable: true }));
    await t.until(() => !at.page.getElementById('failure')?.hidden, 'the message');
    t.equal([wearer(at) === before, sentence(at) !== ''], [true, true]);
  },
  TIME,
);

test(
  'inspector motion alone: the sentence fits a phone, above the character',
  async (t) => {
    const at = await site(t, '?src=/examples/squat.bvh', 390, 844);
    await worn(t, at, 'squat.bvh is motion alone: Pip wears it; the figure of bones is the source.');
    t.ok(at.page.documentElement.scrollWidth <= 390, 'nothing sticks out');
    const { left, right, top, bottom } = note(at).getBoundingClientRect();
    t.ok(left >= 0 && right <= 390 && top > 90 && bottom < 200, `${left} … ${right}, ${top} … ${bottom}`);
    const viewer = t.some(at.player.viewer);
    await t.until(() => (viewer.cameraPadding.top ?? 0) >= bottom, 'the camera leaves it free');
  },
  TIME,
);
