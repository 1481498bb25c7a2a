import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Client, clientOf } from '../testing/client.ts';
import type { ApiDocument } from '../testing/contract.ts';
import { call, createOneOfEach, type Ids, operationsOf } from '../testing/every-operation.ts';
import { createOnboardingScene } from '../testing/onboarding-scene.ts';
import type { TestApi } from '../testing/test-api.ts';

/** An owner whose name, addresses and browser are personal data that only owners and administrators may see */
const OWNER = { sub: 'user_olga', roles: ['owner'], email: 'olga@acme.example', name: 'Olga' };
const OTHERS = ['olga@acme.example', 'carl@acme.example', '203.0.113.99', 'browser-of-olga'];

let api: TestApi;
let owner: Client;
let ids: Ids;
let reads: ReturnType<typeof operationsOf>;
beforeAll(async () => {
  ({ api } = await createOnboardingScene());
  const client = await clientOf(api, 'org_acme', OWNER);
  owner = (method, path, body) =>
    client(method, path, body, { 'X-Forwarded-For': '203.0.113.99', 'User-Agent': 'browser-of-olga' });
  ids = await createOneOfEach(api, 'org_acme', owner);
  const carl = await clientOf(api, 'org_acme', {
    ...{ sub: 'user_carl', roles: ['admin'] },
    email: 'carl@acme.example',
  });
  await carl('post', '/agents', { name: 'Of Carl' });
  const document = (await owner('get', '/openapi.json')).body as ApiDocument;
  reads = operationsOf(document).filter(
    ({ method, path }) => method === 'get' && !path.startsWith('/oauth') && !path.startsWith('/docs'),
  );
});
afterAll(() => api.close());

/** Returns the personal data of other people found in responses, each with the operation that reveals it. */
async function foundBy(client: Client): Promise<string[]> {
  const found: string[] = [];
  for (const operation of reads) {
    const answer = await call(client, operation, ids);
    const text = answer.text ?? '';
    for (const other of OTHERS) if (text.includes(other)) found.push(`${operation.operationId}: ${other}`);
  }
  return found;
}

it('shows personal data of other people to owners', async () => {
  const found = await foundBy(owner);
  expect(found).toEqual(
    expect.arrayContaining([
      'listMembers: carl@acme.example',
      'listAuditEvents: 203.0.113.99',
      'getAuditEvent: browser-of-olga',
    ]),
  );
});

it.each(['developer', 'viewer'])(
  'shows no personal data of other people to a %s, not even in refusals',
  async (role) => {
    const client = await clientOf(api, 'org_acme', { sub: `user_${role}`, roles: [role] });
    expect((await client('get', '/me')).body.role).toBe(role);
    expect(await foundBy(client)).toEqual([]);
  },
);
