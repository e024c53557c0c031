import { createViewer } from 'gambol';

const viewer = await createViewer(canvas);
await viewer.load('sample.glb');
const { inputs } = await viewer.loadStates('pip.states.json');
viewer.feet({ ground }); // (x, z) => ({ y, normal })
viewer.joint('Tail1').spring({ stiffness: 0.6, drag: 0.25 });
viewer.blink({ seed: 7 });
viewer.expression('happy').weight = smile.valueAsNumber;
viewer.addEventListener('before-render', () => {
  inputs.speed = walker.speed;
  viewer.place = walker.place;
  viewer
    .joint('Head')
    .lookAt(pointer, { joints: { Neck: 0.35 }, speed: 5 });
});
