#!/usr/bin/env bash
# Hit tests of the WebXR emulator iwer look up where the page looks down: the matrix of its XRRay is the inverse of the specified one.
#
# Guess:  XRRay.matrix of an emulator turns (0, 0, -1) to the direction of the ray, as in browsers and web-platform-tests
#         (webxr/hit-test/xrRay_matrix.https.html).
# Truth:  In iwer 2.5.0 it turns the direction to (0, 0, -1). requestHitTestSource() uses this matrix for its offsetRay. A ray that points
#         down by some degrees, as apps do to find the floor before a phone that is held upright, points up by as many in the emulator,
#         and meets no floor. A ray along -Z is right, so examples work.
# Meets:  whoever tests the placement of AR with iwer, or with the Immersive Web Emulator, which is built on it.
#
# Seen:   iwer 2.5.0, Node 20, 28 November 2026:
#           direction: 0 -0.343 -0.939
#           matrix * (0, 0, -1): 0 0.343 -0.939
#
# Fails if that changes. Needs Node 20 and npm.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > /dev/null
npm install --silent --ignore-scripts iwer@2.5.0
cat > run.mjs <<'SCRIPT'
import { XRRay } from './node_modules/iwer/lib/hittest/XRRay.js';

const ray = new XRRay({ x: 0, y: 0, z: 0, w: 1 }, { x: 0, y: -Math.sin(0.35), z: -Math.cos(0.35), w: 0 });
const { direction, matrix } = ray;
const text = (numbers) => numbers.map((value) => String(Math.round(1000 * value) / 1000 + 0)).join(' ');
console.log(`direction: ${text([direction.x, direction.y, direction.z])}`);
console.log(`matrix * (0, 0, -1): ${text([-matrix[8], -matrix[9], -matrix[10]])}`);
SCRIPT
expected='direction: 0 -0.343 -0.939
matrix * (0, 0, -1): 0 0.343 -0.939'
seen=$(node run.mjs)
printf '%s\n' "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'This has changed. Expected:\n%s\n' "$expected" >&2
  exit 1
fi
