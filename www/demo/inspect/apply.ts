// Sets the view on the viewer: each effect follows some settings, and applies them again to another model or another viewer.

import { computed, effect, type ReadonlySignal } from '@preact/signals';
import { GambolError, type Layer, type Viewer } from 'gambol';
import { applyExpressions } from './expressions.ts';
import type { Inspector } from './inspector.ts';
import { OVERLAY_WORDS } from './panels/debug.tsx';
import { DEFAULTS, type LayerSetting, type View } from './view.ts';

const DEGREE = Math.PI / 180;
/** The overlays of debug views, by their words in the attribute. */
const OVERLAYS = OVERLAY_WORDS.map(([overlay]) => overlay);

export function applyView(inspector: Inspector): void {
  const { player, view, model } = inspector;
  /** The value of some settings; the effect of it runs only if they change. */
  const of = <T>(read: (view: View) => T): ReadonlySignal<T> => computed(() => read(view.value));
  /** Runs for each change of a setting, and for each model; not before the first one. */
  const each = <T>(read: (view: View) => T, apply: (value: T, viewer: Viewer) => void): void => {
    const value = of(read);
    effect(() => {
      const [now, loaded] = [value.value, model.value];
      if (loaded && player.viewer) apply(now, player.viewer);
    });
  };

  each(
    ({ transition }) => transition,
    (transition) => {
      player.transition = transition;
    },
  );
  each(
    ({ transitionDuration }) => transitionDuration,
    (seconds) => {
      player.animationCrossfadeDuration = Math.round(1000 * seconds);
    },
  );
  each(
    ({ variant }) => variant,
    (variant) => {
      player.variantName = variant;
    },
  );
  each(
    ({ camera }) => camera,
    (camera, viewer) => {
      viewer.activeCamera = camera !== null && viewer.cameras.includes(camera) ? camera : null;
    },
  );
  each(
    ({ framing }) => framing,
    (framing, viewer) => {
      if (viewer.framing !== framing) viewer.framing = framing;
    },
  );
  each(
    ({ fieldOfView }) => fieldOfView,
    (degrees) => {
      // Setting it moves the camera, which ends the automatic framing, so it is set for a change only.
      const words = degrees === DEFAULTS.fieldOfView ? 'auto' : `${degrees}deg`;
      if (player.fieldOfView !== words) player.fieldOfView = words;
    },
  );
  each(
    ({ autoRotate }) => autoRotate,
    (on) => {
      player.autoRotate = on;
    },
  );
  each(
    ({ skinning }) => skinning,
    (skinning, viewer) => {
      viewer.skinning = skinning;
    },
  );
  each(
    ({ rotation }) => rotation,
    (degrees, viewer) => {
      viewer.environmentRotation = degrees * DEGREE;
    },
  );
  each(
    ({ intensity }) => intensity,
    (factor, viewer) => {
      viewer.environmentIntensity = factor;
    },
  );
  each(
    ({ background }) => background,
    (background, viewer) => {
      viewer.skybox = background === 'environment';
      player.background = ['white', 'grey', 'black'].includes(background) ? background : null;
    },
  );
  each(
    ({ blur }) => blur,
    (blur, viewer) => {
      viewer.skyboxBlur = blur;
    },
  );
  each(
    ({ exposure }) => exposure,
    (stops) => {
      player.exposure = 2 ** stops;
    },
  );
  each(
    ({ toneMapping }) => toneMapping,
    (name) => {
      player.toneMapping = name;
    },
  );
  each(
    ({ shadow }) => shadow,
    (amount) => {
      player.shadowIntensity = amount;
    },
  );
  each(
    ({ softness }) => softness,
    (amount) => {
      player.shadowSoftness = amount;
    },
  );
  morphs(inspector);
  applyExpressions(inspector);
  debugViews(inspector);
  environment(inspector);
  animation(inspector);
  layers(inspector);
  marker(inspector);
}

/** The morph targets that the user has set. */
function morphs(inspector: Inspector): void {
  const { view, model } = inspector;
  const weights = computed(() => view.value.morphs);
  let [shown, of]: [Readonly<Record<string, number>>, unknown] = [{}, undefined];
  effect(() => {
    const [wanted, loaded, { viewer }] = [weights.value, model.value, inspector];
    if (!loaded || !viewer) return;
    const before = of === loaded ? shown : {};
    for (const { name } of loaded.morphs) {
      const [weight, old] = [wanted[name] ?? null, before[name] ?? null];
      if (weight !== old) viewer.morph(name).override(weight);
    }
    [shown, of] = [wanted, loaded];
  });
}

/** The attribute `debug`, which keys of the viewer change, too. */
function debugViews(inspector: Inspector): void {
  const { player, view, model } = inspector;
  const words = computed(() => {
    const { surface, weightsOf, overlays } = view.value;
    const shown = surface === 'weights' ? (weightsOf === null ? '' : `weights:${weightsOf}`) : surface;
    return [shown, ...overlays].join(' ').trim();
  });
  effect(() => {
    const now = words.value;
    if (model.value) player.debug = now === '' ? null : now;
  });
  new MutationObserver(() => {
    const given = player.debug ?? '';
    if (given === words.peek()) return;
    const surfaces = given.split(' ').filter((word) => word !== '' && !OVERLAYS.includes(word));
    inspector.follow({
      overlays: OVERLAYS.filter((overlay) => given.split(' ').includes(overlay)),
      surface: surfaces[0]?.split(':')[0] ?? '',
    });
  }).observe(player, { attributeFilter: ['debug'] });
}

function environment(inspector: Inspector): void {
  const { view, model, status } = inspector;
  const name = computed(() => view.value.environment);
  let shown: { readonly viewer: Viewer; readonly name: string; readonly file: File | null } | undefined;
  effect(() => {
    const [now, file, { viewer }] = [name.value, inspector.lightFile.value, inspector];
    if (!model.value || !viewer) return;
    if (shown ? shown.viewer === viewer && shown.name === now && shown.file === file : now === 'studio') return;
    const before = shown?.viewer === viewer ? shown.name : 'studio';
    shown = { viewer, name: now, file };
    const isFile = !['studio', 'white', 'none'].includes(now);
    if (isFile) status.loading(now);
    viewer.setEnvironment(inspector.environment(view.peek())).then(
      () => {
        status.loaded();
        if (isFile) status.notice(`Environment: ${now}`);
      },
      (error: unknown) => {
        if (error instanceof GambolError && error.code === 'load/aborted') return;
        shown = { viewer, name: before, file };
        inspector.follow({ environment: before });
        status.fail(error, true);
      },
    );
  });
}

/** The clip or the blend space that plays. */
function animation(inspector: Inspector): void {
  const { player, view, model } = inspector;
  const source = computed(() => {
    const { clip, blend } = view.value;
    return blend ? `${blend.from}\n${blend.to}` : clip;
  });
  const value = computed(() => view.value.blend?.value ?? 0);
  effect(() => {
    const [name, { viewer }] = [source.value, inspector];
    if (!model.value || !viewer || name === null) return;
    const { clip, blend } = view.peek();
    if (blend) return playBlend(viewer, blend);
    if (clip === null || viewer.clip?.id === clip) return;
    player.animationName = clip;
    void player.play();
  });
  effect(() => {
    const [amount, { viewer }] = [value.value, inspector];
    if (model.value && viewer?.blend && view.peek().blend) viewer.blend.value = amount;
  });
  player.addEventListener('clipchange', () => {
    const clip = player.viewer?.clip?.id ?? null;
    // A state machine chooses its clips, which are no setting.
    if (clip !== null && view.peek().states === '') inspector.follow({ clip, blend: null });
  });
}

function playBlend(viewer: Viewer, { from, to, value }: NonNullable<View['blend']>): void {
  const clips = [from, to].map((id) => viewer.clips.find((clip) => clip.id === id));
  const [first, second] = clips;
  if (!first || !second) return;
  const steps = clips.map((clip) => clip?.markers.map(({ name }) => name).join('\n'));
  const space = viewer.blendSpace({
    clips: [
      [first.index, 0],
      [second.index, 1],
    ],
    // By markers if both clips have the same ones, such as the footsteps of a walk and a run.
    sync: steps[0] !== '' && steps[0] === steps[1] ? 'marker' : 'phase',
  });
  space.value = value;
  viewer.play(space);
}

function layers(inspector: Inspector): void {
  const { view, model } = inspector;
  const settings = computed(() => view.value.layers);
  let live: { readonly viewer: Viewer; readonly setting: LayerSetting; readonly layer: Layer }[] = [];
  effect(() => {
    const [wanted, loaded, { viewer }] = [settings.value, model.value, inspector];
    if (!loaded || !viewer) return;
    // Another model ended the layers of the one before.
    if (live.some((each) => each.viewer !== viewer) || viewer.layers.size === 0) live = [];
    const before = live;
    live = wanted.flatMap((setting, i) => {
      const old = before[i];
      if (old && sameLayer(old.setting, setting)) {
        old.layer.weight = setting.weight;
        return [{ viewer, setting, layer: old.layer }];
      }
      if (!viewer.clips.some(({ id }) => id === setting.clip)) return [];
      const layer = viewer.layers.add(setting.clip, {
        mode: setting.mode,
        weight: setting.weight,
        ...(setting.node === null ? {} : { mask: maskOf(loaded.joints, setting.node) }),
      });
      return [{ viewer, setting, layer }];
    });
    // Removed after the new ones are there, so that a change of a layer has no gap.
    for (const { layer } of before) if (!live.some((each) => each.layer === layer)) layer.remove();
  });
}

function sameLayer(one: LayerSetting, other: LayerSetting): boolean {
  return one.clip === other.clip && one.mode === other.mode && one.node === other.node;
}

/** The mask of a node and its descendants: its path, with special characters of patterns escaped. */
function maskOf(joints: Viewer['joints'], index: number): string {
  const names: string[] = [];
  for (let joint = joints[index]; joint; joint = joint.parent === null ? undefined : joints[joint.parent]) {
    names.unshift(joint.name.replace(/[\\*!/]/g, '\\$&'));
  }
  return `${names.join('/')}/**`;
}

/** The label at the selected node. */
function marker(inspector: Inspector): void {
  const { view, model } = inspector;
  const element = document.getElementById('joint-label');
  if (!element) return;
  const selected = computed(() => view.value.node);
  const words = computed(() => view.value.label);
  let detach: (() => void) | undefined;
  effect(() => {
    const [node, loaded] = [selected.value, model.value];
    detach?.();
    detach = undefined;
    const joint = node === null ? undefined : loaded?.joints[node];
    element.hidden = !joint;
    if (joint) detach = inspector.viewer?.joint(joint.index).attach(element);
  });
  effect(() => {
    const [node, label, loaded] = [selected.value, words.value, model.value];
    element.textContent = label || (node === null ? '' : loaded?.joints[node]?.name || `Node ${node}`);
  });
}
