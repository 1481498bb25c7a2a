import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { hashClientSecret } from '@legate/oauth';
import {
  createMemoryBackend,
  createSecureStore,
  createUseOnce,
  generateEncryptionKeys,
  sealedBackend,
} from '@legate/secure-store';
import type { TestClock } from '@legate/service/testing';
import type { Express } from 'express';
import request from 'supertest';
import { type AuthorizationServerOptions, engineKeys } from '../faces/authorization/options.ts';
import { createDynamicClients } from '../oauth-clients/dynamic-clients.ts';
import type { OAuthClient } from '../oauth-clients/oauth-client.ts';
import { sendJson } from './http-server.ts';
import { createScene, type Scene, type SceneOptions } from './scene.ts';

export const HUB = 'http://hub.test';
export const MCP = `${HUB}/mcp`;
export const REDIRECT_URI = 'https://agent.example/callback';

const registered = (clientId: string, other: Partial<OAuthClient> = {}): OAuthClient => ({
  clientId,
  name: 'An agent',
  redirectUris: [REDIRECT_URI],
  vouchedBy: { kind: 'operator' },
  secretHashes: [],
  isPublic: true,
  ...other,
});
export const SECRET = 'the-secret-of-the-confidential-client';
export const CLIENTS: Readonly<Record<string, OAuthClient>> = {
  agent: registered('agent'),
  other: registered('other'),
  confidential: registered('confidential', { isPublic: false, secretHashes: [hashClientSecret(SECRET)] }),
  two: registered('two', { redirectUris: [REDIRECT_URI, 'https://agent.example/second'] }),
  stranger: registered('stranger', { vouchedBy: { kind: 'nobody' } }),
  native: registered('native', { redirectUris: ['http://127.0.0.1/callback'] }),
};

/** A browser with cookies, and the user who is signed in at the identity provider */
export interface TestBrowser {
  readonly cookies: Map<string, string>;
  signedInAs: string;
  /** Additional claims of that user's ID tokens; undefined removes one */
  claims: Record<string, unknown>;
}
export const newBrowser = (signedInAs = 'user_alice'): TestBrowser => ({
  cookies: new Map(),
  signedInAs,
  claims: {},
});

export interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly expires_in: number;
}

export type AuthorizationScene = Awaited<ReturnType<typeof createAuthorizationScene>>;

/**
 * Creates a hub that is an authorization server, and an identity provider at which `signedInAs` of each browser is
 * signed in.
 */
export async function createAuthorizationScene(
  options: Partial<AuthorizationServerOptions> = {},
  app: SceneOptions['app'] = {},
  other: Pick<SceneOptions, 'hubClient' | 'connector'> = {},
) {
  const clock = createSystemClock();
  const keys = generateEncryptionKeys();
  const backend = createMemoryBackend({ clock });
  const store = createSecureStore({ backend, keys });
  const clients = new Map(Object.entries(CLIENTS));
  const dynamic = createDynamicClients({
    keys,
    nativePrefixes: ['cursor://anysphere.cursor-mcp/oauth/'],
    clock,
  });
  const authorizationServer: AuthorizationServerOptions = {
    ways: ['registered', 'documents', 'dynamic'],
    findClient: async (clientId) => clients.get(clientId) ?? dynamic.find(clientId),
    dynamic,
    backend: sealedBackend(store, backend),
    jwks: await keysOnce(),
    useOnce: createUseOnce(backend, 'jti:'),
    sessionLifetimeSeconds: 30 * 86_400,
    sessionIdleSeconds: 7 * 86_400,
    refreshReuseSeconds: 60,
    takesIdTokens: true,
    ...options,
  };
  const scene = await createScene({
    ...other,
    clock,
    encryptionKeys: keys,
    backend: () => backend,
    app: { ...app, authorizationServer },
  });

  const codes = new Map<string, { browser: TestBrowser; nonce: string; challenge: string }>();
  scene.idp.misbehaviour.code = async (_req, res, form) => {
    const known = codes.get(form.get('code') ?? '');
    const challenge = digest(form.get('code_verifier') ?? '');
    codes.delete(form.get('code') ?? '');
    if (known?.challenge !== challenge) return sendJson(res, 400, { error: 'invalid_grant' });
    const claims = {
      email: `${known.browser.signedInAs}@acme.example`,
      nonce: known.nonce,
      ...known.browser.claims,
    };
    const signedIn = await scene.idp.signIn(
      { sub: known.browser.signedInAs, aud: 'tool-hub', ...claims },
      { clientId: 'tool-hub', idTokenSeconds: 3600 },
    );
    sendJson(res, 200, {
      access_token: signedIn.accessToken,
      token_type: 'Bearer',
      expires_in: 300,
      id_token: signedIn.idToken,
      refresh_token: signedIn.refreshToken,
    });
  };

  return flows(scene, clients, codes);
}

/**
 * Creates a clock that replaces the system time, because oidc-provider and openid-client use that; it stands still and
 * can be advanced.
 */
function createSystemClock(): TestClock {
  let nowMs = Date.now();
  jest.spyOn(Date, 'now').mockImplementation(() => nowMs);
  return Object.assign(() => new Date(nowMs), {
    advanceSeconds(seconds: number) {
      nowMs += seconds * 1000;
    },
  });
}

/** Created once for all scenes of a test file, because generating an RSA key is slow. */
let jwks: ReturnType<typeof engineKeys> | undefined;
const keysOnce = () => {
  jwks ??= engineKeys();
  return jwks;
};

const digest = (text: string): string => createHash('sha256').update(text).digest('base64url');

function flows(
  scene: Scene,
  clients: Map<string, OAuthClient>,
  codes: Map<string, { browser: TestBrowser; nonce: string; challenge: string }>,
) {
  async function send(browser: TestBrowser, test: request.Test): Promise<request.Response> {
    const answer = await test.set(
      'Cookie',
      [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    );
    for (const cookie of answer.get('Set-Cookie') ?? []) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      if (value === '') browser.cookies.delete(name);
      else browser.cookies.set(name, value);
    }
    return answer;
  }
  const pathOf = (url: string): string => {
    const { pathname, search } = new URL(url, HUB);
    return `${pathname}${search}`;
  };
  const visit = (browser: TestBrowser, url: string, app: Express = scene.app) =>
    send(browser, request(app).get(pathOf(url)));

  /** Acts as the identity provider: redirects the browser back with a code. */
  function signIn(browser: TestBrowser, url: string): string {
    const asked = new URL(url).searchParams;
    const code = `idp-code-${randomUUID()}`;
    codes.set(code, {
      browser,
      nonce: asked.get('nonce') ?? '',
      challenge: asked.get('code_challenge') ?? '',
    });
    return `${asked.get('redirect_uri')}?code=${code}&state=${asked.get('state')}`;
  }

  const verifier = randomBytes(32).toString('base64url');
  const authorizationUrl = (changes: Record<string, string | undefined> = {}): string => {
    const parameters = {
      response_type: 'code',
      client_id: 'agent',
      redirect_uri: REDIRECT_URI,
      state: 'the-state',
      code_challenge: digest(verifier),
      code_challenge_method: 'S256',
      ...changes,
    };
    const set = Object.entries(parameters).filter(
      (entry): entry is [string, string] => entry[1] !== undefined,
    );
    return `${HUB}/oauth/authorize?${new URLSearchParams(set)}`;
  };

  /** Follows redirects of the hub, through the identity provider, to a page or to the client. */
  async function follow(browser: TestBrowser, from: request.Response): Promise<request.Response> {
    let answer = from;
    for (let step = 0; step < 10; step += 1) {
      const location = answer.headers.location as string | undefined;
      if (location === undefined) return answer;
      if (location.startsWith(scene.idp.issuer)) answer = await visit(browser, signIn(browser, location));
      else if (location.startsWith('/') || location.startsWith(`${HUB}/`))
        answer = await visit(browser, location);
      else return answer;
    }
    throw new Error('too many redirects');
  }

  async function decide(
    browser: TestBrowser,
    page: request.Response,
    decision = 'allow',
    changes: Record<string, string> = {},
  ): Promise<request.Response> {
    return follow(browser, await decideOnce(browser, page, decision, changes));
  }

  /** @returns the response to the form, with a redirect that is not followed */
  function decideOnce(
    browser: TestBrowser,
    page: request.Response,
    decision = 'allow',
    changes: Record<string, string> = {},
  ): Promise<request.Response> {
    const action = /action="([^"]+)"/.exec(page.text)?.[1] ?? '';
    const token = /name="token" value="([^"]+)"/.exec(page.text)?.[1] ?? '';
    const test = request(scene.app)
      .post(action)
      .type('form')
      .send({ decision, token, ...changes });
    return send(browser, test);
  }

  const post = (path: string, form: Record<string, string>, app: Express = scene.app) =>
    request(app).post(path).type('form').send(form);

  const begin = async (browser: TestBrowser, changes: Record<string, string | undefined> = {}) =>
    follow(browser, await visit(browser, authorizationUrl(changes)));

  /** Follows the whole authorization, to the client's redirect URI */
  async function authorize(
    browser: TestBrowser,
    changes: Record<string, string | undefined> = {},
  ): Promise<URL> {
    const page = await begin(browser, changes);
    const answer = page.headers.location === undefined ? await decide(browser, page) : page;
    return new URL(answer.headers.location ?? '');
  }

  const redeem = (code: string, changes: Record<string, string> = {}) =>
    post('/oauth/token', {
      grant_type: 'authorization_code',
      code,
      client_id: 'agent',
      redirect_uri: REDIRECT_URI,
      code_verifier: verifier,
      ...changes,
    });

  return {
    ...scene,
    async stop() {
      jest.restoreAllMocks();
      await scene.stop();
    },
    clients,
    verifier,
    authorizationUrl,
    visit,
    signIn,
    follow,
    begin,
    decide,
    decideOnce,
    authorize,
    post,
    redeem,
    async tokens(browser = newBrowser(), changes: Record<string, string | undefined> = {}): Promise<Tokens> {
      const answer = await authorize(browser, changes);
      const set = {
        client_id: changes.client_id ?? 'agent',
        redirect_uri: changes.redirect_uri ?? REDIRECT_URI,
      };
      const redeemed = await redeem(answer.searchParams.get('code') ?? '', set);
      if (redeemed.status !== 200) throw new Error(`not redeemed: ${redeemed.text}`);
      return redeemed.body;
    },
    refresh: (refreshToken: string, changes: Record<string, string> = {}, app: Express = scene.app) =>
      post(
        '/oauth/token',
        { grant_type: 'refresh_token', refresh_token: refreshToken, client_id: 'agent', ...changes },
        app,
      ),
    revoke: (token: string, changes: Record<string, string> = {}) =>
      post('/oauth/revoke', { token, client_id: 'agent', ...changes }),
    /** @returns the status of `tools/list` at `/mcp`, or at `path` */
    async listTools(token: string, path = '/mcp', app: Express = scene.app): Promise<request.Response> {
      return request(app)
        .post(path)
        .set({
          Host: new URL(HUB).host,
          Authorization: `Bearer ${token}`,
          Accept: 'application/json, text/event-stream',
          'MCP-Protocol-Version': '2025-06-18',
        })
        .send({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
    },
  };
}
