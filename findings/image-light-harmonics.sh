#!/usr/bin/env bash
# Babylon.js reads the harmonics of EXT_lights_image_based with other signs than the paper that the extension cites.
#
# Guess:  irradianceCoefficients are factors of the real spherical harmonics of Ramamoorthi and Hanrahan, all with positive factors, so
#         a positive l1-1 is light from above (+Y).
# Truth:  Babylon.js, whose authors wrote the extension, has the sign of Condon and Shortley: its l1-1, l11, l2-1 and l21 are negative, and
#         a positive l1-1 is light from below. Its two paths differ, too: the polynomial, for devices without uniforms for harmonics,
#         attenuates the first order by 2/3 once more. In the sample EnvironmentTest of Khronos, which Adobe Dimension wrote, l1-1 is
#         blue: the sky, above by the paper and below by Babylon.js.
# Meets:  exporters and viewers of the extension; whoever compares pictures with Babylon.js.
#
# Seen:   @babylonjs/core 8.0.0, Node 20, 28 November 2026:
#           by the paper: up 0.425, down 0.114
#           harmonics: up 0.114, down 0.425
#           polynomial: up 0.166, down 0.373
#
# Fails if that changes. Needs Node 20 and npm.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > /dev/null
npm install --silent --ignore-scripts @babylonjs/core@8.0.0
cat > run.mjs <<'SCRIPT'
import { SphericalHarmonics, SphericalPolynomial } from '@babylonjs/core/Maths/sphericalPolynomial.js';

// Only l00 and l1-1; the calls are those of the loader of the extension.
const coefficients = Array.from({ length: 9 }, (_, i) => Array(3).fill([3, 1][i] ?? 0));
const harmonics = SphericalHarmonics.FromArray(coefficients);
harmonics.convertIrradianceToLambertianRadiance();
const polynomial = SphericalPolynomial.FromHarmonics(harmonics);
const { y, yy } = polynomial;
const [upBy, downBy] = [yy.x + y.x, yy.x - y.x];
const { l00, l1_1 } = polynomial.preScaledHarmonics;
const defined = (height) => (3 * Math.sqrt(1 / (4 * Math.PI)) + Math.sqrt(3 / (4 * Math.PI)) * height) / Math.PI;
const line = (name, up, down) => console.log(`${name}: up ${up.toFixed(3)}, down ${down.toFixed(3)}`);
line('by the paper', defined(1), defined(-1));
line('harmonics', l00.x + l1_1.x, l00.x - l1_1.x);
line('polynomial', upBy, downBy);
SCRIPT
expected='by the paper: up 0.425, down 0.114
harmonics: up 0.114, down 0.425
polynomial: up 0.166, down 0.373'
seen=$(node run.mjs)
printf '%s\n' "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'This has changed. Expected:\n%s\n' "$expected" >&2
  exit 1
fi
