// `import 'gambol/cdn'`, or `/// <reference types="gambol/cdn" />` for a page with the one file: the global that it defines.

import type * as element from '../element.js';
import type * as formats from '../formats.js';
import type * as index from '../index.js';

declare global {
  /** The functions and classes of `gambol`, `gambol/formats` and `gambol/element`. */
  var gambol: typeof formats & typeof index & typeof element;
}
