// Markup that the template types for Svelte and Vue accept and refuse, in the form that their language tools request.

import type {} from 'gambol/svelte';
import type {} from 'gambol/vue';
import type { SvelteHTMLElements } from 'svelte/elements';
import type { GlobalComponents } from 'vue';

export const svelte: SvelteHTMLElements['gambol-viewer'] = {
  src: 'a.glb',
  'loop-mode': 'once',
  class: 'big',
  onmarker: () => undefined,
};
// @ts-expect-error there is no such loop mode
export const wrong: SvelteHTMLElements['gambol-viewer'] = { 'loop-mode': 'sideways' };

// @ts-expect-error a joint is clicked on, not a node
export const handler: SvelteHTMLElements['gambol-viewer'] = { 'onjoint-click': ({ detail }) => detail.node };

export const load: SvelteHTMLElements['gambol-viewer'] = {
  onload: ({ detail }) => detail.url,
  ontimeupdate: ({ detail }) => detail.frame,
};

type Props = InstanceType<GlobalComponents['gambol-viewer']>['$props'];
export const vue: Props = { src: 'a.glb', 'loop-mode': 'once', class: 'big' };
export const heard: Props = {
  onLoad: ({ detail }) => detail.url,
  onCameraChange: ({ detail }) => detail.source,
  onTimeupdate: ({ detail }) => detail.frame,
};
// @ts-expect-error a marker has a name
export const told: Props = { onMarker: ({ detail }) => detail.title };
// @ts-expect-error there is no such loop mode
export const refused: Props = { 'loop-mode': 'sideways' };

export const directive: SvelteHTMLElements['gambol-viewer'] = {
  'on:marker': ({ detail }) => detail.name.trim(),
  srcObject: new Blob(),
};
// @ts-expect-error a marker has a name
export const title: SvelteHTMLElements['gambol-viewer'] = { 'on:marker': ({ detail }) => detail.title };
// @ts-expect-error a layer dispatches nothing
export const layer: SvelteHTMLElements['gambol-layer'] = { onmarker: () => undefined };
// @ts-expect-error nor is it an image
export const loaded: SvelteHTMLElements['gambol-layer'] = { onload: () => undefined };
