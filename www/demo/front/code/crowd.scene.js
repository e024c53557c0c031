import { createViewer } from 'gambol';

const scene = document.querySelector('#crowd');
const canvas = scene.querySelector('canvas');
const options = { renderer: 'shared', cameraControls: false };
const viewer = await createViewer(canvas, options);
const crowd = await viewer.addCrowd('sample.glb');

const place = (i) => {
  const [radius, angle] = [0.7 * Math.sqrt(i), 2.4 * i];
  return [radius * Math.cos(angle), 0, radius * Math.sin(angle)];
};
const show = (count) => {
  const members = [...Array(count).keys()];
  crowd.count = count;
  crowd.set({ positions: members.flatMap(place) });
  crowd.set({ clips: members.map((i) => i % 6) });
  viewer.frame();
};
for (const button of scene.querySelectorAll('.button'))
  button.onclick = () => show(Number(button.value));
show(1);
