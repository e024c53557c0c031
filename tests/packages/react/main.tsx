import 'gambol/element';
import type { GambolViewer } from 'gambol/element';
import type {} from 'gambol/react';
import { useRef } from 'react';
import { createRoot } from 'react-dom/client';
import { Hero } from './hero';

// The page that tests look at it with dispatches each event and asks which were heard.
const heard = ((globalThis as { heard?: string[] }).heard = []) as string[];
const hear = ({ type }: Event): void => void heard.push(type);

function Character({ src }: { src: string }) {
  const viewer = useRef<GambolViewer>(null);
  return (
    <gambol-viewer
      ref={viewer}
      src={src}
      alt="A fox kit"
      autoplay
      loop-mode="pingpong"
      time-scale={1.5}
      loading="eager"
      onload={hear}
      onfirstframe={hear}
      onerror={hear}
      onwarning={hear}
      onprogress={hear}
      onposter-dismissed={hear}
      onmodel-visibility={hear}
      onplay={hear}
      onpause={hear}
      onseeking={hear}
      onseeked={hear}
      ontimeupdate={hear}
      onloop={hear}
      onmarker={hear}
      onfinished={hear}
      onended={hear}
      onratechange={hear}
      onclipchange={hear}
      onclipschange={hear}
      oncamera-change={hear}
      oninteract-stopped={hear}
      onjoint-click={hear}
      onrender-scale={hear}
      onenvironment-change={hear}
      onvariant-applied={hear}
      onappend-animation={hear}
      ondetach-animation={hear}
      onstatechange={hear}
      onstateenter={hear}
      onstateleave={hear}
      oncontextlost={hear}
      oncontextrestored={hear}
      onframe={hear}
      onbefore-render={hear}
      style={{ display: 'block', width: 320, height: 240 }}
    />
  );
}

// The example of the documents is beside it.
createRoot(document.querySelector('#app')!).render(
  <>
    <Character src="/sample.glb" />
    <Hero />
  </>,
);
