import { hash, timingSafeEqual } from 'node:crypto';
import { KeysUnavailable, TokenRefused, type VerifyToken } from '@legate/jwt';
import { OAuthError } from './errors.ts';
import type { FormParameters } from './form.ts';
import { CLIENT_ASSERTION_TYPE } from './urns.ts';

export type ClientAuthMethod = 'client_secret_basic' | 'client_secret_post' | 'private_key_jwt' | 'none';

export interface RegisteredClient {
  readonly clientId: string;
  /** SHA-256 of each active secret, two while a secret is being rotated. Empty: the client has no secret. */
  readonly secretHashes: readonly Buffer[];
  /** Verifies a `client_assertion` by the client's own keys; absent: `private_key_jwt` is not registered. */
  readonly verifyAssertion?: VerifyToken<{ iss: string; sub: string; jti: string }>;
  /** True for a public client, which only sends its `client_id`. */
  readonly isPublic: boolean;
}

export interface AuthenticatedClient<C extends RegisteredClient> {
  readonly client: C;
  readonly method: ClientAuthMethod;
}

/**
 * Client secrets are long and random, so an unsalted digest is enough to keep them out of memory dumps and files
 * (OAuth 2.1 §2.4).
 */
export const hashClientSecret = (secret: string): Buffer => hash('sha256', secret, 'buffer');

/**
 * Authenticates the client of a token request by `client_secret_basic`, `client_secret_post`, `private_key_jwt` or, if
 * `allowPublic` is set, by its `client_id` alone. Two methods in one request are refused.
 * @param deps.useAssertionOnce returns false if this client has presented this `jti` before
 * @throws {OAuthError} `invalid_client` (with a Basic challenge when Basic was tried), `invalid_request`
 * @see RFC 6749 §2.3, RFC 7523 §3
 */
export function createClientAuthenticator<C extends RegisteredClient>(deps: {
  findClient: (clientId: string) => C | undefined | Promise<C | undefined>;
  useAssertionOnce: (clientId: string, jti: string) => Promise<boolean>;
  allowPublic: boolean;
}) {
  return async (authorization: string | undefined, form: FormParameters): Promise<AuthenticatedClient<C>> => {
    const presented = readCredentials(authorization, form);
    if (!presented) throw new OAuthError('invalid_client', 'no client authentication');
    const refuse = (reason: string, cause?: unknown): OAuthError =>
      new OAuthError('invalid_client', reason, {
        cause,
        headers:
          presented.method === 'client_secret_basic' ? { 'WWW-Authenticate': 'Basic realm="token"' } : {},
      });

    const client = await findFirst(presented.clientIds, deps.findClient);
    if (!client) throw refuse('unknown client');
    switch (presented.method) {
      case 'client_secret_basic':
      case 'client_secret_post':
        if (!matchesSecret(client, presented.secrets)) throw refuse('wrong secret');
        break;
      case 'private_key_jwt':
        if (!client.verifyAssertion) throw refuse('private_key_jwt is not registered');
        await checkAssertion(
          client,
          client.verifyAssertion,
          presented.assertion,
          deps.useAssertionOnce,
          refuse,
        );
        break;
      case 'none':
        if (!deps.allowPublic || !client.isPublic) throw refuse('the client must authenticate');
    }
    return { client, method: presented.method };
  };
}

async function findFirst<C>(
  clientIds: readonly string[],
  findClient: (clientId: string) => C | undefined | Promise<C | undefined>,
): Promise<C | undefined> {
  for (const clientId of clientIds) {
    const client = await findClient(clientId);
    if (client) return client;
  }
  return undefined;
}

/** The client, method and secret that a token request claims. They are not verified. */
export function claimedCredentials(
  authorization: string | undefined,
  form: FormParameters,
): {
  readonly client?: string | undefined;
  readonly method?: ClientAuthMethod | undefined;
  readonly secret?: string | undefined;
} {
  try {
    const presented = readCredentials(authorization, form);
    if (!presented) return {};
    return {
      client: presented.clientIds[0],
      method: presented.method,
      ...('secrets' in presented && { secret: presented.secrets[0] }),
    };
  } catch {
    return {}; // authentication refuses these credentials later
  }
}

/** `clientIds`: possible readings of one identifier, the most likely one first. */
type Presented = { clientIds: readonly string[] } & (
  | { method: 'client_secret_basic' | 'client_secret_post'; secrets: string[] }
  | { method: 'private_key_jwt'; assertion: string }
  | { method: 'none' }
);

function readCredentials(authorization: string | undefined, form: FormParameters): Presented | undefined {
  const basic = readBasic(authorization);
  const clientId = form.find('client_id');
  const secret = form.find('client_secret');
  const assertion = form.find('client_assertion');
  const ways = [basic, secret, assertion].filter((way) => way !== undefined);
  if (ways.length > 1) throw new OAuthError('invalid_request', 'several client authentication methods');

  if (basic) {
    if (clientId !== undefined && !basic.ids.includes(clientId)) {
      throw new OAuthError('invalid_request', 'client_id differs from the Authorization header');
    }
    const clientIds = clientId === undefined ? basic.ids : [clientId];
    return { method: 'client_secret_basic', clientIds, secrets: basic.secrets };
  }
  if (assertion !== undefined) {
    if (form.require('client_assertion_type') !== CLIENT_ASSERTION_TYPE) {
      throw new OAuthError('invalid_request', 'client_assertion_type');
    }
    return { method: 'private_key_jwt', clientIds: [clientId ?? unverifiedSubject(assertion)], assertion };
  }
  if (clientId === undefined) return undefined;
  const clientIds = [clientId];
  if (secret !== undefined) return { method: 'client_secret_post', clientIds, secrets: [secret] };
  return { method: 'none', clientIds };
}

/**
 * RFC 6749 §2.3.1 form-encodes both halves before base64; many clients do not. So the decoded form is tried first, then
 * the raw one.
 */
function readBasic(authorization: string | undefined): { ids: string[]; secrets: string[] } | undefined {
  if (authorization === undefined || !/^basic(\s|$)/i.test(authorization)) return undefined;
  const encoded = /^basic +([A-Za-z0-9+/_-]+=*)$/i.exec(authorization)?.[1];
  const decoded = encoded === undefined ? '' : Buffer.from(encoded, 'base64').toString('utf8');
  const colon = decoded.indexOf(':');
  if (colon < 1) {
    throw new OAuthError('invalid_client', 'malformed Basic credentials', {
      headers: { 'WWW-Authenticate': 'Basic realm="token"' },
    });
  }
  const id = decoded.slice(0, colon);
  const secret = decoded.slice(colon + 1);
  return { ids: readings(id), secrets: readings(secret) };
}

const readings = (value: string): string[] => [...new Set([formDecode(value), value])];

function formDecode(value: string): string {
  try {
    return decodeURIComponent(value.replaceAll('+', ' '));
  } catch {
    return value; // not form-encoded: the client does not follow RFC 6749 §2.3.1
  }
}

function matchesSecret(client: RegisteredClient, secrets: readonly string[]): boolean {
  let matches = false;
  for (const hash of secrets.map(hashClientSecret)) {
    for (const expected of client.secretHashes) matches = timingSafeEqual(hash, expected) || matches;
  }
  return matches;
}

/** Used only to find the client whose keys then verify the assertion. */
function unverifiedSubject(assertion: string): string {
  try {
    const payload: unknown = JSON.parse(
      Buffer.from(assertion.split('.')[1] ?? '', 'base64url').toString('utf8'),
    );
    if (payload && typeof payload === 'object' && 'sub' in payload && typeof payload.sub === 'string')
      return payload.sub;
  } catch {
    // a parse error leads to the refusal below
  }
  throw new OAuthError('invalid_client', 'malformed client_assertion');
}

async function checkAssertion(
  client: RegisteredClient,
  verify: NonNullable<RegisteredClient['verifyAssertion']>,
  assertion: string,
  useOnce: (clientId: string, jti: string) => Promise<boolean>,
  refuse: (reason: string, cause?: unknown) => OAuthError,
): Promise<void> {
  const { claims } = await verify(assertion).catch((err: unknown) => {
    if (err instanceof TokenRefused) throw refuse(`client_assertion: ${err.reason}`, err);
    if (err instanceof KeysUnavailable)
      throw new OAuthError('temporarily_unavailable', err.message, { cause: err });
    throw err;
  });
  if (claims.iss !== client.clientId || claims.sub !== client.clientId)
    throw refuse('client_assertion: iss or sub');
  if (!(await useOnce(client.clientId, claims.jti))) throw refuse('client_assertion: replayed');
}
