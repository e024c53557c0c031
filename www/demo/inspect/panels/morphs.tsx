// Morph targets by name, with a slider each.

import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { MorphInfo } from 'gambol';
import type { Inspector } from '../inspector.ts';
import { Button, IconButton, Note, Slider } from '../ui.tsx';

/** The number of morphs above which the list has a search. */
const MANY = 12;
/** The pause between updates of the animated weights, in ms. */
const PAUSE = 100;

export function Morphs({ inspector }: { readonly inspector: Inspector }): JSX.Element {
  const model = inspector.model.value;
  const [query, setQuery] = useState('');
  const { morphs: set } = inspector.view.value;
  const morphs = model?.morphs ?? [];
  const shown = morphs.filter(({ name }) => name.toLowerCase().includes(query.trim().toLowerCase()));
  const animated = useAnimatedWeights(inspector, shown);
  if (morphs.length === 0) return <Note>This model has no morph targets (shape keys, blend shapes).</Note>;
  const change = (name: string, weight: number | null): void => {
    const { [name]: _, ...others } = set;
    inspector.change({ morphs: weight === null ? others : { ...others, [name]: weight } }, `morph ${name}`);
  };
  return (
    <>
      {morphs.length > MANY && (
        <input
          class="search"
          type="search"
          placeholder="Find a morph target"
          aria-label="Find a morph target"
          value={query}
          onInput={({ currentTarget }) => setQuery(currentTarget.value)}
        />
      )}
      <Note>A weight that you set overrides the clips until you return it.</Note>
      {shown.map(({ name, range: [least, most] }) => {
        const own = set[name];
        return (
          <Slider
            key={name}
            label={name}
            value={own ?? animated[name] ?? 0}
            least={least}
            most={most}
            words={(weight) => weight.toFixed(2)}
            change={(weight) => change(name, weight)}
            after={
              <IconButton
                icon="close"
                label={`Return ${name} to the clips`}
                disabled={own === undefined}
                press={() => change(name, null)}
              />
            }
          />
        );
      })}
      {Object.keys(set).length > 0 && (
        <Button press={() => inspector.change({ morphs: {} }, 'all morphs')}>Return all to the clips</Button>
      )}
    </>
  );
}

/** The weights in the current pose. */
function useAnimatedWeights(inspector: Inspector, morphs: readonly MorphInfo[]): Readonly<Record<string, number>> {
  const [weights, setWeights] = useState<Readonly<Record<string, number>>>({});
  const names = morphs.map(({ name }) => name).join('\n');
  useEffect(() => {
    const read = (): void => {
      const { viewer } = inspector;
      if (!viewer?.model || names === '') return;
      setWeights(Object.fromEntries(names.split('\n').map((name) => [name, viewer.morph(name).weight])));
    };
    read();
    const timer = setInterval(read, PAUSE);
    return () => clearInterval(timer);
  }, [inspector, names]);
  return weights;
}
