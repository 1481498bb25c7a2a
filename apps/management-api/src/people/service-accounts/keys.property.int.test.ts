import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { runs } from '@legate/testing';
import fc from 'fast-check';
import request from 'supertest';
import {
  API_KEY_SCOPES,
  ROLES,
  roleHas,
  type Scope,
  SERVICE_ACCOUNT_ROLES,
  type ServiceAccountRole,
  scopesFor,
} from '../../domain/rights.ts';
import { type Client, clientOf } from '../../testing/client.ts';
import { createTestApi, type TestApi } from '../../testing/test-api.ts';

const LONG_MS = 120_000;
const ORGANIZATION = 'org_acme';

let api: TestApi;
let owner: Client;
const accounts = new Map<ServiceAccountRole, string>();
beforeAll(async () => {
  api = await createTestApi();
  owner = await clientOf(api, ORGANIZATION, { sub: 'user_olga', roles: ['owner'] });
  for (const role of SERVICE_ACCOUNT_ROLES)
    accounts.set(role, (await owner('post', '/service-accounts', { name: role, role })).body.id);
});
afterAll(() => api.close());

const someScopes = fc.subarray([...API_KEY_SCOPES, 'org:write' as const], { minLength: 1 });
const scenario = fc.record({
  makerRole: fc.constantFrom(...ROLES),
  /** undefined if the token is not limited */
  tokenScopes: fc.option(someScopes, { nil: undefined, freq: 3 }),
  accountRole: fc.constantFrom(...SERVICE_ACCOUNT_ROLES),
  keyScopes: fc.subarray([...API_KEY_SCOPES], { minLength: 1, maxLength: 5 }),
  laterRole: fc.constantFrom(...SERVICE_ACCOUNT_ROLES),
});

const within = (scopes: readonly string[], limit: readonly string[]): boolean =>
  scopes.every((scope) => limit.includes(scope));
const sorted = (scopes: readonly string[]): string[] => [...scopes].sort();

it(
  'gives a key no right that its maker lacked or that its account lacks now',
  async () => {
    await fc.assert(
      fc.asyncProperty(scenario, async ({ makerRole, tokenScopes, accountRole, keyScopes, laterRole }) => {
        const scope = tokenScopes && ['credentials:write', ...tokenScopes].join(' ');
        const maker = await clientOf(api, ORGANIZATION, {
          sub: `user_${makerRole}`,
          roles: [makerRole],
          ...(scope !== undefined && { scope }),
        });
        const own = scopesFor(makerRole, scope);
        const path = `/service-accounts/${accounts.get(accountRole)}`;

        const made = await maker('post', `${path}/keys`, { name: 'K', scopes: keyScopes });
        const mayMake =
          own.includes('credentials:write') &&
          within(keyScopes, own) &&
          keyScopes.every((wanted) => roleHas(accountRole, wanted));
        expect(made.status).toBe(mayMake ? 201 : 403);
        if (!mayMake) return;

        await owner('patch', path, { role: laterRole });
        const me = await request(api.app).get('/api/v1/me').auth(made.body.key, { type: 'bearer' });
        const left: Scope[] = keyScopes.filter((had) => roleHas(laterRole, had));
        expect(sorted(me.body.scopes)).toEqual(sorted(left));
        expect(within(me.body.scopes, own)).toBe(true);

        await owner('patch', path, { role: accountRole });
        await owner('delete', `${path}/keys/${made.body.id}`);
      }),
      runs(40),
    );
  },
  LONG_MS,
);
