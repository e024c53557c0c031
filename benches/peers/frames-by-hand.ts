// Frames that a benchmark of gambol asks for.

/** From now on animation frames come when they are asked for, each `step` milliseconds after the one before. */
export async function framesByHand(step: number): Promise<() => void> {
  let waiting: FrameRequestCallback[] = [];
  const request = window.requestAnimationFrame;
  await new Promise((resolve) => request(resolve));
  let now = performance.now();
  window.requestAnimationFrame = (callback) => waiting.push(callback);
  // What was asked for before asks again.
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
