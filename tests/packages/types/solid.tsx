/** @jsxImportSource solid-js */
// Markup that the JSX types for Solid accept and refuse.

import type {} from 'gambol/solid';

export const good = <gambol-viewer src="a.glb" camera-controls prop:currentTime={0.5} class="big" />;
export const heard = (
  <gambol-viewer
    on:marker={({ detail }) => detail.name.trim()}
    on:camera-change={({ detail }) => detail.source.trim()}
    on:load={({ detail }) => detail.url}
  />
);
// @ts-expect-error a marker has a name
export const told = <gambol-viewer on:marker={({ detail }) => detail.title} />;
// @ts-expect-error there is no such loop mode
export const loop = <gambol-viewer loop-mode="sideways" />;
// @ts-expect-error a number is needed
export const number = <gambol-viewer prop:timeScale="fast" />;
// @ts-expect-error a layer dispatches nothing
export const layer = <gambol-layer on:marker={() => undefined} />;
export const file = <gambol-viewer srcObject={new Blob()} />;
