/** @jsxImportSource solid-js */
// What Solid's JSX takes and refuses.

import type {} from 'gambol/solid';

export const good = <gambol-viewer src="a.glb" camera-controls prop:currentTime={0.5} class="big" />;
// @ts-expect-error there is no such loop mode
export const loop = <gambol-viewer loop-mode="sideways" />;
// @ts-expect-error a number is needed
export const number = <gambol-viewer prop:timeScale="fast" />;
