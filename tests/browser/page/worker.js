// The package's worker with test hooks: tests can lose its contexts, or simulate a GPU that does not finish. A page
// controls it over a channel, which also reports the number of pictures that were begun. `?refuse` has no WebGL, and
// `?silent` never answers.

import '/gambol/dist/worker.js';

const query = new URLSearchParams(location.search);
const getContext = OffscreenCanvas.prototype.getContext;
let context = null;

OffscreenCanvas.prototype.getContext = function (...args) {
  if (query.has('refuse')) return null;
  const made = getContext.apply(this, args);
  if (args[0] === 'webgl2' && this.width > 1) context = made;
  return made;
};

if (query.has('silent')) self.postMessage = () => undefined;

let [pictures, behind] = [0, false];
const { fenceSync, getSyncParameter } = WebGL2RenderingContext.prototype;
WebGL2RenderingContext.prototype.fenceSync = function (...args) {
  pictures += 1;
  return fenceSync.apply(this, args);
};
WebGL2RenderingContext.prototype.getSyncParameter = function (...args) {
  return behind ? this.UNSIGNALED : getSyncParameter.apply(this, args);
};

const channel = new BroadcastChannel(query.get('channel') ?? 'worker');
let extension;
channel.onmessage = ({ data }) => {
  if (data === 'count') return channel.postMessage(pictures);
  if (data === 'behind' || data === 'done') return void (behind = data === 'behind');
  extension ??= context.getExtension('WEBGL_lose_context');
  if (data === 'take') extension.loseContext();
  if (data === 'give') extension.restoreContext();
  if (data !== 'trap') return;
  for (const name of ['drawElements', 'drawArrays', 'drawElementsInstanced', 'drawArraysInstanced']) {
    WebGL2RenderingContext.prototype[name] = () => {
      throw new WebAssembly.RuntimeError('a trap');
    };
  }
};
