import { createKeySet, type KeySetOptions } from '@legate/jwt';
import { z } from 'zod';
import { requireIssuer } from './metadata.ts';
import { openIdConfigurationUrl, wellKnownUrl } from './peer-urls.ts';

/** The two members of a discovery document that identify the keys (OpenID Connect Discovery §3, RFC 8414 §2). */
const Discovery = z.looseObject({ issuer: z.string(), jwks_uri: z.url() });

/** RFC 7517 §5. Keys of kinds that we cannot use are left to the verifier, which passes them over. */
const Jwks = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) });

/**
 * The signing keys of an issuer that is known by its identifier alone: discovery, then its `jwks_uri`, then the caching,
 * cooldown and stale-if-error of `createKeySet`. Discovery is repeated with every read, so that a moved `jwks_uri` is
 * followed. `iss` of tokens is not checked here but by the verifier.
 * @param options.getJson the guarded client's: it limits time, size, redirects and addresses
 * @param options.jwksUri where the keys are, for an issuer without discovery
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
      if (isTimeout(err)) break; // one that hangs would hang a second time
    }
  }
  throw new AggregateError(failures, `no usable discovery document of ${issuer}`);
}

/** `AbortSignal.timeout` is what ends a request that takes too long. */
const isTimeout = (err: unknown): boolean =>
  typeof err === 'object' && err !== null && 'name' in err && err.name === 'TimeoutError';
