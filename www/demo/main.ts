// The demo: puts the parts together and decides what is shown first.

import { createViewer, GambolError, type AssetSource, type Viewer } from 'gambol';
import { ClipList } from './app/clip-list.ts';
import { byId } from './app/dom.ts';
import { plural } from './app/format.ts';
import { InfoPanel } from './app/info-panel.ts';
import { LookPanel } from './app/look/look-panel.ts';
import { MixPanel } from './app/mix/mix-panel.ts';
import { Opening } from './app/opening.ts';
import { fullscreen, savePicture } from './app/picture.ts';
import { installShortcuts, timeShortcuts } from './app/shortcuts.ts';
import { SidePanel } from './app/side-panel.ts';
import { Status } from './app/status.ts';
import { themeButton } from './app/theme.ts';
import { Timeline } from './app/timeline.ts';
import { Transport } from './app/transport.ts';

const SAMPLE = './sample.glb';

const status = new Status();
themeButton();
for (const dialog of document.querySelectorAll('dialog')) {
  dialog.querySelector('[data-close]')?.addEventListener('click', () => dialog.close());
  // A click beside it; its own padding belongs to it.
  dialog.addEventListener('click', (event) => {
    const box = dialog.getBoundingClientRect();
    const inside = event.clientX >= box.left && event.clientX <= box.right && event.clientY >= box.top && event.clientY <= box.bottom;
    if (event.target === dialog && !inside) dialog.close();
  });
}

try {
  start(await createViewer(byId<HTMLCanvasElement>('canvas'), { autoplay: true }));
} catch (error) {
  status.fail(error, false);
}

function start(viewer: Viewer): void {
  let name = '';
  const timeline = new Timeline(viewer);
  const transport = new Transport(viewer, timeline);
  const clips = new ClipList(viewer);
  const info = new InfoPanel(viewer);
  const mix = new MixPanel(viewer);
  const look = new LookPanel(viewer, status);
  const toggleFullscreen = fullscreen();

  const open = (source: AssetSource, called: string): void => {
    status.clearFailure();
    status.loading(called);
    viewer.load(source, { onProgress: (progress) => status.loading(called, progress) }).then(
      () => status.loaded(),
      (error: unknown) => {
        // Another load has taken over, and shows itself.
        if (error instanceof GambolError && error.code === 'load/aborted') return;
        status.fail(error, true);
      },
    );
  };
  const openSample = (): void => {
    history.replaceState(null, '', location.pathname);
    open(SAMPLE, 'the sample character');
  };
  const opening = new Opening({
    open: (source, called) => {
      // The address in the bar is not what is shown any more.
      const query = typeof source === 'string' ? `?src=${encodeURIComponent(source)}` : '';
      history.replaceState(null, '', location.pathname + query);
      open(source, called);
    },
    sample: openSample,
    light: (file) => look.light(file, file.name),
  });

  viewer.addEventListener('load', (event) => {
    name = event.detail.name;
    const sample = event.detail.url === new URL(SAMPLE, document.baseURI).href;
    const shown = sample ? 'Sample character' : name;
    byId('model-name').textContent = shown;
    document.title = sample ? 'gambol – plays animated glTF characters' : `${name} – gambol`;
    byId('canvas').setAttribute('aria-label', `${shown}, 3D view. Arrow keys turn it.`);
    status.hint(viewer.clips.length === 0 ? 'This model has no animation. You can still look around.' : '');
    status.announce(`${shown} is loaded. ${plural(viewer.clips.length, 'clip')}.`);
  });
  viewer.addEventListener('warning', (event) => {
    if (event.detail.code === 'motion/reduced') status.announce(event.detail.message);
  });
  viewer.addEventListener('play', () => status.announce(`Playing ${viewer.clip?.id ?? ''}`));
  viewer.addEventListener('pause', () => !timeline.playsOn && status.announce('Paused'));
  viewer.addEventListener('error', (event) => {
    const { code, message } = event.detail;
    // Failed loads are told by whoever asked for them.
    if (code === 'wasm/panic' || code.startsWith('render/') || code.startsWith('viewer/')) status.fail(new GambolError(code, message), false);
  });
  viewer.addEventListener('contextlost', () => status.notice('Graphics were interrupted …'));

  const save = (): void => {
    savePicture(viewer, name, status).catch((error: unknown) => status.fail(error, true));
  };
  byId('fit').addEventListener('click', () => viewer.resetCamera());
  byId('snapshot').addEventListener('click', save);
  const help = byId<HTMLDialogElement>('help-dialog');
  byId('help-open').addEventListener('click', () => help.showModal());

  installShortcuts([
    { keys: [' ', 'k'], shown: ['Space', 'K'], words: 'play, pause', run: () => transport.toggle() },
    ...timeShortcuts(viewer, status),
    { keys: ['[', ']'], words: 'slower, faster', run: (key) => status.notice(`Speed ${transport.changeSpeed(key === ']' ? 1 : -1)}`) },
    {
      keys: ['\\'],
      words: 'normal speed',
      run: () => {
        viewer.playbackRate = 1;
        status.notice('Speed 1×');
      },
    },
    { keys: ['n', 'p'], words: 'next, previous clip', run: (key) => clips.next(key === 'n' ? 1 : -1) },
    { keys: ['r'], words: 'repeat, back and forth, once', run: () => status.notice(transport.nextLoopMode()) },
    { keys: ['f'], words: 'full screen', run: toggleFullscreen },
    { keys: ['s'], words: 'save a picture', run: save },
    { keys: ['o'], words: 'open a model', run: () => opening.show() },
    { keys: ['i'], words: 'about this model', run: () => info.toggle() },
    { keys: ['m'], words: 'mix clips', run: () => mix.toggle() },
    { keys: ['v'], words: 'light and views', run: () => look.toggle() },
    { keys: ['?'], words: 'this list', run: () => help.showModal() },
    {
      keys: ['Escape'],
      shown: ['Esc'],
      words: 'close what is open',
      run: () => (status.failed ? status.clearFailure() : SidePanel.closeAll()),
    },
  ]);

  const source = new URLSearchParams(location.search).get('src');
  if (source) open(source, source.split(/[?#]/)[0]?.split('/').pop() || source);
  else open(SAMPLE, 'the sample character');
}
