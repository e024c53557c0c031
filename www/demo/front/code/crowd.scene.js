import { createViewer } from 'gambol';

const viewer = await createViewer(canvas, options);
viewer.shadowIntensity = 0.6;
const crowd = await viewer.addCrowd('sample.glb');
const walk = () => crowd.set(paths(crowd.count, viewer.now));
for (const button of buttons)
  button.onclick = () => {
    crowd.count = Number(button.value);
    crowd.set(members(crowd.count)); // clips, starts, tints
    walk(); // positions, rotations
    viewer.frame();
  };
viewer.addEventListener('before-render', walk);
buttons[0].click();
