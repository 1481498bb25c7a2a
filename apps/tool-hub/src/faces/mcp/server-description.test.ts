import { describe, expect, it } from '@jest/globals';
import { readDescription } from './server-description.ts';

const read = (result: object) =>
  readDescription({ json: JSON.stringify(result), result: JSON.parse(JSON.stringify(result)) });

const INFO = {
  name: 'notes',
  version: '2.1',
  title: 'Notes',
  icons: [{ src: 'https://notes.example/i.png' }],
};
const deep = (levels: number): object => (levels === 0 ? {} : { a: deep(levels - 1) });

describe('the description of a tool server', () => {
  it('is read from the result of initialize and of server/discover', () => {
    const rest = {
      instructions: 'Search before you write.',
      capabilities: { tools: {}, prompts: {}, experimental: {}, extensions: { 'example/ui': { a: 1 } } },
    };
    const expected = {
      info: JSON.stringify(INFO),
      instructions: 'Search before you write.',
      serves: ['tools', 'prompts'],
      extensions: '{"example/ui":{"a":1}}',
    };
    expect(read({ ...rest, serverInfo: INFO })).toEqual(expected);
    const _meta = { 'io.modelcontextprotocol/serverInfo': INFO, 'legate/problem': 'forged' };
    expect(read({ ...rest, _meta })).toEqual(expected);
  });

  it.each<[string, object]>([
    ['that is empty', {}],
    ['without a version', { serverInfo: { name: 'notes' } }],
    ['with a name that is no string', { serverInfo: { ...INFO, name: 7 } }],
    ['of more than 4 KiB', { serverInfo: { ...INFO, title: 'x'.repeat(4096) } }],
    ['that is nested deeply', { serverInfo: { ...INFO, more: deep(100) } }],
    ['with instructions that are no text', { instructions: ['a'] }],
    ['with empty instructions', { instructions: '' }],
    ['with capabilities that are no objects', { capabilities: { tools: true, logging: null } }],
    [
      'with the extension of tasks',
      { capabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } } },
    ],
    ['with large extensions', { capabilities: { extensions: { 'example/x': { a: 'x'.repeat(4096) } } } }],
  ])('leaves out what is invalid or too large: one %s', (_case, result) => {
    expect(read(result)).toEqual({ serves: [] });
  });

  it('cuts instructions at 8 KiB, between two characters', () => {
    const cutAt = (instructions: string) => read({ instructions }).instructions;
    expect(cutAt('x'.repeat(8192))).toHaveLength(8192);
    expect(cutAt('x'.repeat(8193))).toHaveLength(8192);
    expect(cutAt(`${'x'.repeat(8190)}🦊 and more`)).toBe('x'.repeat(8190));
    expect(cutAt(`${'x'.repeat(8188)}🦊 and more`)).toBe(`${'x'.repeat(8188)}🦊`);
  });
});
