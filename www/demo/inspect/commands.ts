// The commands of the inspector: the palette finds them by words, and keys run some of them.

import { ENVIRONMENTS } from './environments.ts';
import type { Inspector } from './inspector.ts';
import { closeAll } from './layout.ts';
import { OVERLAY_WORDS } from './panels/debug.tsx';
import { PANELS, togglePanel } from './panels.tsx';
import { sampleMachine } from './states/sample.ts';

export interface Command {
  readonly name: string;
  /** Other terms by which it is found. */
  readonly words?: string;
  readonly key?: string;
  run(): void;
}

interface Actions {
  open(): void;
  sample(): void;
  help(): void;
  theme(): void;
}

export function commands(inspector: Inspector, actions: Actions): Command[] {
  const { player } = inspector;
  const view = inspector.view.peek();
  return [
    ...PANELS.map((panel) => ({
      name: `Panel: ${panel.name}`,
      words: panel.words,
      ...(panel.key === undefined ? {} : { key: panel.key.toUpperCase() }),
      run: () => togglePanel(panel, true, true),
    })),
    { name: 'Open a model …', words: 'file, folder, zip, URL, load', key: 'O', run: actions.open },
    { name: 'Open the sample character', words: 'Pip, fox', run: actions.sample },
    { name: 'Close all panels', words: 'hide', key: 'Esc', run: closeAll },
    { name: 'Undo', key: 'Ctrl Z', run: () => inspector.undo() },
    { name: 'Redo', key: 'Ctrl Shift Z', run: () => inspector.redo() },
    { name: 'Save the file with edits', words: 'download, export, GLB', run: () => void inspector.edits.save() },
    { name: 'Reset all settings', words: 'defaults', run: () => inspector.reset() },
    {
      name: 'Play or pause',
      words: 'animation',
      key: 'Space',
      run: () => void (player.paused ? player.play() : player.pause()),
    },
    { name: 'Frame the model', words: 'fit, reset the view', key: 'H', run: () => void player.updateFraming() },
    { name: 'Light or dark theme', words: 'appearance', run: actions.theme },
    { name: 'Keyboard shortcuts', words: 'help, keys', key: '?', run: actions.help },
    ...inspector.clips.peek().map(({ id }) => ({
      name: `Play clip: ${id}`,
      words: 'animation',
      run: () => {
        inspector.change({ clip: id, blend: null }, 'clip');
        void player.play();
      },
    })),
    {
      name: 'Sample state machine',
      words: 'states, inputs, animator controller, FSM',
      run: () => {
        const sample = sampleMachine(inspector.clips.peek(), inspector.model.peek()?.joints ?? []);
        if (sample !== null) inspector.machine.play(sample);
      },
    },
    ...(['flat', 'slope', 'waves', 'steps'] as const).map((ground) => ({
      name: `Feet on the ground: ${ground}`,
      words: 'foot IK, terrain',
      run: () => inspector.change({ ground }),
    })),
    { name: 'Shake the model', words: 'springs, jiggle, spring bones', run: () => inspector.body.shake() },
    ...(inspector.model.peek()?.expressions ?? [])
      .filter(({ kind }) => kind === 'emotion' || kind === 'custom')
      .map(({ name }) => ({
        name: `Expression: ${name}`,
        words: 'face, emotion, blend shape',
        run: () => inspector.change({ expressions: { [name]: 1 } }, `expression ${name}`),
      })),
    ...OVERLAY_WORDS.map(([overlay, words]) => ({
      name: `Debug view: ${words}`,
      words: 'overlay, show, hide',
      run: () =>
        inspector.change({
          overlays: view.overlays.includes(overlay)
            ? view.overlays.filter((each) => each !== overlay)
            : [...view.overlays, overlay],
        }),
    })),
    ...(['neutral', 'agx', 'aces', 'none'] as const).map((toneMapping) => ({
      name: `Tone mapping: ${toneMapping}`,
      words: 'ACESFilmicToneMapping, AgXToneMapping, NeutralToneMapping, NoToneMapping',
      run: () => inspector.change({ toneMapping }),
    })),
    ...ENVIRONMENTS.map(([environment]) => ({
      name: `Environment: ${environment}`,
      words: 'light, IBL, PMREM',
      run: () => inspector.change({ environment }),
    })),
    ...(['linear', 'dual-quaternion'] as const).map((skinning) => ({
      name: `Skinning: ${skinning}`,
      words: 'SkinnedMesh, DQS, LBS',
      run: () => inspector.change({ skinning }),
    })),
    ...[
      ['Learn: guides', './learn/'],
      ['API reference', './api/index.html'],
      ['Examples', './examples/index.html'],
      ['Compare players', './compare.html'],
    ].map(([name = '', address = '']) => ({ name, words: 'docs, documentation', run: () => location.assign(address) })),
  ];
}

/** The commands that fit the words, the best first. All words must occur, in any order. */
export function found(all: readonly Command[], text: string): Command[] {
  const wanted = text.toLowerCase().split(/\s+/).filter(Boolean);
  const score = ({ name, words = '' }: Command): number => {
    const [title, rest] = [name.toLowerCase(), words.toLowerCase()];
    let sum = 0;
    for (const word of wanted) {
      if (title.startsWith(word)) sum += 4;
      else if (title.includes(` ${word}`)) sum += 3;
      else if (title.includes(word)) sum += 2;
      else if (rest.includes(word)) sum += 1;
      else return 0;
    }
    return sum;
  };
  if (wanted.length === 0) return [...all];
  return all
    .map((command) => ({ command, points: score(command) }))
    .filter(({ points }) => points > 0)
    .sort((one, other) => other.points - one.points)
    .map(({ command }) => command);
}
