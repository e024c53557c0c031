// Expressions by kind, blinks, glances, and a mouth that follows a sound.

import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ExpressionInfo } from 'gambol';
import type { Lips } from 'gambol/lips';
import { has } from '../expressions.ts';
import type { Inspector } from '../inspector.ts';
import { Button, Check, IconButton, Note, Section, Slider } from '../ui.tsx';

const KINDS: readonly (readonly [title: string, kinds: readonly ExpressionInfo['kind'][], open: boolean])[] = [
  ['Emotions', ['emotion'], true],
  ['Of the file', ['custom'], true],
  ['Blinks and looks', ['blink', 'look'], false],
  ['Visemes', ['viseme'], false],
  ['Shapes (ARKit)', ['shape'], false],
];

export function Expressions({ inspector }: { readonly inspector: Inspector }): JSX.Element {
  const all = inspector.model.value?.expressions ?? [];
  const { expressions: set, blink, glance } = inspector.view.value;
  // Eyes can be joints.
  const hasEyes = has(all, 'look') || (inspector.model.value?.joints.length ?? 0) > 0;
  return (
    <>
      <Section title="Eyes">
        <div class="checks">
          <Check
            label="Blink"
            checked={blink}
            disabled={!has(all, 'blink')}
            change={(on) => inspector.change({ blink: on })}
          />
          <Check
            label="Glance"
            title="The eyes jump to the side and back"
            checked={glance}
            disabled={!hasEyes}
            change={(on) => inspector.change({ glance: on })}
          />
        </div>
      </Section>
      {all.length === 0 && (
        <Note>This model has no expressions: its morph targets have no names of emotions, visemes or ARKit.</Note>
      )}
      <Speech key={inspector.model.value?.name} inspector={inspector} able={has(all, 'viseme')} />
      {KINDS.map(([title, kinds, open]) => (
        <Group
          key={title}
          inspector={inspector}
          title={title}
          open={open}
          shown={all.filter(({ kind }) => kinds.includes(kind))}
        />
      ))}
      {Object.keys(set).length > 0 && (
        <Button press={() => inspector.change({ expressions: {} }, 'all expressions')}>Return all to the clips</Button>
      )}
    </>
  );
}

interface GroupProps {
  readonly inspector: Inspector;
  readonly title: string;
  readonly open: boolean;
  readonly shown: readonly ExpressionInfo[];
}

function Group({ inspector, title, open, shown }: GroupProps): JSX.Element | null {
  const set = inspector.view.value.expressions;
  if (shown.length === 0) return null;
  const change = (name: string, weight: number | null): void => {
    const { [name]: _, ...others } = set;
    inspector.change({ expressions: weight === null ? others : { ...others, [name]: weight } }, `expression ${name}`);
  };
  return (
    <details class="part expressions" open={open}>
      <summary>
        {title} <span class="count">{shown.length}</span>
      </summary>
      {shown.map(({ name, morphs }) => (
        <Slider
          key={name}
          label={name}
          title={Object.entries(morphs)
            .map(([morph, weight]) => `${morph} ${weight.toFixed(2)}`)
            .join(', ')}
          value={set[name] ?? 0}
          least={0}
          most={1}
          words={(weight) => weight.toFixed(2)}
          change={(weight) => change(name, weight)}
          after={
            <IconButton
              icon="close"
              label={`Return ${name} to the clips`}
              disabled={set[name] === undefined}
              press={() => change(name, null)}
            />
          }
        />
      ))}
    </details>
  );
}

/** A sound of this computer; the mouth follows it while the panel is open. */
function Speech({ inspector, able }: { readonly inspector: Inspector; readonly able: boolean }): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  const audio = useRef<HTMLAudioElement>(null);
  const [file, setFile] = useState<File | null>(null);
  useEffect(() => {
    const [{ current: element }, { viewer }] = [audio, inspector];
    if (!file || !element || !viewer) return;
    const url = URL.createObjectURL(file);
    element.src = url;
    let mouth: Lips | undefined;
    let ended = false;
    // On the first play, because browsers start sound after input of the user only.
    const start = (): void => {
      import('gambol/lips')
        .then(({ lips }) => {
          if (!ended) mouth = lips(viewer, element);
        })
        .catch((error: unknown) => inspector.status.fail(error, true));
    };
    element.addEventListener('play', start, { once: true });
    return () => {
      ended = true;
      mouth?.stop();
      URL.revokeObjectURL(url);
    };
  }, [file, inspector]);
  return (
    <Section title="Speech">
      {able ? (
        <Button press={() => input.current?.click()}>Choose a sound …</Button>
      ) : (
        <Note>This model has no visemes, so its mouth cannot follow a sound.</Note>
      )}
      <input
        ref={input}
        type="file"
        accept="audio/*"
        aria-label="File of a sound"
        hidden
        onChange={({ currentTarget }) => {
          setFile(currentTarget.files?.[0] ?? null);
          currentTarget.value = '';
        }}
      />
      {file && (
        <>
          {/* The key makes another element, because Web Audio takes an element once. */}
          <audio key={`${file.name} ${file.lastModified}`} ref={audio} controls aria-label={file.name} />
          <Note>{file.name} moves the mouth while this panel is open. It stays on your computer.</Note>
        </>
      )}
    </Section>
  );
}
