// Light, background, tone mapping and shadows.

import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { createViewer } from 'gambol';
import { percent } from '../../app/format.ts';
import { drawBall, ENVIRONMENTS } from '../environments.ts';
import type { Inspector } from '../inspector.ts';
import { Button, Section, Select, Slider } from '../ui.tsx';
import { DEFAULTS, type View } from '../view.ts';

export function Light({ inspector }: { readonly inspector: Inspector }): JSX.Element {
  const view = inspector.view.value;
  const change = (settings: Partial<View>): void => inspector.change(settings);
  return (
    <>
      <Environment inspector={inspector} />
      <Section title="Background">
        <Select
          label="Type"
          value={view.background}
          choices={[
            { value: 'transparent', words: 'Transparent' },
            { value: 'environment', words: 'Environment (skybox)' },
            { value: 'white', words: 'White' },
            { value: 'grey', words: 'Grey' },
            { value: 'black', words: 'Black' },
          ]}
          change={(background) => change({ background: background as View['background'] })}
        />
        <Slider
          label="Blur"
          value={view.blur}
          least={0}
          most={1}
          disabled={view.background !== 'environment'}
          words={percent}
          change={(blur) => change({ blur })}
        />
      </Section>
      <Section title="Image">
        <Slider
          label="Exposure"
          title="The brightness of the picture, in stops: +1 doubles it"
          value={view.exposure}
          least={-4}
          most={4}
          step={0.25}
          words={(stops) => `${stops > 0 ? '+' : ''}${stops} EV`.replace('-', '−')}
          change={(exposure) => change({ exposure })}
        />
        <Select
          label="Tone mapping"
          title="The way from light to colours of the screen"
          value={view.toneMapping}
          choices={[
            { value: 'neutral', words: 'Khronos PBR Neutral' },
            { value: 'agx', words: 'AgX' },
            { value: 'aces', words: 'ACES Filmic' },
            { value: 'none', words: 'None' },
          ]}
          change={(toneMapping) => change({ toneMapping: toneMapping as View['toneMapping'] })}
        />
      </Section>
      <Section title="Shadow">
        <Slider
          label="Intensity"
          value={view.shadow}
          least={0}
          most={1}
          words={percent}
          change={(shadow) => change({ shadow })}
        />
        <Slider
          label="Softness"
          value={view.softness}
          least={0}
          most={1}
          words={percent}
          change={(softness) => change({ softness })}
        />
      </Section>
    </>
  );
}

function Environment({ inspector }: { readonly inspector: Inspector }): JSX.Element {
  const view = inspector.view.value;
  const file = useRef<HTMLInputElement>(null);
  const [url, setUrl] = useState('');
  const own = !ENVIRONMENTS.some(([name]) => name === view.environment);
  return (
    <Section title="Environment">
      <div class="thumbnails" role="group" aria-label="Environment map">
        {ENVIRONMENTS.map(([name, words]) => (
          <button
            key={name}
            class="thumbnail"
            type="button"
            aria-pressed={view.environment === name}
            title={name === 'none' ? 'Only the lights of the file' : `${words} light`}
            onClick={() => inspector.change({ environment: name })}
          >
            <Thumbnail inspector={inspector} name={name} />
            <span>{words}</span>
          </button>
        ))}
        <button
          class="thumbnail"
          type="button"
          aria-pressed={own}
          title="A panorama of this computer: .hdr, .exr, JPEG, PNG, WebP"
          onClick={() => file.current?.click()}
        >
          <span class="thumbnail-empty">.hdr .exr .jpg</span>
          <span>{own ? view.environment.split('/').pop() : 'Own file …'}</span>
        </button>
      </div>
      <input
        ref={file}
        type="file"
        accept=".hdr,.exr,.jpg,.jpeg,.png,.webp,.avif"
        hidden
        onChange={({ currentTarget }) => {
          const [chosen] = currentTarget.files ?? [];
          if (chosen) inspector.light(chosen);
          currentTarget.value = '';
        }}
      />
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault();
          inspector.change({ environment: url });
        }}
      >
        <input
          type="url"
          inputMode="url"
          placeholder="https://…/light.hdr"
          aria-label="URL of an image of the light"
          required
          value={url}
          onInput={({ currentTarget }) => setUrl(currentTarget.value)}
        />
        <button class="button" type="submit">
          Load
        </button>
      </form>
      <Slider
        label="Rotation"
        value={view.rotation}
        least={-180}
        most={180}
        step={5}
        words={(degrees) => `${degrees}°`.replace('-', '−')}
        change={(rotation) => inspector.change({ rotation })}
      />
      <Slider
        label="Intensity"
        value={view.intensity}
        least={0}
        most={3}
        words={percent}
        change={(intensity) => inspector.change({ intensity })}
      />
      {view.rotation !== DEFAULTS.rotation || view.intensity !== DEFAULTS.intensity ? (
        <Button
          press={() =>
            inspector.change({ rotation: DEFAULTS.rotation, intensity: DEFAULTS.intensity }, 'environment settings')
          }
        >
          Reset
        </Button>
      ) : null}
    </Section>
  );
}

/** Pictures of the built-in environments, drawn once for the page. */
const pictures = new Map<string, Promise<string>>();

function Thumbnail({ inspector, name }: { readonly inspector: Inspector; readonly name: string }): JSX.Element {
  const [picture, setPicture] = useState('');
  useEffect(() => {
    let there = true;
    let drawn = pictures.get(name);
    if (!drawn) {
      drawn = draw(inspector, name);
      pictures.set(name, drawn);
    }
    drawn.then((address) => there && setPicture(address)).catch(() => pictures.delete(name));
    return () => {
      there = false;
    };
  }, [inspector, name]);
  return picture === '' ? <span class="thumbnail-empty" /> : <img src={picture} alt="" width="72" height="48" />;
}

/** Draws a mirror ball in an environment; for that of the package, its skybox. */
async function draw(inspector: Inspector, name: string): Promise<string> {
  const canvas = document.createElement('canvas');
  const size = { width: 144, height: 96 };
  const ball = Object.assign(document.createElement('canvas'), size);
  if (drawBall(name, ball)) {
    const blob = await new Promise<Blob | null>((resolve) => ball.toBlob(resolve));
    if (blob) return URL.createObjectURL(blob);
  }
  const viewer = await createViewer(canvas, { renderer: 'shared', cameraControls: false });
  try {
    await viewer.setEnvironment(inspector.environment({ ...DEFAULTS, environment: name }));
    viewer.skybox = true;
    return URL.createObjectURL(await viewer.toBlob(size));
  } finally {
    viewer.dispose();
  }
}
