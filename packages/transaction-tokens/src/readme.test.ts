import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';
import { createSigningKeys, epochSeconds } from '@legate/jwt';
import { parseForm } from '@legate/oauth';
import { createLocalJWKSet } from 'jose';
import { OtherWorkload } from './index.ts';
import { createIssuer, createRequester, createService } from './testing/example.ts';

const clock = () => new Date();

/** The issuer, the tool server and the service of the example, and a transaction token of Alice's. */
async function createScene() {
  const [issuerKeys, toolKeys] = await Promise.all([
    createSigningKeys({ alg: 'ES256', clock }),
    createSigningKeys({ alg: 'ES256', clock }),
  ]);
  const issue = createIssuer(issuerKeys, async () => toolKeys.publicJwks());
  const exchange = createRequester(async (_url, init) =>
    Response.json(await issue(undefined, parseForm(String(init?.body)), undefined)),
  );
  const now = epochSeconds(clock());
  const accessToken = await toolKeys.sign(
    {
      ...{ iss: 'https://tools.example', aud: 'https://tools.example', sub: 'alice', client_id: 'hub' },
      ...{ jti: 'one', iat: now, exp: now + 600, scope: 'mcp:tools:call' },
      ...{ idp: 'https://idp.example', organization_id: 'acme' },
    },
    { typ: 'at+jwt' },
  );
  const exchanged = await exchange({
    ...{ accessToken, audience: 'https://api.example', operation: 'sites:list', details: { limit: 20 } },
  });
  if (exchanged.kind !== 'granted') throw new Error(exchanged.kind);
  let uses = 0;
  const service = createService(createLocalJWKSet(issuerKeys.publicJwks()), async () => {
    uses += 1;
    return uses === 1;
  });
  return { service, txnToken: exchanged.txnToken };
}

it('shows the same example that this test runs', () => {
  const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
  expect(read('../README.md')).toContain(`\`\`\`ts\n${read('testing/example.ts')}\`\`\``);
});

it('redeems a token once, for the request that it was issued for', async () => {
  const { service, txnToken } = await createScene();
  const alice = { user: 'alice', organization: 'acme' };
  expect(await service(txnToken, 'tools', { limit: '20' })).toEqual({ ...alice, redemption: 'redeemed' });
  expect(await service(txnToken, 'tools', { limit: '20' })).toEqual({ ...alice, redemption: 'used' });
});

it.each([
  ['other values', { limit: '21' }],
  ['one parameter more', { limit: '20', offset: '0' }],
  ['one parameter less', {}],
])('refuses a request with %s without using up the token', async (_case, parameters) => {
  const { service, txnToken } = await createScene();
  expect(await service(txnToken, 'tools', parameters)).toMatchObject({ redemption: 'other_parameters' });
  expect(await service(txnToken, 'tools', { limit: '20' })).toMatchObject({ redemption: 'redeemed' });
});

it('refuses a token that another workload presents', async () => {
  const { service, txnToken } = await createScene();
  await expect(service(txnToken, 'other-tools', { limit: '20' })).rejects.toThrow(OtherWorkload);
});
