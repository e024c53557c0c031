// The inspector: installs the parts around the viewer, and opens the first model.

import type { AssetSource } from 'gambol';
import 'gambol/element';
import type { GambolViewer } from 'gambol/element';
import { ClipList } from './app/clip-list.ts';
import { byId } from './app/dom.ts';
import { nameOf, plural } from './app/format.ts';
import { InfoPanel, pairing } from './app/info-panel.ts';
import { LookPanel } from './app/look/look-panel.ts';
import { MixPanel } from './app/mix/mix-panel.ts';
import { Opening } from './app/opening.ts';
import { installShortcuts } from './app/shortcuts.ts';
import { SidePanel } from './app/side-panel.ts';
import { Status } from './app/status.ts';
import { themeButton } from './app/theme.ts';
import { TimelinePanel } from './app/timeline-panel.ts';

const SAMPLE = './sample.glb';
/** Codes of errors after which this browser cannot show any model. */
const FATAL_CODES: readonly string[] = ['wasm/unsupported', 'render/webgl2-unsupported'];

const player = byId<GambolViewer>('viewer');
const status = new Status();
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

let loading = '';
function open(source: AssetSource, name: string): void {
  loading = name;
  status.clearFailure();
  status.loading(name);
  player.srcObject = source;
}

/** Adds the clips of a file to the model that is shown, and plays the first of them. */
async function addClips(source: AssetSource, name: string): Promise<void> {
  const model = player.viewer?.model;
  if (!model) return open(source, name);
  status.clearFailure();
  status.loading(name);
  try {
    const report = await model.addClips(source);
    status.loaded();
    info.report(name, report);
    player.animationName = report.clips[0]?.id ?? null;
    player.play();
    status.notice(`${plural(report.clips.length, 'clip')} of ${name}: joints paired ${pairing(report)}`);
  } catch (error) {
    status.fail(error, true);
  }
}

function openSample(): void {
  history.replaceState(null, '', location.pathname);
  open(SAMPLE, 'the sample character');
}

new ClipList(player);
const info = new InfoPanel(player);
const mix = new MixPanel(player);
const look = new LookPanel(player, status);
const timeline = new TimelinePanel(player, status);
const opening = new Opening({
  open: (source, name) => {
    // Updates the URL of the page to the model that is shown.
    const query = typeof source === 'string' ? `?src=${encodeURIComponent(source)}` : '';
    history.replaceState(null, '', location.pathname + query);
    open(source, name);
  },
  sample: openSample,
  addClips: (source, name) => void addClips(source, name),
  light: (file) => look.light(file, file.name),
});

player.addEventListener('progress', ({ detail }) => status.loading(loading, detail));
player.addEventListener('load', ({ detail: { url } }) => {
  status.loaded();
  const { name = '', clips = [] } = player.viewer?.model ?? {};
  const sample = url === new URL(SAMPLE, document.baseURI).href;
  const shown = sample ? 'Sample character' : name;
  byId('model-name').textContent = shown;
  document.title = sample ? 'Inspector – gambol' : `${name} – gambol`;
  player.alt = `${shown}, 3D view. Arrow keys rotate it.`;
  byId('fit').hidden = false;
  status.hint(clips.length === 0 ? 'This model has no animation clips. You can still rotate the view.' : '');
  status.announce(`${shown} is loaded. ${plural(clips.length, 'clip')}.`);
});
player.addEventListener('error', ({ detail: { code, sourceError } }) =>
  status.fail(sourceError, !FATAL_CODES.includes(code)),
);
player.addEventListener('warning', ({ detail: { code, message } }) => {
  if (code === 'motion/reduced') status.announce(message);
});
player.addEventListener('contextlost', () => status.notice('The WebGL context was lost. Restoring …'));

byId('fit').addEventListener('click', () => void player.updateFraming());
const help = byId<HTMLDialogElement>('help-dialog');
byId('help-open').addEventListener('click', () => help.showModal());

installShortcuts(player, [
  { key: 'o', words: 'open a model', run: () => opening.show() },
  { key: 'i', words: 'model information', run: () => info.toggle() },
  { key: 'm', words: 'animation blending', run: () => mix.toggle() },
  { key: 'v', words: 'lighting and debug views', run: () => look.toggle() },
  { key: 't', words: 'timeline of the keys', run: () => timeline.toggle() },
  { key: '?', words: 'keyboard shortcuts', run: () => help.showModal() },
  {
    key: 'Escape',
    shown: 'Esc',
    words: 'close the panel or message',
    run: () => (status.failed ? status.clearFailure() : SidePanel.closeAll()),
  },
]);

const source = new URLSearchParams(location.search).get('src');
open(source || SAMPLE, source ? nameOf(source) : 'the sample character');
