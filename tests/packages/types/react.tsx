// Markup that the JSX types for React accept and refuse.

import type {} from 'gambol/react';

export const heard = (
  <gambol-viewer
    onload={({ detail }) => detail.url?.trim()}
    onplay={({ detail }) => detail.time.toFixed(1)}
    onpause={() => undefined}
    onerror={({ detail }) => detail.code.trim()}
    ontimeupdate={({ detail }) => detail.frame.toFixed(0)}
    onprogress={({ detail }) => detail.totalProgress.toFixed(1)}
    onseeking={() => undefined}
    onseeked={() => undefined}
    onended={() => undefined}
    onratechange={({ detail }) => detail.rate.toFixed(1)}
    onmarker={({ detail }) => detail.name.trim()}
    oncamera-change={({ detail }) => detail.source.trim()}
    onClick={(event) => event.clientX.toFixed(0)}
    onPointerDown={() => undefined}
  />
);
// @ts-expect-error React never calls it on this element
export const load = <gambol-viewer onLoad={() => undefined} />;
// @ts-expect-error nor this one
export const play = <gambol-viewer onPlay={() => undefined} />;
// @ts-expect-error nor this one
export const pause = <gambol-viewer onPause={() => undefined} />;
// @ts-expect-error nor this one
export const error = <gambol-viewer onError={() => undefined} />;
// @ts-expect-error nor this one
export const time = <gambol-viewer onTimeUpdate={() => undefined} />;
// @ts-expect-error nor this one
export const progress = <gambol-viewer onProgress={() => undefined} />;
// @ts-expect-error nor this one
export const seeking = <gambol-viewer onSeeking={() => undefined} />;
// @ts-expect-error nor this one
export const seeked = <gambol-viewer onSeeked={() => undefined} />;
// @ts-expect-error nor this one
export const ended = <gambol-viewer onEnded={() => undefined} />;
// @ts-expect-error nor this one
export const rate = <gambol-viewer onRateChange={() => undefined} />;
// @ts-expect-error nor one of the capturing phase
export const capture = <gambol-viewer onLoadCapture={() => undefined} />;

export const good = [
  <gambol-viewer
    src="a.glb"
    camera-controls
    auto-rotate=""
    exposure="1.2"
    shadow-intensity={0.5}
    className="big"
    onClick={() => undefined}
  />,
  <gambol-layer animation="Wave" mode="additive" weight={0.5} />,
  <gambol-morph name="smile" weight={0.7} fade="0.1" />,
];
// @ts-expect-error there is no such loop mode
export const loop = <gambol-viewer loop-mode="sideways" />;
// @ts-expect-error there is no such attribute
export const attribute = <gambol-viewer wheels={4} />;
// @ts-expect-error a number is needed
export const number = <gambol-viewer exposure="bright" />;
// @ts-expect-error a layer dispatches nothing
export const layer = <gambol-layer onmarker={() => undefined} />;
export const file = <gambol-viewer srcObject={new Blob()} />;
// @ts-expect-error a number is no source
export const source = <gambol-viewer srcObject={4} />;
