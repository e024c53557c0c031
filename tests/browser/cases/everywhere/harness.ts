// The test harness itself.

import { test } from '../../page/api.ts';
import { beside, compare } from '../../page/pixels.ts';

test('harness: assertions pass and fail', async (t) => {
  t.equal({ a: [1, NaN], b: 'x' }, { b: 'x', a: [1, NaN] });
  await t.throws(() => t.equal([0], [1]), /expected \[1\]/);
  await t.throws(() => t.equal({ a: undefined }, {}), /not equal/);
  t.close([1, 2], [1.01, 1.99], 0.02);
  await t.throws(() => t.close([1], [1, 2]), /not close/);
  await t.throws(() => t.close(NaN, 1, 10), /not close/);
  await t.throws(() => t.throws(() => 1), /did not throw/);
  const coded = Object.assign(new Error('text'), { code: 'import/x' });
  await t.throws(() => Promise.reject(coded), 'import/x');
  await t.throws(() => t.throws(() => Promise.reject(coded), 'import/y'), /expected import\/y/);
});

test('harness: pictures are compared with a tolerance and outliers', (t) => {
  const [a, b] = [new ImageData(4, 4), new ImageData(4, 4)];
  b.data[5] = 3;
  t.equal(compare(a, b, { channel: 3 }).ok, true);
  t.equal(compare(a, b).ok, false);
  t.equal(compare(a, b, { outliers: 1 / 16 }).ok, true);
  t.equal(compare(a, new ImageData(2, 4)).ok, false);
  t.equal(compare(a, b).worst, 3);
});

test('harness: pictures are placed side by side', (t) => {
  const [a, b] = [new ImageData(2, 1), new ImageData(1, 2)];
  a.data.fill(1);
  b.data.fill(2);
  const { width, height, data } = beside(a, b);
  t.equal([width, height], [7, 2]);
  const firsts = Array.from({ length: 14 }, (_, i) => data[4 * i] ?? 0);
  t.equal(firsts, [1, 1, 0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 2]);
});

test('harness: input events are trusted', async (t) => {
  const seen: string[] = [];
  const button = document.createElement('button');
  button.style.cssText = 'position: fixed; left: 20px; top: 20px; width: 100px; height: 40px';
  document.body.append(button);
  for (const type of ['pointerdown', 'pointerup', 'click', 'wheel', 'keydown'] as const) {
    document.addEventListener(type, (event) => {
      seen.push(event instanceof KeyboardEvent ? event.key : event.type);
      t.ok(event.isTrusted, type);
    });
  }
  await t.act({ type: 'move', x: 70, y: 40 }, { type: 'down' }, { type: 'up' });
  await t.until(() => seen.includes('click'), 'a click');
  await t.act({ type: 'key', key: 'ArrowLeft' }, { type: 'key', key: 'k' });
  await t.until(() => seen.includes('k'), 'keys');
  await t.act({ type: 'wheel', x: 300, y: 300, deltaY: 40 });
  await t.until(() => seen.includes('wheel'), 'the wheel');
  t.equal(new Set(seen), new Set(['pointerdown', 'pointerup', 'click', 'ArrowLeft', 'k', 'wheel']));
});

test('harness: wheel events keep their values', async (t) => {
  const turns: number[] = [];
  document.addEventListener('wheel', ({ deltaY }) => turns.push(deltaY));
  // A new window receives no wheel events before it is painted.
  await t.frames(3);
  for (const deltaY of [120, 120, 200, -40]) {
    const before = turns.length;
    await t.act({ type: 'wheel', x: 300, y: 300, deltaY });
    await t.until(() => turns.length > before, `${deltaY}`);
  }
  t.equal(turns, [120, 120, 200, -40]);
});

test('harness: the window can be resized', async (t) => {
  await t.act({ type: 'resize', width: 640, height: 480 });
  await t.until(() => Math.abs(innerWidth - 640) < 32, 'a narrow window');
  await t.act({ type: 'resize', width: 800, height: 600 });
  await t.until(() => Math.abs(innerWidth - 800) < 32, 'the usual window');
});

test('harness: the server simulates faults', async (t) => {
  t.equal((await fetch('/gambol/dist/index.js?status=503')).status, 503);
  t.equal((await fetch('/gambol/dist/index.js?type=text/html')).headers.get('content-type'), 'text/html');
  await t.throws(async () => (await fetch('/gambol/dist/index.js?truncate=10')).text());
  const started = performance.now();
  await fetch('/gambol/dist/index.js?delay=200');
  t.ok(performance.now() - started >= 190, 'a delay');
  const asked = (await t.requests()).map((request) => request.path);
  t.ok(asked.includes('/gambol/dist/index.js?delay=200'), 'it is recorded');
  for (const path of ['/..%2f..%2fpackage.json', '/%2e%2e/%2e%2e/package.json', '/gambol/..%2f..%2fpackage.json']) {
    t.equal((await fetch(path)).status, 404, path);
  }
});

// Faults that must make a test fail.
const fails = 'on purpose';

test('harness: an error on the console fails a test', () => console.error('seen'), { fails });

test('harness: an exception outside the test fails it', (t) => (setTimeout(() => t.fail('later')), t.sleep(20)), {
  fails,
});

test('harness: an unhandled rejection fails a test', () => void Promise.reject(new Error('unhandled')), { fails });

test('harness: a timeout fails a test', () => new Promise(() => undefined), { timeout: 200, fails });

test(
  'harness: a blocked page fails a test',
  () => {
    for (;;);
  },
  { timeout: 200, fails },
);

test(
  'harness: a request to another origin fails a test',
  async (t) => {
    const image = new Image();
    image.src = 'http://127.0.0.1:9999/x.png';
    await t.sleep(50);
  },
  { fails },
);

test(
  'harness: an error in a frame fails a test',
  async (t) => {
    const page = await t.page('/');
    page.console.error('seen');
  },
  { fails },
);

test('harness: expected errors pass', (t) => {
  t.expectTrouble(/on purpose/);
  console.error('on purpose');
});
