// A state machine for the clips of a model, to begin with.

import type { Clip, JointInfo } from 'gambol';
import { spaced } from '../json-text.ts';
import { waver } from '../panels/mixing.tsx';

/** The number of clips with a trigger of their own. */
const MOST_TRIGGERS = 2;
/** The number of clips of a machine without known names. */
const MOST_STATES = 5;

/** The JSON of the machine; null without clips. */
export function sampleMachine(clips: readonly Clip[], joints: readonly JointInfo[]): string | null {
  // Machines find clips by name, and of several the first.
  const names = [...new Set(clips.map(({ name }) => name))].filter((name) => name !== '');
  const find = (pattern: RegExp): string | undefined => names.find((name) => pattern.test(name));
  const [idle, walk, run] = [find(/idle|stand|breath/i), find(/walk/i), find(/run|jog|gallop|trot/i)];
  if (names.length === 0) return null;
  const machine = idle !== undefined && walk !== undefined ? moving(names, idle, walk, run, joints) : ring(names);
  return spaced({ format: 'gambol-states', version: 1, ...machine });
}

/** Standing and moving by a speed; other clips play once by a trigger, and a wave plays on the arm alone. */
function moving(
  names: readonly string[],
  idle: string,
  walk: string,
  run: string | undefined,
  joints: readonly JointInfo[],
): object {
  const arm = waver(joints);
  const wave = arm && names.find((name) => /wave|greet/i.test(name));
  const once = names.filter((name) => ![idle, walk, run, wave].includes(name)).slice(0, MOST_TRIGGERS);
  const move =
    run === undefined
      ? { clip: walk }
      : {
          blend: {
            by: 'speed',
            clips: [
              [walk, 1],
              [run, 3],
            ],
          },
        };
  const layers: object[] = [
    {
      name: 'base',
      states: {
        Idle: { clip: idle },
        Move: move,
        ...Object.fromEntries(once.map((name) => [stateName(name), { clip: name, loop: 'once' }])),
      },
      transitions: [
        { from: 'Idle', to: 'Move', when: [{ input: 'speed', op: '>', value: 0.1 }] },
        { from: 'Move', to: 'Idle', when: [{ input: 'speed', op: '<=', value: 0.1 }] },
        ...once.flatMap((name) => [
          { from: ANY_STATE, to: stateName(name), when: [{ input: trigger(name) }] },
          { from: stateName(name), to: 'Idle', exitTime: 1 },
        ]),
      ],
    },
  ];
  if (arm && wave !== undefined)
    layers.push({
      name: 'arm',
      mask: `${arm.name.replace(/[\\*!/]/g, '\\$&')}/**`,
      states: { Rest: {}, [stateName(wave)]: { clip: wave, loop: 'once' } },
      transitions: [
        { from: 'Rest', to: stateName(wave), when: [{ input: trigger(wave) }] },
        { from: stateName(wave), to: 'Rest', exitTime: 1, mode: 'crossfade' },
      ],
    });
  const triggers = [...once, ...(wave === undefined ? [] : [wave])];
  return {
    inputs: {
      speed: { type: 'number' },
      ...Object.fromEntries(triggers.map((name) => [trigger(name), { type: 'trigger' }])),
    },
    layers,
  };
}

/** The first clips, one after the other, by a trigger. */
function ring(names: readonly string[]): object {
  const states = names.slice(0, MOST_STATES);
  return {
    inputs: { next: { type: 'trigger' } },
    layers: [
      {
        name: 'base',
        states: Object.fromEntries(states.map((name) => [stateName(name), { clip: name }])),
        transitions:
          states.length < 2
            ? []
            : states.map((name, i) => ({
                from: stateName(name),
                to: stateName(states[(i + 1) % states.length] ?? ''),
                when: [{ input: 'next' }],
              })),
      },
    ],
  };
}

const ANY_STATE = '*';

/** Paths of states have slashes between the names, and a star is any state. */
function stateName(clip: string): string {
  return clip.replace(/[/*]/g, '-');
}

function trigger(clip: string): string {
  return stateName(clip).replace(/^./, (letter) => letter.toLowerCase());
}
