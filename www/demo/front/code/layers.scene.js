import { createViewer } from 'gambol';

const scene = document.querySelector('#layers');
const canvas = scene.querySelector('canvas');
const options = { renderer: 'shared', cameraControls: false };
const viewer = await createViewer(canvas, options);
await viewer.load('sample.glb');
viewer.play('Run');

// The right shoulder and all joints below it.
const mask = 'ShoulderR/**';
const wave = viewer.layers.add('Wave', { mask });

const slider = scene.querySelector('input');
slider.addEventListener('input', () => {
  wave.weight = slider.valueAsNumber;
});
