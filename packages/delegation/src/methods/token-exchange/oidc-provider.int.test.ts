import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { readRefusal } from '@legate/identity-providers';
import { decodeJwt } from 'jose';
import Provider, { errors, type KoaContextWithOIDC } from 'oidc-provider';
import { createIdentityProvider } from '../../oauth-peers/identity-provider.ts';
import { ALICE, connectorBy } from '../../testing/alice.ts';
import { createTokenExchangeMethod } from './method.ts';
import type { TokenExchangeSettings } from './settings.ts';

/** Exchanges with oidc-provider, to which RFC 8693 is added in the way that its documentation shows. */

const EXCHANGE = 'urn:ietf:params:oauth:grant-type:token-exchange';
const ACCESS_TOKEN = 'urn:ietf:params:oauth:token-type:access_token';
const RESOURCE = 'https://tools.example';
const CLIENT = { client_id: 'hub', client_secret: 'a-secret-of-the-hub-at-its-provider' };

let server: Server;
let provider: Provider;
beforeAll(async () => {
  server = createServer((req, res) => provider.callback()(req, res));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  provider = new Provider(`http://127.0.0.1:${port}`, {
    clients: [
      {
        ...CLIENT,
        token_endpoint_auth_method: 'client_secret_post',
        grant_types: [EXCHANGE],
        response_types: [],
        redirect_uris: [],
      },
    ],
    scopes: ['read', 'list'],
    features: { devInteractions: { enabled: false }, resourceIndicators: { enabled: true } },
  });
  provider.registerGrantType(EXCHANGE, exchange, [
    ...['subject_token', 'subject_token_type', 'requested_token_type', 'audience', 'scope'],
  ]);
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

async function exchange(ctx: KoaContextWithOIDC): Promise<void> {
  const { client, params } = ctx.oidc;
  const subject = await provider.AccessToken.find(String(params?.subject_token));
  if (!client || params?.subject_token_type !== ACCESS_TOKEN)
    throw new errors.InvalidRequest('subject_token_type');
  if (subject?.accountId === undefined) throw new errors.InvalidGrant('subject_token');
  if (params.audience !== RESOURCE) throw new errors.InvalidTarget('audience');
  const resourceServer = new provider.ResourceServer(RESOURCE, {
    scope: 'read list',
    accessTokenFormat: 'jwt',
    jwt: { sign: { alg: 'RS256' } },
  });
  const scope = String(params.scope);
  if (!scope.split(' ').every((one) => resourceServer.scopes.has(one)))
    throw new errors.InvalidScope('scope', scope);
  const token = new provider.AccessToken({
    client,
    accountId: subject.accountId,
    scope,
    resourceServer,
    gty: 'token_exchange',
    grantId: 'a-grant',
  });
  ctx.body = {
    access_token: await token.save(),
    issued_token_type: ACCESS_TOKEN,
    token_type: token.tokenType,
    expires_in: token.expiration,
    scope,
  };
}

/** Issues an access token to the hub, as a sign-in does. */
async function accessTokenOf(accountId: string): Promise<string> {
  const client = await provider.Client.find(CLIENT.client_id);
  if (!client) throw new Error('no client');
  return new provider.AccessToken({
    client,
    accountId,
    scope: 'openid',
    gty: 'test',
    grantId: 'a-sign-in',
  }).save();
}

function delegate(token: string, { scopes = ['read'], audience = RESOURCE } = {}) {
  const { issuer } = provider;
  const settings: TokenExchangeSettings = {
    method: 'token-exchange',
    audience,
    tokenAudience: audience,
    issuer,
  };
  const method = createTokenExchangeMethod({
    identityProvider: createIdentityProvider({
      issuer,
      clientId: CLIENT.client_id,
      clientAuth: { method: 'client_secret_post', clientSecret: CLIENT.client_secret },
      fetch,
      clock: () => new Date(),
    }),
    exchange: {
      ...{ flavour: 'token-exchange', userClaim: 'sub' },
      readRefusal: (refusal) => readRefusal('generic', 'exchange', refusal),
      isForbidden: () => false,
    },
    discoverResource: async () => ({ kind: 'unsupported', reason: 'not asked' }),
    clock: () => new Date(),
    pause: async () => {},
    measureLeg: (_leg, work) => work(),
  });
  const caller = { ...ALICE, exchangeToken: { type: 'access_token', token } as const };
  return method(caller, connectorBy(settings, scopes), settings, []);
}

it("exchanges the user's access token for one of the tool server alone", async () => {
  const delegation = await delegate(await accessTokenOf(ALICE.userId));
  expect(delegation).toMatchObject({
    outcome: 'granted',
    credential: { kind: 'access_token', scopes: ['read'] },
    facts: { audienceScoped: 'yes', usedMethod: 'token-exchange' },
  });
  const token =
    delegation.outcome === 'granted' && delegation.credential.kind === 'access_token'
      ? delegation.credential.accessToken
      : '';
  expect(decodeJwt(token)).toMatchObject({ sub: ALICE.userId, aud: RESOURCE, scope: 'read' });
});

it('drops a token of another user', async () => {
  expect(await delegate(await accessTokenOf('user_mallory'))).toMatchObject({
    outcome: 'misconfigured',
    by: 'idp',
  });
});

it.each([
  [
    'an audience that it does not know',
    { audience: 'https://other.example' },
    { outcome: 'denied', why: 'target_unknown' },
  ],
  ['a scope that it does not have', { scopes: ['admin'] }, { outcome: 'denied', why: 'scope_refused' }],
])('is denied %s', async (_case, asked, expected) => {
  expect(await delegate(await accessTokenOf(ALICE.userId), asked)).toMatchObject(expected);
});

it('asks for another sign-in if the provider does not know the access token', async () => {
  expect(await delegate('unknown')).toMatchObject({ outcome: 'expired' });
});
