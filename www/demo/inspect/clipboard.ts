import type { Inspector } from './inspector.ts';

/** Copies a text; `words` tell that it is done. */
export async function copy({ status }: Inspector, text: string, words: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    status.notice(words);
  } catch {
    status.notice('The browser does not let this page copy. Select the text.');
  }
}
