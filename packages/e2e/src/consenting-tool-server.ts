import { createHash, randomUUID } from 'node:crypto';
import { createSigningKeys, epochSeconds } from '@legate/jwt';
import { type Handler, sendJson, startServer } from '@legate/service/testing';
import { eventually } from '@legate/testing';
import { createLocalJWKSet, jwtVerify } from 'jose';

/** An external tool server where users have their own accounts and consent to what a client does with them. */
export interface ConsentingToolServer {
  readonly url: string;
  /** Refresh tokens that were redeemed, each with the secret that the client showed */
  readonly refreshes: readonly string[];
  /** Refresh tokens that were used a second time: each is valid once. */
  readonly reused: readonly string[];
  /** Sets the client secrets that are accepted from now on */
  secrets: readonly string[];
  /** Signs with a new key. Tokens signed with an older key are no longer accepted. */
  replaceKey(): Promise<void>;
  /** Waits until refresh tokens were redeemed this many more times. @throws if none is redeemed for a long time */
  refreshed(more: number): Promise<void>;
  stop(): Promise<void>;
}

/** The user's account name at this server only. */
export const ACCOUNT = 'account_there';
/** The hub's client there */
export const CLIENT_AT_ACCOUNTS = 'hub-at-consenting-tool-server';
/** Slightly more than the hub requires a token to have left, so that it refreshes on every call and caches none. */
const LIFETIME_SECONDS = 63;
const TYP = 'at+jwt';

/** @param secrets of its one client */
export async function startConsentingToolServer(secrets: readonly string[]): Promise<ConsentingToolServer> {
  const createKeys = () => createSigningKeys({ alg: 'ES256', clock: () => new Date() });
  let keys = await createKeys();
  /** Consents that are not completed yet, by code */
  const challenges = new Map<string, string>();
  const current = new Set<string>();
  const spent = new Set<string>();
  const refreshes: string[] = [];
  const reused: string[] = [];

  async function answerWithTokens(scope: string) {
    const now = epochSeconds(new Date());
    const claims = { iss: server.url, aud: server.url, sub: ACCOUNT, iat: now, exp: now + LIFETIME_SECONDS };
    const refreshToken = randomUUID();
    current.add(refreshToken);
    return {
      access_token: await keys.sign({ ...claims, jti: randomUUID() }, { typ: TYP }),
      token_type: 'Bearer',
      expires_in: LIFETIME_SECONDS,
      refresh_token: refreshToken,
      scope,
    };
  }

  /** Checks that a code has its challenge, or that a refresh token is the newest one. */
  function redeem(form: URLSearchParams): boolean {
    const token = form.get('refresh_token');
    if (token === null) {
      const verifier = form.get('code_verifier') ?? '';
      return (
        challenges.get(form.get('code') ?? '') === createHash('sha256').update(verifier).digest('base64url')
      );
    }
    if (spent.has(token)) reused.push(token);
    if (!current.delete(token)) return false;
    spent.add(token);
    refreshes.push(form.get('client_secret') ?? '');
    return true;
  }

  const grant: Handler = async (_req, res, body) => {
    const form = new URLSearchParams(body);
    if (
      form.get('client_id') !== CLIENT_AT_ACCOUNTS ||
      !server.secrets.includes(form.get('client_secret') ?? '')
    )
      return sendJson(res, 401, { error: 'invalid_client' });
    if (!redeem(form)) return sendJson(res, 400, { error: 'invalid_grant' });
    sendJson(res, 200, await answerWithTokens('tools'));
  };

  /** Every visitor consents. */
  const consent: Handler = (req, res) => {
    const request = new URL(req.url ?? '', server.url).searchParams;
    const code = randomUUID();
    challenges.set(code, request.get('code_challenge') ?? '');
    const back = new URL(request.get('redirect_uri') ?? '');
    back.searchParams.set('code', code);
    back.searchParams.set('state', request.get('state') ?? '');
    back.searchParams.set('iss', server.url);
    res.writeHead(302, { Location: back.href }).end();
  };

  const serveMcp: Handler = async (req, res, body) => {
    const token = req.headers.authorization?.replace('Bearer ', '') ?? '';
    const expected = { issuer: server.url, audience: server.url, typ: TYP };
    const verified = await jwtVerify(token, createLocalJWKSet(keys.publicJwks()), expected).catch(
      () => undefined,
    );
    if (!verified) return sendJson(res, 401, {}, { 'WWW-Authenticate': 'Bearer error="invalid_token"' });
    const { id } = JSON.parse(body) as { id: unknown };
    const content = [{ type: 'text', text: verified.payload.sub }];
    sendJson(res, 200, { jsonrpc: '2.0', id, result: { resultType: 'complete', content } });
  };

  const answer: Handler = (req, res, body) => {
    switch (req.url?.split('?')[0]) {
      case '/.well-known/oauth-protected-resource':
        return sendJson(res, 200, { resource: server.url, authorization_servers: [server.url] });
      case '/.well-known/oauth-authorization-server':
        return sendJson(res, 200, {
          issuer: server.url,
          authorization_endpoint: `${server.url}/authorize`,
          token_endpoint: `${server.url}/token`,
          response_types_supported: ['code'],
          grant_types_supported: ['authorization_code', 'refresh_token'],
          token_endpoint_auth_methods_supported: ['client_secret_post'],
          code_challenge_methods_supported: ['S256'],
          authorization_response_iss_parameter_supported: true,
        });
      case '/authorize':
        return consent(req, res, body);
      case '/token':
        return grant(req, res, body);
      case '/mcp':
        return serveMcp(req, res, body);
      default:
        return sendJson(res, 404, {});
    }
  };

  const listening = await startServer(answer);
  const server: ConsentingToolServer = {
    url: listening.url,
    refreshes,
    reused,
    secrets,
    async replaceKey() {
      keys = await createKeys();
    },
    async refreshed(more) {
      const enough = refreshes.length + more;
      await eventually(`${more} more refreshes`, () => refreshes.length >= enough);
    },
    stop: listening.stop,
  };
  return server;
}
