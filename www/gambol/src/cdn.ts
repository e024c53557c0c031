// The package as one script, for `<script src>` from a CDN, a folder or a file: `gambol` is a global then, and the elements are defined.

import * as element from './element.ts';
import * as gambol from './index.ts';

Object.assign(globalThis, { gambol: { ...gambol, ...element } });
