import { createViewer } from 'gambol';

for (const canvas of canvases) {
  const viewer = await createViewer(canvas, options);
  await viewer.load('sample.glb');
  viewer.transition = canvas.id; // inertial, crossfade or cut
  viewer.transitionDuration = 0.5;
  viewer.play('Run');
  for (const button of buttons)
    button.addEventListener('click', () => viewer.play(button.value));
}
