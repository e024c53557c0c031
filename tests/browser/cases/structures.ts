// Structures that pass to the core: plain objects, whose fields it reads by name.

import { createViewer } from 'gambol';
import { test } from '../page/api.ts';
import { model } from './support/model.ts';

test('structures: a getter of a field may call the core again', async (t) => {
  const viewer = await createViewer(t.canvas(64, 64));
  viewer.timeline = 'manual';
  await viewer.load(model().glb);
  viewer.play('Slide');
  viewer.engine.readOrThrow(({ playback, query }) => {
    const actor = viewer.readActor<number>((_, id) => id, -1);
    let between = 0;
    playback.configure(actor, 0, {
      get rate() {
        playback.configure(actor, 0, { rate: 5, loopMode: 'pingpong', repetitions: 4 });
        between = query.rate(actor, 0);
        return 3;
      },
      loopMode: 'once',
      repetitions: 2,
    });
    t.equal(between, 5, 'the call of the getter');
    t.equal([query.rate(actor, 0), query.loopMode(actor, 0), query.repetitions(actor, 0)], [3, 'once', 2]);
  });
  viewer.dispose();
});
