// What the templates of Svelte and Vue take and refuse, as their language tools ask for it.

import type {} from 'gambol/svelte';
import type {} from 'gambol/vue';
import type { SvelteHTMLElements } from 'svelte/elements';
import type { GlobalComponents } from 'vue';

export const svelte: SvelteHTMLElements['gambol-viewer'] = { src: 'a.glb', 'loop-mode': 'once', class: 'big', onmarker: () => undefined };
// @ts-expect-error there is no such loop mode
export const wrong: SvelteHTMLElements['gambol-viewer'] = { 'loop-mode': 'sideways' };

// @ts-expect-error a joint is clicked on, not a node
export const handler: SvelteHTMLElements['gambol-viewer'] = { 'onjoint-click': ({ detail }) => detail.node };

type Props = InstanceType<GlobalComponents['gambol-viewer']>['$props'];
export const vue: Props = { src: 'a.glb', 'loop-mode': 'once', class: 'big' };
// @ts-expect-error there is no such loop mode
export const refused: Props = { 'loop-mode': 'sideways' };
