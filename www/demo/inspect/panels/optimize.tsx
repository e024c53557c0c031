// A smaller copy of the file: fewer keys, quantised numbers, encoded buffer views, within a bound of the error on the skinned mesh.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { Difference, OptimizedFile, OptimizeOptions, PartSizes } from 'gambol/tools';
import { byteSize, count, percent } from '../../app/format.ts';
import type { Inspector } from '../inspector.ts';
import { save } from '../pictures.ts';
import { Button, Facts, Note, Section, Select } from '../ui.tsx';

type Compression = NonNullable<OptimizeOptions['compression']>;

interface Made extends OptimizedFile {
  /** The source that it was made from. */
  readonly source: unknown;
  readonly name: string;
}

const COMPRESSIONS: readonly { readonly value: Compression; readonly words: string }[] = [
  { value: 'meshopt', words: 'Meshopt (EXT)' },
  { value: 'khr-meshopt', words: 'Meshopt (KHR)' },
  { value: 'none', words: 'None' },
];

/** The rows of the table: the numbers of a file, in words. */
const ROWS: readonly (readonly [key: keyof PartSizes, words: string, show: (value: number) => string])[] = [
  ['total', 'File', byteSize],
  ['animation', 'Animation', byteSize],
  ['geometry', 'Geometry', byteSize],
  ['images', 'Images', byteSize],
  ['json', 'JSON', byteSize],
  ['other', 'Other', byteSize],
  ['keys', 'Keys', count],
  ['channels', 'Channels', count],
  ['accessors', 'Accessors', count],
  ['nodes', 'Nodes', count],
];

export function Optimize({ inspector }: { readonly inspector: Inspector }): JSX.Element {
  const source = inspector.source.value;
  const [millimetres, setMillimetres] = useState('');
  const [compression, setCompression] = useState<Compression>('meshopt');
  const [running, setRunning] = useState<{ readonly stop: AbortController; readonly ratio: number } | null>(null);
  const [made, setMade] = useState<Made | null>(null);
  const error = millimetres === '' ? undefined : Number(millimetres) / 1000;
  const fits = error === undefined || (error > 0 && error < Infinity);
  const run = async (): Promise<void> => {
    if (source === null) return;
    const stop = new AbortController();
    const onProgress = (ratio: number): void => setRunning({ stop, ratio });
    onProgress(0);
    try {
      const { optimize } = await import('gambol/tools');
      const { signal } = stop;
      const result = await optimize(source, { ...(error !== undefined && { error }), compression, signal, onProgress });
      if (inspector.source.peek() !== source) return;
      const name = (inspector.model.peek()?.name ?? 'model').replace(/\.\w+$/, '');
      setMade({ ...result, source, name: `${name}.optimized.glb` });
      const { before, after } = result.report;
      inspector.status.announce(`${byteSize(before.total)} became ${byteSize(after.total)}`);
    } catch (problem) {
      if (!stop.signal.aborted) inspector.status.fail(problem, true);
    } finally {
      setRunning(null);
    }
  };
  return (
    <>
      <Section title="Smaller file">
        <label class="row" title="The largest distance by which any vertex may move, at any time of any clip">
          <span>Error in mm</span>
          <input
            type="number"
            min="0"
            step="any"
            placeholder="automatic"
            value={millimetres}
            onInput={({ currentTarget }) => setMillimetres(currentTarget.value)}
          />
        </label>
        <Select
          label="Encoding"
          value={compression}
          choices={COMPRESSIONS}
          change={(value) => setCompression(value as Compression)}
        />
        <div class="buttons" role={running ? 'status' : undefined}>
          <Button primary disabled={source === null || !fits || running !== null} press={() => void run()}>
            {running ? `Optimising, ${percent(running.ratio)}` : 'Optimise'}
          </Button>
          {running && <Button press={() => running.stop.abort()}>Cancel</Button>}
        </div>
        <Note>
          Fewer keys, quantised numbers, equal and unused parts dropped. Materials, images, extras and unknown
          extensions stay. Automatic: a ten-thousandth of the size of the model.
        </Note>
      </Section>
      {made && made.source === source && <Result inspector={inspector} made={made} />}
    </>
  );
}

function Result({ inspector, made }: { readonly inspector: Inspector; readonly made: Made }): JSX.Element {
  const { before, after, bound, error, difference, unchanged } = made.report;
  const file = (): File => new File([made.bytes], made.name, { type: 'model/gltf-binary' });
  return (
    <Section title="Result">
      <table class="sizes" aria-label="Before and after">
        <thead>
          <tr>
            <th scope="col">Part</th>
            <th scope="col">Before</th>
            <th scope="col">After</th>
          </tr>
        </thead>
        <tbody>
          {ROWS.filter(([key]) => before[key] > 0 || after[key] > 0).map(([key, words, show]) => (
            <tr key={key}>
              <th scope="row">{words}</th>
              <td>{show(before[key])}</td>
              <td>{show(after[key])}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Facts
        facts={[
          ['Bound', lengthWords(bound)],
          ['Largest measured error', lengthWords(error)],
          ...(difference ? [['At', placeWords(difference)] as const] : []),
        ]}
      />
      {unchanged && <Note>The file is as small already: it stays as it is.</Note>}
      <div class="buttons">
        <Button primary press={() => save(file(), made.name)}>
          Save GLB
        </Button>
        <Button
          press={() =>
            void inspector.comparison.show({
              source: file(),
              words: made.name,
              clip: null,
              skinning: inspector.view.peek().skinning,
              clock: 'time',
            })
          }
        >
          Compare with the original
        </Button>
      </div>
    </Section>
  );
}

function placeWords({ clip, time }: Difference): string {
  return clip === undefined ? 'rest pose' : `${clip}, ${time.toFixed(3)} s`;
}

/** A length in metres in words, with three digits. */
function lengthWords(metres: number): string {
  return metres < 1 ? `${Number((1000 * metres).toPrecision(3))} mm` : `${Number(metres.toPrecision(3))} m`;
}
