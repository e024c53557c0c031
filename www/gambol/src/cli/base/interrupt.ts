// The end of a command by a signal: SIGINT (Ctrl+C), SIGTERM, SIGHUP.

import { EXIT, Failure } from './failure.ts';

const SIGNALS: readonly NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];
/** The time in milliseconds for work that ends by itself: a browser is closed, a part of a file is removed. */
const GRACE = 5000;

/** The failure of an interrupted command; undefined while it runs. */
export function interruptionOf(signal: AbortSignal): Failure | undefined {
  return signal.aborted && signal.reason instanceof Failure ? signal.reason : undefined;
}

/** Lets a signal of the process in that arrived during a long computation. @throws {@link Failure} `cli/interrupted` */
export async function checkInterrupted(signal: AbortSignal): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  signal.throwIfAborted();
}

/**
 * Runs `work` until it ends or the process gets a signal. The work ends by its `AbortSignal`, or is left alone after some seconds. A
 * second signal ends the process at once.
 *
 * @throws {@link Failure} `cli/interrupted`, and the errors of the work
 */
export async function interruptible<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const controller = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  let giveUp: (failure: Failure) => void = () => undefined;
  const late = new Promise<never>((_, reject) => (giveUp = reject));
  late.catch(() => undefined);
  const stopListening = (): void => {
    for (const name of SIGNALS) process.off(name, onSignal);
  };
  const onSignal = (name: NodeJS.Signals): void => {
    stopListening();
    const failure = new Failure(EXIT.interrupted, 'cli/interrupted', `Interrupted by ${name}.`);
    controller.abort(failure);
    timer = setTimeout(() => giveUp(failure), GRACE);
  };
  for (const name of SIGNALS) process.on(name, onSignal);
  try {
    return await Promise.race([work(controller.signal), late]);
  } catch (error) {
    throw interruptionOf(controller.signal) ?? error;
  } finally {
    stopListening();
    clearTimeout(timer);
  }
}
