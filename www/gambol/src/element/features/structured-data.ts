// Structured data about the model for search engines, by schema.org: `generate-schema`.

import { trustedJson } from '../../base/trusted.ts';
import { flag, type AttributeTable } from '../base/attributes.ts';
import { make } from '../base/dom.ts';
import type { LoadingAttributes } from './loading.ts';
import type { InterfaceAttributes } from './user-interface.ts';

/** Attributes of structured data. */
export interface StructuredDataAttributes {
  /** Adds structured data about the model to the head of the page, for search engines. @category Loading and models */
  generateSchema: boolean;
}

/** @internal */
export const STRUCTURED_DATA: AttributeTable<StructuredDataAttributes, unknown> = {
  generateSchema: flag,
};

/** The element: its attributes, and the document that it is in. */
type Wish = Pick<Element, 'ownerDocument'> &
  Readonly<StructuredDataAttributes & Pick<LoadingAttributes, 'poster'> & Pick<InterfaceAttributes, 'alt'>> & {
    /** The address of the model: `src`, or that of an `<extra-model>` child. */
    readonly modelAddress: string | null;
  };

/** @internal */
export class StructuredData {
  readonly #wish: Wish;
  #script: HTMLScriptElement | undefined;

  constructor(wish: Wish) {
    this.#wish = wish;
  }

  /** Updates the structured data in the head of the page from the attributes. */
  update(): void {
    const { generateSchema, modelAddress: src, alt, poster } = this.#wish;
    if (!generateSchema || src === null) return this.remove();
    this.#script ??= make('script', { type: 'application/ld+json' });
    const text = JSON.stringify({
      '@context': 'https://schema.org/',
      '@type': '3DModel',
      ...(poster !== null && { image: poster }),
      ...(alt !== null && { name: alt }),
      encoding: [{ '@type': 'MediaObject', contentUrl: src, encodingFormat: mediaType(src) }],
    });
    try {
      this.#script.textContent = trustedJson(text);
    } catch {
      // The page requires Trusted Types, and does not allow the policy. The browser reports it.
      return;
    }
    const { head } = this.#wish.ownerDocument;
    if (this.#script.parentNode !== head) head.append(this.#script);
  }

  /** Removes the structured data from the page. */
  remove(): void {
    this.#script?.remove();
  }
}

function mediaType(address: string): string {
  const path = address.replace(/[?#].*$/s, '');
  return /\.gltf$/i.test(path) ? 'model/gltf+json' : 'model/gltf-binary';
}
