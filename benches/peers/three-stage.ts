// three.js as in its examples, with the defaults of gambol: its light, its tone curve, sharp textures.

import * as THREE from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { HDRLoader } from 'three/addons/loaders/HDRLoader.js';
import type { CameraState, Rgba } from 'gambol';

/** The result of three.js's glTF loader. */
export type Gltf = any;

/** A square canvas on the page, with one pixel per CSS pixel. */
export function canvas(size: number): HTMLCanvasElement {
  const made = document.createElement('canvas');
  Object.assign(made, { width: size, height: size });
  made.style.cssText = `width: ${size}px; height: ${size}px`;
  document.body.append(made);
  return made;
}

export class ThreeStage {
  readonly renderer: any;
  readonly scene: any = new THREE.Scene();
  camera: any = new THREE.PerspectiveCamera();
  #mixer: any;

  constructor(readonly canvas: HTMLCanvasElement) {
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
    this.renderer.setPixelRatio(1);
    this.renderer.setSize(canvas.width, canvas.height, false);
    this.renderer.toneMapping = THREE.NeutralToneMapping;
  }

  set background([red, green, blue]: Rgba) {
    this.renderer.setClearColor(new THREE.Color().setRGB(red, green, blue, THREE.SRGBColorSpace), 1);
  }

  /** Light from a Radiance `.hdr`. */
  setEnvironment(hdr: ArrayBuffer): void {
    const { data, width, height } = new HDRLoader().parse(hdr);
    const texture = new THREE.DataTexture(data, width, height, THREE.RGBAFormat, THREE.HalfFloatType);
    Object.assign(texture, {
      colorSpace: THREE.LinearSRGBColorSpace,
      magFilter: THREE.LinearFilter,
      minFilter: THREE.LinearFilter,
      flipY: true,
    });
    texture.needsUpdate = true;
    const maker = new THREE.PMREMGenerator(this.renderer);
    this.scene.environment = maker.fromEquirectangular(texture).texture;
    texture.dispose();
    maker.dispose();
  }

  /** Shows a file in place of the previous one. */
  async load(bytes: ArrayBuffer, path = ''): Promise<Gltf> {
    const gltf = await new GLTFLoader().parseAsync(bytes, path);
    this.scene.clear();
    this.scene.add(gltf.scene);
    this.#mixer = undefined;
    const anisotropy = Math.min(16, this.renderer.capabilities.getMaxAnisotropy());
    gltf.scene.traverse(({ material }: any) => {
      for (const value of Object.values(material ?? {}) as any[])
        if (value?.isTexture) Object.assign(value, { anisotropy, needsUpdate: true });
    });
    return gltf;
  }

  /** Sets the camera to that of a gambol viewer. */
  look({ azimuth, polar, distance, target, fovY }: CameraState): void {
    const camera = new THREE.PerspectiveCamera(
      (fovY * 180) / Math.PI,
      this.canvas.width / this.canvas.height,
      distance / 100,
      distance * 100,
    );
    const across = Math.sin(polar) * distance;
    camera.position.set(
      target[0] + across * Math.sin(azimuth),
      target[1] + Math.cos(polar) * distance,
      target[2] + across * Math.cos(azimuth),
    );
    camera.lookAt(...target);
    this.camera = camera;
  }

  /** Poses the model by a clip at a time. */
  pose(gltf: Gltf, name: string, time: number): void {
    this.#mixer?.stopAllAction();
    this.#mixer = new THREE.AnimationMixer(gltf.scene);
    const action = this.#mixer.clipAction(THREE.AnimationClip.findByName(gltf.animations, name));
    action.setLoop(THREE.LoopOnce);
    action.clampWhenFinished = true;
    action.play();
    this.#mixer.setTime(time);
  }

  render(): void {
    this.renderer.render(this.scene, this.camera);
  }

  dispose(): void {
    this.renderer.dispose();
  }
}
