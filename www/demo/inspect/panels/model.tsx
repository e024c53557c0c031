// Facts of the file: bytes, extensions, generator, licence, bounds.

import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { byteSize, count, percent } from '../../app/format.ts';
import type { Inspector, OpenFile } from '../inspector.ts';
import { breakable, Facts, Note, Section, type Fact } from '../ui.tsx';

export function ModelPanel({ inspector }: { readonly inspector: Inspector }): JSX.Element {
  const model = inspector.model.value;
  const opened = inspector.opened.value;
  if (!model) return <Note>No model is open.</Note>;
  const { info } = model;
  const clips = inspector.clips.value;
  const facts: Fact[] = [
    ['File', model.name],
    ['Clips', count(clips.length)],
    ['Channels', count(clips.reduce((sum, clip) => sum + clip.channels, 0))],
    ['Joints', count(info.joints)],
    ['Nodes', count(info.nodes)],
    ['Vertices', count(info.vertices)],
    ['Triangles', count(info.triangles)],
    ['Morph targets', count(info.morphTargets)],
    ['Materials', count(info.materials)],
    ['Variants', count(model.variants.length)],
    ['Cameras', count(info.cameras)],
    ['Scenes', count(info.scenes)],
  ];
  return (
    <>
      <Section title="Parts">
        <Facts facts={facts} />
      </Section>
      <Bounds inspector={inspector} />
      {opened ? <FileFacts opened={opened} /> : <Note>The file is being read …</Note>}
    </>
  );
}

function Bounds({ inspector }: { readonly inspector: Inspector }): JSX.Element | null {
  const [facts, setFacts] = useState<readonly Fact[]>([]);
  const model = inspector.model.value;
  useEffect(() => {
    const read = (): void => {
      const bounds = model && inspector.viewer?.bounds;
      if (!bounds) return setFacts([]);
      const metres = (values: readonly number[]): string => values.map((value) => value.toFixed(3)).join(' · ');
      const size = bounds.max.map((most, i) => most - (bounds.min[i] ?? 0));
      setFacts([
        ['Size in m', metres(size)],
        ['From', metres(bounds.min)],
        ['To', metres(bounds.max)],
      ]);
    };
    read();
    const timer = setInterval(read, 500);
    return () => clearInterval(timer);
  }, [model, inspector]);
  if (facts.length === 0) return null;
  return (
    <Section title="Bounds of the pose">
      <Facts facts={facts} />
    </Section>
  );
}

function FileFacts({ opened: { file, index } }: { readonly opened: OpenFile }): JSX.Element {
  const { generator, copyright, version } = index.asset;
  const shares = index.bytesByKind(new TextEncoder().encode(file.text).byteLength);
  const total = shares.reduce((sum, { bytes }) => sum + bytes, 0);
  const about: Fact[] = [
    ['glTF version', version ?? 'unknown'],
    ['Generator', generator ?? 'not named'],
    ['Copyright', copyright ?? 'not named'],
    ['Licence', index.licence ?? 'not named'],
  ];
  return (
    <>
      <Section title="Bytes">
        <ul class="shares">
          {shares.map(({ kind, bytes }) => (
            <li key={kind}>
              <span>{kind}</span>
              <span class="share-bar" style={{ '--share': bytes / total }} aria-hidden="true" />
              <span>
                {byteSize(bytes)} · {percent(bytes / total)}
              </span>
            </li>
          ))}
        </ul>
        <Note>Images in files of their own are not counted.</Note>
      </Section>
      <Section title="File">
        <Facts facts={about} />
      </Section>
      <Section title="Extensions">
        {index.extensions.length === 0 ? (
          <Note>The file uses none.</Note>
        ) : (
          <ul class="plain-list">
            {index.extensions.map(({ name, required }) => (
              <li key={name}>
                <code>{breakable(name)}</code>
                {required && ' (required)'}
              </li>
            ))}
          </ul>
        )}
      </Section>
    </>
  );
}
