// The values of camera attributes, as in <model-viewer>: `45deg calc(75deg - env(window-scroll-y) * 20deg) 105%`.

/** The reference values for one entry of a list. */
export interface Basis {
  /** The value of 100 %. */
  readonly whole: number;
  /** The value of `auto`. Default: `whole`. */
  readonly auto?: number;
}

/** Factors of units to radians, metres and plain numbers. */
const UNITS: Readonly<Record<string, number>> = {
  '': 1,
  rad: 1,
  deg: Math.PI / 180,
  m: 1,
  cm: 0.01,
  mm: 0.001,
};

type Token = { readonly number: number; readonly unit: string } | { readonly word: string };

/**
 * The numbers of a list in radians and metres, one for each basis. Missing entries are `auto`. In a list that cannot be parsed,
 * all entries are `auto`.
 */
export function parseValues(text: string | null, bases: readonly Basis[]): number[] {
  const auto = ({ auto: value, whole }: Basis): number => value ?? whole;
  const read = text === null || text.trim() === '' ? null : readValues(text, bases);
  return read?.every((value) => !Number.isNaN(value)) ? read : bases.map(auto);
}

/** The same, of numbers that must be finite: in a list with another one, all entries are `auto`. */
export function parseFinite(text: string | null, bases: readonly Basis[]): number[] {
  const values = parseValues(text, bases);
  return values.every(Number.isFinite) ? values : parseValues(null, bases);
}

/** `true` if the text can be parsed as a list of at most `count` values. */
export function isReadable(text: string, count: number): boolean {
  return (
    text.trim() === '' ||
    readValues(
      text,
      Array.from({ length: count }, () => ({ whole: 1 })),
    ) !== null
  );
}

function readValues(text: string, bases: readonly Basis[]): number[] | null {
  const all = bases.map(({ auto, whole }) => auto ?? whole);
  try {
    const parser = new Parser(tokens(text));
    bases.forEach((basis, i) => {
      if (!parser.ended) all[i] = parser.term(basis);
    });
    return parser.ended ? all : null;
  } catch {
    return null;
  }
}

/** `true` if the value depends on the scroll position of the page. */
export function followsScroll(text: string | null): boolean {
  return text?.includes('window-scroll-y') ?? false;
}

/** The scroll position of the page, `0..=1`. */
function scrolled(): number {
  const most = document.documentElement.scrollHeight - innerHeight;
  return most > 0 ? Math.min(1, Math.max(0, scrollY / most)) : 0;
}

function tokens(text: string): Token[] {
  const found: Token[] = [];
  // A sign directly before a number is part of the number, as in CSS.
  const pattern = /\s*(?:([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)([a-z%]*)|([a-z][a-z-]*|[()+\-*/]))/giy;
  while (pattern.lastIndex < text.trimEnd().length) {
    const match = pattern.exec(text);
    if (!match) throw new SyntaxError(text);
    const [, number, unit = '', word = ''] = match;
    found.push(
      number === undefined ? { word: word.toLowerCase() } : { number: Number(number), unit: unit.toLowerCase() },
    );
  }
  return found;
}

class Parser {
  readonly #tokens: readonly Token[];
  #at = 0;

  constructor(list: readonly Token[]) {
    this.#tokens = list;
  }

  get ended(): boolean {
    return this.#at >= this.#tokens.length;
  }

  term(basis: Basis): number {
    const token = this.#tokens[this.#at++];
    if (!token) throw new SyntaxError();
    if ('number' in token) {
      const { number, unit } = token;
      const factor = unit === '%' ? basis.whole / 100 : UNITS[unit];
      if (factor === undefined) throw new SyntaxError(unit);
      return number * factor;
    }
    switch (token.word) {
      case 'auto':
        return basis.auto ?? basis.whole;
      case 'infinity':
        return Infinity;
      case '-':
        return -this.term(basis);
      case 'calc':
        this.#expect('(');
        return this.#rest(basis);
      case '(':
        return this.#rest(basis);
      case 'env': {
        this.#expect('(');
        this.#expect('window-scroll-y');
        this.#expect(')');
        return scrolled();
      }
      default:
        throw new SyntaxError(token.word);
    }
  }

  /** Parses a sum and its closing parenthesis, after the opening one. */
  #rest(basis: Basis): number {
    const value = this.#sum(basis);
    this.#expect(')');
    return value;
  }

  #sum(basis: Basis): number {
    let value = this.#product(basis);
    for (let word = this.#word('+-'); word; word = this.#word('+-')) {
      const other = this.#product(basis);
      value += word === '+' ? other : -other;
    }
    return value;
  }

  #product(basis: Basis): number {
    let value = this.term(basis);
    for (let word = this.#word('*/'); word; word = this.#word('*/')) {
      const other = this.term(basis);
      value = word === '*' ? value * other : value / other;
    }
    return value;
  }

  /** Consumes the next token if it is one of these signs. */
  #word(signs: string): string | undefined {
    const token = this.#tokens[this.#at];
    if (!token || !('word' in token) || token.word.length !== 1 || !signs.includes(token.word)) return undefined;
    this.#at += 1;
    return token.word;
  }

  #expect(word: string): void {
    const token = this.#tokens[this.#at++];
    if (!token || !('word' in token) || token.word !== word) throw new SyntaxError(word);
  }
}

/** An angle in radians; NaN if the text is not an angle. */
export function parseAngle(text: string): number {
  return parseValues(text, [{ whole: NaN }])[0] ?? NaN;
}

/** Three numbers with or without units, or null. */
export function parseVector(text: string | null): [x: number, y: number, z: number] | null {
  if (text === null) return null;
  const unknown = { whole: NaN };
  const [x = NaN, y = NaN, z = NaN] = parseValues(text, [unknown, unknown, unknown]);
  return Number.isNaN(x + y + z) ? null : [x, y, z];
}

/** Radians as degrees, rounded to the precision of the conversion, so that 30° gives 30. */
export function degrees(radians: number): number {
  return Number(((radians * 180) / Math.PI).toFixed(12));
}
