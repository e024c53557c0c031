// The orbit camera and the cameras of the file.

import type { JSX } from 'preact';
import type { Inspector } from '../inspector.ts';
import { Button, Check, Note, Section, Select, Slider } from '../ui.tsx';
import type { View } from '../view.ts';

export function Cameras({ inspector }: { readonly inspector: Inspector }): JSX.Element {
  const { camera, framing, fieldOfView, autoRotate } = inspector.view.value;
  const cameras = inspector.model.value?.cameras ?? [];
  const own = camera === null;
  return (
    <>
      <Section title="Active camera">
        <Select
          label="Camera"
          value={camera ?? ''}
          choices={[{ value: '', words: 'Orbit camera' }, ...cameras.map((name) => ({ value: name, words: name }))]}
          change={(name) => inspector.change({ camera: name === '' ? null : name })}
        />
        {cameras.length === 0 && <Note>This file has no cameras.</Note>}
      </Section>
      <Section title="Orbit camera">
        <Select
          label="Framing"
          title="The poses that the camera keeps in view"
          value={framing}
          disabled={!own}
          choices={[
            { value: 'clip', words: 'Clip that plays' },
            { value: 'all-clips', words: 'All clips' },
            { value: 'pose', words: 'Current pose' },
            { value: 'rest', words: 'Rest pose' },
          ]}
          change={(words) => inspector.change({ framing: words as View['framing'] })}
        />
        <Slider
          label="Field of view"
          value={fieldOfView}
          least={5}
          most={90}
          step={1}
          disabled={!own}
          words={(degrees) => `${degrees}°`}
          change={(degrees) => inspector.change({ fieldOfView: degrees })}
        />
        <Check
          label="Auto-rotate (turntable)"
          checked={autoRotate}
          disabled={!own}
          change={(on) => inspector.change({ autoRotate: on })}
        />
        <div class="buttons" role="group" aria-label="Views">
          {VIEWS.map(([words, azimuth, polar]) => (
            <Button
              key={words}
              disabled={!own}
              press={() => inspector.viewer?.moveCamera({ azimuth: azimuth * DEGREE, polar: polar * DEGREE })}
            >
              {words}
            </Button>
          ))}
        </div>
        <Button disabled={!own} press={() => void inspector.player.updateFraming()}>
          Frame the model
        </Button>
      </Section>
    </>
  );
}

const DEGREE = Math.PI / 180;
const VIEWS: readonly (readonly [words: string, azimuth: number, polar: number])[] = [
  ['Front', 0, 90],
  ['Right', -90, 90],
  ['Back', 180, 90],
  ['Left', 90, 90],
  ['Top', 0, 0],
];
