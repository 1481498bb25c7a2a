import { expect, it } from '@jest/globals';
import {
  ALICE,
  API,
  DEVELOPMENT,
  HUB,
  ID_TOKEN,
  ISSUER,
  problem,
  runTyped,
  unsigned,
} from '../testing/run-typed.ts';

const ME = {
  user: { type: 'user', id: 'user_alice', email: 'alice@acme.example', name: 'Alice' },
  organization: { id: 'org_acme', name: 'Acme' },
  role: 'owner',
  scopes: ['org:read'],
};
const routes = {
  ...DEVELOPMENT,
  [`GET ${HUB}/api/v1/connectors`]: { data: [{}], pagination: { total: 3 } },
  [`GET ${API}/api/v1/me`]: ME,
};

it('reads the ID token and sends no request', async () => {
  const { code, stdout, sent } = await runTyped(['whoami'], { env: { LEGATE_TOKEN: ID_TOKEN } });
  expect([code, sent]).toEqual([0, []]);
  expect(stdout).toBe(
    `${[
      'user          alice@acme.example (user_alice)',
      'name          Alice',
      'organization  org_acme',
      'roles         owner',
      'expires       in 1 h (2026-11-25 13:00:00Z)',
      'issuer        http://localhost:4002',
      'token         LEGATE_TOKEN',
      'hub           http://localhost:4001 (the default)',
      'API           http://localhost:4000 (the default)',
    ].join('\n')}\n`,
  );
});

it('asks both services, and prints once which user it acts as', async () => {
  const { code, stdout, stderr } = await runTyped(['whoami', '--hub', '--api'], { routes });
  expect([code, stdout]).toEqual([
    0,
    expect.stringMatching(
      /at the hub +accepted, connectors: 3\nat the API +alice@acme.example, owner of Acme\n$/,
    ),
  ]);
  expect(stderr.match(/Acting as/g)).toHaveLength(1);
});

it('asks the management API for the owner of an API key', async () => {
  const env = { LEGATE_TOKEN: 'lgt_key' };
  const { stdout } = await runTyped(['whoami', '--json'], { routes, env });
  expect(JSON.parse(stdout)).toMatchObject({ source: 'environment', api: ME });
});

it('shows the identity, and what each service answers, if one cannot be reached', async () => {
  const withoutHub = { ...routes, [`GET ${HUB}/api/v1/connectors`]: () => Promise.reject(new TypeError()) };
  const { code, stdout, stderr } = await runTyped(['whoami', '--hub', '--api'], { routes: withoutHub });
  expect([code, stdout, stderr]).toEqual([
    5,
    expect.stringMatching(
      /^user +alice@acme.example[\s\S]*at the hub +The hub at .* cannot be reached\.[\s\S]*at the API +alice@acme.example, owner of Acme\n$/,
    ),
    expect.stringContaining('Error: The hub at'),
  ]);
  const json = await runTyped(['whoami', '--hub', '--api', '--json'], { routes: withoutHub });
  expect([json.code, JSON.parse(json.stdout).error.code]).toEqual([5, 'network']);
});

it.each([
  [401, 3, 'unset LEGATE_TOKEN'],
  [403, 4, 'legate whoami'],
  [429, 5, 'legate whoami --hub'],
  [503, 5, 'legate whoami --hub'],
])('when the hub responds with HTTP %i, exits with %i', async (status, exitCode, next) => {
  const failing = {
    [`GET ${HUB}/api/v1/connectors`]: problem(status, { code: 'some_code', detail: 'Because.' }),
  };
  const env = { LEGATE_TOKEN: ID_TOKEN };
  const { code, stderr } = await runTyped(['whoami', '--hub'], { routes: failing, env });
  expect([code, stderr]).toEqual([exitCode, expect.stringContaining(`Error: Because.\nNext: ${next}`)]);
});

it.each([
  ['org_id', 'org_acme (claim org_id)'],
  ['tid', 'org_acme (claim tid)'],
  ['unheard_of', 'none: the ID token does not name an organization'],
])('finds the organization in the claim %s of other providers', async (claim, shown) => {
  const { organization_id: organization, ...claims } = ALICE;
  const token = unsigned({ ...claims, [claim]: organization });
  const { stdout } = await runTyped(['whoami'], { env: { LEGATE_TOKEN: token } });
  expect(stdout).toContain(`organization  ${shown}\n`);
});

it('suggests legate whoami for a token without an organization, since another sign-in would not help', async () => {
  const failing = {
    [`GET ${HUB}/api/v1/connectors`]: problem(401, { code: 'organization_id_required', detail: 'None.' }),
  };
  const { code, stderr } = await runTyped(['whoami', '--hub'], {
    routes: failing,
    env: { LEGATE_TOKEN: ID_TOKEN },
  });
  expect([code, stderr]).toEqual([
    3,
    expect.stringMatching(/ORGANIZATION_RULE at the hub\.\nNext: legate whoami\n/),
  ]);
});

/** The development identity provider when it imitates a provider whose issuer has a path */
const REALM = `${ISSUER}/realms/legate`;
const IMITATING = {
  [`GET ${ISSUER}/`]: { documents: [{ href: `${REALM}/.well-known/openid-configuration` }] },
  [`GET ${REALM}/.well-known/openid-configuration`]: { issuer: REALM },
  [`POST ${ISSUER}/admin/id-tokens`]: { id_token: ID_TOKEN },
  [`POST ${ISSUER}/admin/access-tokens`]: problem(409, {
    code: 'access_tokens_own',
    detail: 'Its own only.',
  }),
};

it('discovers the issuer of the development identity provider from its front page', async () => {
  const { code, stdout } = await runTyped(['whoami'], { routes: IMITATING });
  expect([code, stdout]).toEqual([0, expect.stringContaining('user_alice')]);
  const elsewhere = { [`GET ${ISSUER}/`]: { documents: [{ href: 'http://evil.example/x' }] } };
  expect(await runTyped(['whoami'], { routes: elsewhere })).toMatchObject({ code: 3 });
});

it('suggests a login with the discovered issuer', async () => {
  const { code, stderr } = await runTyped(['login', ISSUER], { routes: IMITATING });
  expect([code, stderr]).toEqual([2, expect.stringContaining(`Next: legate login ${REALM}\n`)]);
});

it('reports that a provider has no access tokens for the management API', async () => {
  const { code, stderr } = await runTyped(['token', '--api'], { routes: IMITATING });
  expect([code, stderr]).toEqual([
    4,
    expect.stringMatching(/Its own only\. .*\nNext: legate whoami --hub\n/),
  ]);
});
