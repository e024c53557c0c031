// The examination of the open file: the findings, kept while the panel is closed.

import { signal } from '@preact/signals';
import type { AssetSource } from 'gambol';
import type { Finding, InspectReport } from 'gambol/tools';
import { plural } from '../../app/format.ts';
import type { Inspector } from '../inspector.ts';

/** The state of the examination of one source. */
export interface Examination {
  readonly source: AssetSource;
  /** `true` if Khronos's validator takes part. */
  readonly validates: boolean;
  /** Null while it runs. */
  readonly inspection: InspectReport | null;
  /** The words of a failure; empty if there is none. */
  readonly failure: string;
}

export class Doctor {
  readonly examination = signal<Examination | null>(null);
  /** The finding that is shown in the picture. */
  readonly selected = signal<Finding | null>(null);
  readonly #inspector: Inspector;
  #running: AbortController | undefined;

  constructor(inspector: Inspector) {
    this.#inspector = inspector;
  }

  /** Examines a source, unless that was done. */
  async examine(source: AssetSource, validates: boolean): Promise<void> {
    const before = this.examination.peek();
    if (before?.source === source && before.validates === validates) return;
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    this.selected.value = null;
    this.examination.value = { source, validates, inspection: null, failure: '' };
    try {
      const { inspect } = await import('gambol/tools');
      const { signal } = running;
      const inspection = await inspect(source, {
        signal,
        ...(validates && { validator: () => import('gltf-validator') }),
      });
      if (signal.aborted) return;
      this.examination.value = { source, validates, inspection, failure: '' };
      this.#inspector.status.announce(plural(inspection.findings.length, 'finding'));
    } catch (error) {
      if (running.signal.aborted) return;
      this.examination.value = { source, validates, inspection: null, failure: String(error) };
    }
  }

  /** Shows a finding in the picture: its clip at its time, its node; null for none. */
  select(finding: Finding | null): void {
    this.selected.value = finding;
    const { viewer, player } = this.#inspector;
    const model = this.#inspector.model.peek();
    if (!finding || !viewer || !model) return;
    const clip = model.clips.find(({ index }) => index === finding.clip);
    const node = finding.node !== undefined && finding.node in model.joints ? finding.node : null;
    if (clip && viewer.clip?.id !== clip.id) {
      // Without a transition, whose mixture of clips would hide the fault.
      viewer.play(clip.id, { transition: 'cut' });
    }
    this.#inspector.change({ ...(clip && { clip: clip.id }), node, label: '' }, 'finding');
    if (!clip) return;
    player.pause();
    viewer.currentTime = Math.min(finding.time ?? 0, clip.duration);
  }
}
