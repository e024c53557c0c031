// Clips of other files: the way in which joints are paired, and a report of each file.

import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import type { Model, Retarget } from 'gambol';
import { count } from '../../app/format.ts';
import { pairsOf, retargetOf, type AddedClips } from '../added-clips.ts';
import { copy } from '../clipboard.ts';
import { pairing, type Inspector } from '../inspector.ts';
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
      {added.map((each, i) => (
        <Report key={i} inspector={inspector} index={i} added={each} />
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

interface ReportProps {
  readonly inspector: Inspector;
  /** The index in {@link Inspector.added}. */
  readonly index: number;
  readonly added: AddedClips;
}

function Report({ inspector, index, added }: ReportProps): JSX.Element {
  const { file, report } = added;
  const model = inspector.model.value;
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
                press={() => void inspector.model.peek()?.removeClip(id)}
              />
            </li>
          ))}
      </ul>
      <Facts facts={facts} />
      {model && report.conventions && <Pairs inspector={inspector} index={index} added={added} model={model} />}
      {warnings.map((words) => (
        <Note key={words}>{words}</Note>
      ))}
    </Section>
  );
}

/** The joints of the other file, each with a list of the joints of this model. */
function Pairs({ inspector, index, added, model }: ReportProps & { readonly model: Model }): JSX.Element {
  const { viewer } = inspector;
  const pairs = viewer ? pairsOf(added, viewer) : [];
  const names = [...new Set(model.joints.map(({ name }) => name))].filter((name) => name !== '');
  const choices = [{ value: '', words: 'no joint' }, ...names.map((name) => ({ value: name, words: name }))];
  const json = JSON.stringify(retargetOf(pairs), null, 2);
  return (
    <details>
      <summary>Pairs of joints</summary>
      <Note>The joint of {added.file}, and the joint of this model that it moves.</Note>
      {pairs.map(({ bone, source, target }) => (
        <Select
          key={bone}
          label={source ?? bone}
          title={bone}
          value={target ?? ''}
          choices={choices}
          change={(name) => {
            const changed = pairs.map((pair) => (pair.bone === bone ? { ...pair, target: name || null } : pair));
            inspector.changePairs(index, retargetOf(changed));
          }}
        />
      ))}
      <Button press={() => void copy(inspector, json, 'Pairs copied')}>Copy the pairs</Button>
      <Note>As JSON for the option “retarget” of model.addClips() and the element.</Note>
      <pre class="code" tabIndex={0} aria-label="Pairs as JSON">
        <code>{json}</code>
      </pre>
    </details>
  );
}
