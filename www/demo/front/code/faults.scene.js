import { createViewer } from 'gambol';

const viewer = await createViewer(canvas, options);
await viewer.load('sample.glb');
viewer.play('Idle');

const open = (source) =>
  viewer.load(source).then(
    () => (output.value = 'No fault'),
    ({ code, pointer = '', message }) =>
      (output.value = `${code} ${pointer}\n${message}`),
  );
for (const button of buttons)
  button.onclick = () => open(`faulty/${button.value}.gltf`);
stage.ondrop = (event) => open(event.dataTransfer.files);
