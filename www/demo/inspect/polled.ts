// Values of the viewer that change without an event, read at intervals.

import { useEffect, useState } from 'preact/hooks';

/** The value of `read`, read again every `pause` ms, and at once when one of `inputs` changes. It is plain data. */
export function usePolled<T>(read: () => T, pause: number, inputs: readonly unknown[]): T {
  const [value, setValue] = useState(read);
  useEffect(() => {
    const update = (): void =>
      setValue((before) => {
        const now = read();
        // The same object, so that an unchanged value draws nothing again.
        return JSON.stringify(now) === JSON.stringify(before) ? before : now;
      });
    update();
    const timer = setInterval(update, pause);
    return () => clearInterval(timer);
  }, inputs);
  return value;
}
