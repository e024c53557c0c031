import { createViewer } from 'gambol';

const viewer = await createViewer(canvas, options);
await viewer.load('sample.glb');
viewer.play('Idle');

const fur = viewer.material('Fur');
const set = (values) => fur.set(values, { fade: 0.4 });
for (const button of buttons)
  button.onclick = () => set({ baseColor: button.value });
slider.oninput = () => {
  set({ roughness: 1 - slider.valueAsNumber });
};
