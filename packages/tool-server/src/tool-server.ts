import {
  accessToken,
  cacheVerified,
  createKeySet,
  createTokenVerifier,
  idJag,
  type SigningKeys,
} from '@legate/jwt';
import { createClientAuthenticator, createIssuerKeySet, OAuthError } from '@legate/oauth';
import { type AuthenticationFailures, type OAuthLog, oauthErrorHandler } from '@legate/oauth/express';
import type { UseOnce } from '@legate/secure-store';
import { type RequestHandler, Router } from 'express';
import { createAccessTokenCheck } from './bearer/access-token-check.ts';
import { requireAccessToken } from './bearer/require-access-token.ts';
import { type Endpoints, endpointsOf } from './metadata/endpoints.ts';
import { createMetadataRoutes } from './metadata/routes.ts';
import {
  type ClientAssertionAudience,
  registerClients,
  type ToolServerClient,
} from './token-endpoint/clients.ts';
import { createAssertionRedemption, type ResolveUser } from './token-endpoint/redeem-assertion.ts';
import { createTokenRoutes } from './token-endpoint/routes.ts';
import { createTokenEndpoint } from './token-endpoint/token-endpoint.ts';

export interface TrustedIdentityProvider {
  /** Compared with `iss` as a plain string, never normalised. */
  readonly issuer: string;
  /** URL of its keys; default: found by discovery. */
  readonly jwksUri?: string | undefined;
}

export interface ToolServerOptions {
  /**
   * The resource identifier, which is also the issuer of the authorization server and the audience of ID-JAGs and access
   * tokens: the public URL of this server, without trailing slash.
   */
  readonly resource: string;
  readonly trustedIssuers: readonly TrustedIdentityProvider[];
  /** Reads the issuers' documents; give a client that guards against private addresses and limits time and size. */
  readonly getJson: (url: string) => Promise<unknown>;
  readonly clients: readonly ToolServerClient[];
  /** Sign access tokens; share them between the replicas of a server. */
  readonly signingKeys: SigningKeys;
  /** Every scope that a tool of this server may require. */
  readonly scopes: readonly string[];
  /** Remembers redeemed assertions; replicas of a server must share it. While it fails, nothing is redeemed. */
  readonly useOnce: UseOnce;
  readonly clock: () => Date;
  readonly log: OAuthLog;
  /** `iss` of access tokens, issued and demanded: the token endpoint's URL (default), or the issuer as in RFC 9068. */
  readonly accessTokenIssuer?: 'token_endpoint' | 'issuer';
  /** Default `issuer`. */
  readonly clientAssertionAudience?: ClientAssertionAudience | undefined;
  /** Decides whether a user is admitted; default: every user that a trusted issuer asserts. */
  readonly resolveUser?: ResolveUser;
  /** Slows down who guesses client secrets; default: nothing does. Share it between the replicas of a server. */
  readonly failures?: AuthenticationFailures | undefined;
  /** Called after each fetch of a trusted issuer's keys. */
  readonly onKeysRead?: ((issuer: string, outcome: 'read' | 'failed') => void) | undefined;
  /** `resource_name` of the metadata, for people. */
  readonly name?: string;
}

export interface ToolServer {
  readonly endpoints: Endpoints;
  /** Metadata documents, keys and the token endpoint; mount it at the root of the server. */
  readonly router: Router;
  /** Goes in front of the MCP endpoint: sets `req.auth`, or answers 400, 401 or 403 with a challenge. */
  requireAccessToken(options?: { scopes?: readonly string[] }): RequestHandler;
}

/** Seconds that a `client_assertion` can be presented at most: five minutes of life and a minute of skew at both ends. */
const CLIENT_ASSERTION_SECONDS = 420;

/**
 * Adds support for ID-JAGs to an MCP server.
 * @throws {Error} for an unusable resource identifier, client or key
 */
export function createToolServer(options: ToolServerOptions): ToolServer {
  const { clock, log, signingKeys } = options;
  const endpoints = endpointsOf(options.resource);
  const accessTokenIssuer = options.accessTokenIssuer === 'issuer' ? endpoints.resource : endpoints.token;
  const useOnce = failClosed(options.useOnce);
  const clients = registerClients(options.clients, {
    endpoints,
    assertionAudience: options.clientAssertionAudience ?? 'issuer',
    clock,
  });

  const answer = createTokenEndpoint({
    authenticate: createClientAuthenticator({
      findClient: (clientId) => clients.get(clientId),
      useAssertionOnce: (clientId, jti) =>
        useOnce(['client_assertion', clientId, jti], CLIENT_ASSERTION_SECONDS),
      allowPublic: false,
    }),
    redeem: createAssertionRedemption({
      resource: endpoints.resource,
      accessTokenIssuer,
      scopes: new Set(options.scopes),
      verifyIdJag: createTokenVerifier(idJag, {
        issuers: options.trustedIssuers.map(({ issuer, jwksUri }) => ({
          issuer,
          keys: createIssuerKeySet({
            issuer,
            jwksUri,
            getJson: options.getJson,
            clock,
            onRead: (outcome) => options.onKeysRead?.(issuer, outcome),
          }),
        })),
        audience: endpoints.resource,
        clock,
      }),
      signingKeys,
      resolveUser: options.resolveUser ?? (() => 'accepted'),
      useOnce,
      clock,
      log,
    }),
  });

  const check = createAccessTokenCheck({
    endpoints,
    registeredScopes: options.scopes,
    verify: cacheVerified(
      createTokenVerifier(accessToken, {
        issuers: [{ issuer: accessTokenIssuer, keys: ownKeys(signingKeys, accessTokenIssuer, clock) }],
        audience: endpoints.resource,
        clock,
      }),
      { clock },
    ),
  });

  const router = Router();
  router.use(createTokenRoutes({ endpoints, failures: options.failures, answer }));
  router.use(createMetadataRoutes({ endpoints, signingKeys, scopes: options.scopes, name: options.name }));
  router.use(oauthErrorHandler(log));

  return {
    endpoints,
    router,
    requireAccessToken: ({ scopes = [] } = {}) => requireAccessToken({ check, log }, scopes),
  };
}

/** Without the store nobody can tell whether an assertion was used before, so none is accepted (and none refused). */
function failClosed(useOnce: UseOnce): UseOnce {
  return (parts, ttlSeconds) =>
    useOnce(parts, ttlSeconds).catch((cause: unknown) => {
      throw new OAuthError('temporarily_unavailable', 'the replay store cannot be used', { cause });
    });
}

/** Reads the keys again at an unknown `kid`, without a cooldown: they are ours, and a new key is valid at once. */
function ownKeys(signingKeys: SigningKeys, issuer: string, clock: () => Date) {
  return createKeySet({ issuer, load: async () => signingKeys.publicJwks(), clock, cooldownSeconds: 0 });
}
