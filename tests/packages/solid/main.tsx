/** @jsxImportSource solid-js */
import 'gambol/element';
import type {} from 'gambol/solid';
import { createSignal } from 'solid-js';
import { render } from 'solid-js/web';
import { Hero } from './hero';

// The page that tests look at it with dispatches each event and asks which were heard.
const heard = ((globalThis as { heard?: string[] }).heard = []) as string[];
const hear = ({ type }: Event): void => void heard.push(type);

function Character() {
  const [rate] = createSignal(1.5);
  return (
    <gambol-viewer
      on:load={hear}
      on:firstframe={hear}
      on:error={hear}
      on:warning={hear}
      on:progress={hear}
      on:poster-dismissed={hear}
      on:model-visibility={hear}
      on:play={hear}
      on:pause={hear}
      on:seeking={hear}
      on:seeked={hear}
      on:timeupdate={hear}
      on:loop={hear}
      on:marker={hear}
      on:finished={hear}
      on:ended={hear}
      on:ratechange={hear}
      on:clipchange={hear}
      on:clipschange={hear}
      on:camera-change={hear}
      on:interact-stopped={hear}
      on:joint-click={hear}
      on:render-scale={hear}
      on:environment-change={hear}
      on:variant-applied={hear}
      on:append-animation={hear}
      on:detach-animation={hear}
      on:statechange={hear}
      on:stateenter={hear}
      on:stateleave={hear}
      on:contextlost={hear}
      on:contextrestored={hear}
      on:frame={hear}
      on:before-render={hear}
      prop:timeScale={rate()}
      src="/sample.glb"
      alt="A fox kit"
      autoplay
      loading="eager"
      style={{ display: 'block', width: '320px', height: '240px' }}
    />
  );
}

// The example of the documents is beside it.
render(
  () => (
    <>
      <Character />
      <Hero />
    </>
  ),
  document.querySelector('#app')!,
);
