// `exportScene()` of the element. A script of its own, which is loaded for the first call.

import { GambolError } from '../base/errors.ts';
import { glbChunks } from '../base/glb.ts';
import type { Viewer } from '../api/viewer.ts';

/** Options of `exportScene()`. Those of `<model-viewer>` that have no meaning here are ignored. @category Options and results of the element */
export interface SceneExportOptions {
  /** `true` for a `.glb`; `false` for a `.gltf` with everything inside. Default: true. */
  readonly binary?: boolean;
  /** Without effect. */
  readonly trs?: boolean;
  /** Without effect. */
  readonly onlyVisible?: boolean;
  /** Without effect. */
  readonly maxTextureSize?: number;
  /** Without effect. */
  readonly includeCustomExtensions?: boolean;
  /** Without effect. */
  readonly forceIndices?: boolean;
}

/** A file with the model of a viewer as it is shown: materials, place, clips. */
export async function exportScene(viewer: Viewer, { binary = true }: SceneExportOptions): Promise<Blob> {
  const glb = await viewer.exportGlb({ place: true });
  return binary ? glb : gltfOf(glb);
}

/** A GLB as a `.gltf` with a data URI. */
async function gltfOf(glb: Blob): Promise<Blob> {
  const { json, binary } = glbChunks(new Uint8Array(await glb.arrayBuffer()));
  const whole = JSON.parse(new TextDecoder().decode(json)) as { buffers?: { uri?: string }[] };
  const [first] = whole.buffers ?? [];
  if (first && binary)
    first.uri = await dataUrl(new Blob([binary as Uint8Array<ArrayBuffer>], { type: 'application/octet-stream' }));
  return new Blob([JSON.stringify(whole)], { type: 'model/gltf+json' });
}

function dataUrl(blob: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(new GambolError('argument/invalid', 'The file cannot be read.'));
    reader.readAsDataURL(blob);
  });
}
