/** @jsxImportSource solid-js */
import 'gambol/element';
import type {} from 'gambol/solid';
import { createSignal } from 'solid-js';
import { render } from 'solid-js/web';

function Character() {
  const [rate] = createSignal(1.5);
  return <gambol-viewer prop:timeScale={rate()} src="/sample.glb" alt="A fox kit" autoplay loading="eager" style={{ display: 'block', width: '320px', height: '240px' }} />;
}

render(() => <Character />, document.querySelector('#app')!);
