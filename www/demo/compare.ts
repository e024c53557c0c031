// The comparison: poses beside the oracle's, and pictures of scaled joints.

import { installConformance } from './compare/conformance.ts';
import { installScaled } from './compare/scaled.ts';

installConformance();
installScaled();
