import { createViewer } from 'gambol';

const viewer = await createViewer(canvas, options);
await viewer.load('sample.glb');
viewer.play('Run');

// The right shoulder and all joints below it.
const mask = 'ShoulderR/**';
const wave = viewer.layers.add('Wave', { mask });

slider.oninput = () => {
  wave.weight = slider.valueAsNumber;
};
