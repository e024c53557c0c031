// The model as files: its pose, its clips.

import type { Inspector } from './inspector.ts';
import { nameOf, save } from './pictures.ts';

/** The files that the panel Share writes. */
export type ExportKind = 'pose' | 'obj' | 'clips' | 'usdz' | 'cache';

/** Writes a file and saves it. */
export async function saveExport(inspector: Inspector, kind: ExportKind, signal: AbortSignal): Promise<void> {
  const { viewer } = inspector;
  if (!viewer) return;
  const name = nameOf(inspector);
  switch (kind) {
    case 'pose':
      return save(await viewer.exportGlb({ pose: true, signal }), `${name}-pose.glb`);
    case 'clips':
      return save(await viewer.exportGlb({ clips: 'all', signal }), `${name}-clips.glb`);
    case 'obj': {
      const { obj, mtl } = await viewer.exportObj({ name: `${name}-pose`, signal });
      save(new Blob([obj], { type: 'model/obj' }), `${name}-pose.obj`);
      return save(new Blob([mtl], { type: 'model/mtl' }), `${name}-pose.mtl`);
    }
    case 'usdz': {
      const { blob } = await viewer.exportUsdz({ signal });
      return save(blob, `${name}.usdz`);
    }
    case 'cache': {
      const source = inspector.source.peek();
      const { clip } = viewer;
      if (source === null || !clip) return;
      const { bake } = await import('gambol/tools');
      const { bytes } = await bake(source, { clips: clip.index, signal });
      return save(new Blob([bytes], { type: 'model/gltf-binary' }), `${name}-cache.glb`);
    }
  }
}
