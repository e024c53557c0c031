// The controls of a material, which change it in the picture and in the file that is saved.

import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { MaterialValues, ShownMaterial } from 'gambol';
import { hexOf, linearOf } from '../edit/colors.ts';
import { isColor, isShown, layersOf, rangeOf, wordsOf, type Layer } from '../edit/layers.ts';
import type { Inspector } from '../inspector.ts';
import { Button, Check, Select, Slider } from '../ui.tsx';
import { TextureControls } from './texture-controls.tsx';

interface ControlsProps {
  readonly inspector: Inspector;
  readonly index: number;
  readonly name: string;
}

const ALPHA_MODES = [
  { value: 'opaque', words: 'Opaque' },
  { value: 'mask', words: 'Mask' },
  { value: 'blend', words: 'Blend' },
] as const;

/** The values come after the feature has loaded, and after each edit. */
export function MaterialControls({ inspector, index, name }: ControlsProps): JSX.Element | null {
  const { edits } = inspector;
  const version = edits.version.value;
  const model = inspector.model.value;
  const [values, setValues] = useState<ShownMaterial | null>(null);
  useEffect(() => {
    const { viewer } = inspector;
    if (!viewer || !model) return;
    let isCurrent = true;
    void viewer
      .use('materials')
      .then(() => {
        if (isCurrent && viewer.model === model) setValues(viewer.material(index).values);
      })
      // Without the feature, the panel shows what the file has.
      .catch(() => undefined);
    return () => {
      isCurrent = false;
    };
  }, [inspector, model, index, version]);
  if (!values) return null;
  const change = (what: string, to: MaterialValues): void => void edits.material(`${what} of ${name}`, index, to);
  const [red = 1, green = 1, blue = 1, alpha = 1] = values.baseColor;
  const share = (value: number): string => value.toFixed(2);
  return (
    <div role="group" aria-label={`Edit ${name}`}>
      <Color
        label="Base colour"
        color={hexOf(values.baseColor)}
        change={(hex) => change('base colour', { baseColor: [...linearOf(hex), alpha] })}
      />
      <Slider
        label="Alpha"
        {...{ value: alpha, least: 0, most: 1, words: share }}
        change={(value) => change('alpha', { baseColor: [red, green, blue, value] })}
      />
      <Slider
        label="Metallic"
        {...{ value: values.metallic, least: 0, most: 1, words: share }}
        change={(metallic) => change('metallic', { metallic })}
      />
      <Slider
        label="Roughness"
        {...{ value: values.roughness, least: 0, most: 1, words: share }}
        change={(roughness) => change('roughness', { roughness })}
      />
      <Color
        label="Emissive"
        color={hexOf(values.emissive)}
        change={(hex) => change('emissive', { emissive: linearOf(hex) })}
      />
      <Select
        label="Alpha mode"
        value={values.alphaMode}
        choices={ALPHA_MODES}
        change={(alphaMode) => change('alpha mode', { alphaMode: alphaMode as (typeof ALPHA_MODES)[number]['value'] })}
      />
      {values.alphaMode === 'mask' && (
        <Slider
          label="Alpha cutoff"
          {...{ value: values.alphaCutoff, least: 0, most: 1, words: share }}
          change={(alphaCutoff) => change('alpha cutoff', { alphaCutoff })}
        />
      )}
      <Check
        label="Double sided"
        checked={values.doubleSided}
        change={(doubleSided) => change('double sided', { doubleSided })}
      />
      <Check label="Unlit" checked={values.unlit} change={(unlit) => change('unlit', { unlit })} />
      {layersOf(values).map(({ layer, names }) => (
        <LayerControls key={layer.title} {...{ layer, names, values, change }} />
      ))}
      <TextureControls inspector={inspector} index={index} name={name} values={values} />
      {edits.isChanged(index) && (
        <div class="buttons">
          <Button press={() => edits.resetMaterial(`reset of ${name}`, index)}>As in the file</Button>
        </div>
      )}
    </div>
  );
}

interface LayerProps {
  readonly layer: Layer;
  readonly names: readonly string[];
  readonly values: ShownMaterial;
  change(what: string, to: MaterialValues): void;
}

/** A layer of the material. Its controls are made when it is opened: a file may have many materials. */
function LayerControls({ layer, names, values, change }: LayerProps): JSX.Element {
  const [isOpen, setOpen] = useState(() => isShown(layer, values));
  return (
    <details class="layer" open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>
        {layer.title}
        {isShown(layer, values) && <span class="tree-kind">on</span>}
      </summary>
      {isOpen &&
        names.map((name) => {
          const set = (value: number | readonly number[]): void =>
            change(wordsOf(name).toLowerCase(), { [name]: value } as MaterialValues);
          const value = values[name as keyof ShownMaterial];
          if (isColor(values, name))
            return (
              <Color
                key={name}
                label={wordsOf(name)}
                color={hexOf(value as readonly number[])}
                change={(hex) => set(linearOf(hex))}
              />
            );
          const [least, most] = rangeOf(name, value as number);
          const words = (number: number): string => (Number.isFinite(number) ? number.toFixed(most > 20 ? 0 : 2) : '∞');
          return (
            <Slider key={name} label={wordsOf(name)} {...{ value: value as number, least, most, words }} change={set} />
          );
        })}
    </details>
  );
}

interface ColorProps {
  readonly label: string;
  /** `#rrggbb`. */
  readonly color: string;
  change(color: string): void;
}

function Color({ label, color, change }: ColorProps): JSX.Element {
  return (
    <label class="row">
      <span>{label}</span>
      <input type="color" value={color} onInput={({ currentTarget }) => change(currentTarget.value)} />
    </label>
  );
}
