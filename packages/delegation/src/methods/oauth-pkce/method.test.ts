import { beforeEach, describe, expect, it } from '@jest/globals';
import { consentRegistrationOf, type KeptConnection } from '../../connections/connection.ts';
import { createConsentClients } from '../../connections/consent-client.ts';
import type { Refreshed } from '../../connections/refresh.ts';
import type { UserAuthorizationDiscovery } from '../../oauth-peers/discovery/discover-user-authorization.ts';
import { ALICE, connectorBy } from '../../testing/alice.ts';
import { createOAuthPkceMethod } from './method.ts';
import type { OAuthPkceSettings } from './settings.ts';

const SETTINGS: OAuthPkceSettings = {
  method: 'oauth-pkce',
  clientId: 'hub',
  clientAuth: undefined,
  issuer: 'https://as.example',
};
const CONNECTOR = connectorBy(SETTINGS);
const clientOf = createConsentClients((id) => `https://hub.example/oauth/clients/${id}.json`);
const KEPT: KeptConnection & { readonly accessToken: string } = {
  id: 'consent-1',
  generation: 1,
  accessToken: 'an-access-token',
  expiresAt: 1_790_000_000,
  refreshToken: 'a-refresh-token',
  scopes: ['read', 'list'],
  issuer: 'https://as.example',
  clientId: 'hub',
  registration: consentRegistrationOf(CONNECTOR, clientOf(CONNECTOR, SETTINGS)),
  endsAt: 1_790_000_000,
  epochs: [null, null, null, null],
  record: 'as it is kept',
  accessTokenHash: undefined,
};
const GRANTED = {
  outcome: 'granted',
  credential: {
    kind: 'access_token',
    method: 'oauth-pkce',
    accessToken: 'an-access-token',
    expiresAt: 1_790_000_000,
    scopes: ['read', 'list'],
  },
};

let kept: KeptConnection | undefined | Error;
let refreshed: Refreshed | Error;
let discovery: UserAuthorizationDiscovery;
let asked: unknown[];

beforeEach(() => {
  kept = KEPT;
  refreshed = { kind: 'fresh', connection: KEPT };
  discovery = { kind: 'unsupported', reason: 'must not be asked' };
  asked = [];
});

const unexpected = () => Promise.reject(new Error('must not be called'));
async function delegate(scopes: readonly string[] = [], connector = CONNECTOR, rejected?: string) {
  const method = createOAuthPkceMethod({
    accounts: {
      connections: {
        async find(owner) {
          asked.push(owner);
          if (kept instanceof Error) throw kept;
          return { connection: kept, epochs: KEPT.epochs };
        },
        create: unexpected,
        replace: unexpected,
        claim: unexpected,
        release: unexpected,
        revoke: unexpected,
      },
      async fresh(_caller, _connector, _settings, _kept, rejectedToken) {
        asked.push(rejectedToken);
        if (refreshed instanceof Error) throw refreshed;
        return refreshed;
      },
      discover: async () => discovery,
      clientOf,
    },
  });
  return method(ALICE, connector, SETTINGS, scopes, rejected);
}

describe('a connected user', () => {
  it('acts with the token of their consent', async () => {
    expect(await delegate()).toEqual(GRANTED);
    expect(await delegate(['list'])).toEqual(GRANTED);
    expect(asked[0]).toMatchObject({
      organizationId: 'org_acme',
      connectorId: 'con_tools',
      userId: 'user_alice',
    });
  });

  it('gets a new token after the tool server has rejected one', async () => {
    await delegate([], CONNECTOR, 'a-rejected-token');
    expect(asked[1]).toBe('a-rejected-token');
  });

  it('is asked to consent to further scopes, in addition to the earlier ones', async () => {
    expect(await delegate(['list', 'write'])).toMatchObject({
      outcome: 'expired',
      connect: { scopes: ['read', 'list', 'write'] },
    });
  });

  it('is asked to consent again once the consent has ended', async () => {
    refreshed = { kind: 'ended', reason: 'invalid_grant' };
    expect(await delegate()).toMatchObject({ outcome: 'expired', connect: { scopes: ['read', 'list'] } });
  });

  it.each([true, false])(
    'gets an outage while the authorization server is down (retryable: %s)',
    async (retryable) => {
      refreshed = { kind: 'unavailable', reason: 'status 503', retryable };
      expect(await delegate()).toEqual({
        outcome: 'unavailable',
        by: 'tool_server',
        reason: 'authorization server: status 503',
        retryable,
      });
    },
  );

  it('gets no credential if the responses of the authorization server are invalid', async () => {
    refreshed = { kind: 'unusable', reason: 'no JSON' };
    expect(await delegate()).toEqual({
      outcome: 'misconfigured',
      by: 'tool_server',
      reason: 'authorization server: no JSON',
    });
  });
});

describe('a user without a connection', () => {
  const FOUND: UserAuthorizationDiscovery = {
    kind: 'found',
    authorization: {
      issuer: 'https://as.example',
      authorizationEndpoint: 'https://as.example/authorize',
      authMethods: ['client_secret_basic'],
      tokenEndpoint: 'https://as.example/token',
      revocationEndpoint: undefined,
      sendsIssuer: false,
      scopesSupported: [],
      hasOfflineAccess: false,
      maxAgeSeconds: 300,
    },
  };

  it.each<[UserAuthorizationDiscovery, object]>([
    [FOUND, { outcome: 'expired', connect: { scopes: ['write'] } }],
    [
      { kind: 'unsupported', reason: 'no code grant' },
      { outcome: 'unsupported', by: 'tool_server', reason: 'no code grant' },
    ],
    [
      { kind: 'unavailable', reason: 'status 503', retryable: true },
      { outcome: 'unavailable', by: 'tool_server', reason: 'status 503', retryable: true },
    ],
    [
      { kind: 'unusable', reason: 'another issuer' },
      { outcome: 'misconfigured', by: 'tool_server', reason: 'another issuer' },
    ],
  ])('is asked to connect only if consent is possible: $kind', async (found, outcome) => {
    kept = undefined;
    discovery = found;
    expect(await delegate(['write'])).toMatchObject(outcome);
  });

  it('includes a user whose connector had another registration at the consent', async () => {
    discovery = FOUND;
    const moved = { ...CONNECTOR, resource: 'https://other.example' };
    expect(await delegate([], moved)).toMatchObject({ outcome: 'expired', connect: { scopes: [] } });
  });
});

it('returns an outage while it is unknown whether the user has consented', async () => {
  const cause = new Error('connection refused');
  const outage = { outcome: 'unavailable', by: 'store', unread: 'connection', cause };
  kept = cause;
  expect(await delegate()).toMatchObject(outage);
  kept = KEPT;
  refreshed = cause;
  expect(await delegate()).toMatchObject(outage);
});
