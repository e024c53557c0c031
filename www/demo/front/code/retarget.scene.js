import { createViewer } from 'gambol';

const viewer = await createViewer(canvas, options);
await viewer.load('sample.glb');
viewer.play('Idle');

const add = async (source) => {
  const { clips, mapped } = await viewer.model.addClips(source);
  viewer.play(clips[0]);
  output.value = `${clips[0].name}: ${mapped.length} bones`;
};
const tell = ({ message }) => (output.value = message);
button.onclick = () => add('examples/squat.bvh').catch(tell);
file.onchange = () => add(file.files).catch(tell);
stage.ondrop = (event) => add(event.dataTransfer.files).catch(tell);
