import { createViewer } from 'gambol';

const viewer = await createViewer(canvas, options);
const crowd = await viewer.addCrowd('sample.glb');
const walk = () => crowd.set(paths(crowd.count, viewer.now));
for (const button of buttons)
  button.onclick = () => {
    crowd.count = Number(button.value);
    crowd.set(members(crowd.count)); // clips, starts, tints
    walk(); // positions, rotations
    const distance = 3 + 1.25 * Math.sqrt(crowd.count);
    viewer.camera = { target: [0, 0.4, 0], distance };
  };
viewer.addEventListener('before-render', walk);
buttons[1].click();
