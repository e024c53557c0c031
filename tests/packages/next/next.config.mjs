// A folder of files in the end; its pages are rendered in Node first, as a server would.
export default {
  output: 'export',
  devIndicators: false,
  outputFileTracingRoot: new URL('..', import.meta.url).pathname,
  turbopack: { root: new URL('..', import.meta.url).pathname },
};
