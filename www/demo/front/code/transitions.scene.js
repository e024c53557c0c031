import { createViewer } from 'gambol';

const scene = document.querySelector('#transitions');
const viewers = [];
for (const canvas of scene.querySelectorAll('canvas')) {
  const options = { renderer: 'shared', cameraControls: false };
  const viewer = await createViewer(canvas, options);
  await viewer.load('sample.glb');
  viewer.transition = canvas.id; // inertial, crossfade or cut
  viewer.transitionDuration = 0.5;
  viewers.push(viewer);
}

const play = (clip) =>
  viewers.forEach((viewer) => viewer.play(clip));
for (const button of scene.querySelectorAll('.button'))
  button.onclick = () => play(button.value);
play('Run');
