import 'gambol/element';
import type { ViewerElement } from 'gambol/element';
import type {} from 'gambol/react';
import { useRef } from 'react';
import { createRoot } from 'react-dom/client';

function Character({ src }: { src: string }) {
  const viewer = useRef<ViewerElement>(null);
  return <gambol-viewer ref={viewer} src={src} alt="A fox kit" autoplay loop-mode="pingpong" loading="eager" style={{ width: 320, height: 240 }} />;
}

createRoot(document.querySelector('#app')!).render(<Character src="/sample.glb" />);
