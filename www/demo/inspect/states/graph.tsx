// The drawing of a state graph: boxes for states, arrows for transitions. A box selects its state.

import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { BOX, layOut, WIDTH } from './graph-layout.ts';
import { ANY, type StateGraph } from './machine-file.ts';

interface Props {
  readonly graph: StateGraph;
  readonly label: string;
  /** The active state; undefined if the machine is in another graph. */
  readonly active: string | undefined;
  /** The state that was left in the transition under way. */
  readonly left: string | undefined;
  readonly selected: string | null;
  select(name: string | null): void;
}

/** The number of characters that fit in a box. */
const FITTING = 13;

export function Graph({ graph, label, active, left, selected, select }: Props): JSX.Element {
  const head = useId();
  const { states, arrows, height } = layOut(graph);
  return (
    <svg class="states-graph" viewBox={`0 0 ${WIDTH} ${height}`} role="group" aria-label={label}>
      <defs>
        <marker id={head} viewBox="0 0 8 8" refX="4" refY="4" markerWidth="7" markerHeight="7" orient="auto">
          <path d="M0 0.500 8 4 0 7.500Z" fill="context-stroke" />
        </marker>
      </defs>
      {arrows.map(({ from, to, path, transitions }) => (
        <path
          key={`${from}\n${to}`}
          class={`states-arrow${from === selected || to === selected ? ' selected' : ''}${
            left !== undefined && (from === left || from === ANY) && to === active ? ' active' : ''
          }`}
          d={path}
          marker-end={`url(#${head})`}
        >
          <title>{transitions.map(({ when }) => `${words(from)} → ${to}: ${when || 'at once'}`).join('\n')}</title>
        </path>
      ))}
      {states.map(({ name, x, y }) => {
        const state = graph.states.find((each) => each.name === name);
        return (
          <g
            key={name}
            class={`states-box${name === active ? ' active' : ''}${name === selected ? ' selected' : ''}`}
            role="button"
            tabIndex={0}
            aria-pressed={name === selected}
            aria-label={name === active ? `${words(name)}, active` : words(name)}
            onClick={() => select(name === selected ? null : name)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' && event.key !== ' ') return;
              event.preventDefault();
              event.stopPropagation();
              select(name === selected ? null : name);
            }}
          >
            <title>{state ? `${name}: ${state.words}` : 'Transitions from any state'}</title>
            <rect
              x={x - BOX.width / 2}
              y={y - BOX.height / 2}
              width={BOX.width}
              height={BOX.height}
              rx={name === ANY ? BOX.height / 2 : 8}
            />
            {state?.graph && (
              <rect
                class="states-inner"
                x={x - BOX.width / 2 + 3}
                y={y - BOX.height / 2 + 3}
                width={BOX.width - 6}
                height={BOX.height - 6}
                rx="5"
              />
            )}
            <text x={x} y={y}>
              {short(words(name))}
            </text>
          </g>
        );
      })}
    </svg>
  );
}

function words(name: string): string {
  return name === ANY ? 'Any state' : name;
}

function short(name: string): string {
  return name.length > FITTING ? `${name.slice(0, FITTING - 1)}…` : name;
}
