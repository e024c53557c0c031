import type { RetargetReport, Warning } from 'gambol';
import type { GambolViewer } from 'gambol/element';
import { byId, element } from './dom.ts';
import { count, plural } from './format.ts';
import { SidePanel } from './side-panel.ts';

/** The way in which the joints of two files are paired, in words. */
export function pairing({ conventions, named }: RetargetReport): string {
  return conventions ? `as humanoids, ${conventions.join(' → ')}` : `by names, ${count(named)}`;
}

type Fact = readonly [term: string, value: string];

/** The rows of a list of facts. */
function rows(facts: readonly Fact[]): HTMLElement[] {
  return facts.map(([term, value]) => element('div', '', element('dt', '', term), element('dd', '', value)));
}

/** The panel with the parts of the model and the warnings of its import. */
export class InfoPanel extends SidePanel {
  constructor(player: GambolViewer) {
    super('info');
    player.addEventListener('load', () => {
      byId('report-list').replaceChildren();
      byId('reports').hidden = true;
      this.#fill(player);
    });
    player.addEventListener('clipschange', () => this.#fill(player));
  }

  /** Adds the report of the clips of a file. */
  report(file: string, report: RetargetReport): void {
    const { clips, mapped, missing, ambiguous, skipped, scale, warnings } = report;
    const facts: Fact[] = [
      ['File', file],
      ['Clips', clips.map(({ id }) => id).join(', ')],
      ['Joints paired', pairing(report)],
      ['Bones mapped', count(mapped.length)],
      ['Bones missing', missing.join(', ') || 'none'],
      ['Bones ambiguous', ambiguous.join(', ') || 'none'],
      ['Scale of the hips', scale.toFixed(3)],
      ['Channels skipped', count(skipped)],
    ];
    byId('report-list').append(
      element(
        'li',
        '',
        element('dl', 'facts', ...rows(facts)),
        ...warnings.map((words) => element('p', 'note', words)),
      ),
    );
    byId('reports').hidden = false;
  }

  #fill({ viewer }: GambolViewer): void {
    const model = viewer?.model;
    if (!model) return;
    const { name, clips, info, warnings } = model;
    const facts: Fact[] = [
      ['File', name],
      ['Clips', count(clips.length)],
      ['Channels', count(clips.reduce((sum, clip) => sum + clip.channels, 0))],
      ['Joints', count(info.joints)],
      ['Nodes', count(info.nodes)],
      ['Vertices', count(info.vertices)],
      ['Triangles', count(info.triangles)],
      ['Morph targets', count(info.morphTargets)],
      ['Materials', count(info.materials)],
    ];
    byId('facts').replaceChildren(...rows(facts));
    this.#warn(warnings);
  }

  #warn(warnings: readonly Warning[]): void {
    const badge = byId('warning-count');
    badge.hidden = warnings.length === 0;
    badge.textContent = warnings.length > 99 ? '99+' : String(warnings.length);
    byId('warnings').hidden = warnings.length === 0;
    byId('warnings-title').textContent = plural(warnings.length, 'warning');
    byId('warning-list').replaceChildren(
      ...warnings
        .slice(0, 200)
        .map(({ code, message, pointer }) =>
          element('li', '', message, element('code', '', pointer === '' ? code : `${code} · ${pointer}`)),
        ),
    );
  }
}
