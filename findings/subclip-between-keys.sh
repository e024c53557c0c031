#!/usr/bin/env bash
# three.js's AnimationUtils.subclip() cuts between no keys: what has no key in the part stands still, and the part is shorter than asked.
#
# Guess:  subclip(clip, name, 15, 45, 30) is the second from 0.5 s to 1.5 s of the clip. Media editors cut so, and its arguments are frames.
# Truth:  it copies the keys from the first frame up to the last one, which is excluded, and interpolates none. A track with keys before and
#         after the part is left out, so its property keeps another value. The end is the last key that was copied. Clips that are baked at
#         each frame lose one frame; those that an exporter or a tool has reduced to few keys lose their motion. Nothing says so.
# Meets:  whoever cuts a clip of a file with reduced or hand-made keys by this function, or joins the parts again.
#
# Seen:   three 0.187.0, Node 20, 28 November 2026:
#           the part lasts 0 s, of 1 s
#           .x (keys at 0 s and 2 s): no keys
#           .y (keys at 0 s, 0.5 s, 1.5 s and 2 s): 5 at 0 s
#
# Fails if that changes. Needs Node 20 and npm.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y > /dev/null
npm install --silent --ignore-scripts three@0.187.0
cat > run.mjs <<'SCRIPT'
import { AnimationClip, AnimationUtils, NumberKeyframeTrack } from 'three';

// Both go on evenly, by 5 and by 10 per second.
const TRACKS = { '.x': [0, 2], '.y': [0, 0.5, 1.5, 2] };
const tracks = Object.entries(TRACKS).map(
  ([name, times]) => new NumberKeyframeTrack(name, times, times.map((time) => time * (name === '.x' ? 5 : 10))),
);
const part = AnimationUtils.subclip(new AnimationClip('Move', 2, tracks), 'part', 15, 45, 30);
console.log(`the part lasts ${part.duration} s, of 1 s`);
for (const [name, times] of Object.entries(TRACKS)) {
  const track = part.tracks.find((one) => one.name === name);
  const keys = [...(track?.times ?? [])].map((time, i) => `${track.values[i]} at ${time} s`).join(', ');
  const given = `${times.slice(0, -1).map((time) => `${time} s`).join(', ')} and ${times.at(-1)} s`;
  console.log(`${name} (keys at ${given}): ${keys || 'no keys'}`);
}
SCRIPT
expected='the part lasts 0 s, of 1 s
.x (keys at 0 s and 2 s): no keys
.y (keys at 0 s, 0.5 s, 1.5 s and 2 s): 5 at 0 s'
seen=$(node run.mjs)
printf '%s\n' "$seen"
if [ "$seen" != "$expected" ]; then
  printf 'This has changed. Expected:\n%s\n' "$expected" >&2
  exit 1
fi
