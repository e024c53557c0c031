import { createViewer } from 'gambol';

const scene = document.querySelector('#attachments');
const canvas = scene.querySelector('canvas');
const options = { renderer: 'shared', cameraControls: false };
const viewer = await createViewer(canvas, options);
await viewer.load('sample.glb');
viewer.play('Idle');

const label = scene.querySelector('.tag');
viewer.joint('Head').attach(label, [0, 0.6, 0]);

const sword = await viewer.add('examples/sword.gltf');
const hold = (hand) =>
  viewer.joint(hand).attach(sword, {
    position: [0, -0.04, 0.01],
    rotation: [0.42, 0, 0, 0.91],
  });
for (const button of scene.querySelectorAll('.button'))
  button.onclick = () => hold(button.value);
hold('HandR');
