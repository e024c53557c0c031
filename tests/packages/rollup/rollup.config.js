import resolve from '@rollup/plugin-node-resolve';

export default {
  input: new URL('main.js', import.meta.url).pathname,
  plugins: [resolve()],
};
