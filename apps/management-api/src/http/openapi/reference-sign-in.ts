import { AuthorizationServerMetadata, openIdConfigurationUrl, requireIssuer } from '@legate/oauth';
import type { Logger } from '@legate/service';
import type { Platform } from '../../platform/platform.ts';
import type { ReferenceSettings } from './settings.ts';

/** The sign-in of the API's reference page at the identity provider, as a public client with PKCE */
export interface ReferenceSignIn {
  readonly clientId: string;
  readonly authorizationUrl: string;
  readonly tokenUrl: string;
}

/** Providers rarely move their endpoints, and a page with old endpoints only shows an error of the provider. */
const KEPT_SECONDS = 3600;
/** During an outage, only one reader in ten seconds waits for the provider. */
const PAUSE_SECONDS = 10;

/** @returns undefined if readers must paste a token */
export function openReferenceSignIn(
  { issuer, http: { getJson }, clock, log }: Platform,
  { API_REFERENCE_CLIENT_ID: clientId }: ReferenceSettings,
) {
  return clientId === undefined
    ? undefined
    : createReferenceSignIn({ clientId, issuer, getJson, clock, log });
}

/**
 * Finds the endpoints of the identity provider in its metadata, and caches them for an hour. The returned function
 * resolves to undefined while they cannot be read: the page then has no sign-in, but is still shown.
 * @param deps.getJson limits time, size, redirects and addresses
 * @see OpenID Connect Discovery §4
 */
export function createReferenceSignIn(deps: {
  clientId: string;
  issuer: string;
  getJson: (url: string) => Promise<unknown>;
  clock: () => Date;
  log: Pick<Logger, 'warn'>;
}): () => Promise<ReferenceSignIn | undefined> {
  const { clientId, issuer, getJson, clock, log } = deps;
  let known: { signIn: Promise<ReferenceSignIn | undefined>; until: number } | undefined;

  async function read(): Promise<ReferenceSignIn> {
    const document = await getJson(openIdConfigurationUrl(issuer));
    const { authorization_endpoint, token_endpoint } = requireIssuer(
      issuer,
      AuthorizationServerMetadata.parse(document),
    );
    if (authorization_endpoint === undefined) throw new Error(`${issuer} has no authorization endpoint`);
    return { clientId, authorizationUrl: authorization_endpoint, tokenUrl: token_endpoint };
  }

  const after = (seconds: number): number => clock().getTime() + seconds * 1000;

  return () => {
    if (known && known.until > clock().getTime()) return known.signIn;
    const signIn = read().catch((err: unknown) => {
      log.warn({ err }, 'the API reference offers no sign-in: the identity provider is unavailable');
      current.until = after(PAUSE_SECONDS);
      return undefined;
    });
    const current = { signIn, until: after(KEPT_SECONDS) };
    known = current;
    return signIn;
  };
}
