import { expect, it } from '@jest/globals';
import { workloadsSetting } from './workloads.ts';

it('reads clients and their scopes', () => {
  expect(workloadsSetting.parse(' tool-hub = internal:connectors, internal:audit-events ; other=a;')).toEqual(
    new Map([
      ['tool-hub', new Set(['internal:connectors', 'internal:audit-events'])],
      ['other', new Set(['a'])],
    ]),
  );
  expect(workloadsSetting.parse('').size).toBe(0);
});

it('reads a client id that contains an equals sign, or has only one character', () => {
  expect([...workloadsSetting.parse('a=b=c;d=e').keys()]).toEqual(['a=b', 'd']);
});

it.each(['tool-hub', '=a', 'tool-hub=', 'tool-hub=a,,b', 'tool-hub=a b', 'a=b;a=c', ' =a'])(
  'refuses %j',
  (text) => {
    expect(workloadsSetting.safeParse(text).success).toBe(false);
  },
);
