'use client';

import 'gambol/element';
import manifest from 'gambol/custom-elements.json';
import { useState } from 'react';

const { events } = manifest.modules[0].declarations.find(({ tagName }) => tagName === 'gambol-viewer');

// The page that tests look at it with dispatches each event and asks which were heard.
const hear = ({ type }) => {
  globalThis.heard ??= [];
  globalThis.heard.push(type);
};

/** The page is rendered on a server, so React hydrates the element. Each play makes other handlers. */
export default function Character({ src }) {
  const [plays, setPlays] = useState(0);
  const handlers = Object.fromEntries(events.map(({ name }) => [`on${name}`, hear]));
  return (
    <>
      <gambol-viewer
        {...handlers}
        onplay={(event) => {
          hear(event);
          setPlays((count) => count + 1);
        }}
        src={src}
        alt="A fox kit"
        autoplay=""
        loading="eager"
        style={{ display: 'block', width: 320, height: 240 }}
      />
      <output>{plays}</output>
    </>
  );
}
