// three.js: copies by SkeletonUtils.clone, with a mixer for each, as in its example of many skinned meshes. Primitives
// of one skin share its skeleton, as they do after loading; `clone` would create a skeleton and a texture for each.

import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { clone } from 'three/addons/utils/SkeletonUtils.js';
import { SIZE, STEP, camera, canvas, contextOf, phase, places, type Player, type Scene } from './player.ts';

export async function three(scene: Scene): Promise<Player> {
  const made = canvas();
  const renderer = new THREE.WebGLRenderer({ canvas: made, antialias: true });
  renderer.setPixelRatio(1);
  renderer.setSize(SIZE, SIZE, false);
  const gltf = await new GLTFLoader().parseAsync(scene.file.buffer, '');
  const [clip] = gltf.animations;
  const world = new THREE.Scene();
  const skeletons = new Set<any>();
  const mixers: any[] = places(scene).map((place, i) => {
    const copy = clone(gltf.scene);
    copy.position.set(...place);
    const own = new Map<any, any>();
    copy.traverse((node: any) => {
      node.frustumCulled = false;
      if (!node.isSkinnedMesh) return;
      const [joint] = node.skeleton.bones;
      const skeleton = own.get(joint) ?? node.skeleton;
      own.set(joint, skeleton);
      if (node.skeleton !== skeleton) node.bind(skeleton, node.bindMatrix);
      skeletons.add(skeleton);
    });
    world.add(copy);
    const mixer = new THREE.AnimationMixer(copy);
    mixer.clipAction(clip).play();
    mixer.setTime(phase(i, clip.duration));
    return mixer;
  });
  const { position, target, fovY, near, far } = camera(scene);
  const view = new THREE.PerspectiveCamera((fovY * 180) / Math.PI, 1, near, far);
  view.position.set(...position);
  view.lookAt(...target);
  return {
    gl: contextOf(made),
    // The part of `render` before drawing: mixers, world matrices, and the matrices of each skeleton.
    update() {
      for (const mixer of mixers) mixer.update(STEP);
      world.updateMatrixWorld();
      for (const skeleton of skeletons) skeleton.update();
    },
    frame() {
      for (const mixer of mixers) mixer.update(STEP);
      renderer.render(world, view);
    },
  };
}
