import { X509Certificate } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ClientMetadata } from '@legate/authorization-server';
import {
  type ClientKey,
  clientAuthentication,
  clientKeysSetting,
  publicClientKeys,
} from '@legate/client-authentication';
import { createIdentityProvider } from '@legate/delegation';
import { createHttpClient, type HttpClient, parseClientCertificate } from '@legate/service';
import {
  createTestCa,
  sendJson,
  startServer,
  type TestCa,
  type TestCertificate,
} from '@legate/service/testing';
import { createPrivateJwk } from '@legate/testing';
import { decodeJwt, type JSONWebKeySet } from 'jose';
import {
  allowInsecureRequests,
  Configuration,
  clientCredentialsGrant,
  clockSkew,
  customFetch,
} from 'openid-client';
import request from 'supertest';
import { type HubClient, openHubClient } from './platform/hub-client.ts';
import type { HubCredentialSettings } from './platform/hub-credentials.ts';
import { openManagementApi } from './platform/management-api.ts';
import { createRefreshTokens } from './sign-in/refresh-tokens.ts';
import { type OpenidPeer, startOpenidPeer } from './testing/openid-peer.ts';
import { createScene, type Scene } from './testing/scene.ts';

// The hub as a client of oidc-provider.

const GRANTS = ['urn:ietf:params:oauth:grant-type:token-exchange', 'client_credentials'];
const CLIENT = { client_id: 'tool-hub', grant_types: GRANTS };
const system = () => new Date();

/** Public keys, as they are registered at a provider */
const registered = (keys: readonly ClientKey[]) => ({
  token_endpoint_auth_method: 'private_key_jwt' as const,
  jwks: publicClientKeys(keys) as JSONWebKeySet,
});

const newKeys = (...kids: string[]): readonly ClientKey[] =>
  clientKeysSetting.parse(
    JSON.stringify({
      keys: kids.map((kid) => ({ ...createPrivateJwk({ modulusLength: 2048 }), kid, alg: 'RS256' })),
    }),
  );

let ca: TestCa;
let http: HttpClient;
let closes: (() => Promise<unknown>)[];
beforeAll(async () => {
  ca = await createTestCa();
});
beforeEach(() => {
  closes = [];
  http = createHttpClient({ allow: ['loopback'] });
});
afterEach(async () => {
  await Promise.all(closes.map((close) => close()));
  await http.dispatcher.destroy();
});

async function peerFor(
  client: Partial<ClientMetadata>,
  options: Omit<Parameters<typeof startOpenidPeer>[0], 'client'> = {},
): Promise<OpenidPeer> {
  const peer = await startOpenidPeer({ client: { ...CLIENT, ...client }, ...options });
  closes.push(peer.stop);
  return peer;
}

function hubClientOf(settings: Omit<HubCredentialSettings, 'IDP_KIND'>): HubClient {
  const hub = openHubClient(
    { IDP_KIND: 'generic', IDP_CLIENT_ID: 'tool-hub', ...settings },
    { http, clock: system },
  );
  closes.push(hub.close);
  return hub;
}

/** A hub at a peer that has the policies and the users of the identity provider of the scene */
async function sceneAt(
  peer: OpenidPeer,
  hubClient: HubClient,
  clientKeys?: readonly ClientKey[],
): Promise<Scene> {
  const identityProvider = createIdentityProvider({ issuer: peer.issuer, ...hubClient, clock: system });
  const scene = await createScene({ hubClient, app: { identityProvider, clientKeys } });
  scene.idp.misbehaviour = { claims: { iss: peer.issuer } };
  peer.exchange = async (form) => {
    const answer = await fetch(`${scene.idp.issuer}/oauth/token`, { method: 'POST', body: form });
    return { status: answer.status, body: await answer.json() };
  };
  closes.push(scene.stop);
  return scene;
}

const callTool = async (scene: Scene, user = 'user_alice') =>
  (
    await request(scene.app)
      .post('/api/v1/connectors/con_tools/tools/whoami/call')
      .set('Authorization', `Bearer ${await scene.idTokenOf(user)}`)
      .send({})
  ).status;

const jtiOf = (form: URLSearchParams | undefined) => decodeJwt(form?.get('client_assertion') ?? '').jti;

describe('with keys', () => {
  /** Starts the HTTP server at which the provider reads the keys of a hub */
  async function publishing(): Promise<{ url: string; by: (scene: Scene) => void }> {
    let publisher: Scene | undefined;
    const server: Server = createServer((req, res) => publisher?.app(req, res));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closes.push(() => new Promise((resolve) => server.close(resolve)));
    return {
      url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/oauth/client-jwks.json`,
      by: (scene) => {
        publisher = scene;
      },
    };
  }

  it('rotates them without a refused call, and without a change at the provider', async () => {
    const published = await publishing();
    const peer = await peerFor({ token_endpoint_auth_method: 'private_key_jwt', jwks_uri: published.url });
    const [old, next] = newKeys('old', 'next');
    if (!old || !next) throw new Error('no keys');
    const hubWith = async (...keys: ClientKey[]) => {
      const scene = await sceneAt(peer, hubClientOf({ IDP_CLIENT_KEYS: keys }), keys);
      published.by(scene);
      return scene;
    };
    const statuses = [];
    for (const keys of [[old, next], [next, old], [next]])
      statuses.push(await callTool(await hubWith(...keys)));
    expect(statuses).toEqual([200, 200, 200]);
    expect(peer.requests.map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  it('is refused once its key is no longer registered', async () => {
    const peer = await peerFor(registered(newKeys('next')));
    const scene = await sceneAt(peer, hubClientOf({ IDP_CLIENT_KEYS: newKeys('old') }));
    expect([await callTool(scene), peer.requests[0]?.error]).toEqual([502, 'invalid_client']);
  });

  it('retries with a new assertion, because the provider accepts each only once', async () => {
    const keys = newKeys('a');
    const peer = await peerFor(registered(keys));
    const scene = await sceneAt(peer, hubClientOf({ IDP_CLIENT_KEYS: keys }));
    const { exchange } = peer;
    let refusals = 1;
    peer.exchange = async (form) => {
      refusals -= 1;
      return refusals < 0 ? exchange(form) : { status: 503, body: { error: 'server_error' } };
    };
    expect(await callTool(scene)).toBe(200);
    const [first, second] = peer.requests.map(({ form }) => form);
    expect(peer.requests.map(({ status }) => status)).toEqual([503, 200]);
    expect(jtiOf(first)).not.toBe(jtiOf(second));

    const replayed = await fetch(`${peer.issuer}/token`, { method: 'POST', body: second ?? '' });
    expect([replayed.status, await replayed.json()]).toMatchObject([401, { error: 'invalid_client' }]);
    expect(await callTool(scene, 'user_bob')).toBe(200);
  });

  it.each(['issuer', 'token_endpoint'] as const)(
    'authenticates every request with the aud %s',
    async (aud) => {
      const keys = newKeys('a');
      const peer = await peerFor(registered(keys));
      const hub = hubClientOf({ IDP_CLIENT_KEYS: keys, IDP_CLIENT_ASSERTION_AUDIENCE: aud });
      expect(await callTool(await sceneAt(peer, hub))).toBe(200);
      await tokensOf(peer, hub).revoke('a-refresh-token', 'tool-hub');
      const audiences = peer.requests.map(({ form }) => decodeJwt(form.get('client_assertion') ?? '').aud);
      const { issuer } = peer;
      expect(peer.requests.map(({ path, status }) => [path, status])).toEqual([
        ['/token', 200],
        ['/token/revocation', 200],
      ]);
      expect(audiences).toEqual(
        aud === 'issuer' ? [issuer, issuer] : [`${issuer}/token`, `${issuer}/token/revocation`],
      );
    },
  );

  it.each([
    ['ahead', 90],
    ['behind', -90],
  ])('is accepted with a clock %s as far as the provider tolerates it', async (_case, seconds) => {
    const keys = newKeys('a');
    const [privateJwk] = keys;
    if (!privateJwk) throw new Error('no key');
    const errorAt = async (clockTolerance: number) => {
      const peer = await peerFor(registered(keys), { clockTolerance });
      const client = new Configuration(
        { issuer: peer.issuer, token_endpoint: `${peer.issuer}/token` },
        'tool-hub',
        { [clockSkew]: seconds },
        await clientAuthentication({ method: 'private_key_jwt', privateJwk }),
      );
      allowInsecureRequests(client);
      client[customFetch] = (url, init) => fetch(url, init as RequestInit);
      await clientCredentialsGrant(client).catch(() => undefined);
      return peer.requests[0]?.error;
    };
    expect([await errorAt(0), await errorAt(120)]).toEqual(['invalid_client', undefined]);
  });
});

const tokensOf = (peer: OpenidPeer, hubClient: HubClient) =>
  createRefreshTokens({
    identityProvider: createIdentityProvider({ issuer: peer.issuer, ...hubClient, clock: system }),
    hubClient,
    fetch: http.fetch,
    clock: system,
    log: { warn: () => undefined },
  });

describe('with a certificate', () => {
  const settingsOf = (by: TestCertificate) => ({
    // A process would trust the provider's CA by NODE_EXTRA_CA_CERTS.
    IDP_CLIENT_CERTIFICATE: { ...parseClientCertificate(by.bundle), trustedCas: ca.certificate },
  });
  const clientOf = (by: TestCertificate, method?: 'self_signed_tls_client_auth'): HubClient =>
    hubClientOf({ ...settingsOf(by), IDP_TOKEN_ENDPOINT_AUTH_METHOD: method });
  const byCa = {
    token_endpoint_auth_method: 'tls_client_auth',
    tls_client_auth_subject_dn: 'CN=hub',
  } as const;
  const bySelf = ({ certificate }: TestCertificate) => {
    const { publicKey, raw } = new X509Certificate(certificate);
    const key = { ...publicKey.export({ format: 'jwk' }), x5c: [raw.toString('base64')] };
    return {
      token_endpoint_auth_method: 'self_signed_tls_client_auth',
      jwks: { keys: [key as never] },
    } as const;
  };

  /** Exchanges a token and revokes one, and expects that only the connection authenticates */
  async function expectAccepted(peer: OpenidPeer, hub: HubClient, subject: string): Promise<void> {
    expect(await callTool(await sceneAt(peer, hub))).toBe(200);
    await tokensOf(peer, hub).revoke('a-refresh-token', 'tool-hub');
    expect(
      peer.requests.map(({ path, isOverTls, certificate, status }) => [path, isOverTls, certificate, status]),
    ).toEqual([
      ['/token', true, subject, 200],
      ['/token/revocation', true, subject, 200],
    ]);
    for (const { form } of peer.requests)
      expect([form.get('client_id'), form.has('client_secret'), form.has('client_assertion')]).toEqual([
        'tool-hub',
        false,
        false,
      ]);
  }

  it('of a CA, uses the endpoints for mutual TLS, and sends only its client id', async () => {
    const peer = await peerFor(byCa, { ca });
    await expectAccepted(peer, clientOf(await ca.issue('hub')), 'CN=hub');
  });

  it('that is self-signed and registered, uses the endpoints for mutual TLS, and sends only its client id', async () => {
    const own = await createTestCa('hub');
    const peer = await peerFor(bySelf(own), { ca });
    await expectAccepted(peer, clientOf(own, 'self_signed_tls_client_auth'), 'CN=hub');
  });

  it.each<[string, () => Promise<[Partial<ClientMetadata>, TestCertificate]>]>([
    ['of another subject', async () => [byCa, await ca.issue('another')]],
    ['of another CA', async () => [byCa, await (await createTestCa('Other CA')).issue('hub')]],
    ['that is not registered', async () => [bySelf(await createTestCa('hub')), await createTestCa('hub')]],
  ])('is refused with one %s', async (_case, arrange) => {
    const [registration, certificate] = await arrange();
    const peer = await peerFor(registration, { ca });
    const scene = await sceneAt(peer, clientOf(certificate));
    expect([await callTool(scene), peer.requests[0]?.error]).toEqual([502, 'invalid_client']);
  });

  it('gets its tokens for the management API by it, and does not present it there', async () => {
    const peer = await peerFor(byCa, { ca });
    const { IDP_CLIENT_CERTIFICATE } = settingsOf(await ca.issue('hub'));
    const api = await startServer((req, res) => sendJson(res, 200, req.headers.authorization));
    closes.push(api.stop);
    const managementApi = openManagementApi(
      {
        OUTBOUND_ALLOW: ['loopback'],
        CONNECT_TO: [],
        IDP_KIND: 'generic',
        IDP_ISSUER: peer.issuer,
        IDP_CLIENT_ID: 'tool-hub',
        IDP_CLIENT_CERTIFICATE,
        MANAGEMENT_API_URL: api.url,
      },
      system,
    )?.open({ scope: 'internal:connectors', timeoutMs: 5000, maxResponseBytes: 65_536 });
    if (!managementApi) throw new Error('no management API');
    closes.push(managementApi.close);
    const answer = await managementApi.fetchAsHub(`${api.url}/internal/v1/connectors`, { method: 'POST' });
    expect([answer.status, await answer.json()]).toEqual([200, expect.stringMatching(/^Bearer ./)]);
    expect(peer.requests.map(({ form, certificate }) => [form.get('grant_type'), certificate])).toEqual([
      ['client_credentials', 'CN=hub'],
    ]);
  });

  it('does not present it where the provider has no endpoint with TLS', async () => {
    const peer = await peerFor(byCa);
    expect(await callTool(await sceneAt(peer, clientOf(await ca.issue('hub'))))).toBe(502);
    expect(peer.requests).toEqual([]);
  });

  it('sends nothing once it has expired, so that no refresh token is lost', async () => {
    const peer = await peerFor(byCa, { ca });
    const expired = await ca.issue('hub', { expired: true });
    expect(
      await tokensOf(peer, clientOf(expired)).refresh('a-refresh-token', { clientId: 'tool-hub' }),
    ).toEqual({
      kind: 'untouched',
      failure: 'our client certificate has expired',
    });
    expect(peer.requests).toEqual([]);
  });

  it('is not presented for the public client of an application', async () => {
    const peer = await peerFor(byCa, { ca });
    await tokensOf(peer, clientOf(await ca.issue('hub'))).refresh('a-refresh-token', {
      clientId: 'frontend-app',
    });
    expect(peer.requests.map(({ isOverTls, certificate }) => [isOverTls, certificate])).toEqual([
      [false, undefined],
    ]);
  });
});
