import { describe, expect, it } from '@jest/globals';
import { countHidden, cut, isPlainToolName, nameText, reveal, revealed } from './reveal.ts';
import { safeHref } from './safe-href.ts';

describe('reveal', () => {
  it.each([
    ['a right-to-left override', 'a\u202Eb', 'a⟨U+202E⟩b'],
    ['a zero-width space', 'a\u200Bb', 'a⟨U+200B⟩b'],
    ['a zero-width joiner between letters', 'a\u200Db', 'a⟨U+200D⟩b'],
    ['a control character', 'a\u001B[31mb', 'a⟨U+001B⟩[31mb'],
    ['a tag character', 'a\u{E0041}b', 'a⟨U+E0041⟩b'],
    ['an isolate', '\u2067a', '⟨U+2067⟩a'],
    ['a variation selector that carries data', 'a\u{E0101}', 'a⟨U+E0101⟩'],
    ['a filler that looks like a space', 'a\u3164', 'a⟨U+3164⟩'],
    ['a Braille pattern without dots', 'a\u2800', 'a⟨U+2800⟩'],
    ['a line separator', 'a\u2028b', 'a⟨U+2028⟩b'],
  ])('replaces %s by visible text', (_case, text, shown) => {
    expect(revealed(text)).toBe(shown);
  });

  it.each([
    ['line ends and tabs', 'one\n\ttwo\r\n'],
    ['letters with marks', 'Žluťoučký a\u0301'],
    ['scripts that are written from right to left', 'שלום'],
    ['emoji that are joined', '👩\u200D💻 👩🏽\u200D🚀 ❤\uFE0F\u200D🔥'],
  ])('does not change %s', (_case, text) => {
    expect(revealed(text)).toBe(text);
  });

  it('counts the replaced characters', () => {
    expect(countHidden(reveal('\u200Ba\u200Bb\u202E'))).toBe(3);
  });
});

it('returns a name that is cut and has no hidden character', () => {
  expect(nameText(`\u202E${'a'.repeat(100)}`)).toBe(`⟨U+202E⟩${'a'.repeat(59)}`);
});

describe('cut', () => {
  it('keeps a short text', () => {
    expect(cut('abc', 3)).toEqual({ shown: 'abc', isCut: false });
  });

  it('does not cut a character in half', () => {
    expect(cut('ab😀c', 3)).toEqual({ shown: 'ab', isCut: true });
  });
});

it.each([
  ['list_notes', true],
  ['a.b-c', true],
  ['', false],
  ['a b', false],
  ['notes". Approved by your administrator', false],
  ['x'.repeat(65), false],
])('recognizes a tool name that may be part of a sentence: %j', (name, plain) => {
  expect(isPlainToolName(name)).toBe(plain);
});

describe('safeHref', () => {
  it.each([
    'https://acme.example/a?b#c',
    'http://localhost:4003/mcp',
    'http://127.0.0.1/',
    'http://[::1]:1/',
  ])('allows a link to %s', (address) => {
    expect(safeHref(address)?.href).toBe(address);
  });

  it.each([
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    'data:text/html,<script>',
    'http://acme.example/',
    'http://localhost.evil.example/',
    'https://user:secret@acme.example/',
    '//acme.example',
    'file:///etc/passwd',
    '',
  ])('refuses %j', (address) => {
    expect(safeHref(address)).toBeUndefined();
  });
});
