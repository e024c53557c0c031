// Materials with their textures and UV coordinates, and the variants of the file.

import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { GltfFile } from 'gambol/gltf';
import { byteSize } from '../../app/format.ts';
import type { Inspector } from '../inspector.ts';
import { imageBytes, materialsOf, type MaterialEntry, type TextureUse } from '../materials.ts';
import { MaterialControls } from './material-controls.tsx';
import { breakable, Facts, Note, Section, Select, type Fact } from '../ui.tsx';

export function Materials({ inspector }: { readonly inspector: Inspector }): JSX.Element {
  const variants = inspector.model.value?.variants ?? [];
  const opened = inspector.opened.value;
  return (
    <>
      {variants.length > 0 && (
        <Section title="Variants">
          <Select
            label="Variant"
            title="KHR_materials_variants"
            value={inspector.view.value.variant ?? ''}
            choices={[
              { value: '', words: 'Default materials' },
              ...variants.map((variant) => ({ value: variant, words: variant })),
            ]}
            change={(variant) => inspector.change({ variant: variant === '' ? null : variant })}
          />
        </Section>
      )}
      {opened ? (
        <List inspector={inspector} file={opened.file} materials={materialsOf(opened.index)} />
      ) : (
        <Note>The file is being read …</Note>
      )}
    </>
  );
}

function List({
  inspector,
  file,
  materials,
}: {
  readonly inspector: Inspector;
  readonly file: GltfFile;
  readonly materials: readonly MaterialEntry[];
}): JSX.Element {
  if (materials.length === 0) return <Note>This file has no materials.</Note>;
  return (
    <>
      {materials.map((material) => (
        <Section key={material.index} title={material.name}>
          <Factors material={material} />
          <MaterialControls inspector={inspector} index={material.index} name={material.name} />
          <div class="thumbnails">
            {material.textures.map((use) => (
              <Texture key={use.channel} file={file} material={material.index} use={use} />
            ))}
          </div>
        </Section>
      ))}
    </>
  );
}

function Factors({ material }: { readonly material: MaterialEntry }): JSX.Element {
  const { alphaMode, baseColor, doubleSided, extensions, metallic, roughness } = material;
  const [red = 1, green = 1, blue = 1, alpha = 1] = baseColor;
  const facts: Fact[] = [
    [
      'Base colour',
      <>
        <span
          class="swatch"
          aria-hidden="true"
          style={{ background: `color(srgb-linear ${red} ${green} ${blue} / ${alpha})` }}
        />
        {baseColor.map((value) => value.toFixed(2)).join(' ')}
      </>,
    ],
    ['Metallic, roughness', `${metallic.toFixed(2)}, ${roughness.toFixed(2)}`],
    ['Alpha mode', alphaMode],
    ['Double sided', doubleSided ? 'yes' : 'no'],
  ];
  return (
    <>
      <Facts facts={facts} />
      {/* Their names need the width of the panel. */}
      {extensions.length > 0 && (
        <ul class="plain-list" aria-label="Extensions">
          {extensions.map((name) => (
            <li key={name}>
              <code>{breakable(name)}</code>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

interface TextureProps {
  readonly file: GltfFile;
  readonly material: number;
  readonly use: TextureUse;
}

type Picture =
  | { readonly address: string; readonly words: string }
  | { readonly address: null; readonly words: string };

/** A texture: a press shows it in full, with the UV coordinates over it. */
function Texture({ file, material, use }: TextureProps): JSX.Element {
  const [picture, setPicture] = useState<Picture>({ address: null, words: 'Loading …' });
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    let address: string | undefined;
    let there = true;
    (async () => {
      if (use.image === null) return setPicture({ address: null, words: 'The texture has no image.' });
      try {
        const { name, mimeType, bytes } = await imageBytes(file, use.image);
        if (!there) return;
        const words = `${name}, ${mimeType.replace('image/', '').toUpperCase()}, ${byteSize(bytes.byteLength)}`;
        if (mimeType === 'image/ktx2') return setPicture({ address: null, words });
        address = URL.createObjectURL(new Blob([bytes as Uint8Array<ArrayBuffer>], { type: mimeType }));
        setPicture({ address, words });
      } catch (error) {
        if (there)
          setPicture({ address: null, words: `Missing: ${error instanceof Error ? error.message : String(error)}` });
      }
    })();
    return () => {
      there = false;
      if (address) URL.revokeObjectURL(address);
    };
  }, [file, use.image]);
  const channel = use.channel.replace(/Texture$/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  const isMissing = picture.words.startsWith('Missing');
  return (
    <>
      <button class="thumbnail" type="button" title={picture.words} onClick={() => dialog.current?.showModal()}>
        {picture.address ? (
          <img
            src={picture.address}
            alt=""
            width="72"
            height="72"
            onError={() => setPicture({ address: null, words: `${picture.words}: not decodable` })}
          />
        ) : (
          <span class={isMissing ? 'thumbnail-empty checker' : 'thumbnail-empty'}>
            {isMissing ? 'missing' : 'KTX2'}
          </span>
        )}
        <span>
          {channel}
          <span class="hidden-text"> with UV coordinates</span>
        </span>
      </button>
      <dialog class="dialog uv-dialog" ref={dialog} aria-label={`${channel} with UV coordinates`}>
        <div class="dialog-head">
          <h2>{channel}</h2>
          <button class="button" type="button" onClick={() => dialog.current?.close()}>
            Close
          </button>
        </div>
        <UvView file={file} material={material} texCoord={use.texCoord} address={picture.address} dialog={dialog} />
        <p class="note">
          {picture.words}. TEXCOORD_{use.texCoord}
        </p>
      </dialog>
    </>
  );
}

interface UvProps {
  readonly file: GltfFile;
  readonly material: number;
  readonly texCoord: number;
  readonly address: string | null;
  readonly dialog: { readonly current: HTMLDialogElement | null };
}

const SIZE = 1024;

/** The image at an address; null if it cannot be decoded. */
function decoded(address: string): Promise<HTMLImageElement | null> {
  const image = new Image();
  image.src = address;
  return image.decode().then(
    () => image,
    () => null,
  );
}

function draw(context: CanvasRenderingContext2D, image: HTMLImageElement | null, lines: Float32Array): void {
  context.clearRect(0, 0, SIZE, SIZE);
  if (image) context.drawImage(image, 0, 0, SIZE, SIZE);
  context.strokeStyle = '#ff5a26';
  context.lineWidth = 1.2;
  context.beginPath();
  for (let i = 0; i + 3 < lines.length; i += 4) {
    context.moveTo((lines[i] ?? 0) * SIZE, (lines[i + 1] ?? 0) * SIZE);
    context.lineTo((lines[i + 2] ?? 0) * SIZE, (lines[i + 3] ?? 0) * SIZE);
  }
  context.stroke();
}

/** The texture with the edges of the triangles that use it; the square is 0 to 1. */
function UvView({ file, material, texCoord, address, dialog }: UvProps): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [words, setWords] = useState('');
  useEffect(() => {
    let isCurrent = true;
    const show = async (): Promise<void> => {
      if (!dialog.current?.open) return;
      const image = address === null ? null : await decoded(address);
      let lines: Float32Array = new Float32Array();
      let result: string;
      try {
        const { uvLines } = await import('../uv.ts');
        lines = await uvLines(file, material, texCoord);
        result = `${lines.length / 12} triangles`;
      } catch (error) {
        result = `The UV coordinates cannot be read here: ${error instanceof Error ? error.message : String(error)}`;
      }
      const context = canvas.current?.getContext('2d');
      if (!context || !isCurrent) return;
      draw(context, image, lines);
      setWords(result);
    };
    // Drawn when the dialog opens, since the coordinates have to be decoded, and again when the picture has loaded.
    const opened = new MutationObserver(() => void show());
    if (dialog.current) opened.observe(dialog.current, { attributeFilter: ['open'] });
    void show();
    return () => {
      isCurrent = false;
      opened.disconnect();
    };
  }, [file, material, texCoord, address, dialog]);
  return (
    <>
      <canvas class="uv" ref={canvas} width={SIZE} height={SIZE} role="img" aria-label={`UV coordinates, ${words}`} />
      <p class="note" role="status">
        {words}
      </p>
    </>
  );
}
