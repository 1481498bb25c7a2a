import { createKeySet, type KeySetOptions } from '@legate/jwt';
import { z } from 'zod';
import { requireIssuer } from './metadata.ts';
import { openIdConfigurationUrl, wellKnownUrl } from './peer-urls.ts';

/** The two members of a discovery document that identify the keys (OpenID Connect Discovery §3, RFC 8414 §2). */
const Discovery = z.looseObject({ issuer: z.string(), jwks_uri: z.url() });

/** RFC 7517 §5. Unsupported keys are not removed here, because the verifier ignores them. */
const Jwks = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) });

/**
 * The signing keys of an issuer of which only the identifier is known: found through discovery and its `jwks_uri`, with
 * the caching, cooldown and stale-if-error of `createKeySet`. Discovery is repeated with every fetch, so that a changed
 * `jwks_uri` is followed. The `iss` of tokens is checked by the verifier, not here.
 * @param options.getJson of the guarded HTTP client, which limits time, size, redirects and addresses
 * @param options.jwksUri the URL of the keys, for an issuer without discovery
 * @throws {KeysUnavailable} from the returned function, also when a document names another issuer
 * @see RFC 8414 §3, OpenID Connect Discovery §4
 */
export function createIssuerKeySet(options: {
  issuer: string;
  getJson: (url: string) => Promise<unknown>;
  clock: () => Date;
  jwksUri?: string | undefined;
  /** Called after each fetch. */
  onRead?: KeySetOptions['onRead'];
}): ReturnType<typeof createKeySet> {
  const { issuer, getJson, clock, jwksUri, onRead } = options;
  const load: KeySetOptions['load'] = async () =>
    Jwks.parse(await getJson(jwksUri ?? (await discoverJwksUri(issuer, getJson))));
  return createKeySet({ issuer, load, clock, onRead });
}

async function discoverJwksUri(issuer: string, getJson: (url: string) => Promise<unknown>): Promise<string> {
  // OpenID Connect appends to the issuer, RFC 8414 inserts after the host; without a path only the suffix differs.
  const candidates = [openIdConfigurationUrl(issuer), wellKnownUrl(issuer, 'oauth-authorization-server')];
  const failures: unknown[] = [];
  for (const url of candidates) {
    try {
      return requireIssuer(issuer, Discovery.parse(await getJson(url))).jwks_uri;
    } catch (err) {
      failures.push(err);
      if (isTimeout(err)) break; // an issuer that hangs would hang a second time
    }
  }
  throw new AggregateError(failures, `no usable discovery document of ${issuer}`);
}

/** Recognises the error of `AbortSignal.timeout`, which ends slow requests. */
const isTimeout = (err: unknown): boolean =>
  typeof err === 'object' && err !== null && 'name' in err && err.name === 'TimeoutError';
