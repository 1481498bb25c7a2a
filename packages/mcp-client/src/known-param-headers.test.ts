import { describe, expect, it } from '@jest/globals';
import { createKnownParamHeaders, paramHeadersOf } from './known-param-headers.ts';

it('sends the arguments as headers, encoded if necessary', () => {
  const declared = [
    { name: 'Region', path: ['in', 'region'] },
    { name: 'Count', path: ['count'] },
  ];
  expect(paramHeadersOf(declared, { in: { region: 'Zürich' }, count: 7 })).toEqual([
    'mcp-param-region',
    '=?base64?WsO8cmljaA==?=',
    'mcp-param-count',
    '7',
  ]);
});

describe('the cache of tools that require headers', () => {
  const connector = { organizationId: 'org_acme', id: 'con_tools' };

  it('does not store a tool whose names are too long', () => {
    const known = createKnownParamHeaders();
    const path = ['x'.repeat(20_000)];
    known.learn(connector, 'deep', [{ name: 'A', path }]);
    known.learn(connector, 'x'.repeat(20_000), [{ name: 'A', path: ['a'] }]);
    expect([known.find(connector, 'deep'), known.find(connector, 'x'.repeat(20_000))]).toEqual([[], []]);
    known.learn(connector, 'usual', [{ name: 'A', path: ['a'] }]);
    expect(known.find(connector, 'usual')).toEqual([{ name: 'A', path: ['a'] }]);
  });

  it('limits its memory, however many tools a server has', () => {
    const known = createKnownParamHeaders();
    const names = Array.from({ length: 2000 }, (_, index) => `${index}${'x'.repeat(8000)}`);
    for (const name of names) known.learn(connector, name, [{ name: 'A', path: ['a'] }]);
    const kept = names.filter((name) => known.find(connector, name).length > 0);
    expect(kept.length).toBeLessThan(1100);
    expect(kept.at(-1)).toBe(names.at(-1));
  });

  it('removes a tool that no longer requires headers', () => {
    const known = createKnownParamHeaders();
    known.learn(connector, 'tool', [{ name: 'A', path: ['a'] }]);
    known.learn(connector, 'tool', []);
    expect(known.find(connector, 'tool')).toEqual([]);
  });
});
