// Runs the one test that the page's address names and reports to the runner.

import { cases, send, Skip, T } from './api.ts';

const query = new URLSearchParams(location.search);

/** What the runner gets to know; see `Report` in ../runner/protocol.ts. */
async function run(): Promise<object> {
  try {
    await import(`/__tests/cases/${query.get('file')}.js`);
  } catch (error) {
    return { name: '(loading)', total: 1, outcome: 'failed', message: text(error) };
  }
  const filter = query.get('filter') ?? '';
  const chosen = cases.filter((one) => `${query.get('file')}: ${one.name}`.includes(filter));
  const one = chosen[Number(query.get('index'))];
  if (!one) return { name: '', total: chosen.length, outcome: 'none', message: '' };

  const base = { name: one.name, total: chosen.length, fails: one.fails };
  await send('started', JSON.stringify({ ...base, timeout: one.timeout }));
  const t = new T(one.name);
  const started = performance.now();
  let timer = 0;
  try {
    const limit = new Promise<never>((_, reject) => {
      timer = window.setTimeout(() => reject(new Error(`not done after ${one.timeout} ms`)), one.timeout);
    });
    await Promise.race([one.body(t), limit]);
    const took = performance.now() - started;
    // Browsers tell of a rejection that nobody handles when they find the time.
    await t.sleep(20);
    const trouble = t.trouble();
    if (trouble.length > 0) throw new Error(trouble.join('\n'));
    return { ...base, outcome: 'passed', message: '', took };
  } catch (error) {
    const outcome = error instanceof Skip ? 'skipped' : 'failed';
    const lines = [error instanceof Skip ? error.message : text(error)];
    if (outcome === 'failed') lines.push(...t.trouble().filter((line) => !lines[0]?.includes(line)));
    return { ...base, outcome, message: lines.join('\n'), took: performance.now() - started };
  } finally {
    clearTimeout(timer);
  }
}

function text(error: unknown): string {
  if (!(error instanceof Error)) return `threw ${String(error)}`;
  // Firefox and WebKit leave the message out of the stack.
  const stack = error.stack ?? '';
  return stack.includes(error.message) ? stack : `${error.name}: ${error.message}\n${stack}`;
}

// After `load`, so that the driver's navigation is over before a test does anything to the page.
if (document.readyState !== 'complete') await new Promise((resolve) => addEventListener('load', resolve));
const report = await run();
const urls = performance.getEntriesByType('resource').map((entry) => entry.name);
await send('result', JSON.stringify({ ...report, urls }));
