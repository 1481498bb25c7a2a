import {
  type CertificateCredentials,
  type ClientCredentials,
  clientAuthentication,
  clientMetadata,
} from '@legate/client-authentication';
import type { ProviderRefusal, RefusedLeg } from '@legate/identity-providers';
import { shown } from '@legate/oauth';
import { shareWhileRunning } from '@legate/single-flight';
import { allowInsecureRequests, customFetch, discovery, type ServerMetadata } from 'openid-client';
import { classifyFailure, type PeerFailure } from './peer-failure.ts';
import { sendThrough, type TokenClient, toCustomFetch } from './token-client.ts';

export type IdentityProvider = FoundIdentityProvider | PeerFailure;

export interface FoundIdentityProvider {
  readonly kind: 'found';
  readonly client: TokenClient;
  /** The id of the client and the metadata of the provider, read once: the library copies them each time */
  readonly clientId: string;
  readonly metadata: Readonly<ServerMetadata>;
  /** True if a request for an ID-JAG names the `resource` to it */
  readonly sendsResource: boolean;
  readonly explain: ExplainRefusal;
}

/** Explains a refusal of the identity provider to an operator; undefined if nothing is known about it. */
export type ExplainRefusal = (leg: RefusedLeg, refusal: ProviderRefusal) => string | undefined;

/** Seconds after which the discovery document is fetched again, also after a failure. */
const MAX_AGE_SECONDS = 3600;
const RETRY_SECONDS = 60;

interface ClientOptions {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientAuth: ClientCredentials | CertificateCredentials;
  /** Default true */
  readonly sendsResource?: boolean;
  /** Default: no refusal is explained */
  readonly explain?: ExplainRefusal;
  /** The guarded client's; with a certificate, it presents it in requests by POST */
  readonly fetch: typeof globalThis.fetch;
}

/**
 * Our client at the identity provider, whose metadata is discovered when it is first needed: a service may start while
 * the provider is down. A document that can no longer be refreshed stays in use.
 * @see OpenID Connect Discovery §4, RFC 8414 §3
 */
export function createIdentityProvider(
  options: ClientOptions & { readonly clock: () => Date },
): () => Promise<IdentityProvider> {
  let known: { provider: FoundIdentityProvider; freshUntilMs: number } | undefined;

  const read = shareWhileRunning(async (): Promise<IdentityProvider> => {
    const found = await discover(options);
    const provider = found.kind === 'found' ? found : known?.provider;
    if (!provider) return found;
    // After a failure, the known document is used for some time, so that not every delegation waits for another
    // attempt.
    const seconds = found.kind === 'found' ? MAX_AGE_SECONDS : RETRY_SECONDS;
    known = { provider, freshUntilMs: options.clock().getTime() + seconds * 1000 };
    return provider;
  });

  return async () => {
    const nowMs = options.clock().getTime();
    // A document with more than the maximum time left was cached before the clock was set back.
    const leftMs = known ? known.freshUntilMs - nowMs : 0;
    if (known && leftMs > 0 && leftMs <= MAX_AGE_SECONDS * 1000) return known.provider;
    return read();
  };
}

async function discover(options: ClientOptions): Promise<IdentityProvider> {
  const { issuer, clientId, sendsResource = true, explain = () => undefined, fetch } = options;
  let failure: PeerFailure | undefined;
  // Some providers publish only one of the two documents, others both.
  for (const algorithm of ['oidc', 'oauth2'] as const) {
    try {
      const client = await discovery(
        new URL(issuer),
        clientId,
        clientMetadata(options.clientAuth),
        await clientAuthentication(options.clientAuth),
        {
          algorithm,
          [customFetch]: toCustomFetch(fetch),
          // The guarded client decides by address whether plain http may be used.
          execute: [allowInsecureRequests],
        },
      );
      const metadata = client.serverMetadata();
      // The library compares URLs; an issuer is a string (RFC 8414 §3.3).
      if (metadata.issuer !== issuer)
        return {
          kind: 'unusable',
          reason: `its metadata names another issuer, ${shown(metadata.issuer)}, instead of ${issuer}`,
        };
      if (!metadata.token_endpoint) return { kind: 'unusable', reason: 'its metadata has no token endpoint' };
      return {
        kind: 'found',
        client: sendThrough(client, metadata, fetch, { usesIdTokens: true }),
        clientId,
        metadata,
        sendsResource,
        explain,
      };
    } catch (err) {
      const failed = classifyFailure(err);
      if (failed.kind === 'unavailable') return failed;
      const { reason } = failed.kind === 'refused' ? { reason: 'it refuses to show them' } : failed;
      failure ??= { kind: 'unusable', reason: `metadata of ${issuer}: ${reason}` };
    }
  }
  return failure ?? { kind: 'unusable', reason: 'it has no metadata' };
}
