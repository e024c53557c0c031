// Debug views: surfaces and overlays.

import type { JSX } from 'preact';
import type { Inspector } from '../inspector.ts';
import { Check, Note, Section, Select, type Choice } from '../ui.tsx';

const SURFACES: readonly Choice[] = [
  { value: '', words: 'Materials' },
  ...group('Mesh', {
    normals: 'Normals',
    tangents: 'Tangents',
    uv: 'UV coordinates',
    weights: 'Skin weights of a joint',
    'vertex-colors': 'Vertex colours',
  }),
  ...group('Material', {
    'base-color': 'Base colour',
    alpha: 'Alpha',
    metallic: 'Metallic',
    roughness: 'Roughness',
    'shading-normals': 'Normals with normal map',
    occlusion: 'Occlusion',
    emissive: 'Emissive',
  }),
  ...group('Material extensions', {
    specular: 'Specular',
    'specular-color': 'Specular colour',
    clearcoat: 'Clearcoat',
    'clearcoat-roughness': 'Clearcoat roughness',
    sheen: 'Sheen',
    'sheen-roughness': 'Sheen roughness',
    transmission: 'Transmission',
    thickness: 'Thickness',
    iridescence: 'Iridescence',
    anisotropy: 'Anisotropy',
    'diffuse-transmission': 'Diffuse transmission',
    'diffuse-transmission-color': 'Diffuse transmission colour',
  }),
];

export const OVERLAY_WORDS: readonly (readonly [overlay: string, words: string])[] = [
  ['skeleton', 'Skeleton'],
  ['names', 'Joint names'],
  ['wireframe', 'Wireframe'],
  ['bounds', 'Bounds'],
  ['normal-lines', 'Normals'],
  ['tangent-lines', 'Tangents'],
  ['bind-pose', 'Bind pose'],
  ['grid', 'Grid'],
];

export function Debug({ inspector }: { readonly inspector: Inspector }): JSX.Element {
  const { surface, weightsOf, overlays } = inspector.view.value;
  const all = inspector.model.value?.joints ?? [];
  const skinned = all.filter((joint) => joint.skinned);
  const joints = skinned.length > 0 ? skinned : all;
  // A head or spine is preferred, because the first joint often has no weights.
  const usual = (joints.find(({ name }) => /head|spine/i.test(name)) ?? joints[0])?.index ?? null;
  return (
    <>
      <Section title="Surface">
        <Select
          label="Show"
          title="A property of the surface in place of its material"
          value={surface}
          choices={SURFACES}
          change={(chosen) => inspector.change({ surface: chosen, weightsOf: weightsOf ?? usual }, 'surface')}
        />
        {surface === 'weights' && (
          <Select
            label="Joint"
            value={String(weightsOf ?? '')}
            choices={joints.map(({ name, index }) => ({ value: String(index), words: name || `Node ${index}` }))}
            change={(index) => inspector.change({ weightsOf: Number(index) })}
          />
        )}
      </Section>
      <Section title="Overlays">
        <div class="checks">
          {OVERLAY_WORDS.map(([overlay, words]) => (
            <Check
              key={overlay}
              label={words}
              checked={overlays.includes(overlay)}
              change={(on) =>
                inspector.change({
                  overlays: on ? [...overlays, overlay] : overlays.filter((each) => each !== overlay),
                })
              }
            />
          ))}
        </div>
        <Note>Normals, tangents, skin weights and the wireframe are those of the current pose.</Note>
      </Section>
    </>
  );
}

function group(name: string, choices: Readonly<Record<string, string>>): Choice[] {
  return Object.entries(choices).map(([value, words]) => ({ value, words, group: name }));
}
