// Transitions, blend spaces and layers.

import type { JSX } from 'preact';
import type { JointInfo } from 'gambol';
import { percent, seconds } from '../../app/format.ts';
import type { Inspector } from '../inspector.ts';
import { Button, IconButton, Note, Section, Select, Slider, type Choice } from '../ui.tsx';
import type { LayerSetting, View } from '../view.ts';

export function Mixing({ inspector }: { readonly inspector: Inspector }): JSX.Element {
  return (
    <>
      <Transition inspector={inspector} />
      <BlendSpaces inspector={inspector} />
      <Layers inspector={inspector} />
      <Section title="Skinning">
        <Select
          label="Method"
          title="The way in which joints deform the surface"
          value={inspector.view.value.skinning}
          choices={[
            { value: 'linear', words: 'Linear blend' },
            { value: 'dual-quaternion', words: 'Dual quaternions' },
          ]}
          change={(skinning) => inspector.change({ skinning: skinning as View['skinning'] })}
        />
      </Section>
    </>
  );
}

function Transition({ inspector }: { readonly inspector: Inspector }): JSX.Element {
  const { transition, transitionDuration } = inspector.view.value;
  return (
    <Section title="Transition">
      <Select
        label="Mode"
        title="The way from one clip to the next"
        value={transition}
        choices={[
          { value: 'inertial', words: 'Inertial' },
          { value: 'crossfade', words: 'Crossfade' },
          { value: 'cut', words: 'Cut' },
        ]}
        change={(mode) => inspector.change({ transition: mode as View['transition'] })}
      />
      <Slider
        label="Duration"
        value={transitionDuration}
        least={0}
        most={1.5}
        step={0.05}
        disabled={transition === 'cut'}
        words={(value) => `${seconds(value)} s`}
        change={(value) => inspector.change({ transitionDuration: value })}
      />
    </Section>
  );
}

function BlendSpaces({ inspector }: { readonly inspector: Inspector }): JSX.Element {
  const clips = inspector.clips.value;
  const { blend } = inspector.view.value;
  const named = (name: RegExp, otherwise: number): string =>
    (clips.find((clip) => name.test(clip.name)) ?? clips[otherwise])?.id ?? '';
  const shown = blend ?? { from: named(/walk/i, 0), to: named(/run/i, 1), value: 0 };
  const choices = clips.map(({ id }) => ({ value: id, words: id }));
  const disabled = clips.length < 2;
  return (
    <Section title="Blend space">
      <div class="row">
        <Select
          bare
          label="First clip"
          value={shown.from}
          choices={choices}
          disabled={disabled}
          change={(from) => inspector.change({ blend: { ...shown, from } })}
        />
        <Select
          bare
          label="Second clip"
          value={shown.to}
          choices={choices}
          disabled={disabled}
          change={(to) => inspector.change({ blend: { ...shown, to } })}
        />
      </div>
      <Slider
        label="Value"
        title="0 % is the first clip, 100 % the second"
        value={shown.value}
        least={0}
        most={1}
        disabled={disabled}
        words={percent}
        change={(value) => inspector.change({ blend: { ...shown, value } }, 'blend')}
      />
      <Note>Both clips play in phase sync.</Note>
    </Section>
  );
}

function Layers({ inspector }: { readonly inspector: Inspector }): JSX.Element {
  const [clips, joints, { layers, clip }] = [
    inspector.clips.value,
    inspector.model.value?.joints ?? [],
    inspector.view.value,
  ];
  const set = (changed: readonly LayerSetting[], setting = 'layers'): void =>
    inspector.change({ layers: changed }, setting);
  const add = (): void => {
    const first = clips.find(({ name }) => /wave/i.test(name)) ?? clips.find(({ id }) => id !== clip) ?? clips[0];
    if (first) set([...layers, { clip: first.id, mode: 'override', node: waver(joints)?.index ?? null, weight: 1 }]);
  };
  const masks: Choice[] = [
    { value: '', words: 'All joints' },
    ...joints.map(({ name, index }) => ({ value: String(index), words: `${name || `Node ${index}`} and descendants` })),
  ];
  return (
    <Section
      title="Layers"
      tools={<IconButton icon="plus" label="Add layer" disabled={clips.length === 0} press={add} />}
    >
      {layers.length === 0 && <Note>A layer plays another clip over the current one, or added to it.</Note>}
      <ul class="layers">
        {layers.map((layer, i) => {
          const change = (changed: Partial<LayerSetting>, setting?: string): void =>
            set(
              layers.map((each, j) => (i === j ? { ...each, ...changed } : each)),
              setting,
            );
          return (
            <li key={i}>
              <div class="row">
                <Select
                  bare
                  label="Clip"
                  value={layer.clip}
                  choices={clips.map(({ id }) => ({ value: id, words: id }))}
                  change={(id) => change({ clip: id })}
                />
                <Select
                  bare
                  label="Mode"
                  value={layer.mode}
                  choices={[
                    { value: 'override', words: 'Override' },
                    { value: 'additive', words: 'Additive' },
                  ]}
                  change={(mode) => change({ mode: mode as LayerSetting['mode'] })}
                />
              </div>
              <div class="row">
                <Select
                  bare
                  label="Mask"
                  value={String(layer.node ?? '')}
                  choices={masks}
                  change={(node) => change({ node: node === '' ? null : Number(node) })}
                />
              </div>
              <Slider
                label="Weight"
                value={layer.weight}
                least={0}
                most={1}
                words={percent}
                change={(weight) => change({ weight }, `weight of layer ${i + 1}`)}
                after={
                  <IconButton
                    icon="close"
                    label={`Remove layer ${i + 1}`}
                    press={() => set(layers.filter((_, j) => i !== j))}
                  />
                }
              />
            </li>
          );
        })}
      </ul>
      {layers.length > 1 && <Button press={() => set([])}>Remove all</Button>}
    </Section>
  );
}

/** The first joint of an arm that can wave, found by common names. */
export function waver(joints: readonly JointInfo[]): JointInfo | undefined {
  return joints.find(({ name }) =>
    /^(.*:)?(right ?(shoulder|upper ?arm|arm)|(shoulder|upper ?arm)[._]?r)$/i.test(name),
  );
}
