#!/usr/bin/env bash
# In a worker of Firefox, the second getContext() of a transferred canvas throws.
#
# Guess:  getContext('webgl2') of a canvas that has such a context returns that context again, in pages and in workers, as the HTML
#         standard says. So code may ask the canvas each time that it draws.
# Truth:  for an OffscreenCanvas from transferControlToOffscreen() that was posted to a worker, the first call of Firefox returns the
#         context, and each further one throws. An OffscreenCanvas that the worker itself makes returns the same context again.
# Meets:  whoever moves WebGL code to a worker and passes the canvas around in place of the context.
#
# Seen:   Firefox ESR 153.8.0 (Debian 12), 28 November 2026:
#           transferred: InvalidStateError: OffscreenCanvas.getContext: Cannot update created context to different thread
#           of the worker: the same context
#
# Fails if that changes. Needs Node 20, npm, xvfb (headless, there is no WebGL) and firefox-esr (FIREFOX=PATH for another one).
set -euo pipefail
firefox=${FIREFOX:-$(command -v firefox-esr)}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > /dev/null
npm install --silent --ignore-scripts puppeteer-core@24.0.0
cat > run.mjs <<'SCRIPT'
import puppeteer from 'puppeteer-core';

const browser = await puppeteer.launch({
  browser: 'firefox',
  executablePath: process.argv[2],
  headless: false,
  extraPrefsFirefox: { 'webgl.force-enabled': true },
});
try {
  const page = await browser.newPage();
  const seen = await page.evaluate(async () => {
    const source = `
      const twice = (canvas) => {
        const first = canvas.getContext('webgl2');
        if (!first) return 'no WebGL 2';
        try {
          return canvas.getContext('webgl2') === first ? 'the same context' : 'another context';
        } catch (error) {
          return error.name + ': ' + error.message;
        }
      };
      onmessage = ({ data }) => postMessage([twice(data), twice(new OffscreenCanvas(8, 8))]);`;
    const worker = new Worker(URL.createObjectURL(new Blob([source])));
    const answer = new Promise((resolve) => (worker.onmessage = ({ data }) => resolve(data)));
    const canvas = document.createElement('canvas');
    document.body.append(canvas);
    const moved = canvas.transferControlToOffscreen();
    worker.postMessage(moved, [moved]);
    return answer;
  });
  console.log(`transferred: ${seen[0]}\nof the worker: ${seen[1]}`);
} finally {
  await browser.close();
}
SCRIPT
expected='transferred: InvalidStateError: OffscreenCanvas.getContext: Cannot update created context to different thread
of the worker: the same context'
seen=$(xvfb-run -a node run.mjs "$firefox")
printf '%s\n' "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'This has changed. Expected:\n%s\n' "$expected" >&2
  exit 1
fi
