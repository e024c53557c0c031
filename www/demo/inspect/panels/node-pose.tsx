// The place, rotation and scale of a node at the playhead; a change is a key of the clip that plays.

import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ClipEdit, TrackPath } from 'gambol';
import type { Inspector } from '../inspector.ts';
import { localTransform } from '../timeline/pose.ts';
import { eulerAngles, quaternionOf, valueAt } from '../timeline/values.ts';
import { Note } from '../ui.tsx';

type Path = Exclude<TrackPath, 'weights'>;

const ROWS: readonly (readonly [path: Path, words: string])[] = [
  ['translation', 'Translation'],
  ['rotation', 'Rotation °'],
  ['scale', 'Scale'],
];

interface Shown {
  readonly path: Path;
  readonly words: string;
  /** Rotations are Euler angles in degrees: turns about X, the turned Y, the turned Z. */
  readonly numbers: readonly number[];
  readonly isAnimated: boolean;
}

/** The transform of a node relative to its parent, as the clip has it; the parts that it does not animate are those of the pose. */
function shownOf({ viewer }: Inspector, node: number): Shown[] {
  const { model, clip } = viewer ?? {};
  if (!viewer || !model || !clip) return [];
  const local = localTransform(viewer, model, node);
  const channels = model.channels(clip).filter((channel) => channel.node === node);
  return ROWS.map(([path, words]) => {
    const channel = channels.find((one) => one.path === path);
    const raw = channel ? valueAt(channel, viewer.currentTime) : local[path];
    const numbers = path === 'rotation' ? eulerAngles(raw) : raw;
    return { path, words, numbers, isAnimated: channel !== undefined };
  });
}

/** The edit that makes a key at the playhead; a property without keys gets its first one. */
function editOf({ path, isAnimated }: Shown, node: number, time: number, numbers: readonly number[]): ClipEdit {
  const value = path === 'rotation' ? quaternionOf(numbers) : [...numbers];
  return isAnimated
    ? { setKeys: { track: { node, path }, keys: [{ time, value }] } }
    : { addTrack: { node, path, times: [time], values: value } };
}

export function NodePose({ inspector, node, name }: { inspector: Inspector; node: number; name: string }): JSX.Element {
  const { edits } = inspector;
  const version = edits.version.value;
  const [shown, setShown] = useState<readonly Shown[]>([]);
  useEffect(() => {
    let before = '';
    const read = (): void => {
      const now = shownOf(inspector, node);
      const text = JSON.stringify(now);
      // The same numbers again would replace the text that the user types.
      if (text !== before) setShown(now);
      before = text;
    };
    read();
    const timer = setInterval(read, 200);
    return () => clearInterval(timer);
  }, [inspector, node, version]);
  if (shown.length === 0) return <Note>Choose a clip to pose the node.</Note>;
  const change = (row: Shown, axis: number, to: number): void => {
    const { viewer } = inspector;
    if (!viewer?.clip) return;
    viewer.pause();
    const numbers = row.numbers.map((number, i) => (i === axis ? to : number));
    const words = row.words.toLowerCase().replace(' °', '');
    void edits.clip(`${words} of ${name}`, viewer.clip, [editOf(row, node, viewer.currentTime, numbers)]);
  };
  return (
    <fieldset class="pose" aria-label="Pose at the playhead">
      <legend title="A change makes a key of the clip that plays, at the playhead">Pose at the playhead</legend>
      {shown.map((row) => (
        <div class="pose-row" role="group" aria-label={row.words} key={row.path}>
          <span>{row.words}</span>
          {row.numbers.map((number, axis) => (
            <input
              key={axis}
              type="number"
              step="any"
              aria-label={`${row.words} ${'XYZ'[axis]}`}
              value={Number(number.toFixed(4))}
              onChange={({ currentTarget: { valueAsNumber } }) => {
                if (Number.isFinite(valueAsNumber)) change(row, axis, valueAsNumber);
              }}
            />
          ))}
        </div>
      ))}
    </fieldset>
  );
}
