import { createViewer } from 'gambol';

const viewer = await createViewer(canvas, options);
await viewer.load('sample.glb');
viewer.camera = { azimuth: -Math.PI / 2 }; // from the side
viewer.play('Walk');

// 0 seconds when the canvas enters the window, 8 when it leaves.
viewer.timeline = () => {
  const { bottom, height } = canvas.getBoundingClientRect();
  const seconds = 8 * (1 - bottom / (innerHeight + height));
  viewer.place = { position: [0, 0, 0.321 * (seconds - 4)] };
  return seconds;
};
