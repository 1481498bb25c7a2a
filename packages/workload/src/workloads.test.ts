import { expect, it } from '@jest/globals';
import { workloadsSetting } from './workloads.ts';

const setting = workloadsSetting(['internal:connectors', 'internal:audit-events', 'a', 'c', 'e']);

it('reads clients and their scopes', () => {
  expect(setting.parse(' tool-hub = internal:connectors, internal:audit-events ; other=a;')).toEqual(
    new Map([
      ['tool-hub', new Set(['internal:connectors', 'internal:audit-events'])],
      ['other', new Set(['a'])],
    ]),
  );
  expect(setting.parse('').size).toBe(0);
});

it('reads a client id that contains an equals sign, or has only one character', () => {
  expect([...setting.parse('a=b=c;d=e').keys()]).toEqual(['a=b', 'd']);
});

it.each(['tool-hub=internal:connector', 'tool-hub=a,internal:revoke', 'tool-hub=x'])(
  'refuses %j, a scope that the service does not know, and names those that it knows',
  (text) => {
    expect(setting.safeParse(text).error?.issues.map(({ message }) => message)).toEqual([
      'may grant only the scopes internal:connectors, internal:audit-events, a, c, e',
    ]);
  },
);

it.each(['tool-hub', '=a', 'tool-hub=', 'tool-hub=a,,b', 'tool-hub=a b', 'a=b;a=c', ' =a'])(
  'refuses %j',
  (text) => {
    expect(setting.safeParse(text).success).toBe(false);
  },
);
