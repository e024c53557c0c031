// Clips of other files: the way in which joints are paired, and a report of each file.

import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import type { Retarget } from 'gambol';
import { count } from '../../app/format.ts';
import { pairing, type AddedClips, type Inspector } from '../inspector.ts';
import { Button, Facts, IconButton, Note, Section, Select, type Fact } from '../ui.tsx';

export function RetargetPanel({ inspector }: { readonly inspector: Inspector }): JSX.Element {
  const input = useRef<HTMLInputElement>(null);
  const added = inspector.added.value;
  const retarget = inspector.retarget.value;
  return (
    <>
      <Section title="Add clips">
        <Select
          label="Pair joints"
          title="The way in which the joints of the other file are paired with those of this model"
          value={typeof retarget === 'string' ? retarget : 'auto'}
          choices={[
            { value: 'auto', words: 'Automatic' },
            { value: 'names', words: 'By names' },
          ]}
          change={(words) => {
            inspector.retarget.value = words as Retarget;
          }}
        />
        <Button primary press={() => input.current?.click()}>
          Choose a file …
        </Button>
        <input
          ref={input}
          type="file"
          multiple
          hidden
          onChange={({ currentTarget }) => {
            const files = [...(currentTarget.files ?? [])];
            currentTarget.value = '';
            const [first] = files;
            if (first) void inspector.addClips(files, files.length === 1 ? first.name : `${files.length} files`);
          }}
        />
        <Note>
          A .glb, .gltf, .fbx, .bvh, .x or .vrma file; its skeleton may be another one. It stays on your computer.
        </Note>
      </Section>
      <Skeleton inspector={inspector} />
      {added.map(({ file, report }, i) => (
        <Report key={i} inspector={inspector} file={file} report={report} />
      ))}
    </>
  );
}

/** The human bones of this model. */
function Skeleton({ inspector }: { readonly inspector: Inspector }): JSX.Element {
  const model = inspector.model.value;
  const humanoid = model?.humanoid ?? null;
  if (!model || !humanoid)
    return (
      <Section title="Humanoid">
        <Note>The skeleton of this model is no humanoid: clips are paired by the names of joints.</Note>
      </Section>
    );
  const facts = Object.entries(humanoid.bones).map(
    ([bone, joint]): Fact => [
      bone,
      <button
        key={bone}
        type="button"
        class="link"
        onClick={() => inspector.change({ node: joint, label: '' }, 'selection')}
      >
        {model.joints[joint]?.name || `Node ${joint}`}
      </button>,
    ],
  );
  return (
    <Section title={`Humanoid (${humanoid.convention})`}>
      <details>
        <summary>{count(facts.length)} bones</summary>
        <Facts facts={facts} />
      </details>
    </Section>
  );
}

function Report({ inspector, file, report }: AddedClips & { readonly inspector: Inspector }): JSX.Element {
  const { clips, mapped, missing, ambiguous, skipped, scale, warnings } = report;
  const facts: Fact[] = [
    ['Joints paired', pairing(report)],
    ['Bones mapped', count(mapped.length)],
    ['Bones missing', missing.join(', ') || 'none'],
    ['Bones ambiguous', ambiguous.join(', ') || 'none'],
    ['Scale of the hips', scale.toFixed(3)],
    ['Channels skipped', count(skipped)],
  ];
  const there = new Set(inspector.clips.value.map(({ id }) => id));
  return (
    <Section title={file}>
      <ul class="plain-list">
        {clips
          .filter(({ id }) => there.has(id))
          .map(({ id }) => (
            <li key={id} class="row">
              <button type="button" class="link" onClick={() => inspector.change({ clip: id, blend: null }, 'clip')}>
                {id}
              </button>
              <IconButton
                icon="close"
                label={`Remove the clip ${id}`}
                press={() => inspector.model.peek()?.removeClip(id)}
              />
            </li>
          ))}
      </ul>
      <Facts facts={facts} />
      {warnings.map((words) => (
        <Note key={words}>{words}</Note>
      ))}
    </Section>
  );
}
