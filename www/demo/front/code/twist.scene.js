import { createViewer } from 'gambol';

const scene = document.querySelector('#twist');
const slider = scene.querySelector('input');
for (const canvas of scene.querySelectorAll('canvas')) {
  const options = { renderer: 'shared', cameraControls: false };
  const viewer = await createViewer(canvas, options);
  await viewer.load('sample.glb');
  viewer.skinning = canvas.id; // linear or dual-quaternion
  viewer.camera = {
    target: [0.2, 0.34, 0],
    distance: 0.9,
    polar: 1.5,
  };

  const twist = () => {
    const half = (slider.valueAsNumber * Math.PI) / 360;
    const axis = [0.69, -0.71, 0.13].map((x) => x * Math.sin(half));
    const rotation = [...axis, Math.cos(half)];
    viewer.joint('LowerArmL').override({ rotation });
  };
  slider.addEventListener('input', twist);
  twist();
}
