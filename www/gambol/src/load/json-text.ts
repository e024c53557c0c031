// The JSON of a file, with the importer's repairs (`crates/gltf/src/json/repair.rs`) of texts that are nearly JSON.

import type { Warning } from '../base/errors.ts';

/** A text of JSON, its value, and warnings about repairs. */
export interface ParsedJson {
  readonly text: string;
  readonly value: unknown;
  readonly warnings: readonly Warning[];
}

/** Parses JSON in UTF-8. A text that is not JSON is repaired first. @throws SyntaxError if it is not JSON after that either */
export function parsedJson(bytes: Uint8Array): ParsedJson {
  const text = utf8(bytes);
  try {
    if (text !== undefined) return { text, value: JSON.parse(text), warnings: [] };
  } catch {
    // It is repaired.
  }
  const repaired = repair(bytes);
  // Members that count as missing are not in the value.
  const present = function (this: unknown, _: string, value: unknown): unknown {
    return value === null && !Array.isArray(this) ? undefined : value;
  };
  return { ...repaired, value: JSON.parse(repaired.text, present) };
}

const strict = new TextDecoder('utf-8', { fatal: true });

/** The text without a byte order mark; undefined if it is not UTF-8. */
function utf8(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}

/** A number, or `true`, `false` or `null`. Windows writes `1.#IND` and `-nan(ind)`. */
const WORD = /[\w+.#()-]+/y;
const NO_NUMBER = /^[+-]?(?:inf|infinity|nan(?:\(.*)?|1\.#.*)$/i;
const OTHER = /[^"\w+.#()[\]{}-]+/y;

function at(pattern: RegExp, text: string, place: number): string | undefined {
  pattern.lastIndex = place;
  return pattern.exec(text)?.[0];
}

/** The text as JSON, as far as the repairs make it so. */
function repair(given: Uint8Array): Omit<ParsedJson, 'value'> {
  const mark = given[0] === 0xef && given[1] === 0xbb && given[2] === 0xbf ? 3 : 0;
  let end = given.byteLength;
  while (end > mark && given[end - 1] === 0) end -= 1;
  const bytes = given.subarray(mark, end);
  const characters = latin1(bytes);
  const out: string[] = [];
  // For each open array or object, the start of the array in `out`; undefined for an object.
  const arrays: (number | undefined)[] = [];
  let [strings, numbers] = [0, 0];
  for (let place = 0; place < characters.length; ) {
    const character = characters.charAt(place);
    if (character === '"') {
      const stop = endOfString(characters, bytes, place);
      const text = utf8(bytes.subarray(place, stop));
      if (text === undefined) strings += 1;
      out.push(text ?? escaped(characters.slice(place, stop)));
      place = stop;
      continue;
    }
    const word = at(WORD, characters, place);
    if (word !== undefined && NO_NUMBER.test(word)) {
      numbers += 1;
      place += word.length;
      const start = arrays.at(-1);
      // The parts of a vector have no default of their own.
      if (start !== undefined) {
        arrays.pop();
        out.length = start;
        place = endOfArray(characters, bytes, place);
      }
      out.push('null');
      continue;
    }
    if (character === '[') arrays.push(out.length);
    else if (character === '{') arrays.push(undefined);
    else if (character === ']' || character === '}') arrays.pop();
    const same = word ?? at(OTHER, characters, place) ?? character;
    out.push(same);
    place += same.length;
  }
  const padding = given.byteLength - end;
  return { text: out.join(''), warnings: warnings(strings, numbers, padding) };
}

function warnings(strings: number, numbers: number, padding: number): Warning[] {
  const all = [
    [strings, 'import/not-utf8', `Strings of the JSON are not UTF-8 (${strings} times); they are read as Latin-1`],
    [
      numbers,
      'import/number-replaced',
      `The JSON has numbers that are infinite or NaN (${numbers} times); the values count as missing`,
    ],
    [padding, 'import/json-padding', `Zero bytes follow the JSON (${padding} times); they are ignored`],
  ] as const;
  return all.filter(([count]) => count > 0).map(([, code, message]) => ({ code, message, pointer: '' }));
}

/** A character for each byte. `TextDecoder` reads Windows-1252 by the name of Latin-1. */
function latin1(bytes: Uint8Array): string {
  const parts: string[] = [];
  for (let begin = 0; begin < bytes.byteLength; begin += 0x2000)
    parts.push(String.fromCharCode(...bytes.subarray(begin, begin + 0x2000)));
  return parts.join('');
}

/** The end of the string that begins at `begin`, after its second quote. */
function endOfString(characters: string, bytes: Uint8Array, begin: number): number {
  let place = begin + 1;
  while (place < characters.length) {
    const character = characters[place];
    place += 1;
    if (character === '"') return place;
    const next = characters[place] ?? ' ';
    if (character === '\\' && '"\\/bfnrtu'.includes(next) && !isHalfCharacter(characters, bytes, begin, place - 1))
      place += 1;
  }
  return place;
}

/** `true` if the backslash at `place` is the second byte of a character in Shift-JIS or GBK, after which the string ends. */
function isHalfCharacter(characters: string, bytes: Uint8Array, begin: number, place: number): boolean {
  return (
    characters[place + 1] === '"' &&
    characters.charCodeAt(place - 1) > 0x7f &&
    at(/\s*[,:\]}]/y, characters, place + 2) !== undefined &&
    utf8(bytes.subarray(begin + 1, place)) === undefined
  );
}

/** A string with quotes, in which a backslash may be the second byte of a character. */
function escaped(string: string): string {
  return `"${string.slice(1, -1).replace(/\\(u[\da-f]{4}|["\\/bfnrt])?/gi, (all, code) => (code === undefined ? '\\\\' : all))}"`;
}

/** The end of an array, after its bracket. */
function endOfArray(characters: string, bytes: Uint8Array, begin: number): number {
  let depth = 1;
  let place = begin;
  while (place < characters.length && depth > 0) {
    const character = characters.charAt(place);
    place = character === '"' ? endOfString(characters, bytes, place) : place + 1;
    if ('[{'.includes(character)) depth += 1;
    if (']}'.includes(character)) depth -= 1;
  }
  return place;
}
