// The times of the tools in Node, of one package or of two: `node benches/tools.mjs [--cpu] NEW [OLD] FILE…`, where NEW and OLD are folders of
// packages, such as dist/gambol after `cargo xtask build`. A process for each package runs all tools on each file: once without
// counting, then five times, in turn with the other process. The table has the medians in milliseconds and the ratio of NEW and OLD.
// With `--cpu`, times are those of the processor, for a machine that is not idle. They count all threads, also of V8's compiler.
//
// - `start`: the first call of `inspect` in a new process with the smallest file, which loads and compiles the module.
// - `optimize`: also the bytes of its file, and its error as a part of the bound.
// - `diff`: of the file and the one that `optimize` of NEW has made.
// - `retarget`: the clips of the file for itself.

import { spawn } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const TOOLS = ['optimize', 'inspect', 'diff', 'retarget'];
const RUNS = 5;

const given = process.argv.slice(2).filter((argument) => argument !== '--cpu');
const isCpu = process.argv.includes('--cpu');

/** Milliseconds since the process began. */
function now() {
  if (!isCpu) return performance.now();
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The calls of a process: a line of JSON with a tool and its files gives a line with the time and what was made. */
async function serve(folder) {
  const tools = await import(pathToFileURL(resolve(folder, 'dist/tools.js')));
  const call = {
    optimize: async (file) => {
      const { bytes, report } = await tools.optimize(file);
      return { bytes, error: report.error / report.bound };
    },
    inspect: (file) => tools.inspect(file),
    diff: (file, other) => tools.diff(file, other),
    retarget: (file) => tools.retarget(file, [file]),
  };
  process.on('message', async ({ tool, file, other }) => {
    // A `.gltf` names files beside it.
    const source = file.endsWith('.glb') ? new Uint8Array(readFileSync(file)) : pathToFileURL(file).href;
    const since = now();
    try {
      const made = await call[tool](source, other && new Uint8Array(Buffer.from(other, 'base64')));
      const milliseconds = now() - since;
      const bytes = tool === 'optimize' ? Buffer.from(made.bytes).toString('base64') : undefined;
      process.send({ milliseconds, bytes, error: made.error });
    } catch (error) {
      process.send({ milliseconds: now() - since, failed: error.code ?? String(error) });
    }
  });
}

/** A process that serves the calls of a package. */
function start(folder) {
  const script = [fileURLToPath(import.meta.url), ...(isCpu ? ['--cpu'] : [])];
  const child = spawn(process.execPath, [...script, '--serve', folder], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ask = (call) =>
    new Promise((done, failed) => {
      const ended = () => failed(new Error(`the process of ${folder} has ended`));
      child.once('exit', ended);
      child.once('message', (answer) => {
        child.off('exit', ended);
        done(answer);
      });
      child.send(call);
    });
  return { ask, stop: () => child.kill() };
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

function line(name, tool, times, remark) {
  const ratio = times.length === 2 ? (times[0] / times[1]).toFixed(2) : '';
  console.log(
    [
      name.padEnd(30),
      tool.padEnd(9),
      ...times.map((time) => time.toFixed(1).padStart(9)),
      ratio.padStart(6),
      remark,
    ].join(' '),
  );
}

/** The median time until a new process has inspected a file. */
async function startTime(folder, file) {
  const times = [];
  for (let run = 0; run < RUNS; run += 1) {
    const server = start(folder);
    times.push((await server.ask({ tool: 'inspect', file })).milliseconds);
    server.stop();
  }
  return median(times);
}

async function measure(folders, files) {
  const smallest = files.toSorted((a, b) => statSync(a).size - statSync(b).size)[0];
  const starts = [];
  for (const folder of folders) starts.push(await startTime(folder, smallest));
  line(basename(smallest), 'start', starts, '');
  const servers = folders.map(start);
  for (const file of files) {
    let other;
    for (const tool of TOOLS) {
      const times = folders.map(() => []);
      const made = [];
      for (let run = 0; run <= RUNS; run += 1) {
        for (const [i, server] of servers.entries()) {
          made[i] = await server.ask({ tool, file, other: tool === 'diff' ? other : undefined });
          if (run > 0) times[i].push(made[i].milliseconds);
        }
      }
      other ??= made[0].bytes;
      const remark = ({ bytes, error, failed }) =>
        failed ?? (bytes ? `${Buffer.from(bytes, 'base64').length} B, error ${error.toFixed(3)}` : '');
      line(basename(file), tool, times.map(median), made.map(remark).join('  '));
    }
  }
  servers.forEach((server) => server.stop());
}

if (given[0] === '--serve') {
  await serve(given[1]);
} else {
  const isFolder = (path) => statSync(path).isDirectory();
  const files = given.filter((path) => !isFolder(path));
  if (files.length === 0 || files.length === given.length)
    throw new Error('usage: node benches/tools.mjs [--cpu] NEW [OLD] FILE…, with folders of packages');
  await measure(given.filter(isFolder), files);
}
