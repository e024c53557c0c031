// Text of files on a terminal: names, URIs and messages may hold characters that a terminal obeys.

/** Control characters, line separators, and marks that change the direction of text. */
const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

const NAMED: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const unicode = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** The text in one line, with an escape for each control character: `\x1b`, `\n`, `\u202e`. */
export function visible(text: string): string {
  return text.replaceAll(CONTROL, (character) => {
    const code = character.charCodeAt(0);
    return NAMED[character] ?? (code < 0x100 ? `\\x${code.toString(16).padStart(2, '0')}` : unicode(character));
  });
}

/** The text of a JSON document. Its strings are those of the value when they are read, and it has no control characters. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 2).replaceAll(CONTROL, (character) =>
    character === '\n' ? character : unicode(character),
  );
}
