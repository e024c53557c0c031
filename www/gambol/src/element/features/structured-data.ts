// Structured data about the model for search engines, as schema.org has it: `generate-schema`.

import { make } from '../base/dom.ts';
import type { ViewerAttributes } from '../base/attributes.ts';

export class StructuredData {
  readonly #wish: Readonly<ViewerAttributes>;
  #script: HTMLScriptElement | undefined;

  constructor(wish: Readonly<ViewerAttributes>) {
    this.#wish = wish;
  }

  /** Says in the head of the page what the attributes say. */
  update(): void {
    const { generateSchema, src, alt, poster } = this.#wish;
    if (!generateSchema || src === null) return this.remove();
    this.#script ??= make('script', { type: 'application/ld+json' });
    this.#script.textContent = JSON.stringify({
      '@context': 'https://schema.org/', '@type': '3DModel', ...(poster !== null && { image: poster }), ...(alt !== null && { name: alt }),
      encoding: [{ '@type': 'MediaObject', contentUrl: src, encodingFormat: mediaType(src) }],
    });
    if (!this.#script.isConnected) document.head.append(this.#script);
  }

  /** Takes it from the page. */
  remove(): void {
    this.#script?.remove();
  }
}

function mediaType(address: string): string {
  const path = address.replace(/[?#].*$/s, '');
  return /\.gltf$/i.test(path) ? 'model/gltf+json' : 'model/gltf-binary';
}
