import {
  accessToken,
  cacheVerified,
  createKeySet,
  createTokenVerifier,
  idJag,
  type SigningKeys,
} from '@legate/jwt';
import { createClientAuthenticator, createIssuerKeySet, formatScope } from '@legate/oauth';
import { createAccessTokenCheck, DESCRIPTION } from './bearer/access-token-check.ts';
import type { ToolServerAuthInfo } from './bearer/auth-info.ts';
import { challengeResponse } from './bearer/challenge-response.ts';
import { CONSOLE_LOG, isProductionByEnvironment, openOneTimeStore, openSigningKeys } from './defaults.ts';
import { createJsonReader } from './http/bounded-fetch.ts';
import { createOriginCheck } from './http/origins.ts';
import {
  type PlainAnswer,
  type PlainRequest,
  plainRequest,
  type RequestHeaders,
  toResponse,
} from './http/plain.ts';
import { createDocuments } from './metadata/documents.ts';
import { type Endpoints, endpointsOf, pathsOf } from './metadata/endpoints.ts';
import { failClosed, type UseOnce } from './one-time/use-once.ts';
import type { ToolServerOptions, TrustedIdentityProvider } from './options.ts';
import { createRouter, type ProtectedHandler } from './router.ts';
import { registerClients } from './token-endpoint/clients.ts';
import { organizationsOf } from './token-endpoint/organizations.ts';
import { createAssertionRedemption } from './token-endpoint/redeem-assertion.ts';
import { createTokenEndpoint } from './token-endpoint/token-endpoint.ts';
import {
  createTokenHandler,
  refuseAuthorization,
  type TokenRequestContext,
} from './token-endpoint/token-handler.ts';

export interface ToolServer {
  readonly endpoints: Endpoints;
  /**
   * Serves the metadata documents, the keys and the token endpoint; returns undefined for any other path. Never rejects
   * because of a client's input.
   * @param options.parsedBody the body, if a body parser has read it already
   * @param options.clientAddress address for which failed client authentications are counted
   */
  handle(request: Request, options?: TokenRequestContext): Promise<Response | undefined>;
  /** Does the same as `handle`, for adapters that have no `Request`. */
  answer(
    request: PlainRequest,
    options?: Pick<TokenRequestContext, 'clientAddress'>,
  ): Promise<PlainAnswer | undefined>;
  /**
   * Verifies the origin and the access token of a request.
   * @returns the caller, or the 400, 401 or 403 to send
   */
  authenticate(
    request: RequestHeaders,
    options?: { scopes?: readonly string[] },
  ): Promise<ToolServerAuthInfo | Response>;
  /** The 403 for a caller who lacks scopes: clients ask for a token with these. */
  challenge(scopes: readonly string[]): Response;
  /** A handler for a whole server: `handle`, then the route of the path behind `authenticate`, else 404. */
  router(
    routes: Readonly<Record<string, ProtectedHandler>>,
    options?: { scopes?: readonly string[] },
  ): (request: Request, context?: TokenRequestContext) => Promise<Response>;
}

/**
 * Maximum seconds for which a `client_assertion` can be presented: five minutes of lifetime and a minute of clock skew
 * at both ends.
 */
const CLIENT_ASSERTION_SECONDS = 420;

/**
 * Adds support for ID-JAGs to an MCP server.
 * @throws {Error} for an unusable resource identifier, client, secret or key, and for settings that production does not
 * allow
 */
export async function createToolServer(options: ToolServerOptions): Promise<ToolServer> {
  const log = options.log ?? CONSOLE_LOG;
  const clock = options.clock ?? (() => new Date());
  const isProduction = options.production ?? isProductionByEnvironment();
  const endpoints = endpointsOf(options.resource);
  const accessTokenIssuer = options.accessTokenIssuer === 'issuer' ? endpoints.resource : endpoints.token;
  const clients = registerClients(options.clients, {
    endpoints,
    assertionAudience: options.clientAssertionAudience ?? 'issuer',
    isProduction,
    clock,
  });
  const signingKeys = await openSigningKeys(options.signingKeys, { clock, log, isProduction });
  const useOnce = failClosed(openOneTimeStore(options.oneTimeStore, { clock, log, isProduction }));

  const answerToken = createTokenHandler({
    failures: options.failures,
    answer: createTokenEndpoint({
      authenticate: createClientAuthenticator({
        findClient: (clientId) => clients.get(clientId),
        useAssertionOnce: (clientId, jti) =>
          useOnce(['client_assertion', clientId, jti], CLIENT_ASSERTION_SECONDS),
        allowPublic: false,
      }),
      redeem: createRedemption(options, { endpoints, accessTokenIssuer, signingKeys, useOnce, clock, log }),
    }),
    isProduction,
    log,
  });
  const documents = createDocuments({ endpoints, signingKeys, scopes: options.scopes, name: options.name });
  const paths = pathsOf(endpoints);
  const answerOf = async (request: PlainRequest, clientAddress: string | undefined) => {
    if (paths.token.includes(request.pathname)) return answerToken(request, clientAddress);
    if (paths.authorization.includes(request.pathname)) return refuseAuthorization(log);
    return documents.get(request.pathname)?.(request);
  };

  const toolServer: ToolServer = {
    endpoints,
    async handle(request, { parsedBody, clientAddress } = {}) {
      const answer = await toolServer.answer(plainRequest(request, parsedBody), { clientAddress });
      return answer && toResponse(answer);
    },
    async answer(request, context = {}) {
      const answer = await answerOf(request, options.clientAddress?.(request) ?? context.clientAddress);
      return answer && request.method === 'HEAD' ? { ...answer, body: null } : answer;
    },
    authenticate: createGate({
      endpoints,
      signingKeys,
      accessTokenIssuer,
      scopes: options.scopes,
      refuseOrigin: createOriginCheck(endpoints.resource, options.allowedOrigins),
      clock,
      log,
    }),
    challenge: (scopes) =>
      challengeResponse(403, {
        error: 'insufficient_scope',
        errorDescription: DESCRIPTION.insufficient_scope,
        scope: formatScope(scopes),
        resourceMetadata: endpoints.resourceMetadata,
      }),
    router: (routes, routeOptions) => createRouter({ toolServer, log }, routes, routeOptions),
  };
  return toolServer;
}

interface Parts {
  readonly endpoints: Endpoints;
  readonly accessTokenIssuer: string;
  readonly signingKeys: SigningKeys;
  readonly clock: () => Date;
  readonly log: NonNullable<ToolServerOptions['log']>;
}

function createRedemption(options: ToolServerOptions, parts: Parts & { useOnce: UseOnce }) {
  const { clock } = parts;
  const getJson = createJsonReader(options.fetch);
  const trustedIssuers = options.trustedIssuers.map(
    (trusted): TrustedIdentityProvider => (typeof trusted === 'string' ? { issuer: trusted } : trusted),
  );
  return createAssertionRedemption({
    ...{ resource: parts.endpoints.resource, accessTokenIssuer: parts.accessTokenIssuer },
    scopes: new Set(options.scopes),
    verifyIdJag: createTokenVerifier(idJag, {
      issuers: trustedIssuers.map(({ issuer, jwksUri }) => {
        const onRead = (outcome: 'read' | 'failed') => options.onKeysRead?.(issuer, outcome);
        return { issuer, keys: createIssuerKeySet({ issuer, jwksUri, getJson, clock, onRead }) };
      }),
      audience: parts.endpoints.resource,
      clock,
    }),
    trustedIssuers: trustedIssuers.map(({ issuer }) => issuer),
    organizations: organizationsOf(trustedIssuers),
    signingKeys: parts.signingKeys,
    resolveUser: options.resolveUser ?? (() => 'accepted'),
    useOnce: parts.useOnce,
    clock,
    log: parts.log,
  });
}

function createGate(
  parts: Parts & {
    readonly scopes: readonly string[];
    readonly refuseOrigin: ReturnType<typeof createOriginCheck>;
  },
): ToolServer['authenticate'] {
  const { endpoints, signingKeys, accessTokenIssuer, clock, log } = parts;
  const check = createAccessTokenCheck({
    endpoints,
    registeredScopes: parts.scopes,
    verify: cacheVerified(
      createTokenVerifier(accessToken, {
        issuers: [{ issuer: accessTokenIssuer, keys: ownKeys(signingKeys, accessTokenIssuer, clock) }],
        audience: endpoints.resource,
        clock,
      }),
      { clock },
    ),
  });
  return async ({ headers }, { scopes = [] } = {}) => {
    const refused = parts.refuseOrigin({ headers });
    if (refused) {
      log.info({ status: refused.status, reason: 'origin' }, 'web page refused');
      return refused;
    }
    const outcome = await check(headers.get('authorization') ?? undefined, scopes);
    if (outcome.kind === 'accepted') return outcome.auth;
    const { status, challenge, reason } = outcome;
    log.info({ status, reason }, 'bearer token refused');
    return challengeResponse(status, challenge);
  };
}

/** Reads the keys again at an unknown `kid`, without a cooldown: they are ours, and a new key is valid at once. */
function ownKeys(signingKeys: SigningKeys, issuer: string, clock: () => Date) {
  return createKeySet({ issuer, load: async () => signingKeys.publicJwks(), clock, cooldownSeconds: 0 });
}
