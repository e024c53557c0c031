// webpack as it comes: no loader, no plugin.

import webpack from 'webpack';

const [out] = process.argv.slice(2);
const settings = {
  mode: 'production',
  context: import.meta.dirname,
  entry: './main.js',
  output: { path: out, filename: 'bundle.js' },
  performance: { hints: false },
};
webpack(settings, (error, stats) => {
  if (error) throw error;
  if (stats.hasErrors() || stats.hasWarnings()) console.error(stats.toString());
  process.exitCode = stats.hasErrors() || stats.hasWarnings() ? 1 : 0;
});
