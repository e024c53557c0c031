import { createViewer } from 'gambol';

const viewer = await createViewer(canvas);
viewer.shadowIntensity = SHADOW;
const crowd = await viewer.addCrowd('sample.glb');
crowd.count = COUNT;
crowd.updateRate = RATE; // level of detail
// Lists with an entry for each member.
crowd.set({ clips, starts, tints });
viewer.addEventListener('before-render', () => {
  crowd.set({ positions, rotations });
});
