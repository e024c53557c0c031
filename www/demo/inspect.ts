// The inspector: installs the parts around the viewer, and opens the first model.

import { effect } from '@preact/signals';
import 'gambol/element';
import type { GambolViewer } from 'gambol/element';
import { ClipList } from './app/clip-list.ts';
import { byId } from './app/dom.ts';
import { nameOf, plural } from './app/format.ts';
import { Opening } from './app/opening.ts';
import { installShortcuts } from './app/shortcuts.ts';
import { Status } from './app/status.ts';
import { themeButton } from './app/theme.ts';
import { mount } from './inspect/app.tsx';
import { applyView } from './inspect/apply.ts';
import { missingImages } from './inspect/checkers.ts';
import { commands } from './inspect/commands.ts';
import { Inspector } from './inspect/inspector.ts';
import { closeAll } from './inspect/layout.ts';
import { isSample, linked, linkTo, SAMPLE } from './inspect/link.ts';
import { installPadding } from './inspect/padding.ts';
import { openPalette } from './inspect/palette.tsx';
import { leaveFocused, PANELS, togglePanel } from './inspect/panels.tsx';
import { installPicking } from './inspect/picking.ts';

/** Codes of errors after which this browser cannot show any model. */
const FATAL_CODES: readonly string[] = ['wasm/unsupported', 'render/webgl2-unsupported'];
/** The pause in ms after a change, after which the address of the page has it. */
const ADDRESS_PAUSE = 400;

const player = byId<GambolViewer>('viewer');
const status = new Status();
const inspector = new Inspector(player, status);
Object.assign(window, { inspector }); // for the console
themeButton();
for (const dialog of document.querySelectorAll('dialog')) {
  dialog.querySelector('[data-close]')?.addEventListener('click', () => dialog.close());
  // A click outside the dialog closes it; a click on its padding does not.
  dialog.addEventListener('click', (event) => {
    const box = dialog.getBoundingClientRect();
    const inside =
      event.clientX >= box.left &&
      event.clientX <= box.right &&
      event.clientY >= box.top &&
      event.clientY <= box.bottom;
    if (event.target === dialog && !inside) dialog.close();
  });
}

new ClipList(inspector);
mount(inspector);
applyView(inspector);
installPadding(inspector);
installPicking(inspector);

const openSample = (): void => inspector.open(SAMPLE, 'the sample character');
const opening = new Opening({
  open: (source, name) => inspector.open(source, name),
  sample: openSample,
  addClips: (source, name) => void inspector.addClips(source, name),
  light: (file) => inspector.light(file),
});

const { source, view, time, camera, timeline } = linked(location);

player.addEventListener('load', () => {
  status.loaded();
  const { name = '', clips = [] } = player.viewer?.model ?? {};
  const sample = isSample(inspector.address.peek() ?? '');
  const shown = sample ? 'Sample character' : name;
  byId('model-name').textContent = shown;
  document.title = sample ? 'Inspector – gambol' : `${name} – gambol`;
  player.alt = `${shown}, 3D view. Arrow keys rotate it.`;
  byId('fit').hidden = false;
  status.hint(hintOf(inspector));
  status.announce(`${shown} is loaded. ${plural(clips.length, 'clip')}.`);
});
// The time and the camera of the link apply to its model only.
player.addEventListener(
  'load',
  () => {
    const { viewer } = player;
    if (!viewer) return;
    if (camera) viewer.camera = camera;
    if (time === null) return;
    player.pause();
    viewer.currentTime = time;
  },
  { once: true },
);
player.addEventListener('error', ({ detail: { code, sourceError } }) =>
  status.fail(sourceError, !FATAL_CODES.includes(code)),
);
player.addEventListener('warning', ({ detail: { code } }) => {
  if (code !== 'motion/reduced') return status.hint(hintOf(inspector));
  status.hint('Paused because your system asks for less motion. Press Play.');
  player.addEventListener('play', () => status.hint(hintOf(inspector)), { once: true });
});
player.addEventListener('pointerdown', () => status.endHint());
// Clips of other files are added to a model without any.
player.addEventListener('clipschange', () => status.hint(hintOf(inspector)));
player.addEventListener('contextlost', () => status.notice('The WebGL context was lost. Restoring …'));

/** The most important thing to tell over the picture. */
function hintOf({ viewer, warnings }: Inspector): string {
  const missing = missingImages(warnings.peek()).length;
  if (missing > 0) return `${plural(missing, 'texture')} missing or unreadable: see Report and Materials.`;
  return viewer?.clips.length === 0 ? 'This model has no animation clips. You can still rotate the view.' : '';
}

let pause = 0;
const writeAddress = (): void => {
  clearTimeout(pause);
  pause = window.setTimeout(() => {
    if (inspector.model.peek()) history.replaceState(null, '', linkTo(inspector));
  }, ADDRESS_PAUSE);
};
effect(() => {
  inspector.view.value;
  inspector.model.value;
  inspector.timeline.value;
  writeAddress();
});
for (const event of ['camera-change', 'pause', 'play'] as const) player.addEventListener(event, writeAddress);

byId('fit').addEventListener('click', () => void player.updateFraming());
const help = byId<HTMLDialogElement>('help-dialog');
byId('help-open').addEventListener('click', () => help.showModal());
const palette = (): void =>
  openPalette(
    commands(inspector, {
      open: () => opening.show(),
      sample: openSample,
      help: () => help.showModal(),
      theme: () => byId('theme').click(),
    }),
  );
byId('palette-open').addEventListener('click', palette);

installShortcuts(player, [
  { key: 'o', words: 'open a model', run: () => opening.show() },
  ...PANELS.flatMap((panel) =>
    panel.key === undefined
      ? []
      : [{ key: panel.key, words: `${panel.name} panel`, run: () => togglePanel(panel, true) }],
  ),
  { key: '?', words: 'keyboard shortcuts', run: () => help.showModal() },
  {
    key: 'Escape',
    shown: 'Esc',
    words: 'close the panel in focus, the message, or all panels',
    run: () => {
      if (status.failed) status.clearFailure();
      else if (!leaveFocused()) closeAll();
    },
  },
]);
window.addEventListener('keydown', (event) => {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
  const [key, isField] = [event.key.toLowerCase(), event.target instanceof Element && event.target.matches(FIELDS)];
  if (key === 'k') palette();
  else if (key === 'z' && !isField) event.shiftKey ? inspector.redo() : inspector.undo();
  else if (key === 'y' && !isField) inspector.redo();
  else return;
  event.preventDefault();
});
/** Fields with an undo of their own. */
const FIELDS = 'input:not([type="range"], [type="checkbox"]), textarea, [contenteditable="true"]';

inspector.timeline.value = timeline;
const timelinePanel = PANELS.find(({ id }) => id === 'timeline');
if (timeline && timelinePanel) togglePanel(timelinePanel, false, true);
inspector.open(source ?? SAMPLE, source ? nameOf(source) : 'the sample character', view);
