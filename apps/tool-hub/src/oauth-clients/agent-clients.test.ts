import { beforeEach, describe, expect, it } from '@jest/globals';
import { AgentId, OrganizationId } from '@legate/ids';
import { createSigningKeys } from '@legate/jwt';
import type { AgentClientRecord } from '@legate/management-contract';
import { hashClientSecret } from '@legate/oauth';
import { createStrangerBudget } from '@legate/rate-limit';
import { createTestClock, type TestClock } from '@legate/service/testing';
import { createAgentClients } from './agent-clients.ts';
import { createAssertionVerifiers } from './client-assertions.ts';
import { ClientUnavailable } from './oauth-client.ts';

const idOf = (number: number) => `lac_01JA8Z6Y4C3FZ0V5D9TQ8${String(number).padStart(5, '0')}`;
const ID = idOf(0);
const RECORD: AgentClientRecord = {
  client_id: ID,
  organization_id: OrganizationId.parse('org_acme'),
  agent_id: AgentId.parse('agt_support'),
  name: 'Support\u202e desk',
  redirect_uris: ['https://desk.example/callback', 'http://127.0.0.1'],
  token_endpoint_auth_method: 'client_secret_basic',
  secret_hashes: [hashClientSecret('s').toString('hex')],
};
const SIGN_IN = { kind: 'authorization', address: '192.0.2.1' } as const;
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
    budget: createStrangerBudget({ perMinute: 40, clock }),
    clock,
  });
});
const away = () => {
  answer = () => {
    throw new Error('management-api is away');
  };
};

it('a client belongs to its agent, for users of its organization, with the secret that the organization has', async () => {
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

it('a client is public without a secret, and authenticates with its keys if it has keys', async () => {
  answer = () => ({ ...RECORD, token_endpoint_auth_method: 'none', secret_hashes: [] });
  expect(await clients.find(idOf(1), TOKEN)).toMatchObject({ isPublic: true, secretHashes: [] });
  const keys = await createSigningKeys({ alg: 'ES256', clock });
  const jwks = keys.publicJwks() as NonNullable<AgentClientRecord['jwks']>;
  answer = () => ({ ...RECORD, token_endpoint_auth_method: 'private_key_jwt', secret_hashes: [], jwks });
  expect(await clients.find(idOf(2), TOKEN)).toMatchObject({
    isPublic: false,
    verifyAssertion: expect.any(Function),
  });
});

it.each([
  'desk',
  'https://desk.example/client.json',
  'lcd_x',
  '',
  'lac_',
  'lac_desk',
  `${ID}0`,
  ID.slice(0, -1),
  ID.toLowerCase(),
  ID.replace('lac_0', 'lac_8'),
  ID.replace('J', 'I'),
  `${ID}\0`,
  ` ${ID}`,
])('a client is not requested for an id of another form: %j', async (id) => {
  for (const use of [SIGN_IN, TOKEN, { kind: 'session' } as const])
    expect(await clients.find(id, use)).toBeUndefined();
  expect(asked).toEqual([]);
});

describe('cached clients', () => {
  it('are valid for half a minute; a missing client is cached for five seconds', async () => {
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

  it('may get tokens while management-api is down, and start new sign-ins for five minutes', async () => {
    await clients.find(ID, SIGN_IN);
    clock.advanceSeconds(31);
    away();
    expect(await clients.find(ID, TOKEN)).toMatchObject({ clientId: ID });
    clock.advanceSeconds(298);
    expect(await clients.find(ID, SIGN_IN)).toMatchObject({ clientId: ID });
    clock.advanceSeconds(2);
    expect(await clients.find(ID, TOKEN)).toMatchObject({ clientId: ID });
    await expect(clients.find(ID, SIGN_IN)).rejects.toThrow(ClientUnavailable);
    await expect(clients.find(idOf(3), TOKEN)).rejects.toThrow(ClientUnavailable);
  });
});

describe('strangers with made-up ids', () => {
  const token = (address: string, hasGrant = false) =>
    ({ kind: 'token', asker: { address, hasGrant: async () => hasGrant } }) as const;
  const signIn = (address: string) => ({ kind: 'authorization', address }) as const;
  const outcomes = async (
    count: number,
    useOf: (i: number) => Parameters<typeof clients.find>[1],
    from = 1000,
  ) => {
    for (let i = 0; i < count; i += 1) await clients.find(idOf(from + i), useOf(i)).catch(() => undefined);
    return asked.length;
  };
  beforeEach(() => {
    answer = () => undefined;
  });

  it('cause a limited number of requests, and one stranger leaves others their share', async () => {
    expect(await outcomes(1000, () => signIn('192.0.2.1'))).toBe(5);
    expect(await outcomes(1000, (i) => signIn(`192.0.2.${i % 110}`), 5000)).toBeLessThanOrEqual(40);
    await expect(clients.find(idOf(1), signIn('192.0.2.1'))).rejects.toThrow(ClientUnavailable);
    clock.advanceSeconds(60);
    answer = () => RECORD;
    expect(await clients.find(ID, signIn('198.51.100.1'))).toMatchObject({ clientId: ID });
  });

  it('at the token endpoint do not reduce the budget of authorizations, nor of clients with a code or token', async () => {
    await outcomes(1000, (i) => token(`192.0.2.${i % 110}`));
    const before = asked.length;
    expect(before).toBeLessThanOrEqual(40);
    answer = () => RECORD;
    expect(await clients.find(ID, token('192.0.2.1', true))).toMatchObject({ clientId: ID });
    clock.advanceSeconds(31);
    expect(await clients.find(ID, signIn('192.0.2.1'))).toMatchObject({ clientId: ID });
  });

  it('do not displace known clients from the cache', async () => {
    answer = () => RECORD;
    await clients.find(ID, SIGN_IN);
    answer = () => undefined;
    for (let i = 0; i < 1100; i += 1) await clients.find(idOf(1000 + i), { kind: 'session' });
    away();
    expect(await clients.find(ID, TOKEN)).toMatchObject({ clientId: ID });
    clock.advanceSeconds(31);
    expect(await clients.find(ID, token('192.0.2.1'))).toMatchObject({ clientId: ID });
  });
});
