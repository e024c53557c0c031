// three.js with a file, as its examples have it. This module is loaded only for the pictures of scaled joints.

import type { CameraState } from 'gambol';
import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

export const REVISION: string = THREE.REVISION;

/** Shows a file on a canvas; returns the function that draws it from a camera. */
export async function showInThree(
  canvas: HTMLCanvasElement,
  file: ArrayBuffer,
): Promise<(camera: CameraState) => void> {
  const renderer = new THREE.WebGLRenderer({ canvas, antialias: true, alpha: true, preserveDrawingBuffer: true });
  renderer.setPixelRatio(1);
  renderer.setSize(canvas.width, canvas.height, false);
  const { scene } = await new GLTFLoader().parseAsync(file, '');
  return ({ azimuth, polar, distance, target, fovY }) => {
    const camera = new THREE.PerspectiveCamera((fovY * 180) / Math.PI, canvas.width / canvas.height, 0.05, 100);
    const across = Math.sin(polar) * distance;
    const [x, y, z] = target;
    camera.position.set(x + across * Math.sin(azimuth), y + Math.cos(polar) * distance, z + across * Math.cos(azimuth));
    camera.lookAt(x, y, z);
    renderer.render(scene, camera);
  };
}
