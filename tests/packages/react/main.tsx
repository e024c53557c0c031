import 'gambol/element';
import type { GambolViewer } from 'gambol/element';
import type {} from 'gambol/react';
import { useRef } from 'react';
import { createRoot } from 'react-dom/client';

function Character({ src }: { src: string }) {
  const viewer = useRef<GambolViewer>(null);
  return (
    <gambol-viewer
      ref={viewer} src={src} alt="A fox kit" autoplay loop-mode="pingpong" time-scale={1.5} loading="eager"
      onloop={(event) => void event.detail} style={{ display: 'block', width: 320, height: 240 }}
    />
  );
}

createRoot(document.querySelector('#app')!).render(<Character src="/sample.glb" />);
