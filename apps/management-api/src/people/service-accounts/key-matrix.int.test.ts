import { afterAll, beforeAll, expect } from '@jest/globals';
import { needs } from '@legate/testing';
import request from 'supertest';
import {
  API_KEY_SCOPES,
  isAtLeast,
  type Role,
  roleHas,
  type Scope,
  SERVICE_ACCOUNT_ROLES,
} from '../../domain/rights.ts';
import { type Client, clientOf } from '../../testing/client.ts';
import type { ApiDocument } from '../../testing/contract.ts';
import {
  call,
  createOneOfEach,
  type DescribedCall,
  type Ids,
  operationsOf,
} from '../../testing/every-operation.ts';
import { createOnboardingScene } from '../../testing/onboarding-scene.ts';
import type { TestApi } from '../../testing/test-api.ts';

const { it } = needs('time');

/** A timeout for about a thousand consecutive requests */
const LONG_MS = 120_000;

let api: TestApi;
let operations: DescribedCall[];
beforeAll(async () => {
  ({ api } = await createOnboardingScene());
  const { body } = await (await clientOf(api, undefined))('get', '/openapi.json');
  operations = operationsOf(body as ApiDocument).filter((operation) => scopeOf(operation) !== undefined);
});
afterAll(() => api.close());

function scopeOf({ security }: DescribedCall): Scope | undefined {
  const [first] = security as { bearer?: Scope[] }[];
  return first?.bearer?.[0];
}

const withKey =
  (key: string): Client =>
  async (method, path, body, headers = {}) => {
    const sent = request(api.app)[method](`/api/v1${path}`).auth(key, { type: 'bearer' }).set(headers);
    return body === undefined ? sent : sent.send(body as object);
  };

/** Creates one resource of each kind, and a function that makes a key of a new account. */
async function scene(organization: string, role: string) {
  const owner = await clientOf(api, organization, { sub: 'user_olga', roles: ['owner'] });
  const ids: Ids = await createOneOfEach(api, organization, owner);
  const { id } = (await owner('post', '/service-accounts', { name: 'CI', role })).body;
  const keyOf = async (scopes: readonly string[]): Promise<Client> => {
    const made = await owner('post', `/service-accounts/${id}/keys`, { name: 'K', scopes });
    return withKey(made.body.key);
  };
  return { ids, keyOf };
}

/** Operations that a client is refused because it lacks the rights */
async function refusedTo(client: Client, ids: Ids, chosen = operations): Promise<string[]> {
  const refused: string[] = [];
  for (const operation of chosen) {
    const { body } = await call(client, operation, ids);
    if (body.code === 'insufficient_permission') refused.push(operation.operationId);
  }
  return refused.sort();
}

/** Operations about the calling person, which no scope of a key allows */
const FOR_PEOPLE = ['leaveOrganization', 'listConsents', 'putConsent'];
const beyond = (scopes: readonly Scope[], role: Role) =>
  operations
    .filter(
      (operation) =>
        !scopes.includes(scopeOf(operation) as Scope) ||
        !isAtLeast(role, operation['x-legate-minimum-role'] ?? 'viewer') ||
        FOR_PEOPLE.includes(operation.operationId),
    )
    .map(({ operationId }) => operationId)
    .sort();

it.each(SERVICE_ACCOUNT_ROLES)(
  'a key with all scopes that the role %s allows can call the operations of these scopes, and no other',
  async (role) => {
    const { ids, keyOf } = await scene(`org_${role}`, role);
    const scopes = API_KEY_SCOPES.filter((scope) => roleHas(role, scope));
    expect(await refusedTo(await keyOf(scopes), ids)).toEqual(beyond(scopes, role));
  },
  LONG_MS,
);

it(
  'a key with one scope can call the operations of this scope, and no other',
  async () => {
    const { ids, keyOf } = await scene('org_single', 'admin');
    const scopes = API_KEY_SCOPES.filter((scope) => roleHas('admin', scope));
    expect(scopes.length).toBeGreaterThan(10);
    for (const scope of scopes.slice(0, 10))
      expect([scope, await refusedTo(await keyOf([scope]), ids)]).toEqual([scope, beyond([scope], 'admin')]);
  },
  LONG_MS,
);
