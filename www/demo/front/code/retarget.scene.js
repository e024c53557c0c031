import { createViewer } from 'gambol';

const viewer = await createViewer(canvas, options);
const pip = await viewer.add('sample.glb', { position: [-1.1, 0, 0] });
pip.play('Idle');
const wear = async (source) => {
  await viewer.load(source);
  const { clips, mapped } = await pip.model.addClips(source);
  viewer.play(0);
  pip.play(clips[0]);
  output.value = `Pip wears ${viewer.model.name}: ${mapped.length} bones`;
};
const tell = ({ message }) => (output.value = message);
button.onclick = () => wear('examples/squat.bvh').catch(tell);
file.onchange = () => wear(file.files).catch(tell);
