// Babylon.js: copies by AssetContainer.instantiateModelsToScene, with the advice of its page on optimising scenes:
// performancePriority (which freezes materials), maps of the scene by id, no picking, always active meshes, and no
// updates of bounding boxes.

import {
  Engine,
  FreeCamera,
  LoadAssetContainerAsync,
  Scene as World,
  ScenePerformancePriority,
  Vector3,
} from '@babylonjs/core';
import { GLTFLoaderAnimationStartMode } from '@babylonjs/loaders/glTF/index.js';
import { STEP, camera, canvas, contextOf, phase, places, type Player, type Scene } from './player.ts';

export async function babylon(scene: Scene): Promise<Player> {
  const made = canvas();
  const engine = new Engine(made, true, { audioEngine: false, doNotHandleContextLost: true }, false);
  const world = new World(engine, { useGeometryUniqueIdsMap: true, useMaterialMeshMap: true, useClonedMeshMap: true });
  world.useRightHandedSystem = true;
  world.performancePriority = ScenePerformancePriority.Intermediate;
  // The canvas is cleared before each frame, as by the other players.
  world.autoClear = true;
  const view = new FreeCamera('camera', Vector3.Zero(), world);
  const { position, target, fovY, near, far } = camera(scene);
  view.position.set(...position);
  view.setTarget(new Vector3(...target));
  Object.assign(view, { fov: fovY, minZ: near, maxZ: far });

  const container = await LoadAssetContainerAsync(scene.file, world, {
    pluginExtension: '.glb',
    pluginOptions: { gltf: { animationStartMode: GLTFLoaderAnimationStartMode.NONE } },
  });
  const skeletons: any[] = [];
  const meshes: any[] = [];
  // Each frame advances by 16 ms.
  world.useConstantAnimationDeltaTime = true;
  for (const [i, place] of places(scene).entries()) {
    const copy = container.instantiateModelsToScene((name: string) => name, false);
    const [root] = copy.rootNodes;
    root.position.set(...place);
    for (const mesh of root.getChildMeshes(false)) {
      Object.assign(mesh, { alwaysSelectAsActiveMesh: true, doNotSyncBoundingInfo: true, isPickable: false });
      meshes.push(mesh);
    }
    skeletons.push(...copy.skeletons);
    const [group] = copy.animationGroups;
    group.start(true);
    group.goToFrame(group.from + phase(i, (group.to - group.from) / 60) * 60);
  }
  await world.whenReadyAsync();
  const frame = (): void => {
    engine.beginFrame();
    world.render();
    engine.endFrame();
  };
  frame();
  // A skeleton computes and uploads its matrices in one call; `update` must skip the upload.
  let uploading = true;
  for (const skeleton of skeletons) {
    const texture = skeleton.getTransformMatrixTexture(meshes[0]);
    if (!texture) throw new Error('no texture of matrices');
    const { update } = texture;
    texture.update = (data: unknown) => uploading && update.call(texture, data);
  }
  if (STEP < 0.016 || STEP > 0.017) throw new Error('the steps of Babylon.js are 16 ms');
  return {
    gl: contextOf(made),
    // The part of `render` before drawing: animations, world matrices of meshes, and the matrices of each skeleton.
    update() {
      uploading = false;
      world.animate();
      for (const mesh of meshes) mesh.computeWorldMatrix();
      for (const skeleton of skeletons) skeleton.prepare(true);
      uploading = true;
    },
    frame,
  };
}
