import type { Options } from 'minisearch';

export declare const INDEX: Options;
