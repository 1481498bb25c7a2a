import fc from 'fast-check';
import type { Schema } from './api-document.ts';

/** Texts that have caused faults in parsers, databases, comparisons and logs. */
const TRAPS = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800', // half of a surrogate pair, which UTF-8 cannot encode
  '\udfff\ud800',
  '\u202egnp.exe', // right to left
  '\ufeff',
  '\u2028',
  '\u0001',
  'e\u0301'.repeat(60), // 120 code points, 60 after NFC
  '𝕏'.repeat(101),
  'ﷺ'.repeat(101), // 18 times as long after NFKC
  'ß'.repeat(100),
  'a'.repeat(5000),
  '__proto__',
  'constructor',
  'hasOwnProperty',
  "'; DROP TABLE sites; --",
  '%_\\%',
  '%00',
  '../../etc/passwd',
  'null',
  'NaN',
  '1e400',
  '-0',
  '9'.repeat(40),
  'https://a\u0000b.example',
  'https://xn--\u0000.example',
  'https://user:pass@host.example',
  'https://[::1]',
  'http://169.254.169.254/',
  'javascript:alert(1)',
  '+275760-09-13T00:00:00.000Z',
  '0000-00-00T00:00:00.000Z',
];

export const anyText = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom(...TRAPS) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 120 }) },
  { weight: 1, arbitrary: fc.webUrl() },
);

export const anyValue: fc.Arbitrary<unknown> = fc.oneof(
  anyText,
  fc.double(),
  fc.maxSafeInteger(),
  fc.constantFrom<unknown>(null, true, false, [], {}, [[]], -1, 0, 2 ** 53, 1e308),
  fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' }),
);

/**
 * Returns values that mostly have the schema's types, so that they pass the first checks, while any part may
 * be hostile.
 */
export function valueFor(schema: Schema): fc.Arbitrary<unknown> {
  const typed = typedValueOf(schema);
  return typed ? fc.oneof({ weight: 4, arbitrary: typed }, { weight: 1, arbitrary: anyValue }) : anyValue;
}

function typedValueOf(schema: Schema): fc.Arbitrary<unknown> | undefined {
  const { enum: choices, anyOf, items, properties, required = [] } = schema;
  if ('const' in schema) return fc.constant(schema.const);
  if (Array.isArray(choices)) return fc.constantFrom(...choices);
  if (Array.isArray(anyOf)) return fc.oneof(...anyOf.map((option: Schema) => valueFor(option)));
  switch ([schema.type].flat()[0]) {
    case 'string':
      return anyText;
    case 'integer':
    case 'number':
      return fc.oneof(fc.integer(), fc.double());
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(valueFor((items ?? {}) as Schema), { maxLength: 4 });
    case 'object': {
      const members = Object.entries((properties ?? {}) as Record<string, Schema>);
      const known = Object.fromEntries(members.map(([name, member]) => [name, valueFor(member)]));
      return fc.record(known, { requiredKeys: (required as string[]).filter((name) => name in known) });
    }
    default:
      return undefined;
  }
}

/** Texts sent as a body: any JSON, JSON that only some parsers accept, and text that is not JSON. */
export const bodyText = (schema: Schema): fc.Arbitrary<string> =>
  fc.oneof(
    { weight: 8, arbitrary: valueFor(schema).map((value) => JSON.stringify(value) ?? 'null') },
    { weight: 1, arbitrary: anyText },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        '{"__proto__":{"isAdmin":true},"name":"a"}',
        '{"constructor":{"prototype":{"x":1}},"name":"a"}',
        '{"name":"a","name":"b"}',
        '{"name":1e400}',
        '{"name":"\\ud800"}',
        '{"name":"a\\u0000b"}',
        `${'['.repeat(4000)}${']'.repeat(4000)}`,
        `${'{"a":'.repeat(4000)}1${'}'.repeat(4000)}`,
        '{"name":"a"',
        '"text"',
        '[]',
        'null',
        '0',
        '\ufeff{}',
      ),
    },
  );

/** Percent-encodes any text, even lone surrogates, for which encodeURIComponent throws. */
export const percentEncode = (text: string): string =>
  [...Buffer.from(text, 'utf8')].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

/** Possible texts of a request line, some of which cannot be decoded. */
export const anySegment = fc.oneof(
  anyText.filter((text) => text.length < 2000).map((text) => percentEncode(text) || '%20'),
  fc.constantFrom('%', '%zz', '%E0%A4%A', '%C0%80', '%00', '%2F', '%2e%2e', ';a=b', 'a'.repeat(4000)),
);

/**
 * Possible texts of a header: Node.js sends no others. `*` is excluded, because as `If-None-Match` it causes
 * 304 for anything that exists (RFC 9110 §13.1.2).
 */
export const anyHeaderValue = fc.oneof(
  fc
    .string({
      unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)),
      maxLength: 300,
    })
    .filter((value) => value.trim() !== '*' && !value.includes('\u007f')),
  // All headers of a request together, even the longest, stay below 16 KiB: Node.js would refuse more before
  // the application.
  fc.constantFrom('""', '"', 'W/"1"', '"1", "2"', '"9999999999999999999"', ',', ';', '=', 'a'.repeat(1500)),
);
