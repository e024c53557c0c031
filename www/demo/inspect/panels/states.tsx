// State machines: the machine, its inputs, its layers with their graphs, and its last events.

import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { seconds } from '../../app/format.ts';
import type { Inspector } from '../inspector.ts';
import { usePolled } from '../polled.ts';
import { MachineEditor } from '../states/editor.tsx';
import { Graph } from '../states/graph.tsx';
import { ANY, type MachineInput, type MachineLayer, type StateGraph } from '../states/machine-file.ts';
import type { Running } from '../states/machine.ts';
import { sampleMachine } from '../states/sample.ts';
import { Button, Check, Note, Section, Slider } from '../ui.tsx';
import { DEFAULTS } from '../view.ts';
import { Findings } from './report.tsx';

/** The pause between updates of states and progress, in ms. */
const PAUSE = 80;

export function StatesPanel({ inspector }: { readonly inspector: Inspector }): JSX.Element {
  const running = inspector.machine.running.value;
  return (
    <>
      <Source inspector={inspector} />
      {running && <Inputs inspector={inspector} running={running} />}
      {running?.file.layers.map((layer) => (
        <Layer key={`${running.text}\n${layer.name}`} inspector={inspector} running={running} layer={layer} />
      ))}
      {running && <Log inspector={inspector} />}
    </>
  );
}

/** The machine: a sample, a file, or a text. */
function Source({ inspector }: { readonly inspector: Inspector }): JSX.Element {
  const { machine } = inspector;
  const input = useRef<HTMLInputElement>(null);
  const [editing, setEditing] = useState<string | null>(null);
  const [clips, model, { states }] = [inspector.clips.value, inspector.model.value, inspector.view.value];
  const [draft, faults] = [machine.draft.value, machine.faults.value];
  const sample = sampleMachine(clips, model?.joints ?? []);
  const edit = (pointer: string): void => {
    machine.draft.value ||= sample ?? '{}';
    setEditing(pointer);
  };
  return (
    <Section title="State machine">
      {states === '' && (
        <Note>A state machine chooses the clips by its inputs. It plays in the place of the clip.</Note>
      )}
      <div class="buttons">
        {states !== '' && <Button press={() => inspector.change({ states: '' }, 'state machine')}>Stop</Button>}
        {states === '' && draft !== '' && (
          <Button primary press={() => machine.play(draft)}>
            Start again
          </Button>
        )}
        {sample !== null && states !== sample && (
          <Button
            primary={states === '' && draft === ''}
            title="A machine of the clips of this model"
            press={() => machine.play(sample)}
          >
            Sample machine
          </Button>
        )}
        <Button press={() => edit('')}>Edit JSON …</Button>
        <Button press={() => input.current?.click()}>Open a file …</Button>
      </div>
      <input
        ref={input}
        type="file"
        accept=".json,application/json"
        aria-label="File of a state machine"
        hidden
        onChange={({ currentTarget }) => {
          const [file] = currentTarget.files ?? [];
          void file?.text().then((text) => machine.play(text));
          currentTarget.value = '';
        }}
      />
      {sample === null && <Note>This model has no clips for a sample machine.</Note>}
      <Findings findings={faults} open={edit} />
      {editing !== null && <MachineEditor inspector={inspector} pointer={editing} close={() => setEditing(null)} />}
    </Section>
  );
}

interface RunningProps {
  readonly inspector: Inspector;
  readonly running: Running;
}

function Inputs({ inspector, running }: RunningProps): JSX.Element | null {
  const { inputs } = running.file;
  const set = inspector.view.value.inputs;
  const fired = usePolled(
    () => inputs.filter(({ name, type }) => type === 'trigger' && running.states.inputs[name]).map(({ name }) => name),
    PAUSE,
    [running],
  );
  if (inputs.length === 0) return null;
  const change = (name: string, value: number | boolean): void =>
    inspector.change({ inputs: { ...set, [name]: value } }, `input ${name}`);
  const of = (type: MachineInput['type']): MachineInput[] => inputs.filter((input) => input.type === type);
  return (
    <Section title="Inputs">
      {of('number').map(({ name, initial, least, most }) => (
        <Slider
          key={name}
          label={name}
          value={Number(set[name] ?? initial)}
          least={least}
          most={most}
          words={(value) => value.toFixed(2)}
          change={(value) => change(name, value)}
        />
      ))}
      <div class="checks">
        {of('boolean').map(({ name, initial }) => (
          <Check key={name} label={name} checked={Boolean(set[name] ?? initial)} change={(on) => change(name, on)} />
        ))}
      </div>
      <div class="buttons">
        {of('trigger').map(({ name }) => (
          <Button
            key={name}
            primary={fired.includes(name)}
            title={fired.includes(name) ? 'Fired: it waits for a transition' : 'Fire this trigger'}
            press={() => !running.states.removed && running.states.fire(name)}
          >
            {name}
          </Button>
        ))}
      </div>
      {set !== DEFAULTS.inputs && Object.keys(set).length > 0 && (
        <Button press={() => inspector.change({ inputs: {} }, 'inputs')}>Reset the inputs</Button>
      )}
    </Section>
  );
}

function Layer({ inspector, running, layer }: RunningProps & { readonly layer: MachineLayer }): JSX.Element {
  const { states } = running;
  const { path, left, progress } = usePolled(
    () => {
      const change = inspector.machine.changes.get(layer.name);
      const share = change && change.duration > 0 ? (states.time - change.time) / change.duration : 1;
      return {
        path: states.removed ? '' : states.current(layer.name),
        left: share < 1 ? (change?.from ?? null) : null,
        progress: Math.min(1, Math.max(0, share)),
      };
    },
    PAUSE,
    [running],
  );
  /** The names of the machines within which the graph is shown. */
  const [inside, setInside] = useState<readonly string[]>([]);
  const [selected, setSelected] = useState<string | null>(null);
  let graph: StateGraph = layer.graph;
  for (const name of inside) graph = graph.states.find((state) => state.name === name)?.graph ?? graph;
  const enter = (path: readonly string[]): void => {
    setInside(path);
    setSelected(null);
  };
  /** The part of a path that is a state of the shown graph. */
  const here = (path: string | null): string | undefined => {
    const names = path?.split('/') ?? [];
    return inside.every((name, i) => names[i] === name) ? names[inside.length] : undefined;
  };
  return (
    <Section title={`Layer ${layer.name}`}>
      <p class="states-now">
        <span>{left === null ? path : `${left} → ${path}`}</span>
        <progress max="1" value={progress} aria-label={`Transition of layer ${layer.name}`} hidden={left === null} />
      </p>
      {inside.length > 0 && (
        <nav class="buttons" aria-label={`Machines of layer ${layer.name}`}>
          <Button press={() => enter([])}>{layer.name}</Button>
          {inside.map((name, i) => (
            <Button key={name} disabled={i === inside.length - 1} press={() => enter(inside.slice(0, i + 1))}>
              {name}
            </Button>
          ))}
        </nav>
      )}
      <Graph
        graph={graph}
        label={`States of layer ${layer.name}`}
        active={here(path)}
        left={here(left)}
        selected={selected}
        select={setSelected}
      />
      {selected !== null && <Selected graph={graph} name={selected} enter={() => enter([...inside, selected])} />}
    </Section>
  );
}

interface SelectedProps {
  readonly graph: StateGraph;
  readonly name: string;
  enter(): void;
}

/** The content of a state, and its transitions. */
function Selected({ graph, name, enter }: SelectedProps): JSX.Element {
  const state = graph.states.find((each) => each.name === name);
  const transitions = graph.transitions.filter(({ from, to }) => from === name || to === name);
  return (
    <div role="status">
      <Note>
        <strong>{name === ANY ? 'Any state' : name}</strong>
        {state && `: ${state.words}`}
        {name === graph.initial && ', initial'}
      </Note>
      {state?.graph && <Button press={enter}>Show the states inside</Button>}
      <ul class="states-list">
        {transitions.map(({ from, to, when, mode, duration }, i) => (
          <li key={i}>
            <strong>{from === name ? `→ ${to}` : `← ${from === ANY ? 'any state' : from}`}</strong> {when || 'at once'}
            <span> · {mode === 'cut' ? 'cut' : `${mode}, ${duration} s`}</span>
          </li>
        ))}
      </ul>
      {transitions.length === 0 && <Note>It has no transitions.</Note>}
    </div>
  );
}

function Log({ inspector }: { readonly inspector: Inspector }): JSX.Element {
  const entries = inspector.machine.log.value;
  return (
    <Section title="Events">
      <ol class="states-log" tabIndex={0} aria-label="Last events, the newest first">
        {entries.map(({ event, layer, words, time }, i) => (
          <li key={entries.length - i}>
            <span>{seconds(time)} s</span> <code>{event}</code> {layer}: {words}
          </li>
        ))}
      </ol>
    </Section>
  );
}
