import { createViewer } from 'gambol';

const scene = document.querySelector('#twist');
const slider = scene.querySelector('input');
for (const canvas of scene.querySelectorAll('canvas')) {
  const options = { renderer: 'shared', cameraControls: false };
  const viewer = await createViewer(canvas, options);
  await viewer.load('sample.glb');
  viewer.skinning = canvas.id; // linear or dual-quaternion
  viewer.play('Idle');

  const twist = () => {
    const half = (slider.valueAsNumber * Math.PI) / 360;
    const rotation = [0, Math.sin(half), 0, Math.cos(half)];
    viewer.joint('Spine').override({ rotation });
  };
  slider.addEventListener('input', twist);
  twist();
}
