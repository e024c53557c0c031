// The list of panels.

import type { JSX } from 'preact';
import type { Inspector } from './inspector.ts';
import { closePanel, isOpen, openPanel, type Side } from './layout.ts';
import { BodyPanel } from './panels/body.tsx';
import { Cameras } from './panels/cameras.tsx';
import { Compare } from './panels/compare.tsx';
import { Debug } from './panels/debug.tsx';
import { DoctorPanel } from './panels/doctor.tsx';
import { Expressions } from './panels/expressions.tsx';
import { Light } from './panels/light.tsx';
import { Materials } from './panels/materials.tsx';
import { Mixing } from './panels/mixing.tsx';
import { ModelPanel } from './panels/model.tsx';
import { Morphs } from './panels/morphs.tsx';
import { Optimize } from './panels/optimize.tsx';
import { Outline } from './panels/outline.tsx';
import { RecordPanel } from './panels/record.tsx';
import { Report } from './panels/report.tsx';
import { RetargetPanel } from './panels/retarget.tsx';
import { Share } from './panels/share.tsx';
import { StatesPanel } from './panels/states.tsx';
import { Statistics } from './panels/statistics.tsx';
import { TimelinePanel } from './panels/timeline.tsx';

export interface Panel {
  readonly id: string;
  /** The short name at the edge of the page. */
  readonly name: string;
  /** The content in words: the tooltip, and other terms for it, by which the command palette finds it. */
  readonly words: string;
  readonly icon: string;
  readonly side: Side;
  /** The key that opens and closes it. */
  readonly key?: string;
  Content(props: { readonly inspector: Inspector }): JSX.Element | null;
}

export const PANELS: readonly Panel[] = [
  {
    id: 'outline',
    name: 'Outline',
    words: 'Scenes, nodes, skeleton, skins (scene graph, bones)',
    icon: 'tree',
    side: 'left',
    key: 't',
    Content: Outline,
  },
  {
    id: 'info',
    name: 'Model',
    words: 'Model: bytes, extensions, generator, licence, bounds (asset info)',
    icon: 'info',
    side: 'right',
    key: 'i',
    Content: ModelPanel,
  },
  {
    id: 'materials',
    name: 'Materials',
    words: 'Materials, textures, UV, variants',
    icon: 'material',
    side: 'right',
    key: 'e',
    Content: Materials,
  },
  {
    id: 'morphs',
    name: 'Morphs',
    words: 'Morph targets (shape keys, blend shapes, morphTargetInfluences, face)',
    icon: 'morph',
    side: 'right',
    Content: Morphs,
  },
  {
    id: 'expressions',
    name: 'Face',
    words: 'Expressions, emotions, visemes, blinks, lip sync (VRM blend shapes, ARKit, expressionManager)',
    icon: 'face',
    side: 'right',
    Content: Expressions,
  },
  {
    id: 'mix',
    name: 'Mixing',
    words: 'Transitions, blend spaces, layers, skinning (crossFadeTo, AnimationMixer, masks)',
    icon: 'mix',
    side: 'right',
    key: 'm',
    Content: Mixing,
  },
  {
    id: 'states',
    name: 'States',
    words: 'State machine: inputs, triggers, states, transitions, events (animator controller, animation graph, FSM)',
    icon: 'states',
    side: 'right',
    key: 'a',
    Content: StatesPanel,
  },
  {
    id: 'body',
    name: 'Body',
    words: 'Feet on uneven ground, springs of tails, ears and hair (foot IK, spring bones, jiggle, physics, VRM)',
    icon: 'body',
    side: 'right',
    key: 'y',
    Content: BodyPanel,
  },
  {
    id: 'retarget',
    name: 'Retarget',
    words: 'Clips of other files, humanoid bones (retargeting)',
    icon: 'retarget',
    side: 'right',
    Content: RetargetPanel,
  },
  {
    id: 'light',
    name: 'Light',
    words: 'Environment, background, exposure, tone mapping, shadow (skybox, HDR, IBL)',
    icon: 'look',
    side: 'right',
    key: 'v',
    Content: Light,
  },
  {
    id: 'cameras',
    name: 'Cameras',
    words: 'Cameras, framing, field of view, auto-rotate (turntable)',
    icon: 'camera',
    side: 'right',
    Content: Cameras,
  },
  {
    id: 'debug',
    name: 'Debug',
    words: 'Debug views: normals, UV, skin weights, skeleton, wireframe, bounds, grid',
    icon: 'debug',
    side: 'right',
    key: 'x',
    Content: Debug,
  },
  {
    id: 'report',
    name: 'Report',
    words: 'Warnings with JSON pointers, Khronos validator, JSON',
    icon: 'warning',
    side: 'right',
    key: 'w',
    Content: Report,
  },
  {
    id: 'doctor',
    name: 'Doctor',
    words:
      'Doctor: seams of loops, sliding feet, jumps, weights, idle joints, textures (lint, validate, check animation)',
    icon: 'doctor',
    side: 'right',
    Content: DoctorPanel,
  },
  {
    id: 'statistics',
    name: 'Statistics',
    words: 'Statistics: frame times, draw calls, triangles, memory (stats, FPS)',
    icon: 'statistics',
    side: 'right',
    Content: Statistics,
  },
  {
    id: 'timeline',
    name: 'Timeline',
    words: 'Keys, curves, range, markers, onion skin, motion trail (dope sheet, graph editor, keyframe tracks)',
    icon: 'timeline',
    side: 'bottom',
    key: 'd',
    Content: TimelinePanel,
  },
  {
    id: 'compare',
    name: 'Compare',
    words: 'Compare two files, two clips, or linear with dual-quaternion skinning',
    icon: 'compare',
    side: 'right',
    key: 'c',
    Content: Compare,
  },
  {
    id: 'optimize',
    name: 'Optimise',
    words:
      'A smaller file: keys, quantisation, meshopt compression (optimize, compress, gltfpack, gltf-transform, resample)',
    icon: 'shrink',
    side: 'right',
    Content: Optimize,
  },
  {
    id: 'record',
    name: 'Record',
    words:
      'Record the clip: WebM, MP4, GIF, APNG, PNG sequence, sprite sheet, turntable, sessions (video, export, MediaRecorder)',
    icon: 'record',
    side: 'right',
    Content: RecordPanel,
  },
  {
    id: 'share',
    name: 'Share',
    words: 'Link, code for a page, PNG, export of the pose and the clips (embed, screenshot, GLB, OBJ, bake)',
    icon: 'share',
    side: 'right',
    Content: Share,
  },
];

/** The panel that takes the focus when it appears: one that a key or the palette has opened. */
let wanted: string | undefined;

export function takeFocusWish(panel: string): boolean {
  const takes = wanted === panel;
  if (takes) wanted = undefined;
  return takes;
}

/** Opens or closes a panel. `focus`: it takes the focus. */
export function togglePanel({ id, side }: Panel, focus: boolean, open = !isOpen(id)): void {
  if (!open) return closePanel(id);
  if (focus) wanted = id;
  openPanel(id, side);
}

/** Closes a panel; the focus returns to its button at the edge of the page. */
export function leavePanel(id: string): void {
  closePanel(id);
  document.querySelector<HTMLElement>(`[data-panel="${id}"]`)?.focus();
}

/** Closes the panel that has the focus; returns `false` if none has it. */
export function leaveFocused(): boolean {
  const id = document.activeElement?.closest('.panel')?.id;
  if (id !== undefined) leavePanel(id);
  return id !== undefined;
}
