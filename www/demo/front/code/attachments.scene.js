import { createViewer } from 'gambol';

const viewer = await createViewer(canvas, options);
await viewer.load('sample.glb');
viewer.play('Idle');
viewer.camera = { azimuth: -0.55 };
viewer.joint('Head').attach(label, [0, 0.6, 0]);
const sword = await viewer.add('examples/sword.gltf');
const position = [0, -0.04, 0.01];
const rotation = [0.3, 0.64, 0.3, 0.64];
for (const button of buttons)
  button.onclick = () =>
    viewer.joint(button.value).attach(sword, { position, rotation });
buttons[0].click();
