import { describe, expect, it } from '@jest/globals';
import { columnsOf, cut, together, wrap } from './wrap.ts';

describe('wrap', () => {
  it('breaks between words, and continues below the label', () => {
    expect(wrap('Error: The hub cannot be reached.', 20, { hang: 7 })).toEqual([
      'Error: The hub',
      '       cannot be',
      '       reached.',
    ]);
  });

  it('continues near the left edge if the label takes more than half of the line', () => {
    expect(wrap('a long label  and its text', 20, { hang: 14 })).toEqual(['a long label  and', '  its text']);
  });

  it.each([20, 60, 80, 120])('keeps an address whole in %i columns', (width) => {
    const url = 'http://localhost:4002/a/path?with=a-query';
    const text = `Acting as alice@acme.example at ${url} in development.`;
    const lines = wrap(text, width, { hang: 4 });
    expect(lines.filter((line) => line.split(' ').includes(url))).toHaveLength(1);
    expect(lines.join(' ').replaceAll(/ +/g, ' ')).toBe(text);
  });

  it('indents a long word less, so that it fits on a line', () => {
    expect(wrap('ok    at http://localhost/long.', 24, { hang: 6 })).toEqual([
      'ok    at',
      '  http://localhost/long.',
    ]);
  });

  it('puts a long word below its label, if it fits there', () => {
    expect(wrap('FAIL  name    http://localhost/long-address failed.', 30, { hang: 14 })).toEqual([
      'FAIL  name',
      ' http://localhost/long-address',
      '              failed.',
    ]);
    expect(wrap(`url: ${'a'.repeat(31)}`, 30, { hang: 5 })).toEqual([`url: ${'a'.repeat(31)}`]);
  });

  it('keeps words together where they fit on a line', () => {
    expect(wrap(`it is ${together('agent agt_1')}, or not`, 14)).toEqual(['it is', 'agent agt_1,', 'or not']);
    expect(wrap(together('an agent with a name'), 10)).toEqual(['an agent', 'with a', 'name']);
  });

  it('breaks no line where there is no width', () => {
    const text = 'word '.repeat(500).trim();
    expect(wrap(text, Number.POSITIVE_INFINITY)).toEqual([text]);
  });

  it('continues a command with a backslash, outside of quotes, and keeps options with their values', () => {
    const command = `legate call notes_create '{"text": "it is"}' --user alice@acme.example < file`;
    expect(wrap(`Next: ${command}`, 36, { hang: 6, isCommand: true })).toEqual([
      'Next: legate call notes_create \\',
      `        '{"text": "it is"}' \\`,
      '        --user alice@acme.example \\',
      '        < file',
    ]);
  });

  it('does not count colours', () => {
    expect(wrap('\u001b[31mone two\u001b[39m three', 13)).toEqual(['\u001b[31mone two\u001b[39m three']);
  });
});

it.each([
  ['note', 4],
  ['メモ', 4],
  ['🙂', 2],
  ['e\u0301', 1],
  ['\u001b[1mbold\u001b[22m', 4],
])('%j takes %i columns', (text, columns) => {
  expect(columnsOf(text)).toBe(columns);
});

it.each([
  ['notes', 5, 'notes'],
  ['a long text', 7, 'a long…'],
  ['a long text', 3, 'a…'],
  ['メモメモ', 6, 'メモ…'],
])('truncates %j to %i columns', (text, columns, shown) => {
  expect(cut(text, columns)).toBe(shown);
});
