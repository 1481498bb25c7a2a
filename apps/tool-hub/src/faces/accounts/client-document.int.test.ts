import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { OAuthPkceSettings } from '@legate/delegation';
import { listen, type TestServer } from '@legate/service/testing';
import type { Express } from 'express';
import type { Connector } from '../../domain/connector.ts';
import { createConnectorRegistry } from '../../domain/registry.ts';
import { ClientRefused, readClientDocument } from '../../testing/client-document-reader.ts';
import { type ConnectScene, createConnectScene, type TestBrowser } from '../../testing/connect-scene.ts';

const UNREGISTERED: OAuthPkceSettings = {
  method: 'oauth-pkce',
  clientId: undefined,
  clientAuth: undefined,
  issuer: undefined,
};
const TAKES_DOCUMENTS = { serverMetadata: { client_id_metadata_document_supported: true } };

const unregistered = (connector: Connector): Connector => ({ ...connector, methods: [UNREGISTERED] });

let hub: TestServer;
/** The server at the hub's address */
let answering: Express;
let scene: ConnectScene;
let alice: string;

beforeEach(async () => {
  hub = await listen((req, res) => answering(req, res));
  scene = await openScene(hub.url);
  answering = scene.app;
  alice = await tokenOf(scene);
});
afterEach(async () => {
  await scene.stop();
  await hub.stop();
});

async function openScene(publicUrl: string): Promise<ConnectScene> {
  const opened = await createConnectScene({ connectorOf: unregistered, app: { publicUrl } });
  opened.external.misbehaviour = TAKES_DOCUMENTS;
  return opened;
}
const tokenOf = ({ clock, idTokenOf }: ConnectScene) =>
  idTokenOf('user_alice', { exp: Math.floor(clock().getTime() / 1000) + 12 * 3600 });

const clientIdAt = (publicUrl: string) => `${publicUrl}/oauth/clients/con_notes.json`;

/** Follows the redirects to the authorization server's consent. @returns the authorization request */
async function askedAt(of = scene, token = alice): Promise<{ browser: TestBrowser; there: URL }> {
  const begun = await of.api('post', token).send({});
  expect(begun.status).toBe(201);
  const browser: TestBrowser = { cookie: '', signedInAs: 'user_alice' };
  return { browser, there: new URL(await of.openLink(browser, begun.body.authorize_url)) };
}

/** Connects an account at an authorization server that reads the hub's client document before it asks the user. */
async function connect(of = scene, token = alice, read: typeof globalThis.fetch = globalThis.fetch) {
  const { browser, there } = await askedAt(of, token);
  const client = await readClientDocument(there.searchParams, read);
  const done = await of.visit(browser, of.external.authorize(there.href));
  expect(done.status).toBe(200);
  return client;
}

const isConnected = async () => (await scene.api('get', alice)).body.connected;
const codeOf = async (app?: Express) => {
  const answer = await scene.call(alice, app && { app });
  return answer.status === 200 ? 200 : answer.body.code;
};
const dropCached = () => scene.backend.delete('token:org_acme:con_notes:user_alice');
async function nearItsEnd(): Promise<void> {
  scene.clock.advanceSeconds(3550);
  await dropCached();
}

describe('a connector without a registered client', () => {
  it("uses the hub's document for consent, tool calls and refreshes", async () => {
    const { document, cacheControl } = await connect();
    expect(document).toMatchObject({
      client_id: clientIdAt(hub.url),
      redirect_uris: [`${hub.url}/oauth/callback/con_notes`],
      token_endpoint_auth_method: 'none',
    });
    expect(cacheControl).toBe('public, max-age=3600');
    expect(await codeOf()).toBe(200);
    await nearItsEnd();
    expect(await codeOf()).toBe(200);
    await scene.api('delete', alice).expect(204);

    const { authorizations, tokenRequests, revocations } = scene.external;
    expect(tokenRequests.map(({ form }) => form.get('grant_type'))).toEqual([
      'authorization_code',
      'refresh_token',
    ]);
    expect(revocations).toHaveLength(2);
    const forms = [...authorizations, ...tokenRequests.map(({ form }) => form), ...revocations];
    for (const form of forms) {
      expect(form.get('client_id')).toBe(clientIdAt(hub.url));
      expect([form.get('client_secret'), form.get('client_assertion')]).toEqual([null, null]);
    }
    expect(tokenRequests.map(({ authorization }) => authorization)).toEqual([undefined, undefined]);
    expect(authorizations[0]?.get('code_challenge_method')).toBe('S256');
  });

  it('has an https client_id if the hub has an https address', async () => {
    const publicUrl = 'https://hub.example';
    const elsewhere = await openScene(publicUrl);
    answering = elsewhere.app;
    // As sent by a proxy that ends TLS in front of the hub
    const read: typeof globalThis.fetch = (url, init) => fetch(String(url).replace(publicUrl, hub.url), init);
    const { document } = await connect(elsewhere, await tokenOf(elsewhere), read);
    expect(document.client_id).toBe(clientIdAt(publicUrl));
    expect((await elsewhere.call(await tokenOf(elsewhere))).status).toBe(200);
    await elsewhere.stop();
  });

  it.each([
    ['does not mention documents', undefined],
    ['declares that it accepts none', false],
    ['declares a value that is not true', 'true'],
  ])('is unusable if the authorization server %s, and reports what to do', async (_case, said) => {
    scene.external.misbehaviour = { serverMetadata: { client_id_metadata_document_supported: said } };
    const begun = await scene.api('post', alice).send({});
    expect([begun.status, begun.body.code]).toEqual([502, 'connector_misconfigured']);
    expect(begun.body.detail).toContain('register a client there and set its client_id on the connector');
    expect(await codeOf()).toBe('connector_misconfigured');
    expect(scene.external.authorizations).toEqual([]);
  });

  it('uses no fallback without document support: a tool server must not choose the method', async () => {
    scene.external.misbehaviour = {};
    const key = { kind: 'api_key', header: 'x-api-key', value: 'key-of-the-hub' } as const;
    const withFallback: Connector = {
      ...scene.externalConnector,
      methods: [UNREGISTERED, { method: 'service', key }],
    };
    const app = scene.replica({ registry: createConnectorRegistry([withFallback]) });
    expect(await codeOf(app)).toBe('connector_misconfigured');
  });

  it('uses a registered client if the connector has one, whether documents are supported or not', async () => {
    const registered = { ...UNREGISTERED, clientId: 'hub-at-notes' };
    const registry = createConnectorRegistry([{ ...scene.externalConnector, methods: [registered] }]);
    for (const misbehaviour of [TAKES_DOCUMENTS, {}]) {
      const own = await createConnectScene({ app: { publicUrl: hub.url } });
      own.external.misbehaviour = misbehaviour;
      const { there } = await askedAt(own, await tokenOf(own));
      expect(there.searchParams.get('client_id')).toBe('hub-at-notes');
      await own.stop();
    }
    // Consent to the registered client is not consent to the document's client.
    await connect();
    expect(await codeOf(scene.replica({ registry }))).toBe('connection_required');
    expect(scene.external.refreshes()).toEqual([]);
  });

  it('is unusable at a hub that has neither an https address nor the same machine', async () => {
    const begun = await scene
      .api('post', alice, { app: scene.replica({ publicUrl: 'http://hub.example' }) })
      .send({});
    expect([begun.status, begun.body.code]).toEqual([502, 'connector_misconfigured']);
    expect(begun.body.detail).toContain('PUBLIC_URL');
  });
});

describe('an authorization server that reads the document refuses', () => {
  const refusalOf = (request: URLSearchParams) =>
    readClientDocument(request, globalThis.fetch).then(
      () => undefined,
      (err: unknown) => (err instanceof ClientRefused ? err.message : err),
    );

  it('a hub at whose address another server responds', async () => {
    const { there } = await askedAt();
    answering = scene.replica({ publicUrl: 'http://127.0.0.1:1' });
    expect(await refusalOf(there.searchParams)).toBe('its document is that of another client_id');
  });

  it('a hub that is reached by a name other than its own', async () => {
    const { there } = await askedAt();
    there.searchParams.set('client_id', clientIdAt(hub.url.replace('127.0.0.1', 'localhost')));
    expect(await refusalOf(there.searchParams)).toBe('its document is that of another client_id');
    there.searchParams.set('client_id', `${clientIdAt(hub.url)}?for=somebody`);
    expect(await refusalOf(there.searchParams)).toBe('its document is that of another client_id');
  });

  it('the redirect URI of another connector, and a foreign one', async () => {
    const { there } = await askedAt();
    for (const path of [
      '/oauth/callback/con_other',
      '/oauth/callback',
      '/oauth/callback/con_notes/',
      '/evil',
    ]) {
      there.searchParams.set('redirect_uri', `${hub.url}${path}`);
      expect(await refusalOf(there.searchParams)).toBe('its document does not list the redirect_uri');
    }
  });

  it('the client of another connector with the redirect URI of this one', async () => {
    const { there } = await askedAt();
    there.searchParams.set('client_id', `${hub.url}/oauth/clients/con_other.json`);
    expect(await refusalOf(there.searchParams)).toBe('its document does not list the redirect_uri');
  });

  it('a hub that is down', async () => {
    const { there } = await askedAt();
    await hub.stop();
    expect(await refusalOf(there.searchParams)).toBe('its document: status undefined');
  });

  it.each([['invalid_client'], ['unauthorized_client'], ['invalid_request']])(
    'with %s: the user sees that an administrator must fix it, and is not connected',
    async (error) => {
      const { browser, there } = await askedAt();
      scene.external.misbehaviour = { ...TAKES_DOCUMENTS, authorization: { code: undefined, error } };
      const done = await scene.visit(browser, scene.external.authorize(there.href));
      expect([done.status, done.text.includes('This cannot be connected')]).toEqual([502, true]);
      expect(scene.external.tokenRequests).toEqual([]);
      expect(await isConnected()).toBe(false);
    },
  );
});

describe('a connection made with the document', () => {
  beforeEach(async () => {
    await connect();
    expect(await codeOf()).toBe(200);
  });

  it('is not refreshed, used or revoked by a hub with another address', async () => {
    await nearItsEnd();
    const moved = scene.replica({ publicUrl: 'http://127.0.0.1:1' });
    expect(await codeOf(moved)).toBe('connection_required');
    expect((await scene.api('get', alice, { app: moved })).body.connected).toBe(false);
    await scene.api('delete', alice, { app: moved }).expect(204);
    expect([scene.external.refreshes(), scene.external.revocations]).toEqual([[], []]);
  });

  it('survives an authorization server that temporarily accepts no documents', async () => {
    await nearItsEnd();
    scene.external.misbehaviour = {};
    expect(await codeOf()).toBe(200); // its access token is still valid
    scene.clock.advanceSeconds(50);
    await dropCached();
    expect(await codeOf()).toBe('connector_misconfigured');
    expect(scene.external.refreshes()).toEqual([]);
    scene.external.misbehaviour = TAKES_DOCUMENTS;
    expect(await codeOf()).toBe(200);
  });
});
