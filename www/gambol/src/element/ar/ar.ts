// Augmented reality of an element: the button, the choice of a mode, and its activation. A script that elements with `ar` load.

import { GambolError, asGambolError, type Warning } from '../../base/errors.ts';
import { adoptStyle, icon, make, setAttribute } from '../base/dom.ts';
import css from './ar.css';
import { chosenMode, modesOf, type ArMode, type Device } from './devices.ts';
import type { ArActs, ArHost, ArStatus } from './host.ts';
import { NO_VIEWER, quickLookLink, sceneViewerLink } from './links.ts';

/** A cube in the corners of a view finder. */
const CUBE =
  'M12 7l4.500 2.600v5L12 17.200l-4.500-2.600v-5zM7.600 9.600L12 12.200l4.400-2.600M12 12.200v5M3.500 7.500v-4h4M16.500 3.500h4v4M20.500 16.500v4h-4M7.500 20.500h-4v-4';
const CROSS = 'M6 6l12 12M18 6L6 18';
const PHONE =
  'M8.500 3h7a1.500 1.500 0 0 1 1.500 1.500v15a1.500 1.500 0 0 1-1.500 1.500h-7A1.500 1.500 0 0 1 7 19.500v-15A1.500 1.500 0 0 1 8.500 3zM11 18.500h2';
/** What a page may have over the camera picture for taps. */
const CONTROLS = 'button, a, input, select, textarea, label, summary, [role=button], [slot]';
/** The message of Quick Look for a tap on the button of its banner. */
const TAPPED = '_apple_ar_quicklook_button_tapped';

/** The modes that have failed on this page, so that the next activation does not try them again. */
const blocked = new Set<ArMode>();

export class Ar {
  readonly #host: ArHost;
  readonly #acts: ArActs;
  readonly #button: HTMLElement;
  readonly #exit: HTMLElement;
  readonly #prompt: HTMLElement;
  readonly #failure: HTMLElement;
  readonly #link = make('a', { rel: 'ar', hidden: true, tabindex: '-1' }, make('img', { alt: '' }));
  readonly #stop = new AbortController();
  /** The last choice of a mode. */
  #choice: Promise<void> | undefined;
  #mode: ArMode | null = null;
  #activating = false;
  #end: (() => void) | undefined;

  constructor(host: ArHost, acts: ArActs) {
    this.#host = host;
    this.#acts = acts;
    const { signal } = this.#stop;
    const button = (words: string, path: string, part: string): HTMLElement =>
      make('button', { type: 'button', part, 'aria-label': words, title: words }, icon(path));
    const box = (name: string, slot: HTMLSlotElement): HTMLElement => make('div', { class: name, hidden: true }, slot);
    const open = button('View in your space', CUBE, 'default-ar-button');
    const exit = button('Exit AR', CROSS, 'default-exit-webxr-ar-button');
    this.#button = box('ar-button', make('slot', { name: 'ar-button' }, open));
    this.#exit = box('ar-exit', make('slot', { name: 'exit-webxr-ar-button' }, exit));
    this.#prompt = box('ar-prompt', make('slot', { name: 'ar-prompt' }, icon(PHONE)));
    this.#failure = box('ar-failure', make('slot', { name: 'ar-failure' }));
    setAttribute(this.#failure, 'role', 'alert');
    this.#button.addEventListener('click', (event) => {
      event.preventDefault();
      void this.activate();
    });
    this.#exit.addEventListener('click', () => this.#end?.());
    // A tap on a control of the page does not move the model behind it.
    acts.stage.addEventListener(
      'beforexrselect',
      (event) => {
        const [target] = event.composedPath();
        if (target instanceof Element && target.closest(CONTROLS)) event.preventDefault();
      },
      { signal },
    );
    this.#link.addEventListener('message', (event) => {
      if ((event as MessageEvent).data === TAPPED) acts.quickLookTapped();
    });
    globalThis.addEventListener('hashchange', () => this.#returned(), { signal });
    if (host.shadowRoot) adoptStyle(host.shadowRoot, css);
    acts.stage.append(this.#button, this.#prompt, this.#failure, this.#exit, this.#link);
    host.setAttribute('ar-status', 'not-presenting');
  }

  /** `true` if {@link activate} can open a mode. */
  get canActivate(): boolean {
    return this.#mode !== null;
  }

  /** Chooses the mode, after a change of attributes. */
  choose(): Promise<void> {
    const choice = this.#chosen(() => this.#choice === choice);
    this.#choice = choice;
    return choice;
  }

  async #chosen(isLast: () => boolean): Promise<void> {
    const { ar, arModes, modelAddress: src, iosSrc, renderer } = this.#host;
    // A context in a worker cannot draw in sessions.
    const modes = modesOf(arModes).filter((mode) => mode !== 'webxr' || renderer !== 'worker');
    const wish = { modes, hasModel: src !== null, hasIosFile: iosSrc !== null, blocked };
    const mode = await (ar ? chosenMode(wish, navigator as unknown as Device, this.#link.relList) : null);
    if (!isLast() || this.#stop.signal.aborted) return;
    const before = this.#mode;
    this.#mode = mode;
    this.#button.hidden = mode === null;
    // Only where it worked before: a device without AR is no failure.
    if (before !== null && mode === null && ar) this.#fail();
  }

  /** Opens the chosen mode, or the next one if it fails. */
  async activate(): Promise<void> {
    const { warn } = this.#acts;
    if (this.#activating || this.#end) {
      return warn(new GambolError('xr/busy', 'AR is open already. End it first.'));
    }
    await (this.#choice ?? this.choose());
    if (this.#mode === null) {
      this.#fail();
      return warn(
        new GambolError(
          'xr/unsupported',
          'This device cannot show the model in AR, or the attributes do not allow it.',
        ),
      );
    }
    this.#activating = true;
    try {
      for (let mode: ArMode | null = this.#mode; mode !== null; mode = this.#mode) {
        try {
          return await this.#open(mode);
        } catch (error) {
          const { code, message } = asGambolError(error, 'xr/failed');
          blocked.add(mode);
          await this.choose();
          const next = this.#mode ? `The next mode is ${this.#mode}.` : 'There is no other mode.';
          warn(new GambolError(code, `${mode}: ${message} ${next}`, { cause: error }));
        }
      }
    } finally {
      this.#activating = false;
    }
  }

  /** Ends a session, and removes the button. */
  dispose(): void {
    this.#stop.abort();
    this.#end?.();
    this.#acts.stage.classList.remove('in-ar');
    for (const part of [this.#button, this.#prompt, this.#failure, this.#exit, this.#link]) part.remove();
    this.#host.removeAttribute('ar-status');
    this.#host.removeAttribute('ar-tracking');
  }

  #open(mode: ArMode): Promise<void> | void {
    if (mode === 'webxr') return this.#openWebXr();
    if (mode === 'quick-look') return this.#openQuickLook();
    this.#follow(sceneViewerLink(this.#host.modelAddress ?? '', location.href, this.#host));
  }

  async #openWebXr(): Promise<void> {
    const host = this.#host;
    if (!host.viewer?.model) await this.#acts.loadNow();
    const { viewer, arScale, arPlacement, xrEnvironment } = host;
    if (!viewer) throw new GambolError('xr/failed', 'The element was removed.');
    const session = await viewer.enterAr({
      scale: arScale,
      placement: arPlacement,
      estimateLight: xrEnvironment,
      overlay: this.#acts.stage,
      placed: () => this.#status('object-placed'),
      tracking: (tracks) => {
        const now = tracks ? 'tracking' : 'not-tracking';
        this.#acts.tracking(now);
        this.#failure.hidden = tracks;
      },
    });
    this.#end = () => void session.end();
    this.#status('session-started');
    host.setAttribute('ar-tracking', 'tracking');
    void session.ended.then(() => {
      this.#end = undefined;
      if (!this.#stop.signal.aborted) this.#status('not-presenting');
    });
  }

  async #openQuickLook(): Promise<void> {
    const host = this.#host;
    const { iosSrc, arUsdzMaxTextureSize } = host;
    if (iosSrc !== null) return this.#follow(quickLookLink(iosSrc, location.href, host));
    if (!host.viewer?.model) await this.#acts.loadNow();
    const exporter = host.viewer as UsdzExporter | null;
    if (!exporter?.exportUsdz) throw new GambolError('xr/unsupported', 'Quick Look needs the attribute ios-src.');
    const maxTextureSize = arUsdzMaxTextureSize === null ? undefined : Math.max(16, Math.round(arUsdzMaxTextureSize));
    const { blob, warnings } = await exporter.exportUsdz({ maxTextureSize });
    for (const { code, message } of warnings) this.#acts.warn(new GambolError(code, message));
    const url = URL.createObjectURL(blob);
    this.#link.download = 'model.usdz';
    // The fragment of the model's address has options of Quick Look, such as the address of a shop.
    const { hash } = new URL(host.modelAddress ?? '', location.href);
    this.#follow(quickLookLink(url + hash, location.href, host));
    this.#link.removeAttribute('download');
    // Safari reads the file after the click.
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  }

  #follow(address: string): void {
    this.#link.href = address;
    this.#link.click();
  }

  /** Handles the return of a browser that has no Scene Viewer. */
  #returned(): void {
    if (location.hash !== NO_VIEWER || this.#mode !== 'scene-viewer') return;
    // Back to the address before, which changes the fragment only.
    history.back();
    blocked.add('scene-viewer');
    this.#acts.warn(new GambolError('xr/failed', 'scene-viewer: the browser could not open it.'));
    // Other modes need a gesture of the user, so that they wait for the next tap on the button.
    void this.choose();
  }

  #status(status: ArStatus): void {
    const presents = status === 'session-started' || status === 'object-placed';
    const { stage } = this.#acts;
    stage.classList.toggle('in-ar', presents);
    this.#exit.hidden = !presents;
    this.#prompt.hidden = status !== 'session-started';
    this.#failure.hidden = status !== 'failed';
    if (!presents) this.#host.removeAttribute('ar-tracking');
    this.#acts.status(status);
  }

  #fail(): void {
    this.#status('failed');
  }
}

/** The part of a viewer that makes files for Quick Look. */
interface UsdzExporter {
  exportUsdz?(options: {
    readonly maxTextureSize?: number | undefined;
  }): Promise<{ readonly blob: Blob; readonly warnings: readonly Warning[] }>;
}
