// The clip with which a model begins: the first one that lasts, since files from Mixamo begin with a T-pose of no duration.

import { createViewer } from 'gambol';
import { test } from '../page/api.ts';
import { address, placed, shown } from './support/element.ts';
import { model } from './support/model.ts';

const CLIPS: [string, number][] = [
  ['T-Pose', 0],
  ['Slide', 2],
  ['Short', 0.15],
];

test('opening clip: is the first one that lasts', async (t) => {
  for (const renderer of ['own', 'worker'] as const) {
    const viewer = await createViewer(t.canvas(64, 64), { autoplay: true, renderer });
    await viewer.load(model({ clips: CLIPS }).glb);
    t.equal([viewer.clips[0]?.duration, viewer.clip?.id, viewer.paused], [0, 'Slide', false], renderer);
    const actor = await viewer.add(t.some(viewer.model));
    t.equal(actor.clip?.id, 'Slide', 'another actor');
    await viewer.model?.removeClip('Slide');
    const third = await viewer.add(t.some(viewer.model));
    t.equal(third.clip?.id, 'Short', 'after its removal');
    await viewer.load(model({ clips: [['T-Pose', 0]] }).glb);
    t.equal(viewer.clip?.id, 'T-Pose', 'if none lasts');
    viewer.dispose();
  }
});

test('opening clip: members of a crowd begin with it', async (t) => {
  const viewer = await createViewer(t.canvas(64, 64));
  const crowd = await viewer.addCrowd(model({ clips: CLIPS }).glb, { count: 1 });
  crowd.play();
  const ends = crowd.events([0]);
  let loops = 0;
  ends.addEventListener('loop', () => (loops += 1));
  viewer.timeline = 'manual';
  viewer.advance(1.9);
  t.equal(loops, 0);
  viewer.advance(0.2);
  t.equal(loops, 1, 'Slide lasts two seconds');
});

test('opening clip: the element plays it, by autoplay and in place of a clip that is missing', async (t) => {
  const src = address({ clips: CLIPS });
  const element = await shown(t, { src, autoplay: '', 'environment-image': 'none' });
  t.equal([element.animationName, element.paused, element.duration], ['Slide', false, 2]);
  const other = placed({ src, 'animation-name': 'Dance', 'environment-image': 'none' });
  other.addEventListener('warning', (event) => event.preventDefault());
  await t.until(() => other.modelIsVisible, 'the model');
  t.equal(other.animationName, 'Slide');
  other.animationName = 'T-Pose';
  t.equal([other.animationName, other.duration], ['T-Pose', 0], 'by its name');
  other.animationName = '*';
  t.equal([other.viewer?.clip?.id, other.viewer?.layers.size], ['Slide', 2]);
});
