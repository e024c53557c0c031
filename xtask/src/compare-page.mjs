// Fills the comparison, `compare.html`: the sentence, the bars and the history from `bench.json` and `bench-history.json`, and the
// table of features from `www/demo/compare/features.json`, with the figures of `start.json`.
//
//     node xtask/src/compare-page.mjs dist/site

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { escaped } from './highlight.mjs';

const [site] = process.argv.slice(2);
const json = (path) => JSON.parse(readFileSync(path, 'utf8'));
const { about, results } = json(join(site, 'bench.json'));
const history = json(join(site, 'bench-history.json'));
const { checked, players, groups } = json('www/demo/compare/features.json');
const start = json(join(site, 'start.json'));

const MEASURED = { gambol: 'gambol', three: 'three.js', babylon: 'Babylon.js', playcanvas: 'PlayCanvas' };
const keys = Object.keys(MEASURED);

/** The time in ms to pose 1,000 characters. */
function time(player) {
  const name = `peers.${player}.cesium_man.1000.update_us`;
  const found = results.find((result) => result.name === name);
  if (!found) throw new Error(`bench.json has no ${name}`);
  return found.value / 1000;
}

const milliseconds = (value) => `${value < 10 ? value.toFixed(2) : value.toFixed(1)} ms`;
const times = (player) => Math.floor(time(player) / time('gambol'));

function sentence() {
  const [, ...others] = keys;
  const [first, ...rest] = others.map((player) => `${times(player)} times as fast as ${MEASURED[player]}`);
  const last = rest.pop();
  return `gambol poses 1,000 characters ${[first, ...rest].join(', ')} and ${last}.`;
}

function bars() {
  const most = Math.max(...keys.map(time));
  const row = (player) =>
    `<tr${player === 'gambol' ? ' class="own-bar"' : ''}><th scope="row">${MEASURED[player]}</th>` +
    `<td><svg aria-hidden="true"><rect width="${((100 * time(player)) / most).toFixed(2)}%" height="100%" rx="4"/></svg></td>` +
    `<td>${milliseconds(time(player))}</td></tr>`;
  return `<table class="bars"><tbody>\n${keys.map(row).join('\n')}\n</tbody></table>`;
}

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [420, 220, 58, 96, 12, 26];

function chart() {
  const value = (entry, player) => entry.update_us[player] / 1000;
  const all = history.flatMap((entry) => keys.map((player) => value(entry, player)));
  const [low, high] = [Math.floor(Math.log10(Math.min(...all))), Math.ceil(Math.log10(Math.max(...all)))];
  const x = (i) => LEFT + ((WIDTH - LEFT - RIGHT) * i) / Math.max(1, history.length - 1);
  const y = (ms) => TOP + ((HEIGHT - TOP - BOTTOM) * (high - Math.log10(ms))) / (high - low);
  const grid = Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i)).map(
    (ms) =>
      `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${y(ms)}" y2="${y(ms)}"/>` +
      `<text x="${LEFT - 6}" y="${y(ms) + 4}" text-anchor="end">${ms} ms</text>`,
  );
  // Labels at the ends of the lines, from the top, without overlap.
  let above = -Infinity;
  const ends = keys
    .map((player) => ({ player, at: y(value(history.at(-1), player)) }))
    .sort((a, b) => a.at - b.at)
    .map(({ player, at }) => {
      above = Math.max(at, above + 15);
      return [player, above];
    });
  const labels = new Map(ends);
  const lines = keys.map((player, i) => {
    const points = history.map((entry, at) => `${x(at).toFixed(1)},${y(value(entry, player)).toFixed(1)}`);
    return (
      `<g class="p${i}"><polyline points="${points.join(' ')}"/>` +
      `<text x="${WIDTH - RIGHT + 6}" y="${(labels.get(player) + 4).toFixed(1)}">${MEASURED[player]}</text></g>`
    );
  });
  const dates = [
    [0, 'start'],
    [history.length - 1, 'end'],
  ].map(([i, anchor]) => `<text x="${x(i)}" y="${HEIGHT - 8}" text-anchor="${anchor}">${history[i].date}</text>`);
  const [first, last] = [history[0], history.at(-1)];
  const label = `Line chart: gambol went from ${milliseconds(value(first, 'gambol'))} to ${milliseconds(value(last, 'gambol'))}, three.js from ${milliseconds(value(first, 'three'))} to ${milliseconds(value(last, 'three'))}.`;
  const figures = history
    .toReversed()
    .map(
      (entry) =>
        `<tr><th scope="row">${entry.date}</th>${keys.map((player) => `<td>${milliseconds(value(entry, player))}</td>`).join('')}</tr>`,
    );
  return `<div class="history">
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}">${[...grid, ...lines, ...dates].join('')}</svg>
<details><summary>The figures</summary>
<div class="scroll figures" tabindex="0" role="group" aria-label="Table: history"><table>
<thead><tr><th scope="col">Date</th>${keys.map((player) => `<th scope="col">${MEASURED[player]}</th>`).join('')}</tr></thead>
<tbody>${figures.join('\n')}</tbody></table></div></details>
</div>`;
}

const MARKS = { yes: 'Yes', part: 'In part', no: 'No', unknown: 'Not checked' };

/** The pages of `start.json`, by the name of the player in the table. */
const PAGES = { gambol: 'element', 'three.js': 'three', '<model-viewer>': 'model-viewer' };

/** A row with a figure of the start of a page; players that were not measured have none. */
function figures(feature, name, unit) {
  const cells = players.map((player) => {
    const found = start.results.find((one) => one.name === name.replace('PAGE', PAGES[player.name] ?? ''));
    if (!found) return `<td class="unknown">${MARKS.unknown}</td>`;
    return `<td><a class="figure" href="${START}">${unit(found.value)}</a></td>`;
  });
  return `<tr><th scope="row">${feature}</th>${cells.join('')}</tr>`;
}

const START = 'https://github.com/gambol-player/gambol/blob/main/benches/README.md#the-start-of-a-page';
const kilobytes = (bytes) => `${(bytes / 1000).toFixed(0)} kB`;

function features() {
  const columns = players.map(
    ({ name, version }) => `<th scope="col">${escaped(name)}${version ? ` <small>${version}</small>` : ''}</th>`,
  );
  const line = ({ feature, cells }) => {
    if (cells.length !== players.length) throw new Error(`${feature} has ${cells.length} cells`);
    const row = cells.map(([mark, text, link], i) => {
      if (!MARKS[mark]) throw new Error(`${feature}: the unknown mark ${mark}`);
      if ((mark === 'unknown') === (link !== '')) throw new Error(`${feature}: evidence of ${players[i].name}`);
      if (mark === 'unknown') return `<td class="unknown">${MARKS[mark]}</td>`;
      return `<td class="${mark}"><span class="verdict">${MARKS[mark]}</span> <a href="${escaped(link)}">${escaped(text)}</a></td>`;
    });
    return `<tr><th scope="row">${escaped(feature)}</th>${row.join('')}</tr>`;
  };
  const body = (name, lines) =>
    `<tbody>\n<tr class="group"><th scope="rowgroup" colspan="${players.length + 1}"><span>${escaped(name)}</span></th></tr>\n${lines.join('\n')}\n</tbody>`;
  const measured = [
    figures('Scripts and WebAssembly of a page with one character', 'start.local.PAGE.code_bytes', kilobytes),
    figures('First frame of this page', 'start.local.PAGE.first_frame', (ms) => `${ms.toFixed(0)} ms`),
  ];
  return `<div class="scroll features" tabindex="0" role="group" aria-label="Table: features"><table>
<thead><tr><td></td>${columns.join('')}</tr></thead>
${[...groups.map(({ name, rows }) => body(name, rows.map(line))), body('The start of a page', measured)].join('\n')}</table></div>`;
}

const FILLS = {
  sentence: sentence(),
  bars: bars(),
  machine: escaped(`${about.browser}, ${about.machine}, ${about.date}.`),
  history: chart(),
  checked: `Checked in ${checked}. The start of a page: ${escaped(`${start.about.browser}, ${start.about.machine}, ${start.about.date}`)}, compressed by brotli, without a limit of the network.`,
  features: features(),
};
const page = join(site, 'compare.html');
let html = readFileSync(page, 'utf8');
for (const [place, content] of Object.entries(FILLS)) {
  if (!html.includes(`<!-- ${place} -->`)) throw new Error(`compare.html has no place for ${place}`);
  html = html.replace(`<!-- ${place} -->`, () => content);
}
writeFileSync(page, html);
