// Feet on uneven ground, and joints that swing.

import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { JointInfo } from 'gambol';
import { fileSprings, heightOf, pathOf, SPRING, swinging } from '../body/body.ts';
import type { Inspector } from '../inspector.ts';
import { Button, Check, IconButton, Note, Section, Select, Slider } from '../ui.tsx';
import type { GroundName, SpringSetting } from '../view.ts';

export function BodyPanel({ inspector }: { readonly inspector: Inspector }): JSX.Element {
  return (
    <>
      <Feet inspector={inspector} />
      <Springs inspector={inspector} />
    </>
  );
}

function Feet({ inspector }: { readonly inspector: Inspector }): JSX.Element {
  const { ground, pelvis } = inspector.view.value;
  const fault = inspector.body.feetFault.value;
  return (
    <Section title="Feet">
      <div class="checks">
        <Check
          label="Feet on the ground"
          title="Legs bend so that the feet stand on the ground"
          checked={ground !== null}
          change={(on) => inspector.change({ ground: on ? 'slope' : null }, 'feet')}
        />
        <Check
          label="Pelvis moves"
          title="The pelvis moves so that all feet reach the ground"
          checked={pelvis}
          disabled={ground === null}
          change={(on) => inspector.change({ pelvis: on })}
        />
      </div>
      <Select
        label="Ground"
        value={ground ?? 'flat'}
        disabled={ground === null}
        choices={[
          { value: 'flat', words: 'Flat, that of the clips' },
          { value: 'slope', words: 'Slope' },
          { value: 'waves', words: 'Waves' },
          { value: 'steps', words: 'Steps' },
        ]}
        change={(name) => inspector.change({ ground: name as GroundName })}
      />
      <div role="status">{fault !== '' && <Note>{fault}</Note>}</div>
    </Section>
  );
}

function Springs({ inspector }: { readonly inspector: Inspector }): JSX.Element {
  const [model, opened, { springs, node }] = [inspector.model.value, inspector.opened.value, inspector.view.value];
  const joints = model?.joints ?? [];
  const found = swinging(joints);
  const free = found.filter(({ index }) => springs.every((each) => each.node !== index));
  const ofFile = opened ? fileSprings(opened.index.json) : [];
  /** Changes the list of now: two changes may come before the panel is drawn again. */
  const set = (changed: (now: readonly SpringSetting[]) => readonly SpringSetting[], setting = 'springs'): void =>
    inspector.change({ springs: changed(inspector.view.peek().springs) }, setting);
  const add = (index: number): void => {
    if (springs.some((each) => each.node === index)) return;
    const own = ofFile.find((each) => each.node === index);
    const { name: _, ...numbers } = own ?? { ...SPRING, name: '', node: index };
    set((now) => [...now, { ...SPRING, ...numbers }]);
  };
  const nameOf = (index: number): string => joints[index]?.name || `Node ${index}`;
  return (
    <>
      <Section
        title="Springs"
        tools={
          <Button
            disabled={!model || inspector.body.shaking.value}
            title="Move the model to and fro, so that springs swing"
            press={() => inspector.body.shake()}
          >
            Shake
          </Button>
        }
      >
        <Note>A joint swings with all joints below it: tails, ears, hair, cloth.</Note>
        <Adder key={model?.name} joints={joints} selected={node} add={add} />
        {free.length > 0 && (
          <div class="buttons" role="group" aria-label="Joints that may swing, by their names">
            {free.slice(0, MOST_FOUND).map(({ index, name }) => (
              <Button key={index} title={pathOf(joints, index)} press={() => add(index)}>
                + {name}
              </Button>
            ))}
            {free.length > 1 && (
              <Button
                press={() =>
                  set((now) => [...now, ...free.map(({ index }): SpringSetting => ({ ...SPRING, node: index }))])
                }
              >
                + all {free.length}
              </Button>
            )}
          </div>
        )}
        <ul class="layers">
          {springs.map((spring) => (
            <Spring
              key={spring.node}
              inspector={inspector}
              spring={spring}
              name={nameOf(spring.node)}
              joints={joints}
              change={(changed, name) =>
                set(
                  (now) => now.map((each) => (each.node === spring.node ? { ...each, ...changed } : each)),
                  `${name} of ${nameOf(spring.node)}`,
                )
              }
              remove={() => set((now) => now.filter((each) => each.node !== spring.node))}
            />
          ))}
        </ul>
        {springs.length > 1 && <Button press={() => set(() => [])}>Remove all</Button>}
      </Section>
      {ofFile.length > 0 && (
        <Section title="Springs of the file">
          <ul class="plain-list">
            {ofFile.map(({ node: index, name, stiffness, drag, gravity }, i) => (
              <li key={i} class="row">
                <button
                  type="button"
                  class="link"
                  title={`stiffness ${stiffness}, drag ${drag}, gravity ${gravity}`}
                  onClick={() => inspector.change({ node: index, label: '' }, 'selection')}
                >
                  {nameOf(index)}
                  {name !== '' && ` (${name})`}
                </button>
                <Button disabled={springs.some((each) => each.node === index)} press={() => add(index)}>
                  Edit
                </Button>
              </li>
            ))}
          </ul>
          <Note>A spring of your own replaces that of the file until the file is opened again.</Note>
        </Section>
      )}
    </>
  );
}

/** The number of joints that are offered by their names. */
const MOST_FOUND = 8;

interface AdderProps {
  readonly joints: readonly JointInfo[];
  readonly selected: number | null;
  add(index: number): void;
}

/** A field with completion, and the node that is selected in the outline or the picture. */
function Adder({ joints, selected, add }: AdderProps): JSX.Element {
  const id = useId();
  const [words, setWords] = useState('');
  const parents = new Set(joints.map(({ parent }) => parent));
  const tops = joints.filter(({ index }) => parents.has(index));
  const asked = words.trim();
  const chosen =
    tops.find(({ name, index }) => name === asked || pathOf(joints, index) === asked) ??
    tops.find(({ index }) => asked !== '' && pathOf(joints, index).endsWith(`/${asked}`));
  const pick = tops.find(({ index }) => index === selected);
  const submit = (): void => {
    if (!chosen) return;
    add(chosen.index);
    setWords('');
  };
  return (
    <>
      <form
        class="spring-adder"
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <input
          type="text"
          list={id}
          placeholder="Joint or path, such as Hips/Tail1"
          aria-label="Joint at which the chain begins"
          autocomplete="off"
          value={words}
          onInput={({ currentTarget }) => setWords(currentTarget.value)}
        />
        <datalist id={id}>
          {tops.map(({ index, name }) => (
            <option key={index} value={name === '' ? pathOf(joints, index) : name}>
              {pathOf(joints, index)}
            </option>
          ))}
        </datalist>
        <Button disabled={!chosen} press={submit}>
          Add
        </Button>
      </form>
      {pick && <Button press={() => add(pick.index)}>Add the selected {pick.name || `node ${pick.index}`}</Button>}
    </>
  );
}

interface SpringProps {
  readonly inspector: Inspector;
  readonly spring: SpringSetting;
  readonly name: string;
  readonly joints: readonly JointInfo[];
  change(changed: Partial<SpringSetting>, name: string): void;
  remove(): void;
}

function Spring({ inspector, spring, name, joints, change, remove }: SpringProps): JSX.Element {
  const fault = inspector.body.springFaults.value[spring.node];
  const { viewer } = inspector;
  const slider = (
    key: 'stiffness' | 'drag' | 'gravity' | 'radius',
    label: string,
    title: string,
    most: number,
    digits = 2,
  ): JSX.Element => (
    <Slider
      label={label}
      title={title}
      value={spring[key]}
      least={0}
      most={Math.max(most, spring[key])}
      words={(value) => value.toFixed(digits)}
      change={(value) => change({ [key]: value }, key)}
    />
  );
  return (
    <li>
      <div class="row spring-head">
        <button
          type="button"
          class="link"
          title={pathOf(joints, spring.node)}
          onClick={() => inspector.change({ node: spring.node, label: '' }, 'selection')}
        >
          {name}
        </button>
        <IconButton icon="close" label={`Remove the spring of ${name}`} press={remove} />
      </div>
      {slider('stiffness', 'Stiffness', 'The force back to the animated direction', 4)}
      {slider('drag', 'Drag', 'The velocity that is lost in each step of 1/60 s', 1)}
      {slider('gravity', 'Gravity', 'The strength of gravity', 2)}
      <Select
        label="Keeps off"
        title="A collider: the chain does not come nearer to this joint than the radius"
        value={String(spring.collider ?? '')}
        choices={[
          { value: '', words: 'Nothing' },
          ...joints.map(({ index, name: words }) => ({ value: String(index), words: words || `Node ${index}` })),
        ]}
        change={(index) => change({ collider: index === '' ? null : Number(index) }, 'collider')}
      />
      {spring.collider !== null &&
        slider(
          'radius',
          'Radius',
          'The distance from the collider, in metres',
          0.4 * (viewer ? heightOf(viewer) : 1),
          3,
        )}
      {fault !== undefined && <Note>{fault}</Note>}
    </li>
  );
}
