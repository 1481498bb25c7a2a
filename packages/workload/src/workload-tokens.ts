import {
  type CertificateCredentials,
  type ClientCredentials,
  clientAuthentication,
  clientMetadata,
} from '@legate/client-authentication';
import { shareWhileRunning } from '@legate/single-flight';
import {
  allowInsecureRequests,
  type Configuration,
  clientCredentialsGrant,
  customFetch,
  discovery,
} from 'openid-client';

/** No token could be obtained. `message` contains only our own words and error codes. */
export class WorkloadTokenUnavailable extends Error {
  override readonly name = 'WorkloadTokenUnavailable';
}

export type WorkloadTokens = ReturnType<typeof createWorkloadTokens>;

/** Our client at the identity provider. */
export interface WorkloadIdentity {
  /** Issuer URL, used for discovery and compared as a string. */
  readonly issuer: string;
  readonly clientId: string;
  readonly credentials: ClientCredentials | CertificateCredentials;
}

/** A token is not used in its last minute: it must outlive the request, and the clocks differ. */
const MARGIN_SECONDS = 60;
/** Used if the response has none (RFC 6749 §5.1 only recommends it). */
const DEFAULT_LIFETIME_SECONDS = 120;

/**
 * Client credentials tokens (RFC 6749 §4.4) for one API and scope: one is cached until shortly before it expires, and
 * all waiting callers share one request. Discovery is repeated with every token request, so that a moved endpoint is
 * found.
 * @param deps.resource resource identifier of the API (RFC 8707)
 * @param deps.fetch the guarded client's: it follows no redirect, limits time and size, checks addresses, and presents
 *   the certificate, if the client has one, in requests by POST
 */
export function createWorkloadTokens(deps: {
  identity: WorkloadIdentity;
  resource: string;
  scope: string;
  fetch: typeof globalThis.fetch;
  clock: () => Date;
}) {
  const { resource, scope } = deps;
  let kept: { token: string; renewAtMs: number } | undefined;

  async function request(): Promise<string> {
    const client = await discover(deps.identity, deps.fetch);
    const answer = await clientCredentialsGrant(client, { resource, scope });
    if (answer.token_type !== 'bearer') throw new Error('token_type is not Bearer');
    const granted = answer.scope?.split(' ') ?? [scope];
    if (!granted.includes(scope)) throw new Error('the scope was not granted');
    const lifetime = answer.expires_in ?? DEFAULT_LIFETIME_SECONDS;
    const usableSeconds = Math.max(lifetime - MARGIN_SECONDS, lifetime / 2);
    kept = { token: answer.access_token, renewAtMs: deps.clock().getTime() + usableSeconds * 1000 };
    return answer.access_token;
  }

  const requestOnce = shareWhileRunning(() =>
    request().catch((cause: unknown) => {
      throw new WorkloadTokenUnavailable(`no token for ${resource}: ${codeOf(cause)}`, { cause });
    }),
  );

  return {
    /** @throws {WorkloadTokenUnavailable} */
    async get(): Promise<string> {
      if (kept && deps.clock().getTime() < kept.renewAtMs) return kept.token;
      return requestOnce();
    },
    /** Call it if the API rejected this token: the next `get` requests another one. */
    drop(token: string): void {
      if (kept?.token === token) kept = undefined;
    },
  };
}

async function discover(
  { issuer, clientId, credentials }: WorkloadIdentity,
  fetch: typeof globalThis.fetch,
): Promise<Configuration> {
  const authentication = await clientAuthentication(credentials);
  const client = await discovery(new URL(issuer), clientId, clientMetadata(credentials), authentication, {
    [customFetch]: (url, { body, ...init }) => fetch(url, { ...init, ...(body !== undefined && { body }) }),
    // The service's HTTP client decides for each address whether plain http is allowed.
    execute: [allowInsecureRequests],
  });
  // The library compares URLs; an issuer is a string (RFC 8414 §3.3).
  if (client.serverMetadata().issuer !== issuer) throw new Error('the metadata names another issuer');
  return client;
}

/** An OAuth error code, a code of ours or the library's; never a text that a peer wrote. */
function codeOf(err: unknown): string {
  if (typeof err !== 'object' || err === null) return 'failed';
  if ('error' in err && typeof err.error === 'string' && /^[a-z_]{1,64}$/.test(err.error)) return err.error;
  return 'code' in err && typeof err.code === 'string' ? err.code : 'failed';
}
