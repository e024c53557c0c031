// What React's JSX takes and refuses.

import type {} from 'gambol/react';

export const good = [
  <gambol-viewer src="a.glb" camera-controls auto-rotate="" exposure="1.2" shadow-intensity={0.5} className="big" onClick={() => undefined} />,
  <gambol-layer animation="Wave" mode="additive" weight={0.5} />,
];
// @ts-expect-error there is no such loop mode
export const loop = <gambol-viewer loop-mode="sideways" />;
// @ts-expect-error there is no such attribute
export const attribute = <gambol-viewer wheels={4} />;
// @ts-expect-error a number is needed
export const number = <gambol-viewer exposure="bright" />;
