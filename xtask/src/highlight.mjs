// Highlighted code for pages of the site.

import hljs from 'highlight.js/lib/core';
import javascript from 'highlight.js/lib/languages/javascript';
import rust from 'highlight.js/lib/languages/rust';
import shell from 'highlight.js/lib/languages/bash';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';

hljs.registerLanguage('js', javascript);
hljs.registerLanguage('rust', rust);
hljs.registerLanguage('sh', shell);
hljs.registerLanguage('ts', typescript);
hljs.registerLanguage('html', xml);
/** Languages of code blocks that are highlighted as another one. */
const LIKE = { tsx: 'ts', jsx: 'js', svelte: 'html', vue: 'html' };

export const escaped = (text) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** The code as HTML. Code in another language has no colours. */
export function highlighted(code, name) {
  const language = LIKE[name] ?? name;
  return hljs.getLanguage(language) ? hljs.highlight(code, { language }).value : escaped(code);
}
