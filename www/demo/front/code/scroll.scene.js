import { createViewer } from 'gambol';

const canvas = document.querySelector('#scroll canvas');
const options = { renderer: 'shared', cameraControls: false };
const viewer = await createViewer(canvas, options);
await viewer.load('sample.glb');
viewer.camera = { azimuth: -Math.PI / 2 }; // from the side
viewer.play('Walk');

// 0 seconds when the canvas enters the window, 8 when it leaves.
const seconds = () => {
  const { bottom, height } = canvas.getBoundingClientRect();
  return 8 * (1 - bottom / (innerHeight + height));
};
viewer.timeline = seconds;
addEventListener('scroll', () => {
  viewer.place = { position: [0, 0, 0.32 * (seconds() - 4)] };
});
