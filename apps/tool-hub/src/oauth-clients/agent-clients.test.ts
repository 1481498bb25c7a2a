import { beforeEach, describe, expect, it } from '@jest/globals';
import { AgentId, OrganizationId } from '@legate/ids';
import { createSigningKeys } from '@legate/jwt';
import type { AgentClientRecord } from '@legate/management-contract';
import { hashClientSecret } from '@legate/oauth';
import { createTestClock, type TestClock } from '@legate/service/testing';
import { createAgentClients } from './agent-clients.ts';
import { createAssertionVerifiers } from './client-assertions.ts';
import { ClientUnavailable } from './oauth-client.ts';

const ID = 'lac_desk';
const RECORD: AgentClientRecord = {
  client_id: ID,
  organization_id: OrganizationId.parse('org_acme'),
  agent_id: AgentId.parse('agt_support'),
  name: 'Support\u202e desk',
  redirect_uris: ['https://desk.example/callback', 'http://127.0.0.1'],
  token_endpoint_auth_method: 'client_secret_basic',
  secret_hashes: [hashClientSecret('s').toString('hex')],
};
const SIGN_IN = { kind: 'authorization', network: '192.0.2.1' } as const;
const TOKEN = { kind: 'token' } as const;

let clock: TestClock;
let asked: string[];
let answer: () => AgentClientRecord | undefined;
let clients: ReturnType<typeof createAgentClients>;
beforeEach(() => {
  clock = createTestClock();
  asked = [];
  answer = () => RECORD;
  clients = createAgentClients({
    fetchAgentClient: async (clientId) => {
      asked.push(clientId);
      return answer();
    },
    verifyAssertionBy: createAssertionVerifiers({ issuer: 'https://hub.example', clock }),
    clock,
  });
});
const away = () => {
  answer = () => {
    throw new Error('management-api is away');
  };
};

it('is the agent’s, for users of its organization, with the secret that the organization knows', async () => {
  expect(await clients.find(ID, SIGN_IN)).toEqual({
    clientId: ID,
    name: 'Support desk',
    redirectUris: ['https://desk.example/callback', 'http://127.0.0.1/'],
    vouchedBy: { kind: 'organization' },
    secretHashes: [hashClientSecret('s')],
    isPublic: false,
    organizationId: 'org_acme',
    agentId: 'agt_support',
  });
});

it('is public where it has no secret, and proves itself by its keys where it has some', async () => {
  answer = () => ({ ...RECORD, token_endpoint_auth_method: 'none', secret_hashes: [] });
  expect(await clients.find('lac_public', TOKEN)).toMatchObject({ isPublic: true, secretHashes: [] });
  const keys = await createSigningKeys({ alg: 'ES256', clock });
  const jwks = keys.publicJwks() as NonNullable<AgentClientRecord['jwks']>;
  answer = () => ({ ...RECORD, token_endpoint_auth_method: 'private_key_jwt', secret_hashes: [], jwks });
  expect(await clients.find('lac_keys', TOKEN)).toMatchObject({
    isPublic: false,
    verifyAssertion: expect.any(Function),
  });
});

it('asks for no id of another form', async () => {
  for (const id of ['desk', 'https://desk.example/client.json', 'lcd_x', ''])
    expect(await clients.find(id, SIGN_IN)).toBeUndefined();
  expect(asked).toEqual([]);
});

describe('what is known', () => {
  it('is good for half a minute, and what does not exist for five seconds', async () => {
    await Promise.all([clients.find(ID, SIGN_IN), clients.find(ID, TOKEN)]);
    clock.advanceSeconds(29);
    await clients.find(ID, TOKEN);
    expect(asked).toHaveLength(1);
    answer = () => undefined;
    clock.advanceSeconds(2);
    expect(await clients.find(ID, TOKEN)).toBeUndefined();
    clock.advanceSeconds(4);
    expect(await clients.find(ID, TOKEN)).toBeUndefined();
    expect(asked).toHaveLength(2);
    answer = () => RECORD;
    clock.advanceSeconds(2);
    expect(await clients.find(ID, TOKEN)).toBeDefined();
  });

  it('serves tokens while management-api is away, and no new sign-in', async () => {
    await clients.find(ID, SIGN_IN);
    clock.advanceSeconds(31);
    away();
    expect(await clients.find(ID, TOKEN)).toMatchObject({ clientId: ID });
    await expect(clients.find(ID, SIGN_IN)).rejects.toThrow(ClientUnavailable);
    await expect(clients.find('lac_other', TOKEN)).rejects.toThrow(ClientUnavailable);
  });
});
