import { createViewer } from 'gambol';

const viewer = await createViewer(canvas);
await viewer.load('sample.glb');
const { inputs } = await viewer.loadStates('pip.states.json');

await viewer.use('body', 'faces');
// (x, z) => ({ y, normal })
viewer.feet({ ground });
viewer.joint('Tail1').spring({ stiffness: 0.55 });
viewer.blink({ seed: 7 });
viewer.expression('happy', { weight: 0.8, fade: 0.3 });

const head = viewer.joint('Head');
viewer.addEventListener('before-render', () => {
  inputs.speed = walker.speed;
  viewer.place = walker.place;
  head.lookAt(pointer, { joints: { Neck: 0.35 } });
});
