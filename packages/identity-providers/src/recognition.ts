import type { KindName } from './kinds.ts';

/** The paths of the endpoints by which the metadata of a provider can be recognized, on any host */
const PATHS: Readonly<
  Partial<Record<KindName, { readonly issuer?: string; readonly token: RegExp; readonly jwks: RegExp }>>
> = {
  okta: { token: /^\/oauth2(\/[^/]+)?\/v1\/token$/, jwks: /^\/oauth2(\/[^/]+)?\/v1\/keys$/ },
  pingfederate: { token: /^\/as\/token\.oauth2$/, jwks: /^\/pf\/JWKS$/ },
  oracle: { token: /^\/oauth2\/v1\/token$/, jwks: /^\/admin\/v1\/SigningCert\/jwk$/ },
  janssen: { token: /\/jans-auth\/restv1\/token$/, jwks: /\/jans-auth\/restv1\/jwks$/ },
  gravitee: { token: /^\/[^/]+\/oauth\/token$/, jwks: /^\/[^/]+\/oidc\/\.well-known\/jwks\.json$/ },
  keycloak: {
    token: /\/realms\/[^/]+\/protocol\/openid-connect\/token$/,
    jwks: /\/realms\/[^/]+\/protocol\/openid-connect\/certs$/,
  },
  auth0: { issuer: '/', token: /^\/oauth\/token$/, jwks: /^\/\.well-known\/jwks\.json$/ },
  entra: { token: /^\/[^/]+\/oauth2\/v2\.0\/token$/, jwks: /^\/[^/]+\/discovery\/v2\.0\/keys$/ },
  google: { token: /^\/token$/, jwks: /^\/oauth2\/v3\/certs$/ },
  workos: { token: /^\/oauth2\/token$/, jwks: /^\/oauth2\/jwks$/ },
};

/**
 * Proposes the kind of a provider by the paths of its endpoints. It is a guess, which an operator confirms: a proxy may
 * rename paths, and nothing prevents another provider from having the same.
 * @returns undefined if it looks like none of them
 */
export function proposeKind(metadata: {
  readonly issuer: string;
  readonly token_endpoint?: string | undefined;
  readonly jwks_uri?: string | undefined;
}): KindName | undefined {
  const [token, jwks] = [pathOf(metadata.token_endpoint), pathOf(metadata.jwks_uri)];
  // As it is spelled: URL would add a slash to a bare origin.
  const issuer = /^\w+:\/\/[^/]*(.*)$/.exec(metadata.issuer)?.[1];
  const found = Object.entries(PATHS).find(
    ([, paths]) =>
      paths.token.test(token) &&
      paths.jwks.test(jwks) &&
      (paths.issuer === undefined || paths.issuer === issuer),
  );
  return found?.[0] as KindName | undefined;
}

const pathOf = (url: string | undefined): string =>
  url !== undefined && URL.canParse(url) ? new URL(url).pathname : '';
