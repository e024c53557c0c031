// A page as in the examples of three.js.

import * as THREE from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.setSize(640, 480);
renderer.setPixelRatio(devicePixelRatio);
document.body.append(renderer.domElement);
const scene = new THREE.Scene();
const sun = new THREE.DirectionalLight(0xffffff, 3);
sun.position.set(3, 10, 10);
scene.add(new THREE.HemisphereLight(0xffffff, 0x8d8d8d, 3), sun);
const camera = new THREE.PerspectiveCamera(45, 640 / 480, 0.01, 100);
const controls = new OrbitControls(camera, renderer.domElement);

const gltf = await new GLTFLoader().loadAsync('/sample.glb');
scene.add(gltf.scene);
const box = new THREE.Box3().setFromObject(gltf.scene);
box.getCenter(controls.target);
camera.position.copy(controls.target).add(new THREE.Vector3(0, 0, 2 * box.getSize(new THREE.Vector3()).length()));
const mixer = new THREE.AnimationMixer(gltf.scene);
mixer.clipAction(gltf.animations[0]).play();
const clock = new THREE.Clock();
let frames = 0;
renderer.setAnimationLoop(() => {
  // The first frame is on the screen when the next one begins; gambol's promise resolves at the same point.
  if (frames++ === 1) performance.mark('first-frame');
  mixer.update(clock.getDelta());
  controls.update();
  renderer.render(scene, camera);
});
