// The expressions, blinks and glances of the view, set on the viewer.

import { computed, effect } from '@preact/signals';
import type { ExpressionInfo } from 'gambol';
import type { Inspector } from './inspector.ts';

/** Seconds in which an expression returns to the clips. */
const FADE = 0.2;
/** The same seed each time, so that a link shows the same blinks. */
const SEED = 1;

export function applyExpressions(inspector: Inspector): void {
  const { view, model } = inspector;
  const weights = computed(() => view.value.expressions);
  let [shown, of]: [Readonly<Record<string, number>>, unknown] = [{}, undefined];
  effect(() => {
    const [wanted, loaded, { viewer }] = [weights.value, model.value, inspector];
    if (!loaded || !viewer) return;
    const before = of === loaded ? shown : {};
    for (const { name } of loaded.expressions) {
      const [weight, old] = [wanted[name] ?? null, before[name] ?? null];
      if (weight !== old) viewer.expression(name).override(weight, weight === null ? { fade: FADE } : {});
    }
    [shown, of] = [wanted, loaded];
  });
  for (const call of ['blink', 'glance'] as const) {
    const isOn = computed(() => view.value[call]);
    let playing: unknown;
    effect(() => {
      const [on, loaded, { viewer }] = [isOn.value, model.value, inspector];
      if (!loaded || !viewer) return;
      try {
        if (on) viewer[call]({ seed: SEED });
        else if (playing === loaded) viewer[call](null);
      } catch (error) {
        inspector.status.fail(error, true);
      }
      playing = on ? loaded : undefined;
    });
  }
}

/** `true` if there is an expression of a kind. */
export function has(all: readonly ExpressionInfo[], kind: ExpressionInfo['kind']): boolean {
  return all.some((each) => each.kind === kind);
}
