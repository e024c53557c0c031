// The way out: a link with the view, code for a page, pictures, files of the model.

import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { copy } from '../clipboard.ts';
import { embedCode, EMBEDS, type Embed } from '../embed.ts';
import { saveExport, type ExportKind } from '../exports.ts';
import type { Inspector } from '../inspector.ts';
import { linkTo } from '../link.ts';
import { savePicture } from '../pictures.ts';
import { Button, Check, Note, NumberField, Section, Select } from '../ui.tsx';

export function Share({ inspector }: { readonly inspector: Inspector }): JSX.Element {
  return (
    <>
      <Link inspector={inspector} />
      <EmbedCode inspector={inspector} />
      <Pictures inspector={inspector} />
      <Exports inspector={inspector} />
    </>
  );
}

function Link({ inspector }: { readonly inspector: Inspector }): JSX.Element {
  const local = inspector.address.value === null;
  return (
    <Section title="Link">
      {local ? (
        <Note>This file is on your computer: a link cannot lead to it. Links work for models with a URL.</Note>
      ) : (
        <>
          <Button primary press={() => void copy(inspector, linkTo(inspector), 'Link copied')}>
            Copy the link
          </Button>
          <Note>With the clip, the time, the camera and all settings that differ from the defaults.</Note>
        </>
      )}
    </Section>
  );
}

function EmbedCode({ inspector }: { readonly inspector: Inspector }): JSX.Element {
  const [kind, setKind] = useState<Embed>('element');
  // Read, so that the code follows the view.
  inspector.view.value;
  const code = embedCode(kind, inspector);
  return (
    <Section title="Code for your page">
      <Select
        label="For"
        value={kind}
        choices={EMBEDS.map(([value, words]) => ({ value, words }))}
        change={(value) => setKind(value as Embed)}
      />
      <pre class="code" tabIndex={0} aria-label="Code">
        <code>{code}</code>
      </pre>
      <Button press={() => void copy(inspector, code, 'Code copied')}>Copy the code</Button>
    </Section>
  );
}

function Pictures({ inspector }: { readonly inspector: Inspector }): JSX.Element {
  const [width, setWidth] = useState(1920);
  const [height, setHeight] = useState(1080);
  const [transparent, setTransparent] = useState(true);
  const [drawing, setDrawing] = useState(false);
  const fits = [width, height].every((size) => Number.isInteger(size) && size >= 1 && size <= 8192);
  const save = async (): Promise<void> => {
    setDrawing(true);
    try {
      await savePicture(inspector, { width, height, background: transparent ? null : '#ffffff' });
    } catch (error) {
      inspector.status.fail(error, true);
    } finally {
      setDrawing(false);
    }
  };
  return (
    <Section title="Pictures">
      <NumberField label="Width in px" value={width} most={8192} change={setWidth} />
      <NumberField label="Height in px" value={height} most={8192} change={setHeight} />
      <Check label="Transparent background" checked={transparent} change={setTransparent} />
      <Button disabled={!fits || drawing} press={() => void save()}>
        {drawing ? 'Drawing …' : 'Save PNG'}
      </Button>
      <Note>The panel Record makes films and sequences of pictures.</Note>
    </Section>
  );
}

/** The buttons, with the words while one works. */
const EXPORTS: readonly (readonly [kind: ExportKind, words: string, title: string])[] = [
  ['pose', 'Export pose (GLB)', 'The deformed mesh of this moment, without joints and clips'],
  ['obj', 'Export pose (OBJ)', 'The deformed mesh of this moment as Wavefront OBJ and MTL'],
  ['clips', 'Export with clips', 'The file with the clips that it has now, also those of other files'],
  ['usdz', 'Export USDZ', 'The clip that is shown as USDZ, for Quick Look'],
  ['cache', 'Bake clip', 'The clip of the file as a GLB with a morph target for each frame'],
];

function Exports({ inspector }: { readonly inspector: Inspector }): JSX.Element {
  const [stop, setStop] = useState<AbortController | null>(null);
  const source = inspector.source.value;
  const clip = inspector.viewer?.clip ?? null;
  const run = async (kind: ExportKind): Promise<void> => {
    const working = new AbortController();
    setStop(working);
    try {
      await saveExport(inspector, kind, working.signal);
    } catch (error) {
      if (!working.signal.aborted) inspector.status.fail(error, true);
    } finally {
      setStop(null);
    }
  };
  return (
    <Section title="Model">
      <div class="buttons">
        {EXPORTS.map(([kind, words, title]) => (
          <Button
            key={kind}
            title={title}
            disabled={source === null || stop !== null || (kind === 'cache' && clip === null)}
            press={() => void run(kind)}
          >
            {words}
          </Button>
        ))}
      </div>
      {stop && (
        <div class="row" role="status">
          <span>Writing …</span>
          <Button press={() => stop.abort()}>Cancel</Button>
        </div>
      )}
    </Section>
  );
}
