// The curve of a finding as a small picture: a coordinate over time, with the seam of a loop in its middle.

import type { JSX } from 'preact';
import type { FindingPlot } from 'gambol/tools';
import { measured } from './words.ts';

const [WIDTH, HEIGHT, MARGIN] = [280, 96, 10];

export function Plot({ plot, label }: { readonly plot: FindingPlot; readonly label: string }): JSX.Element {
  const { times, values, unit } = plot;
  const [begin, end] = [times[0] ?? 0, times.at(-1) ?? 1];
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const x = (time: number): number => MARGIN + ((WIDTH - 2 * MARGIN) * (time - begin)) / (end - begin || 1);
  const y = (value: number): number =>
    HEIGHT - MARGIN - ((HEIGHT - 2 * MARGIN) * (value - least)) / (most - least || 1);
  // The seam is the time that occurs twice: the end of a pass, and the start of the next.
  const seam = times.findIndex((time, i) => time === times[i + 1]);
  const parts =
    seam < 0
      ? [[0, times.length]]
      : [
          [0, seam + 1],
          [seam + 1, times.length],
        ];
  const points = ([from, to]: readonly number[]): string =>
    times
      .slice(from, to)
      .map((time, i) => `${x(time).toFixed(1)},${y(values[(from ?? 0) + i] ?? 0).toFixed(1)}`)
      .join(' ');
  const [before, after] = [values[seam] ?? 0, values[seam + 1] ?? 0];
  const range = measured({ value: most - least, unit });
  return (
    <figure class="doctor-plot">
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={`${label}. The curve spans ${range}.`}>
        {seam >= 0 && <line class="seam" x1={x(0)} x2={x(0)} y1={2} y2={HEIGHT - 2} />}
        {parts.map((part) => (
          <polyline key={String(part)} points={points(part)} />
        ))}
        {seam >= 0 && before !== after && <line class="gap" x1={x(0)} x2={x(0)} y1={y(before)} y2={y(after)} />}
        {seam >= 0 && [before, after].map((value, i) => <circle key={i} class="gap" cx={x(0)} cy={y(value)} r={3} />)}
      </svg>
      <figcaption>
        <span>{seam >= 0 ? `end, last ${measured({ value: -begin, unit: 's' })}` : `${begin.toFixed(2)} s`}</span>
        <span>{range}</span>
        <span>{seam >= 0 ? `start, first ${measured({ value: end, unit: 's' })}` : `${end.toFixed(2)} s`}</span>
      </figcaption>
    </figure>
  );
}
