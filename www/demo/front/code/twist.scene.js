import { createViewer } from 'gambol';

for (const canvas of canvases) {
  const viewer = await createViewer(canvas, options);
  await viewer.load('sample.glb');
  viewer.skinning = canvas.id; // linear or dual-quaternion
  viewer.play('Idle');

  slider.addEventListener('input', () => {
    const half = (slider.valueAsNumber * Math.PI) / 360;
    const rotation = [0, Math.sin(half), 0, Math.cos(half)];
    viewer.joint('Spine').override({ rotation });
  });
}
slider.dispatchEvent(new Event('input'));
