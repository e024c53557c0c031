'use client';

import 'gambol/element';

export default function Character({ src }) {
  return (
    <gambol-viewer
      src={src}
      alt="A fox kit"
      autoplay=""
      loading="eager"
      style={{ display: 'block', width: 320, height: 240 }}
    />
  );
}
