import { createViewer } from 'gambol';

const canvas = document.querySelector('#gaze canvas');
const options = { renderer: 'shared', cameraControls: false };
const viewer = await createViewer(canvas, options);
await viewer.load('sample.glb');
viewer.play('Idle');
viewer.camera = { azimuth: 0, polar: Math.PI / 2 };

const paw = viewer.joint('HandL');
paw.attach(document.querySelector('#gaze .tag'), [0, -0.1, 0]);
canvas.addEventListener('pointermove', (event) => {
  const [a, b] = [0, 1].map((x) => viewer.project([x, x, 0.3]));
  const x = (event.offsetX - a.x) / (b.x - a.x);
  const y = (event.offsetY - a.y) / (b.y - a.y);
  viewer.joint('Head').lookAt([x, y, 0.8], { limit: 1 });
  if (event.buttons) paw.ik([x, y, 0.3], { pole: [1, -1, -1] });
});
