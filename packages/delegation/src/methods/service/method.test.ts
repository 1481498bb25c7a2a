import { expect, it } from '@jest/globals';
import { Agent } from 'undici';
import { ALICE, connectorBy } from '../../testing/alice.ts';
import { createServiceMethod } from './method.ts';
import type { ServiceSettings } from './settings.ts';

const agent = new Agent();

function delegate(key: ServiceSettings['key'], certificateConnection?: Agent) {
  const settings: ServiceSettings = { method: 'service', key };
  const connector = connectorBy(settings, []);
  const method = createServiceMethod({ certificateConnections: { of: () => certificateConnection } });
  return method(ALICE, connector, settings, []);
}

it.each([
  ['x-key', 'a-key'],
  ['authorization', 'Bearer a-key'],
])('sends an API key in the header %s as %s', async (header, value) => {
  expect(await delegate({ kind: 'api_key', header, value: 'a-key' })).toEqual({
    outcome: 'granted',
    credential: { kind: 'api_key', method: 'service', key: 'a-key', header, value },
  });
});

const CERTIFICATE = {
  kind: 'mtls',
  certificate: 'a certificate',
  privateKey: 'its key',
  trustedCas: undefined,
  expiresAt: 1_790_000_000,
} as const;

it('uses the connections of a certificate', async () => {
  const delegation = await delegate(CERTIFICATE, agent);
  expect(delegation).toEqual({
    outcome: 'granted',
    credential: { kind: 'client_certificate', method: 'service', dispatcher: agent },
  });
});

it('returns no credential for an expired certificate', async () => {
  expect(await delegate(CERTIFICATE)).toMatchObject({ outcome: 'misconfigured', by: 'tool_server' });
});
