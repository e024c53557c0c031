// Files of the clip: videos, GIF, APNG, sprite sheets; and sessions of what the user does.

import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { RecordFormat } from 'gambol/record';
import type { Inspector } from '../inspector.ts';
import { save } from '../pictures.ts';
import { Button, Check, Note, NumberField, Section, Select } from '../ui.tsx';

const WORDS: Readonly<Record<RecordFormat, string>> = {
  webm: 'WebM video',
  mp4: 'MP4 video',
  gif: 'GIF',
  apng: 'Animated PNG, lossless',
  'png-sequence': 'PNG sequence (.zip), lossless',
  'sprite-sheet': 'Sprite sheet (.png), lossless',
};

/** Choices of the size of a video: a quality, or a bitrate. */
const SIZES = { '0.9': 'usual', '0.3': 'smaller', bitrate: 'by bitrate' } as const;

export function RecordPanel({ inspector }: { readonly inspector: Inspector }): JSX.Element {
  const { recordings } = inspector;
  useEffect(() => void recordings.prepare().catch((error: unknown) => inspector.status.fail(error, true)), []);
  return (
    <>
      <Recorder inspector={inspector} />
      <Sessions inspector={inspector} />
    </>
  );
}

function Recorder({ inspector }: { readonly inspector: Inspector }): JSX.Element {
  const { recordings } = inspector;
  const [formats, state, session] = [recordings.formats.value, recordings.state.value, recordings.session.value];
  const [chosen, setFormat] = useState<RecordFormat | null>(null);
  const [width, setWidth] = useState(640);
  const [height, setHeight] = useState(640);
  const [fps, setFps] = useState(30);
  const [samples, setSamples] = useState<1 | 4 | 9 | 16>(1);
  const [transparent, setTransparent] = useState(false);
  const [turntable, setTurntable] = useState(false);
  const [bySession, setBySession] = useState(false);
  const [size, setSize] = useState<keyof typeof SIZES>('0.9');
  const [kilobits, setKilobits] = useState(4000);
  const format = chosen ?? formats[0] ?? 'apng';
  // Read, so that the panel follows the model.
  inspector.clips.value;
  const clip = inspector.viewer?.clip ?? null;
  const running = state.kind === 'running';
  const isVideo = format === 'webm' || format === 'mp4';
  const fits =
    [width, height].every((size) => Number.isInteger(size) && size >= 1 && size <= 8192) &&
    fps >= 1 &&
    fps <= (format === 'gif' ? 50 : 240) &&
    (size !== 'bitrate' || kilobits >= 1);
  const start = (): void =>
    void recordings.start({
      format,
      width,
      height,
      fps,
      samples,
      turntable,
      background: transparent && format !== 'mp4' ? null : '#ffffff',
      ...(isVideo && (size === 'bitrate' ? { bitrate: 1000 * kilobits } : { quality: Number(size) })),
      ...(session && bySession ? { session } : clip === null && { clip: null, to: 4 }),
    });
  return (
    <Section title="Film">
      <Select
        label="Format"
        value={format}
        disabled={running}
        choices={formats.map((value) => ({ value, words: WORDS[value] }))}
        change={(value) => setFormat(value as RecordFormat)}
      />
      <NumberField label="Width in px" value={width} most={8192} disabled={running} change={setWidth} />
      <NumberField label="Height in px" value={height} most={8192} disabled={running} change={setHeight} />
      <NumberField
        label="Frames per second"
        value={fps}
        most={format === 'gif' ? 50 : 240}
        disabled={running}
        change={setFps}
      />
      <Select
        label="Samples"
        title="Pictures of whose pixels each pixel is the mean (supersampling)"
        value={String(samples)}
        disabled={running}
        choices={[1, 4, 9, 16].map((count) => ({ value: String(count), words: String(count) }))}
        change={(value) => setSamples(Number(value) as 1 | 4 | 9 | 16)}
      />
      {isVideo && (
        <Select
          label="File size"
          title="Smaller files have coarser pictures"
          value={size}
          disabled={running}
          choices={Object.entries(SIZES).map(([value, words]) => ({ value, words }))}
          change={(value) => setSize(value as keyof typeof SIZES)}
        />
      )}
      {isVideo && size === 'bitrate' && (
        <NumberField
          label="Bitrate in kbit/s"
          value={kilobits}
          most={200_000}
          disabled={running}
          change={setKilobits}
        />
      )}
      <div class="checks">
        <Check
          label={format === 'mp4' ? 'Transparent background: not in MP4' : 'Transparent background'}
          checked={transparent && format !== 'mp4'}
          disabled={running || format === 'mp4'}
          change={setTransparent}
        />
        <Check label="Turntable" checked={turntable} disabled={running} change={setTurntable} />
        {session && <Check label="Film the session" checked={bySession} disabled={running} change={setBySession} />}
      </div>
      {running && (
        <div class="row" role="status">
          <progress max={state.frames} value={state.frame} aria-label="Progress" />
          <Button press={() => recordings.cancel()}>Cancel</Button>
        </div>
      )}
      <div class="buttons">
        {!running && (
          <Button primary disabled={!fits || formats.length === 0 || !inspector.viewer} press={start}>
            Record
          </Button>
        )}
        <div role="status">
          {state.kind === 'done' && (
            <Button press={() => save(state.file, state.name)}>
              Save {state.name} ({Math.ceil(state.file.size / 1000)} kB)
            </Button>
          )}
          {state.kind === 'failed' && <Note>{state.words}</Note>}
        </div>
      </div>
      <Note>
        Frame i is the picture at i / fps seconds. The clip is recorded as a loop, without the frame at its end.
      </Note>
    </Section>
  );
}

function Sessions({ inspector }: { readonly inspector: Inspector }): JSX.Element {
  const { recordings } = inspector;
  const [live, session] = [recordings.live.value, recordings.session.value];
  return (
    <Section title="Session">
      <Note>
        A session holds what you do with the model: clips, seeking, the camera. It can be repeated and filmed.
      </Note>
      <div class="buttons">
        {live === 'recording' ? (
          <Button primary press={() => recordings.end()}>
            End the session
          </Button>
        ) : (
          <Button disabled={live !== null || !inspector.viewer} press={() => void recordings.begin()}>
            Begin a session
          </Button>
        )}
        {session && (
          <>
            <Button disabled={live !== null} press={() => void recordings.repeat()}>
              Repeat {session.duration.toFixed(1)} s
            </Button>
            <Button
              press={() => save(new Blob([JSON.stringify(session)], { type: 'application/json' }), 'session.json')}
            >
              Save session.json
            </Button>
          </>
        )}
      </div>
    </Section>
  );
}
