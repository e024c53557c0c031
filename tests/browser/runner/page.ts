// Runs one page in Chromium and returns its result.

import { startChromium } from './drivers/chromium.ts';
import { StaticServer, type Handler } from './server.ts';

/**
 * With these headers a page has its own process, and its clock's resolution is 5 µs instead of 100.
 * https://developer.mozilla.org/docs/Web/API/Window/crossOriginIsolated
 */
const ISOLATED = { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' };

/** A page that runs a script; the result of its function `run` is sent to the runner as `done`. */
export function pageOf(importing: string, head = ''): string {
  return `<!doctype html>
<title>gambol</title>
${head}
<script type="module">
  const post = (what, body) => fetch('/__runner/' + what, { method: 'POST', body: JSON.stringify(body) });
  try {
    ${importing}
  } catch (error) {
    await post('failed', String(error?.stack ?? error));
  }
</script>`;
}

/**
 * Opens the start page of a server with these folders. Returns the page's message `done`; throws its message `failed`.
 * Other messages go to `other`; `flags` are additional flags of Chromium.
 */
export async function answerOf(
  chromium: string,
  mounts: [prefix: string, folder: string][],
  other?: Handler,
  flags: string[] = [],
): Promise<unknown> {
  let settle: { resolve: (answer: unknown) => void; reject: (error: Error) => void };
  const answer = new Promise<unknown>((resolve, reject) => (settle = { resolve, reject }));
  const server = await StaticServer.start(
    mounts,
    async (what, query, body) => {
      if (what === 'done') settle.resolve(JSON.parse(body.toString()));
      else if (what === 'failed') settle.reject(new Error(String(JSON.parse(body.toString()))));
      else if (other) return other(what, query, body);
      return '';
    },
    ISOLATED,
  );
  const driver = await startChromium(chromium, flags);
  try {
    await driver.open(`${server.origin}/`);
    return await answer;
  } finally {
    await driver.close();
    await server.stop();
  }
}
