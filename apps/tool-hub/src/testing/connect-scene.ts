import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { ConnectorId, OrganizationId } from '@legate/ids';
import type { Express } from 'express';
import request from 'supertest';
import type { Connector } from '../domain/connector.ts';
import { createConnectorRegistry } from '../domain/registry.ts';
import { type FakeExternal, startFakeExternal } from './fake-authorization-server.ts';
import { sendJson } from './http-server.ts';
import { createScene, type Scene, type SceneOptions, type SceneParts } from './scene.ts';

export const HUB = 'http://hub.test';
export const RETURN_TO = 'https://app.example/connected?from=hub';

/** A browser with cookies, and the user who is signed in at the identity provider. */
export interface TestBrowser {
  cookie: string;
  readonly signedInAs: string;
  /** Additional claims of that user's ID tokens */
  readonly claims?: Record<string, unknown>;
}

export interface ConnectScene extends Scene {
  readonly external: FakeExternal;
  readonly externalConnector: Connector;
  api(method: 'get' | 'post' | 'delete', token: string, options?: ApiOptions): request.Test;
  call(token: string, options?: ApiOptions): request.Test;
  /** Requests a URL of the hub as the browser does */
  visit(browser: TestBrowser, url: string): Promise<request.Response>;
  /** Acts as the identity provider: redirects the browser back with a code. */
  signIn(browser: TestBrowser, url: string): string;
  /** Opens the link, and returns the URL at the authorization server */
  openLink(browser: TestBrowser, link: string): Promise<string>;
  /** Connects an account from start to end; the user consents. */
  connect(token: string, user: string, body?: object): Promise<request.Response>;
}

interface ApiOptions {
  readonly app?: Express;
  readonly headers?: Record<string, string>;
}

/** Creates a hub whose connector `con_notes` is an external tool server with its own user accounts. */
export async function createConnectScene(
  options: SceneOptions & { connectorOf?: (connector: Connector, external: FakeExternal) => Connector } = {},
): Promise<ConnectScene> {
  const external = await startFakeExternal();
  const plain: Connector = {
    id: ConnectorId.parse('con_notes'),
    organizationId: OrganizationId.parse('org_acme'),
    name: 'Notes',
    resource: external.resource,
    mcpUrl: `${external.resource}/mcp`,
    methods: [{ method: 'oauth-pkce', clientId: 'hub-at-notes', clientAuth: undefined, issuer: undefined }],
    scopes: ['notes:read'],
    stepUpScopes: ['notes:write'],
  };
  const externalConnector = options.connectorOf?.(plain, external) ?? plain;
  const app: Partial<SceneParts> = {
    registry: createConnectorRegistry([externalConnector]),
    returnTo: [RETURN_TO],
    ttlSeconds: 30 * 86_400,
    pause: () => delay(5),
    ...options.app,
  };
  const scene = await createScene({ ...options, app });
  const codes = new Map<string, { user: object; nonce: string; challenge: string }>();
  scene.idp.misbehaviour.token = async (_req, res, body) => {
    const form = new URLSearchParams(body);
    // The tool server belongs to another party, so the provider has no ID-JAGs for it.
    if (form.has('requested_token_type')) return sendJson(res, 400, { error: 'invalid_target' });
    const known = codes.get(form.get('code') ?? '');
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (known?.challenge !== challenge) return sendJson(res, 400, { error: 'invalid_grant' });
    const iat = Math.floor(Date.now() / 1000); // openid-client uses the system time
    const claims = {
      organization_id: 'org_acme',
      ...known.user,
      aud: 'tool-hub',
      nonce: known.nonce,
      iat,
      exp: iat + 300,
    };
    const idToken = await scene.idp.mintIdToken(claims);
    sendJson(res, 200, { access_token: 'at-of-the-idp', token_type: 'Bearer', id_token: idToken });
  };

  const connect: ConnectScene = {
    ...scene,
    external,
    externalConnector,
    api: (method, token, { app: of = scene.app, headers = {} } = {}) =>
      request(of)
        [method]('/api/v1/connectors/con_notes/connections')
        .set({ Authorization: `Bearer ${token}`, ...headers }),
    call: (token, { app: of = scene.app, headers = {} } = {}) =>
      request(of)
        .post('/api/v1/connectors/con_notes/tools/whoami/call')
        .set({ Authorization: `Bearer ${token}`, ...headers })
        .send({}),
    async visit(browser, url) {
      const { pathname, search } = new URL(url);
      const answer = await request(scene.app).get(`${pathname}${search}`).set('Cookie', browser.cookie);
      const [cookie] = answer.get('Set-Cookie') ?? [];
      if (cookie !== undefined) browser.cookie = cookie.split(';')[0] ?? '';
      return answer;
    },
    signIn(browser, url) {
      const parameters = new URL(url).searchParams;
      const code = `idp-code-${randomUUID()}`;
      codes.set(code, {
        user: { sub: browser.signedInAs, ...browser.claims },
        nonce: parameters.get('nonce') ?? '',
        challenge: parameters.get('code_challenge') ?? '',
      });
      return `${parameters.get('redirect_uri')}?code=${code}&state=${parameters.get('state')}`;
    },
    async openLink(browser, link) {
      const opened = await connect.visit(browser, link);
      const signedIn = await connect.visit(browser, connect.signIn(browser, opened.headers.location ?? ''));
      return signedIn.headers.location ?? '';
    },
    async connect(token, user, body = {}) {
      const begun = await connect.api('post', token).send(body);
      const browser: TestBrowser = { cookie: '', signedInAs: user };
      const there = await connect.openLink(browser, begun.body.authorize_url);
      return connect.visit(browser, external.authorize(there));
    },
    async stop() {
      await external.stop();
      await scene.stop();
    },
  };
  return connect;
}
