// The sources of a `<model>` element: its `src`, or those of its `<source>` children whose type and media fit.

import { windowOf } from '../base/window.ts';

/** The media types that can be shown. An absent type fits, too. */
const TYPES = ['model/gltf-binary', 'model/gltf+json'];
/** Files that `<model>` of other browsers shows and that gambol cannot read. */
const USD = /\.(usd[acz]?|reality)$/i;

export interface Candidate {
  /** The element with the attribute `src`: the `<model>` or a `<source>`. */
  readonly element: Element;
  /** The absolute URL. */
  readonly url: string;
  /** `false` for a file without a type whose name says that it cannot be read; it is not fetched. */
  readonly readable: boolean;
}

/**
 * The sources that fit, in the order of preference. A `src` of the element itself takes precedence over all children. `named`: `true`
 * if any source is named, so that an empty list means that none fits.
 */
export function candidatesOf(host: Element): { readonly fits: readonly Candidate[]; readonly named: boolean } {
  const own = addressOf(host, 'src');
  const elements = own === '' ? [...host.children].filter(({ localName }) => localName === 'source') : [host];
  const named = elements.filter((element) => addressOf(element, 'src') !== '');
  const fits = named
    .filter((element) => element === host || fitsPage(element))
    .map((element) => {
      const url = addressOf(element, 'src');
      const typed = element !== host && typeOf(element) !== '';
      return { element, url, readable: typed || !USD.test(new URL(url).pathname) };
    });
  return { fits, named: named.length > 0 };
}

/** The absolute URL in an attribute; empty if the attribute is absent, empty or no URL. */
export function addressOf(element: Element, attribute: string): string {
  const text = element.getAttribute(attribute)?.trim();
  if (!text) return '';
  try {
    return new URL(text, element.baseURI).href;
  } catch {
    return '';
  }
}

function fitsPage(source: Element): boolean {
  const type = typeOf(source);
  const media = source.getAttribute('media')?.trim();
  return (type === '' || TYPES.includes(type)) && (!media || windowOf(source).matchMedia(media).matches);
}

/** The type without parameters, in lower case. */
function typeOf(source: Element): string {
  return (source.getAttribute('type')?.split(';')[0] ?? '').trim().toLowerCase();
}
