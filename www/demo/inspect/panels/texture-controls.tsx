// The textures of a material: replaced by an image of this computer, removed, and their samplers.

import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type {
  MaterialTexture,
  MaterialValues,
  ShownMaterial,
  ShownTexture,
  TextureName,
  TextureSettings,
} from 'gambol';
import { wordsOf } from '../edit/layers.ts';
import type { Inspector } from '../inspector.ts';
import { Button, Select } from '../ui.tsx';

interface ControlsProps {
  readonly inspector: Inspector;
  readonly index: number;
  readonly name: string;
  readonly values: ShownMaterial;
}

const isTexture = (name: string): name is TextureName => name.endsWith('Texture');
const labelOf = (slot: TextureName): string => wordsOf(slot.replace(/Texture$/, ''));

export function TextureControls({ inspector, index, name, values }: ControlsProps): JSX.Element {
  const { edits } = inspector;
  const own = edits.valuesOf(index);
  /** A slot without a texture that the user has opened. */
  const [added, setAdded] = useState<TextureName | null>(null);
  const slots = Object.keys(values).filter(isTexture);
  const isListed = (slot: TextureName): boolean => values[slot] !== null || (own[slot] ?? null) !== null;
  const shown = slots.filter((slot) => isListed(slot) || slot === added);
  const free = slots.filter((slot) => !shown.includes(slot));
  const set = (slot: TextureName, what: string, texture: MaterialTexture | null): Promise<boolean> =>
    edits.material(`${what} of ${labelOf(slot).toLowerCase()} of ${name}`, index, {
      [slot]: texture,
    } as MaterialValues);
  return (
    <div role="group" aria-label={`Textures of ${name}`}>
      {shown.map((slot) => (
        <TextureSlot
          key={slot}
          slot={slot}
          shown={values[slot]}
          own={own[slot] ?? null}
          set={(what, texture) => set(slot, what, texture)}
        />
      ))}
      {free.length > 0 && (
        <Select
          label="Add texture"
          value=""
          choices={[{ value: '', words: 'choose …' }, ...free.map((slot) => ({ value: slot, words: labelOf(slot) }))]}
          change={(slot) => setAdded(isTexture(slot) ? slot : null)}
        />
      )}
    </div>
  );
}

interface SlotProps {
  readonly slot: TextureName;
  readonly shown: ShownTexture | null;
  /** The texture that the user has set; null for that of the file. */
  readonly own: MaterialTexture | null;
  set(what: string, texture: MaterialTexture | null): Promise<boolean>;
}

/** `true` for a drag that carries files. */
const carriesFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') === true;

/** A texture with its controls; an image that is dropped on it replaces it. */
function TextureSlot({ slot, shown, own, set }: SlotProps): JSX.Element {
  const field = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const label = labelOf(slot);
  const settings = settingsOf(own);
  const replace = (file: File | undefined): void => {
    if (file) void set('texture', { ...settings, source: file });
  };
  const change = (what: string, more: TextureSettings): void => void set(what, { ...settings, ...more });
  return (
    <details
      class={isOver ? 'layer over' : 'layer'}
      data-drop="texture"
      onDragOver={(event) => {
        if (!carriesFiles(event)) return;
        event.preventDefault();
        if (event.dataTransfer) event.dataTransfer.dropEffect = 'copy';
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        if (!carriesFiles(event)) return;
        event.preventDefault();
        setOver(false);
        replace(event.dataTransfer?.files[0]);
      }}
    >
      <summary>
        <Preview source={settings.source} />
        {label}
        <span class="tree-kind">{stateOf(shown, own)}</span>
      </summary>
      <div class="buttons">
        <Button title="Choose an image, or drop one here" press={() => field.current?.click()}>
          {shown ? 'Replace …' : 'Choose image …'}
        </Button>
        {shown && <Button press={() => void set('removal', false)}>Remove</Button>}
        {own !== null && <Button press={() => void set('reset', null)}>As in the file</Button>}
        <input
          ref={field}
          type="file"
          accept="image/*"
          hidden
          aria-label={`Image of ${label}`}
          onChange={({ currentTarget }) => {
            replace(currentTarget.files?.[0]);
            // Cleared, so that choosing the same file again is a change.
            currentTarget.value = '';
          }}
        />
      </div>
      {shown && <Sampler label={label} shown={shown} change={change} />}
    </details>
  );
}

/** The settings that the user has set; none for a texture of the file, and for a removed one. */
function settingsOf(own: MaterialTexture | null): TextureSettings {
  if (own === null || own === false) return {};
  const isSource = typeof own === 'string' || own instanceof URL || own instanceof Blob || 'width' in own;
  return isSource ? { source: own } : own;
}

function stateOf(shown: ShownTexture | null, own: MaterialTexture | null): string {
  if (own === false) return 'removed';
  if (!shown) return 'none';
  return shown.own ? 'replaced' : own === null ? 'in the file' : 'changed';
}

/** A small picture of an image that the user has chosen. */
function Preview({ source }: { readonly source: TextureSettings['source'] }): JSX.Element | null {
  const [address, setAddress] = useState('');
  useEffect(() => {
    if (!(source instanceof Blob)) return setAddress('');
    const url = URL.createObjectURL(source);
    setAddress(url);
    return () => URL.revokeObjectURL(url);
  }, [source]);
  return address === '' ? null : <img class="texture-preview" src={address} alt="" width="28" height="28" />;
}

const WRAPS = ['repeat', 'mirror', 'clamp'].map((value) => ({ value, words: value }));
const FILTERS = ['linear', 'nearest'].map((value) => ({ value, words: value }));
const MIPS = ['linear', 'nearest', 'none'].map((value) => ({ value, words: value }));

interface SamplerProps {
  readonly label: string;
  readonly shown: ShownTexture;
  change(what: string, more: TextureSettings): void;
}

function Sampler({ label, shown, change }: SamplerProps): JSX.Element {
  const { offset, scale, rotation } = shown;
  const choice = (
    words: string,
    name: 'wrapS' | 'wrapT' | 'mag' | 'min' | 'mip',
    choices: typeof WRAPS,
  ): JSX.Element => (
    <Select
      label={words}
      value={shown[name]}
      choices={choices}
      change={(value) => change(words.toLowerCase(), { [name]: value } as TextureSettings)}
    />
  );
  const degrees = (rotation * 180) / Math.PI;
  return (
    <div role="group" aria-label={`Sampler of ${label}`}>
      {choice('Wrap U', 'wrapS', WRAPS)}
      {choice('Wrap V', 'wrapT', WRAPS)}
      {choice('Magnified', 'mag', FILTERS)}
      {choice('Minified', 'min', FILTERS)}
      {choice('Mipmaps', 'mip', MIPS)}
      <Decimal
        label="UV set"
        value={shown.texCoord}
        change={(texCoord) => change('UV set', { texCoord: Math.max(0, Math.round(texCoord)) })}
      />
      <Decimal label="Offset U" value={offset[0]} change={(u) => change('offset', { offset: [u, offset[1]] })} />
      <Decimal label="Offset V" value={offset[1]} change={(v) => change('offset', { offset: [offset[0], v] })} />
      <Decimal label="Scale U" value={scale[0]} change={(u) => change('scale', { scale: [u, scale[1]] })} />
      <Decimal label="Scale V" value={scale[1]} change={(v) => change('scale', { scale: [scale[0], v] })} />
      <Decimal
        label="Rotation °"
        value={degrees}
        change={(to) => change('rotation', { rotation: (to * Math.PI) / 180 })}
      />
    </div>
  );
}

interface DecimalProps {
  readonly label: string;
  readonly value: number;
  change(value: number): void;
}

/** A field for any number. */
function Decimal({ label, value, change }: DecimalProps): JSX.Element {
  return (
    <label class="row">
      <span>{label}</span>
      <input
        type="number"
        step="any"
        value={Number(value.toPrecision(6))}
        onChange={({ currentTarget: { valueAsNumber } }) => {
          if (Number.isFinite(valueAsNumber)) change(valueAsNumber);
        }}
      />
    </label>
  );
}
