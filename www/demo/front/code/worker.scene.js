import { createViewer } from 'gambol';

for (const canvas of canvases) {
  const renderer = canvas.id; // shared or worker
  const viewer = await createViewer(canvas, { ...options, renderer });
  await viewer.load('sample.glb');
  viewer.play('Dance');
}
button.onclick = () => {
  const end = performance.now() + 3000;
  while (performance.now() < end); // the page can do nothing else
};
