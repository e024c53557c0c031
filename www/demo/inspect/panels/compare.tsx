// A comparison: another file, another clip, or the other skinning, beside the model on one clock.

import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import type { Other } from '../comparison.ts';
import type { Inspector } from '../inspector.ts';
import { Button, Note, Section, Select, Slider } from '../ui.tsx';
import { percent } from '../../app/format.ts';

export function Compare({ inspector }: { readonly inspector: Inspector }): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  const { comparison } = inspector;
  const other = comparison.other.value;
  const same = inspector.source.value;
  const [clips, skinning] = [inspector.clips.value, inspector.view.value.skinning];
  const begin = (settings: Partial<Other>): void => {
    if (same === null) return;
    void comparison.show({ source: same, words: 'the model', clip: null, skinning, clock: 'time', ...settings });
  };
  const change = (settings: Partial<Other>): void => {
    if (other) void comparison.show({ ...other, ...settings });
  };
  return (
    <>
      <Section title="Compare with">
        <div class="buttons">
          <Button press={() => input.current?.click()}>Another file …</Button>
          <Button
            disabled={clips.length < 2}
            press={() =>
              begin({ clip: clips.find(({ id }) => id !== inspector.viewer?.clip?.id)?.id ?? null, clock: 'phase' })
            }
          >
            Another clip
          </Button>
          <Button press={() => begin({ skinning: skinning === 'linear' ? 'dual-quaternion' : 'linear' })}>
            {skinning === 'linear' ? 'Dual quaternions' : 'Linear blend'}
          </Button>
        </div>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          onChange={({ currentTarget }) => {
            const files = [...(currentTarget.files ?? [])];
            currentTarget.value = '';
            if (files[0]) begin({ source: files, words: files[0].name });
          }}
        />
      </Section>
      {other && (
        <Section title="Right side">
          <Note>{other.words}</Note>
          <Select
            label="Clip"
            value={other.clip ?? ''}
            choices={[
              { value: '', words: 'The same clip' },
              ...comparison.clips.value.map((id) => ({ value: id, words: id })),
            ]}
            change={(clip) => change({ clip: clip === '' ? null : clip })}
          />
          <Select
            label="Clock"
            title="The other clip shows the same time, or the same phase of its own duration"
            value={other.clock}
            choices={[
              { value: 'time', words: 'Same time' },
              { value: 'phase', words: 'Same phase' },
            ]}
            change={(clock) => change({ clock: clock as Other['clock'] })}
          />
          <Select
            label="Skinning"
            value={other.skinning}
            choices={[
              { value: 'linear', words: 'Linear blend' },
              { value: 'dual-quaternion', words: 'Dual quaternions' },
            ]}
            change={(method) => change({ skinning: method as Other['skinning'] })}
          />
          <Slider
            label="Split"
            value={comparison.split.value}
            least={0}
            most={1}
            words={percent}
            change={(at) => {
              comparison.split.value = at;
            }}
          />
          <Button press={() => comparison.end()}>End the comparison</Button>
        </Section>
      )}
    </>
  );
}

/** The bar over the picture, between the two sides. */
export function SplitBar({ inspector }: { readonly inspector: Inspector }): JSX.Element | null {
  const { comparison } = inspector;
  if (!comparison.other.value) return null;
  const at = comparison.split.value;
  const move = (to: number): void => {
    comparison.split.value = Math.min(1, Math.max(0, to));
  };
  return (
    <div
      class="split"
      role="slider"
      tabIndex={0}
      aria-label="Split of the comparison"
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.round(100 * at)}
      aria-valuetext={`${percent(at)} from the left`}
      style={{ left: `${100 * at}%` }}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) move(event.clientX / window.innerWidth);
      }}
      onKeyDown={(event) => {
        const step = { ArrowLeft: -0.02, ArrowRight: 0.02, Home: -1, End: 1 }[event.key];
        if (step === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        move(at + step);
      }}
    />
  );
}
