import { expect, it } from '@jest/globals';
import { ALICE, connectorBy } from '../testing/alice.ts';
import { AUTH_METHODS } from './facts.ts';
import { createMethods } from './methods.ts';

const unexpected = (): never => {
  throw new Error('must not be called');
};
const methods = createMethods({
  identityProvider: unexpected,
  idJagOrganization: 'required',
  organizationRule: { claim: 'organization_id' },
  discover: unexpected,
  discoverResource: unexpected,
  policy: unexpected,
  fetch: unexpected,
  clock: unexpected,
  pause: unexpected,
  measureLeg: unexpected,
  accounts: {
    connections: {
      find: unexpected,
      create: unexpected,
      replace: unexpected,
      claim: unexpected,
      release: unexpected,
      revoke: unexpected,
    },
    fresh: unexpected,
    discover: unexpected,
    clientOf: unexpected,
  },
  onForwarded: () => undefined,
  certificateConnections: { of: unexpected },
});

it('creates every listed method', () => {
  expect(Object.keys(methods).sort()).toEqual(AUTH_METHODS.map(({ name }) => name).sort());
});

it('creates methods that put their name into their credentials', async () => {
  const key = { method: 'service', key: { kind: 'api_key', header: 'x-key', value: 'a-key' } } as const;
  const own = { method: 'passthrough', acceptedAudiences: ALICE.audiences } as const;
  const granted = [
    await methods.service(ALICE, connectorBy(key), key, []),
    await methods.passthrough(ALICE, connectorBy(own), own, []),
  ];
  expect(granted.map((one) => one.outcome === 'granted' && one.credential.method)).toEqual([
    'service',
    'passthrough',
  ]);
});
