// Textures and layers of materials in the inspector, hidden nodes, and the rest of the saved file, which stays as it was.

import { longTests, test, type T } from '../page/api.ts';
import { downloads, opened, TIME, timeline, undo, type Opened } from './support/editing.ts';
import { contentOf } from './support/glb-content.ts';
import { panel, press, set } from './support/inspector.ts';

longTests();

type Json = Record<string, unknown>;

/** The file that the inspector saves. */
async function saved(t: T, at: Opened): Promise<Json> {
  const list = downloads(at);
  const control = await panel(t, at, 'timeline');
  control('Save file').click();
  await t.until(() => list.length > 0, 'a download');
  return contentOf(await (await fetch(t.some(list[0]).href)).arrayBuffer());
}

async function original(): Promise<Json> {
  return contentOf(await (await fetch('/sample.glb')).arrayBuffer());
}

/** A picture of one colour as a file of the page in the frame. */
async function picture(window: Window, color: string, name: string): Promise<File> {
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [4, 4];
  const context = canvas.getContext('2d');
  if (context) context.fillStyle = color;
  context?.fillRect(0, 0, 4, 4);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve));
  const { File: FrameFile } = window as Window & typeof globalThis;
  return new FrameFile([(await blob?.arrayBuffer()) ?? ''], name, { type: 'image/png' });
}

/** Opens the groups of the first material whose titles contain a text. */
function opens(t: T, { page }: Opened, title: string): HTMLDetailsElement {
  const groups = [...page.querySelectorAll<HTMLDetailsElement>('#materials details.layer')];
  const group = t.some(
    groups.find((one) => one.querySelector('summary')?.textContent?.startsWith(title)),
    title,
  );
  group.open = true;
  return group;
}

function carries(window: Window, file: File): DataTransfer {
  const { DataTransfer: FrameTransfer } = window as Window & typeof globalThis;
  const transfer = new FrameTransfer();
  transfer.items.add(file);
  return transfer;
}

test(
  'inspector: a texture is replaced by a picker or a drop, sampled, removed; undo, and the saved file',
  async (t) => {
    const at = await opened(t);
    const { viewer, page, window } = at;
    const control = await panel(t, at, 'materials');
    await t.until(() => page.querySelector('#materials details[data-drop]'), 'the textures');
    const now = () => viewer.material(0).values;
    const group = opens(t, at, 'Base colour');
    const field = t.some(group.querySelector<HTMLInputElement>('input[type=file]'));

    // A file that is no picture: a message, and the old texture.
    field.files = carries(window, new File(['no picture'], 'no.png', { type: 'image/png' })).files;
    field.dispatchEvent(new Event('change', { bubbles: true }));
    await t.until(() => page.getElementById('failure')?.hidden === false || at.text('toast') !== '', 'a message');
    t.equal(now().baseColorTexture?.own, false, 'the texture of the file');

    field.files = carries(window, await picture(window, '#00ff00', 'green.png')).files;
    field.dispatchEvent(new Event('change', { bubbles: true }));
    await t.until(() => now().baseColorTexture?.own, 'the picture of the user');
    await t.until(() => group.querySelector('img.texture-preview'), 'its preview');
    set(control('Wrap U'), 'mirror');
    await t.until(() => now().baseColorTexture?.wrapS === 'mirror', 'its sampler');
    t.ok(now().baseColorTexture?.own, 'still that of the user');

    // A drop on an empty slot.
    set(control('Add texture'), 'emissiveTexture');
    await t.until(() =>
      [...page.querySelectorAll('#materials summary')].some((one) => one.textContent?.startsWith('Emissive')),
    );
    const emissive = opens(t, at, 'Emissive');
    const { DragEvent: FrameDrag } = window as Window & typeof globalThis;
    const dataTransfer = carries(window, await picture(window, '#ffffff', 'white.png'));
    for (const type of ['dragenter', 'dragover', 'drop'])
      emissive.dispatchEvent(new FrameDrag(type, { dataTransfer, bubbles: true, cancelable: true }));
    t.equal(page.getElementById('drop')?.hidden, true, 'the page does not open it');
    await t.until(() => now().emissiveTexture?.own, 'the dropped picture');
    t.equal(at.text('model-name'), 'Sample character');

    await timeline(t, at);
    const file = await saved(t, at);
    const material = t.some((file['materials'] as Json[])[0]);
    const textures = file['textures'] as { source: number; sampler: number }[];
    const slot = (material['pbrMetallicRoughness'] as { baseColorTexture: { index: number } }).baseColorTexture;
    const texture = t.some(textures[slot.index]);
    t.equal((file['samplers'] as Json[])[texture.sampler]?.['wrapS'], 33648, 'MIRRORED_REPEAT');
    const image = (file['images'] as { bufferView: { bytes: string } }[])[texture.source];
    const bytes = Uint8Array.from(t.some(image).bufferView.bytes, (one) => one.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
    t.equal([...t.pixels(bitmap).data.slice(0, 4)], [0, 255, 0, 255], 'the pixels of the picture');
    t.ok(material['emissiveTexture'], 'the dropped picture, too');

    const remove = t.some([...group.querySelectorAll('button')].find((one) => one.textContent === 'Remove'));
    remove.click();
    await t.until(() => now().baseColorTexture === null, 'removed');
    undo(at);
    await t.until(() => now().baseColorTexture?.own, 'the picture again');
    t.equal(now().baseColorTexture?.wrapS, 'mirror', 'with its sampler');
    for (let i = 0; i < 3; i++) undo(at);
    await t.until(() => now().baseColorTexture?.own === false && now().emissiveTexture === null, 'as in the file');
    t.equal(now().baseColorTexture?.wrapS, 'clamp');
  },
  TIME,
);

test(
  'inspector: a layer, a hidden node and a key are saved; everything else in the file stays as it was',
  async (t) => {
    const at = await opened(t);
    const { viewer, page } = at;
    const control = await panel(t, at, 'materials');
    await t.until(() => page.querySelector('#materials details.layer'), 'the layers');
    opens(t, at, 'Clear coat');
    await t.frames(3);
    set(control('Clearcoat'), '0.75');
    await t.until(() => viewer.material(0).values.clearcoat === 0.75, 'a clear coat');

    const outline = await panel(t, at, 'outline');
    const tuft = t.some(viewer.model).findJoint('Tuft').index;
    t.some(
      [...page.querySelectorAll<HTMLElement>('#outline .tree-row')].find((row) => row.textContent?.includes('Tuft')),
    ).click();
    await t.frames(3);
    outline('Visible').click();
    await t.until(() => !viewer.node(tuft).visible, 'a hidden node');
    undo(at);
    await t.until(() => viewer.node(tuft).visible, 'and shown again');
    press(page.body, 'z', { ctrlKey: true, shiftKey: true });
    await t.until(() => !viewer.node(tuft).visible, 'hidden again');

    const key = await timeline(t, at);
    const before = at.clip();
    viewer.currentTime = 0;
    key(']');
    key('ArrowRight', { altKey: true });
    await t.until(() => at.clip() !== before, 'a key has moved');
    const { index } = t.some(viewer.clip);

    const [file, was] = [await saved(t, at), await original()];
    // The edits …
    const node = t.some((file['nodes'] as Json[])[tuft]);
    t.equal(node['extensions'], { KHR_node_visibility: { visible: false } });
    const fur = t.some((file['materials'] as Json[])[0]);
    t.equal(fur['extensions'], { KHR_materials_clearcoat: { clearcoatFactor: 0.75 } });
    const clips = file['animations'] as { channels: { input: unknown; target: unknown }[] }[];
    const old = was['animations'] as typeof clips;
    t.equal(clips.length, old.length);
    t.ok(JSON.stringify(clips[index]) !== JSON.stringify(old[index]), 'the clip is another one');
    t.equal(
      t.some(clips[index]).channels.map(({ target }) => target),
      t.some(old[index]).channels.map(({ target }) => target),
    );
    // … and nothing else.
    delete node['extensions'];
    delete fur['extensions'];
    clips[index] = t.some(old[index]);
    file['extensionsUsed'] = (file['extensionsUsed'] as string[]).filter(
      (name) => !['KHR_node_visibility', 'KHR_materials_clearcoat'].includes(name),
    );
    t.equal(Object.keys(file).sort(), Object.keys(was).sort());
    for (const part of Object.keys(was))
      t.ok(JSON.stringify(file[part]) === JSON.stringify(was[part]), `${part} is as it was`);
  },
  TIME,
);
