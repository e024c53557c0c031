// Figures of frames, and a graph of frame times.

import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Stats } from 'gambol';
import { byteSize, count } from '../../app/format.ts';
import type { Inspector } from '../inspector.ts';
import { Facts, Note, Section, type Fact } from '../ui.tsx';

/** Frames in the graph. */
const FRAMES = 240;
/** The height of the graph in ms, and its lines. */
const HIGHEST = 40;
const LINES = [1000 / 60, 1000 / 30];
/** The pause between updates of the figures, in ms. */
const PAUSE = 250;

const ROWS: readonly (readonly [term: string, words: (now: Stats) => string])[] = [
  ['CPU animation', ({ updateTime }) => `${updateTime.toFixed(2)} ms`],
  ['CPU drawing', ({ drawTime }) => `${drawTime.toFixed(2)} ms`],
  ['Draw calls', ({ drawCalls }) => count(drawCalls)],
  ['Triangles', ({ triangles }) => count(triangles)],
  ['State changes', ({ stateChanges }) => count(stateChanges)],
  ['Upload per frame', ({ uploadedBytes }) => byteSize(uploadedBytes)],
  ['Joint matrices', ({ paletteBytes }) => byteSize(paletteBytes)],
  ['Joints and nodes', ({ joints }) => count(joints)],
  ['Buffers', ({ live }) => count(live.buffers)],
  ['Textures', ({ live }) => count(live.textures)],
  ['Shader programs', ({ live }) => count(live.programs)],
  ['Wasm memory', ({ memoryBytes }) => byteSize(memoryBytes)],
];

export function Statistics({ inspector }: { readonly inspector: Inspector }): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [facts, setFacts] = useState<readonly Fact[]>([]);
  useEffect(() => {
    const times: number[] = [];
    let [before, frames, shownAt, request] = [performance.now(), 0, 0, 0];
    const tick = (now: number): void => {
      request = requestAnimationFrame(tick);
      const drawn = inspector.viewer?.stats.frames ?? 0;
      // Only frames that the viewer drew count: a picture at rest is not drawn again.
      if (drawn !== frames) {
        times.push(now - before);
        if (times.length > FRAMES) times.shift();
      }
      [before, frames] = [now, drawn];
      if (canvas.current) plot(canvas.current, times);
      if (now - shownAt < PAUSE) return;
      shownAt = now;
      const stats = inspector.viewer?.stats;
      if (!stats) return setFacts([]);
      const last = times.slice(-60);
      const mean = last.reduce((sum, time) => sum + time, 0) / Math.max(1, last.length);
      setFacts([
        ['Frames per second', last.length === 0 ? '–' : count(Math.round(1000 / mean))],
        ['Longest of them', last.length === 0 ? '–' : `${Math.max(...last).toFixed(1)} ms`],
        ...ROWS.map(([term, words]): Fact => [term, words(stats)]),
      ]);
    };
    request = requestAnimationFrame(tick);
    return () => cancelAnimationFrame(request);
  }, [inspector]);
  return (
    <>
      <Section title="Frame time">
        <canvas
          class="graph"
          ref={canvas}
          width="560"
          height="160"
          role="img"
          aria-label="Frame times; the figures are below"
        />
        <Note>The lines are 60 and 30 frames per second.</Note>
      </Section>
      <Section title="Figures">
        <Facts facts={facts} />
      </Section>
    </>
  );
}

function plot(canvas: HTMLCanvasElement, times: readonly number[]): void {
  const context = canvas.getContext('2d');
  if (!context) return;
  const { width, height } = canvas;
  const style = getComputedStyle(canvas);
  const y = (time: number): number => height - (Math.min(time, HIGHEST) / HIGHEST) * height;
  context.clearRect(0, 0, width, height);
  context.fillStyle = style.getPropertyValue('--line');
  for (const line of LINES) context.fillRect(0, y(line), width, 2);
  context.fillStyle = style.getPropertyValue('--accent');
  const step = width / FRAMES;
  times.forEach((time, i) => context.fillRect(i * step, y(time), Math.max(1, step - 0.5), height - y(time)));
}
