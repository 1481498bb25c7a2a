import fc from 'fast-check';

/** A JSON value that keeps the text of its numbers; objects are lists of their members, in order. */
export type Exact =
  | string
  | boolean
  | null
  | { number: string }
  | { items: Exact[] }
  | { members: [string, Exact][] };

const TOKEN = /[\s]*("(?:[^"\\]|\\.)*"|[-+.0-9eE]+|true|false|null|[[\]{},:])[\s]*/y;

/** Parses JSON independently of the hub's parser. */
export function exactly(text: string): Exact {
  const tokens: string[] = [];
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < text.length; ) {
    const token = TOKEN.exec(text)?.[1];
    if (token === undefined) throw new Error(`no JSON: ${text}`);
    tokens.push(token);
  }
  const next = (): string => tokens.shift() ?? '';
  const list = <Item>(end: string, read: () => Item): Item[] => {
    const items: Item[] = [];
    while (tokens[0] !== end) {
      items.push(read());
      if (tokens[0] === ',') next();
    }
    next();
    return items;
  };
  const value = (): Exact => {
    const token = next();
    if (token === '[') return { items: list(']', value) };
    if (token === '{')
      return {
        members: list('}', () => {
          const name: string = JSON.parse(next());
          next();
          return [name, value()];
        }),
      };
    return /^[-0-9]/.test(token) ? { number: token } : JSON.parse(token);
  };
  return value();
}

/** Returns the value at the path of names, starting at the outermost object. */
export const exactIn = (text: string, ...path: readonly string[]): Exact | undefined =>
  path.reduce<Exact | undefined>(
    (value, name) =>
      typeof value === 'object' && value !== null && 'members' in value
        ? value.members.find(([own]) => own === name)?.[1]
        : undefined,
    exactly(text),
  );

const digits = (maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength });
const whole = fc.oneof(
  fc.constantFrom('0', '1', '10', '9007199254740993', '725653563933458432'),
  fc.tuple(fc.constantFrom(...'123456789'), digits(40)).map((parts) => parts.join('')),
);
const fraction = fc.oneof(
  fc.constantFrom('', '.0', '.10'),
  digits(30).map((text) => `.${text}`),
);
const exponent = fc.oneof(
  fc.constantFrom('', '', 'e2', 'E+400', 'e-400', 'e0'),
  digits(3).map((text) => `e-${text}`),
);
/** Generates integers for ids, which may be larger than a double represents exactly */
export const integerText = fc.tuple(fc.constantFrom('', '-'), whole).map((parts) => parts.join(''));
const numberText = fc
  .tuple(fc.constantFrom('', '-'), whole, fraction, exponent)
  .map((parts) => parts.join(''));
const stringText = fc.oneof(
  fc.constantFrom('"\\u00e9\\ud83d\\ude00\\/"', '"\\\\"', '"1.0"', '"{\\"a\\":1,\\"a\\":2}"', '""'),
  fc.string({ unit: 'grapheme', maxLength: 8 }).map((text) => JSON.stringify(text)),
);
const name = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', '_meta', 'name', '7', '"', 'a\\b', 'é'),
  fc.string({ maxLength: 5 }),
);
const blank = fc.constantFrom('', '', ' ', '\n', '\r\n\t');

const { value, object } = fc.letrec<{ value: string; array: string; object: string }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, depthSize: 'medium' },
    numberText,
    stringText,
    fc.constantFrom('true', 'false', 'null'),
    tie('array'),
    tie('object'),
  ),
  array: fc
    .array(fc.tuple(blank, tie('value'), blank), { maxLength: 4 })
    .map((items) => `[${items.map((parts) => parts.join('')).join(',')}]`),
  object: fc
    .uniqueArray(fc.tuple(name, blank, tie('value'), blank), { maxLength: 4, selector: ([own]) => own })
    .map((members) => {
      const texts = members.map(
        ([own, before, text, after]) => `${JSON.stringify(own)}${before}:${text}${after}`,
      );
      return `{${texts.join(',')}}`;
    }),
}));

export { object as objectText, stringText, value as valueText };

/** Generates an object with these members, in any order and spacing */
export const laidOut = (members: Readonly<Record<string, string>>) =>
  fc
    .tuple(
      fc.shuffledSubarray(Object.entries(members), { minLength: Object.keys(members).length }),
      blank,
      blank,
    )
    .map(([entries, one, other]) => {
      const texts = entries.map(
        ([own, text]) => `${one}${JSON.stringify(own)}${other}:${one}${text}${other}`,
      );
      return `${other}{${texts.join(',')}}${one}`;
    });
