// Reports `true` if workers have WebGL 2.

postMessage(typeof OffscreenCanvas === 'function' && new OffscreenCanvas(1, 1).getContext('webgl2') !== null);
