// The addresses that open a model in the apps of Android and iOS.
//
// Scene Viewer: https://developers.google.com/ar/develop/scene-viewer. Quick Look: https://developer.apple.com/augmented-reality/quick-look/.

/** The fragment to which the browser returns if it has no Scene Viewer. It is that of <model-viewer>, which pages may listen for. */
export const NO_VIEWER = '#model-viewer-no-ar-fallback';

/** The attributes that a link to an app says. */
export interface LinkWish {
  readonly arScale: 'auto' | 'fixed';
  readonly arPlacement: 'floor' | 'wall' | 'ceiling';
}

/**
 * The address of Scene Viewer for a model. Parameters of the model's own address, such as `title`, `link` and `sound`, are passed on;
 * `link` and `sound` are resolved at the page.
 */
export function sceneViewerLink(src: string, page: string, { arScale, arPlacement }: LinkWish): string {
  const file = new URL(src, page);
  file.hash = '';
  const query = new URLSearchParams(file.search);
  for (const name of ['link', 'sound']) {
    const address = query.get(name);
    if (address !== null) query.set(name, new URL(address, page).href);
  }
  query.set('mode', 'ar_preferred');
  if (!query.has('disable_occlusion')) query.set('disable_occlusion', 'true');
  if (arScale === 'fixed') query.set('resizable', 'false');
  if (arPlacement === 'wall') query.set('enable_vertical_placement', 'true');
  query.set('file', file.href);
  const back = new URL(page);
  back.hash = NO_VIEWER;
  return [
    `intent://arvr.google.com/scene-viewer/1.2?${query.toString()}#Intent`,
    'scheme=https',
    'package=com.google.android.googlequicksearchbox',
    'action=android.intent.action.VIEW',
    `S.browser_fallback_url=${encodeURIComponent(back.href)}`,
    'end;',
  ].join(';');
}

/** The address of a file for Quick Look: a fragment of it says what the user may change. */
export function quickLookLink(file: string, page: string, { arScale }: Pick<LinkWish, 'arScale'>): string {
  const address = new URL(file, page);
  if (arScale === 'fixed')
    address.hash = `${address.hash.slice(1) && `${address.hash.slice(1)}&`}allowsContentScaling=0`;
  return address.href;
}
