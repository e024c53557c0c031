import { createViewer } from 'gambol';

const viewer = await createViewer(canvas, options);
await viewer.load('sample.glb');
viewer.play('Idle');
viewer.camera = { azimuth: 0, polar: Math.PI / 2 };
const paw = viewer.joint('HandL');
paw.attach(label, [0, -0.1, 0]);
canvas.onpointermove = ({ offsetX, offsetY, buttons }) => {
  const [a, b] = [0, 1].map((at) => viewer.project([at, at, 0.3]));
  const x = (offsetX - a.x) / (b.x - a.x); // metres
  const y = (offsetY - a.y) / (b.y - a.y);
  viewer.joint('Head').lookAt([x, y, 0.8], { limit: 1 });
  if (buttons) paw.ik([x, y, 0.3], { pole: [1, -1, -1] });
};
