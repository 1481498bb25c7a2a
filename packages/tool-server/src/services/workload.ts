import {
  allowInsecureRequests,
  ClientSecretPost,
  Configuration,
  clientCredentialsGrant,
  customFetch,
} from 'openid-client';

/** Our client at the identity provider, which gives us an access token of our own for the service. */
export interface Workload {
  /** The endpoint, from trusted configuration only: it receives the secret. */
  readonly tokenEndpoint: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Default: what the authorization server grants to this client. */
  readonly scope?: string | undefined;
}

/** `createWorkloadFetch` of `@legate/workload`, or anything that authenticates us. */
export type FetchAsWorkload = (url: string, init: { headers: Record<string, string> }) => Promise<Response>;

/** A token is not used in its last minute: it must outlive the request, and the clocks differ. */
const MARGIN_SECONDS = 60;
/** Used if the response has none (RFC 6749 §5.1 only recommends it). */
const DEFAULT_LIFETIME_SECONDS = 120;

/**
 * `fetch` with an access token of our own (RFC 6749 §4.4), which is cached until shortly before it expires. After a 401
 * it repeats the request once with a fresh token: the old one may have been revoked, or its key withdrawn.
 * @param deps.resource identifier of the service (RFC 8707)
 */
export function createWorkloadFetch(deps: {
  workload: Workload;
  resource: string;
  fetch: typeof globalThis.fetch;
  clock: () => Date;
}): FetchAsWorkload {
  const client = clientOf(deps.workload, deps.fetch);
  const { scope } = deps.workload;
  let kept: { readonly token: string; readonly renewAtMs: number } | undefined;
  let running: Promise<string> | undefined;

  async function request(): Promise<string> {
    const granted = await clientCredentialsGrant(client, {
      resource: deps.resource,
      ...(scope && { scope }),
    });
    if (granted.token_type !== 'bearer') throw new Error('token_type is not Bearer');
    const lifetime = granted.expires_in ?? DEFAULT_LIFETIME_SECONDS;
    const usableSeconds = Math.max(lifetime - MARGIN_SECONDS, lifetime / 2);
    kept = { token: granted.access_token, renewAtMs: deps.clock().getTime() + usableSeconds * 1000 };
    return granted.access_token;
  }

  async function token(): Promise<string> {
    if (kept && deps.clock().getTime() < kept.renewAtMs) return kept.token;
    running ??= request().finally(() => {
      running = undefined;
    });
    return running;
  }

  return async (url, { headers }) => {
    const send = (bearer: string) =>
      deps.fetch(url, { headers: { ...headers, Authorization: `Bearer ${bearer}` } });
    const first = await token();
    const answer = await send(first);
    if (answer.status !== 401) return answer;
    if (kept?.token === first) kept = undefined;
    return send(await token());
  };
}

function clientOf({ tokenEndpoint, clientId, clientSecret }: Workload, fetch: typeof globalThis.fetch) {
  const client = new Configuration(
    { issuer: new URL(tokenEndpoint).origin, token_endpoint: tokenEndpoint },
    clientId,
    undefined,
    ClientSecretPost(clientSecret),
  );
  client[customFetch] = (url, { body, ...init }) =>
    fetch(url, { ...init, ...(body !== undefined && { body }) });
  allowInsecureRequests(client); // `fetch` decides for each address whether plain http is allowed
  return client;
}
