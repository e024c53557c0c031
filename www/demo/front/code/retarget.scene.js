import { createViewer } from 'gambol';

const scene = document.querySelector('#retarget');
const find = (selector) => scene.querySelector(selector);
const options = { renderer: 'shared', cameraControls: false };
const viewer = await createViewer(find('canvas'), options);
await viewer.load('sample.glb');
viewer.play('Idle');

const say = (text) => (find('output').value = text);
const add = (source) =>
  viewer.model.addClips(source).then(
    ({ clips, mapped }) => {
      viewer.play(clips[0]);
      say(`${clips.length} clips, ${mapped.length} bones`);
    },
    (error) => say(error.message),
  );
const file = find('input');
file.onchange = () => add(file.files);
find('button').onclick = () => add('examples/squat.bvh');
scene.ondragover = (event) => event.preventDefault();
scene.ondrop = (event) => {
  event.preventDefault();
  add(event.dataTransfer.files);
};
