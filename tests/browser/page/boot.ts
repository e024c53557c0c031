// Runs the tests of a file, beginning at the index in the page's address, and reports each to the runner.

import { cases, send, Skip, T, type TestCase } from './api.ts';

const query = new URLSearchParams(location.search);
/** The initial elements of the page's head. */
const HEAD = [...document.head.children];

/** Runs one test; the result is a `Report` of ../runner/protocol.ts. */
async function run(one: TestCase, total: number): Promise<object> {
  const base = { name: one.name, total, fails: one.fails };
  await send('started', JSON.stringify({ ...base, timeout: one.timeout }));
  const t = new T(one.name);
  const started = performance.now();
  let timer = 0;
  const leave = (): void => {
    t.undo();
    if (!one.fresh) clear();
  };
  // Pages of the site remember their panels and their theme.
  localStorage.clear();
  try {
    if (!one.fresh) await (starting ??= start());
    const limit = new Promise<never>((_, reject) => {
      timer = window.setTimeout(() => reject(new Error(`not done after ${one.timeout} ms`)), one.timeout);
    });
    await Promise.race([one.body(t), limit]);
    const took = performance.now() - started;
    leave();
    // Browsers report unhandled rejections with a delay.
    await t.sleep(20);
    const trouble = t.trouble();
    if (trouble.length > 0) throw new Error(trouble.join('\n'));
    return { ...base, outcome: 'passed', message: '', took };
  } catch (error) {
    const outcome = error instanceof Skip ? 'skipped' : 'failed';
    const lines = [error instanceof Skip ? error.message : text(error)];
    if (outcome === 'failed') lines.push(...t.trouble().filter((line) => !lines[0]?.includes(line)));
    else leave();
    return { ...base, outcome, message: lines.join('\n'), took: performance.now() - started };
  } finally {
    clearTimeout(timer);
  }
}

/** The tests that match the filter. */
async function load(): Promise<TestCase[]> {
  const file = query.get('file') ?? '';
  const filter = query.get('filter') ?? '';
  try {
    await import(`/__tests/cases/${file}.js`);
  } catch (error) {
    return [
      {
        name: '(loading)',
        body: () => {
          throw error;
        },
        timeout: 0,
        fails: undefined,
        fresh: true,
      },
    ];
  }
  return cases.filter((one) => `${file}: ${one.name}`.includes(filter));
}

/**
 * Starts all features, since most cases call them synchronously. Pages of fresh cases begin without any, as those of users.
 */
async function start(): Promise<void> {
  await (await import('gambol')).use();
}

let starting: Promise<void> | undefined;

/** Removes everything that a test has left in the page. */
function clear(): void {
  document.body.replaceChildren();
  document.head.replaceChildren(...HEAD);
  for (const element of [document.documentElement, document.body]) {
    for (const { name } of [...element.attributes]) if (name !== 'lang') element.removeAttribute(name);
  }
  for (const viewer of window.gambolViewers ?? []) {
    viewer.dispose();
    lose(viewer.canvas);
  }
  window.gambolViewers?.clear();
  scrollTo(0, 0);
}

/** Releases the context of a canvas: browsers allow 16 at a time, and a canvas keeps its own until it is collected. */
function lose(canvas: HTMLCanvasElement): void {
  try {
    canvas.getContext('webgl2')?.getExtension('WEBGL_lose_context')?.loseContext();
  } catch {
    // A worker controls the canvas.
  }
}

function text(error: unknown): string {
  if (!(error instanceof Error)) return `threw ${String(error)}`;
  // The stacks of Firefox and WebKit do not contain the message.
  const stack = error.stack ?? '';
  return stack.includes(error.message) ? stack : `${error.name}: ${error.message}\n${stack}`;
}

// After `load`, so that the driver's navigation is over before a test changes the page.
if (document.readyState !== 'complete') await new Promise((resolve) => addEventListener('load', resolve));
const chosen = await load();
for (let index = Number(query.get('index')), stays = true; stays; index++) {
  const [one, next] = chosen.slice(index);
  if (!one) {
    await send('result', JSON.stringify({ name: '', total: chosen.length, outcome: 'none', message: '' }));
    break;
  }
  const report = await run(one, chosen.length);
  const urls = performance.getEntriesByType('resource').map((entry) => entry.name);
  performance.clearResourceTimings();
  // The runner decides whether this page continues.
  const answer = await send(
    'result',
    JSON.stringify({ ...report, urls, stays: next !== undefined && !one.fresh && !next.fresh }),
  );
  stays = (await answer.text()) === 'next';
  window.gambolTrouble.length = 0;
}
