// Code that shows on a page what the inspector shows.

import type { Inspector } from './inspector.ts';
import { DEFAULTS, type View } from './view.ts';

export type Embed = 'element' | 'react' | 'api';
export const EMBEDS: readonly (readonly [kind: Embed, words: string])[] = [
  ['element', 'HTML: <gambol-viewer>'],
  ['react', 'React'],
  ['api', 'JavaScript: createViewer()'],
];

/** The attributes of the element for a view, by kebab-case name; `true` for attributes without a value. */
function attributes(view: View, source: string, clip: string | null): Record<string, string | true> {
  const given = <K extends keyof View>(
    key: K,
    name: string,
    words: (value: View[K]) => string | true,
  ): [string, string | true][] => (view[key] === DEFAULTS[key] ? [] : [[name, words(view[key])]]);
  const debug = [view.surface === 'weights' ? `weights:${view.weightsOf}` : view.surface, ...view.overlays]
    .join(' ')
    .trim();
  return Object.fromEntries([
    ['src', source],
    ['alt', 'An animated character'],
    ...(clip === null ? [] : [['animation-name', clip]]),
    ['autoplay', true],
    ['controls', true],
    ['camera-controls', true],
    ['shadow-intensity', String(view.shadow)],
    ...given('softness', 'shadow-softness', String),
    ...given('transition', 'transition', String),
    ...given('transitionDuration', 'animation-crossfade-duration', (seconds) => String(Math.round(1000 * seconds))),
    ...given('variant', 'variant-name', (variant) => variant ?? ''),
    ...given('fieldOfView', 'field-of-view', (degrees) => `${degrees}deg`),
    ...given('autoRotate', 'auto-rotate', () => true),
    ...given('skinning', 'skinning', String),
    ...given('exposure', 'exposure', (stops) => String(2 ** stops)),
    ...given('toneMapping', 'tone-mapping', String),
    ...(/^https?:/.test(view.environment) ? [['environment-image', view.environment]] : []),
    ...(debug === '' ? [] : [['debug', debug]]),
  ] as [string, string | true][]);
}

export function embedCode(kind: Embed, inspector: Inspector): string {
  const view = inspector.view.peek();
  const source = inspector.address.peek() ?? inspector.model.peek()?.name ?? 'hero.glb';
  const clip = inspector.viewer?.clip?.id ?? view.clip;
  const all = attributes(view, source.replace(/^\.\//, ''), clip);
  if (kind === 'element') return element(all, view);
  if (kind === 'react') return react(all);
  return api(all, view, clip);
}

function element(all: Record<string, string | true>, view: View): string {
  const lines = Object.entries(all).map(([name, value]) =>
    value === true ? `  ${name}` : `  ${name}="${escaped(value)}"`,
  );
  const layers = view.layers.map(
    ({ clip, mode, weight }) =>
      `  <gambol-layer animation-name="${escaped(clip)}" mode="${mode}" weight="${round(weight)}"></gambol-layer>\n`,
  );
  const morphs = Object.entries(view.morphs).map(
    ([name, weight]) => `  <gambol-morph name="${escaped(name)}" weight="${round(weight)}"></gambol-morph>\n`,
  );
  return `<script type="module" src="https://cdn.jsdelivr.net/npm/gambol/dist/element.js"></script>
<gambol-viewer
${lines.join('\n')}
>
${[...layers, ...morphs].join('')}</gambol-viewer>`;
}

function react(all: Record<string, string | true>): string {
  const lines = Object.entries(all).map(
    ([name, value]) => `      ${name}${value === true ? '' : `=${JSON.stringify(value)}`}`,
  );
  return `import 'gambol/element';
import type {} from 'gambol/react';

export function Character() {
  return (
    <gambol-viewer
${lines.join('\n')}
    />
  );
}`;
}

function api(all: Record<string, string | true>, view: View, clip: string | null): string {
  const lines = [
    `await viewer.load(${JSON.stringify(all['src'])});`,
    ...(view.exposure === DEFAULTS.exposure ? [] : [`viewer.exposure = ${2 ** view.exposure};`]),
    ...(view.toneMapping === DEFAULTS.toneMapping ? [] : [`viewer.toneMapping = '${view.toneMapping}';`]),
    `viewer.shadowIntensity = ${view.shadow};`,
    ...(view.skinning === DEFAULTS.skinning ? [] : [`viewer.skinning = '${view.skinning}';`]),
    ...(view.variant === null ? [] : [`viewer.variant = ${JSON.stringify(view.variant)};`]),
    ...(clip === null || view.blend ? [] : [`viewer.play(${JSON.stringify(clip)});`]),
    ...(view.blend
      ? [
          `const space = viewer.blendSpace({ clips: [[${JSON.stringify(view.blend.from)}, 0], [${JSON.stringify(view.blend.to)}, 1]] });`,
          `space.value = ${round(view.blend.value)};`,
          'viewer.play(space);',
        ]
      : []),
    ...Object.entries(view.morphs).map(
      ([name, weight]) => `viewer.morph(${JSON.stringify(name)}).weight = ${round(weight)};`,
    ),
    ...view.layers.map(
      ({ clip: id, mode, weight }) =>
        `viewer.layers.add(${JSON.stringify(id)}, { mode: '${mode}', weight: ${round(weight)} });`,
    ),
  ];
  return `import { createViewer } from 'gambol';

const viewer = await createViewer(document.querySelector('canvas'));
${lines.join('\n')}`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
