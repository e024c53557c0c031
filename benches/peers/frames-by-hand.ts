// Animation frames that a benchmark triggers itself.

/**
 * Captures the page's running animation loops. Returns a function that runs one frame of them, `step` milliseconds
 * after the previous one.
 */
export async function framesByHand(step: number): Promise<() => void> {
  let waiting: FrameRequestCallback[] = [];
  const request = window.requestAnimationFrame;
  await new Promise((resolve) => request(resolve));
  let now = performance.now();
  window.requestAnimationFrame = (callback) => waiting.push(callback);
  // Callbacks that were requested before run once, and request their next frame from the replacement.
  await new Promise((resolve) => request.call(window, () => request.call(window, resolve)));
  window.requestAnimationFrame = request;
  return () => {
    const due = waiting;
    waiting = [];
    window.requestAnimationFrame = (callback) => waiting.push(callback);
    now += step;
    for (const callback of due) callback(now);
    window.requestAnimationFrame = request;
    if (waiting.length === 0) throw new Error('gambol has stopped drawing');
  };
}
