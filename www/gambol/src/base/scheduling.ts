// How long work gives the page its turns.

/** The most bytes that go to the GPU in one step. */
const BYTES_AT_ONCE = 1 << 20;
/** Milliseconds of work after which the page gets its turn. */
const SLICE = 8;
/** The longest time between two questions whether the GPU is done, in milliseconds. */
const LONGEST_WAIT = 8;

/** The outcome of a step. The module declares the same, so a difference does not compile. */
export type StepResult = 'done' | 'more' | 'busy';

/**
 * Lets the browser do other work, such as input and painting. Goes on as soon as that is done, also in a hidden page, where
 * timers are slow.
 */
export function breathe(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

/** Lets a little time pass, in milliseconds. */
export function moment(time = 1): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, time));
}

/** Takes steps until one says that there is no more to do, with turns for the page in between; `goOn` may throw. */
export async function inTurns(step: () => boolean, goOn: () => void): Promise<void> {
  for (;;) {
    const end = performance.now() + SLICE;
    let more: boolean;
    do more = step();
    while (more && performance.now() < end);
    if (!more) return;
    await breathe();
    goOn();
  }
}

/**
 * Takes steps until all is done, with turns for the page in between. Nobody sees a hidden page wait, so steps need no patience
 * with the GPU there.
 *
 * @returns whether all is done; not if `goOn` said no
 */
export async function inSlices(step: (bytes: number, patience: boolean) => StepResult, goOn: () => boolean): Promise<boolean> {
  let wait = 1;
  while (goOn()) {
    const end = performance.now() + SLICE;
    let left: StepResult;
    do left = step(BYTES_AT_ONCE, document.visibilityState !== 'hidden');
    while (left === 'more' && performance.now() < end);
    if (left === 'done') return true;
    if (left === 'more') {
      wait = 1;
      await breathe();
    } else {
      await moment(wait);
      wait = Math.min(2 * wait, LONGEST_WAIT);
    }
  }
  return false;
}
