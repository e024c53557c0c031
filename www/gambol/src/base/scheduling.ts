// Scheduling of long work in slices, so that the page stays responsive.

/** The upper limit of bytes that one step uploads to the GPU. */
const BYTES_AT_ONCE = 1 << 20;
/** The length of a slice of work in milliseconds, after which it yields to the page. */
const SLICE = 8;
/** The longest interval in milliseconds between two polls of the GPU. */
const LONGEST_WAIT = 8;

/** The result of a step. The module declares the same type, so a difference does not compile. */
export type StepResult = 'done' | 'more' | 'busy';

/**
 * Yields to the browser for other work, such as input and painting. It resolves as soon as that is done, also in a hidden page,
 * where timers are throttled.
 */
export function yieldToPage(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

/** Resolves after a time in milliseconds. */
export function delay(time = 1): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, time));
}

/**
 * Runs `step` until it returns `false`, and yields to the page between slices. `shouldContinue` is called after each slice, and may throw.
 */
export async function repeatInSlices(step: () => boolean, shouldContinue: () => void): Promise<void> {
  for (;;) {
    const end = performance.now() + SLICE;
    let more: boolean;
    do more = step();
    while (more && performance.now() < end);
    if (!more) return;
    await yieldToPage();
    shouldContinue();
  }
}

/**
 * Runs `step` until it is done, and yields to the page between slices. In a hidden page, `mayWait` is `false`: steps may block
 * on the GPU, because no frame is visible.
 *
 * @returns `true` if all steps are done; `false` if `shouldContinue` has returned `false`
 */
export async function inSlices(
  step: (bytes: number, mayWait: boolean) => StepResult,
  shouldContinue: () => boolean,
): Promise<boolean> {
  let wait = 1;
  while (shouldContinue()) {
    const end = performance.now() + SLICE;
    let left: StepResult;
    do left = step(BYTES_AT_ONCE, document.visibilityState !== 'hidden');
    while (left === 'more' && performance.now() < end);
    if (left === 'done') return true;
    if (left === 'more') {
      wait = 1;
      await yieldToPage();
    } else {
      await delay(wait);
      wait = Math.min(2 * wait, LONGEST_WAIT);
    }
  }
  return false;
}
