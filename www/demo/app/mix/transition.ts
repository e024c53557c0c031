import type { GambolViewer } from 'gambol/element';
import { byId } from '../dom.ts';
import { seconds } from '../format.ts';

/** Installs the controls for the mode and the duration of transitions. */
export function transitionControls(player: GambolViewer): void {
  const kind = byId<HTMLSelectElement>('transition');
  const time = byId<HTMLInputElement>('transition-time');
  const shown = byId<HTMLOutputElement>('transition-shown');
  const show = (): void => {
    const duration = player.animationCrossfadeDuration / 1000;
    kind.value = player.transition;
    time.value = String(duration);
    time.disabled = player.transition === 'cut';
    shown.value = `${seconds(duration)} s`;
  };
  kind.addEventListener('change', () => {
    player.transition = kind.value as GambolViewer['transition'];
    show();
  });
  time.addEventListener('input', () => {
    player.animationCrossfadeDuration = Math.round(1000 * Number(time.value));
    show();
  });
  show();
}
