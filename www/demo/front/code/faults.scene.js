import { createViewer } from 'gambol';

const scene = document.querySelector('#faults');
const report = scene.querySelector('output');
const canvas = scene.querySelector('canvas');
const options = { renderer: 'shared', cameraControls: false };
const viewer = await createViewer(canvas, options);
await viewer.load('sample.glb');
viewer.play('Idle');

const open = (source) =>
  viewer.load(source).then(
    () => (report.value = 'No fault'),
    ({ code, pointer = '', message }) =>
      (report.value = `${code} ${pointer}\n${message}`),
  );
for (const button of scene.querySelectorAll('.button'))
  button.onclick = () => open(`faulty/${button.value}.gltf`);
scene.ondragover = (event) => event.preventDefault();
scene.ondrop = (event) => {
  event.preventDefault();
  open(event.dataTransfer.files);
};
