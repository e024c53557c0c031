#!/usr/bin/env bash
# Firefox decodes no image from a Blob whose first part is two bytes long.
#
# Guess:  new Blob([a, b]) is the bytes of a and b; how they were cut has no effect on what reads it.
# Truth:  createImageBitmap() of Firefox looks for the format in the first part alone, and ignores the type of the Blob. With the two
#         bytes FF D8 as the first part of a JPEG, it rejects with InvalidStateError, "The image could not be decoded". The same bytes in
#         one part are decoded. Chromium decodes both.
# Meets:  whoever cuts segments out of an image without a copy: removing Exif, joining ranges of a file, streaming parts.
#
# Seen:   Firefox ESR 153.8.0 (Debian 12), 27 November 2026:
#           one part: 8x4
#           two parts: InvalidStateError
#
# Fails if that changes. Needs Node 20, npm, and firefox-esr (FIREFOX=PATH for another one).
set -euo pipefail
firefox=${FIREFOX:-$(command -v firefox-esr)}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > /dev/null
npm install --silent --ignore-scripts puppeteer-core@24.0.0
cat > run.mjs <<'SCRIPT'
import puppeteer from 'puppeteer-core';

const browser = await puppeteer.launch({ browser: 'firefox', executablePath: process.argv[2], headless: true });
try {
  const page = await browser.newPage();
  const seen = await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(8, 4);
    canvas.getContext('2d').fillRect(0, 0, 8, 4);
    const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: 'image/jpeg' })).arrayBuffer());
    const decoded = (parts) =>
      createImageBitmap(new Blob(parts, { type: 'image/jpeg' })).then(
        ({ width, height }) => `${width}x${height}`,
        ({ name }) => name,
      );
    return [await decoded([bytes]), await decoded([bytes.subarray(0, 2), bytes.subarray(2)])];
  });
  console.log(`one part: ${seen[0]}\ntwo parts: ${seen[1]}`);
} finally {
  await browser.close();
}
SCRIPT
expected='one part: 8x4
two parts: InvalidStateError'
seen=$(node run.mjs "$firefox")
printf '%s\n' "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'This has changed. Expected:\n%s\n' "$expected" >&2
  exit 1
fi
