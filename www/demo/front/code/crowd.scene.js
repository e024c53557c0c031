import { createViewer } from 'gambol';

const scene = document.querySelector('#crowd');
const canvas = scene.querySelector('canvas');
const options = { renderer: 'shared', cameraControls: false };
const viewer = await createViewer(canvas, options);
const crowd = await viewer.addCrowd('sample.glb');

function show(count) {
  const members = Array.from({ length: count }, (_, i) => i);
  const spiral = (i) => [Math.cos(2.4 * i), 0, Math.sin(2.4 * i)];
  crowd.count = count;
  crowd.set({
    positions: members.flatMap((i) =>
      spiral(i).map((x) => 0.7 * x * i ** 0.5),
    ),
    clips: members.map((i) => i % 6),
    starts: members.map(() => viewer.now - 4 * Math.random()),
  });
  viewer.frame();
}
for (const button of scene.querySelectorAll('.button'))
  button.addEventListener('click', () =>
    show(Number(button.value)),
  );
show(1);
