import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Slug, slugFrom } from './slug.ts';

it.each([
  ['Notes', 'notes'],
  ['Notes & Tasks', 'notes-tasks'],
  ['Bücher', 'bucher'],
  ['  --Reference tool server--  ', 'reference-tool-s'],
  ['abcdefghijklmno-p', 'abcdefghijklmno'],
  ['2nd level', 'c-2nd-level'],
  ['東京', 'tools'],
  ['', 'tools'],
  ['con_reference', 'con-reference'],
  ['MCP', 'mcp-2'],
])('converts %j to the slug %s', (name, slug) => {
  expect(slugFrom(name)).toBe(slug);
});

it('appends the next free number if a slug is taken', () => {
  const taken = new Set(['notes', 'notes-2', 'reference-tool-s']);
  const isTaken = (slug: string) => taken.has(slug);
  expect([slugFrom('Notes', isTaken), slugFrom('Reference tool server', isTaken)]).toEqual([
    'notes-3',
    'reference-tool-2',
  ]);
});

it('converts any name to a valid slug', () => {
  fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (name) => Slug.safeParse(slugFrom(name)).success));
});

describe('a slug', () => {
  it.each(['a', 'notes', 'a-1', 'a'.repeat(16)])('may be %s', (slug) => {
    expect(Slug.safeParse(slug).success).toBe(true);
  });
  it.each(['', '1a', '-a', 'a-', 'a_b', 'a.b', 'A', 'ü', 'a'.repeat(17), 'legate', 'hub', 'mcp', 'ui'])(
    'must not be %j',
    (slug) => {
      expect(Slug.safeParse(slug).success).toBe(false);
    },
  );
});
