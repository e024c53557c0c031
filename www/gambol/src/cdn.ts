// The package as one script, for `<script src>` from a CDN, a folder or a file. It defines the global `gambol` and the elements.

import * as element from './element.ts';
import * as formats from './formats.ts';
import * as gambol from './index.ts';

Object.assign(globalThis, { gambol: { ...formats, ...gambol, ...element } });
