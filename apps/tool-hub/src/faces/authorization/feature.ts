import {
  createAdapterFactory,
  createHandoverSecret,
  createOpenIdEngine,
  createTokenReader,
  namingOutages,
  RETRY_AFTER_SECONDS,
  StoreUnavailable,
} from '@legate/authorization-server';
import { createClientAuthenticator, OAuthError } from '@legate/oauth';
import type { AuthenticationFailures } from '@legate/oauth/express';
import type { Backend, EncryptionKeys, SecureStore, UseOnce } from '@legate/secure-store';
import { type Logger, type MemoryBudget, Problem } from '@legate/service';
import { Router } from 'express';
import { exportJWK, generateKeyPair } from 'jose';
import type { NoteDeed } from '../../audit/user-event.ts';
import type { AgentOfClient } from '../../connectors/access.ts';
import type { Strangers } from '../../limits/strangers.ts';
import type { createDynamicClients } from '../../oauth-clients/dynamic-clients.ts';
import type { FindClient } from '../../oauth-clients/oauth-client.ts';
import type { CLIENT_WAYS } from '../../oauth-clients/settings.ts';
import type { ClientSessionsOf } from '../../sign-in/client-sessions.ts';
import { CLIENT_STATE_PREFIX } from '../../sign-in/client-tokens.ts';
import type { RefreshTokens } from '../../sign-in/refresh-tokens.ts';
import type { Sessions } from '../../sign-in/sessions.ts';
import type { StepUps } from '../../sign-in/step-ups.ts';
import type { VerifyIdToken } from '../../sign-in/verify-id-token.ts';
import type { BrowserCookie } from '../accounts/browser-cookie.ts';
import type { UserSignIn } from '../accounts/user-sign-in.ts';
import { resourceOf } from '../mcp/metadata.ts';
import type { AnswerGrant, OAuthPart } from '../token-endpoint/oauth-part.ts';
import { createAuthorize } from './authorize.ts';
import { createConsents } from './consents.ts';
import { cookieKeysOf } from './cookie-keys.ts';
import { createInteractionStore } from './interaction-store.ts';
import { createInteractions } from './interactions.ts';
import { metadataOf } from './metadata.ts';
import { boundOpenAuthorizations } from './open-authorizations.ts';
import { createPlaceClient } from './place-client.ts';
import { createProvider, type LivingSession } from './provider.ts';
import { createRefreshOnce } from './refresh-once.ts';
import { renderFault } from './render-fault.ts';
import { browserRoutes, clientRoutes } from './routes.ts';
import type { FindNames } from './shown-names.ts';
import { createSignInStep } from './sign-in-step.ts';
import { createAskForTokens } from './token-answers.ts';
import { createTokenEndpoint } from './token-endpoint.ts';
import { userClientRoutes } from './user-clients.ts';

/** Seconds that a `client_assertion` can be presented at most: five minutes of life and a minute of skew at both ends. */
const CLIENT_ASSERTION_SECONDS = 420;

/** What an operator, or a test, decides about the hub as an authorization server */
export interface AuthorizationServerOptions {
  readonly ways: readonly (typeof CLIENT_WAYS)[number][];
  readonly findClient: FindClient;
  readonly dynamic: ReturnType<typeof createDynamicClients> | undefined;
  /** Encrypted, and shared by the replicas of a hub */
  readonly backend: Backend;
  readonly jwks: { readonly keys: object[] };
  readonly useOnce: UseOnce;
  readonly sessionLifetimeSeconds: number;
  readonly sessionIdleSeconds: number;
  /** Seconds within which the same refresh gets the same answer */
  readonly refreshReuseSeconds: number;
  /** False: at `/mcp` only tokens of this authorization server are good. */
  readonly takesIdTokens: boolean;
}

/** A key pair for oidc-provider, which wants one even where it signs nothing. */
export async function engineKeys(): Promise<AuthorizationServerOptions['jwks']> {
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  return { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig' }] };
}

/**
 * The hub as the authorization server of its own MCP endpoint, in front of the identity provider.
 * @see docs/adr/0072-the-hub-signs-mcp-clients-in.md
 */
export function createAuthorizationServer(
  deps: AuthorizationServerOptions & {
    publicUrl: string;
    hubClientId: string;
    store: SecureStore;
    keys: EncryptionKeys;
    cookie: BrowserCookie;
    userSignIn: UserSignIn;
    verifyOwn: VerifyIdToken;
    /** @throws {Problem} 403 for a user who may not act in their organization */
    admit: Parameters<typeof createSignInStep>[0]['admit'];
    agentOf: AgentOfClient;
    findNames: FindNames;
    sessions: Sessions;
    clientSessionsOf: ClientSessionsOf;
    stepUps: StepUps;
    refreshTokens: RefreshTokens;
    failures: AuthenticationFailures;
    strangers: Strangers;
    memory: MemoryBudget;
    noteDeed: NoteDeed;
    pause: (ms: number) => Promise<unknown>;
    clock: () => Date;
    log: Logger;
  },
): { readonly routes: Router; readonly apiRoutes: Router; readonly part: OAuthPart } {
  const { publicUrl, hubClientId, findClient, store, sessions, stepUps, cookie, memory, log } = deps;
  const state = { backend: namingOutages(deps.backend), prefix: CLIENT_STATE_PREFIX };
  const handoverSecret = createHandoverSecret();
  const engine = createEngine(deps, state, handoverSecret);
  const readToken = createTokenReader(state);
  const interactionStore = createInteractionStore(store);
  const consents = createConsents(store);
  const endpoint = createTokenEndpoint({
    publicUrl,
    authenticateFor: (asker) =>
      createClientAuthenticator({
        findClient: (clientId) => findClient(clientId, { kind: 'token', asker }),
        useAssertionOnce: (clientId, jti) =>
          deps
            .useOnce(['client_assertion', clientId, jti], CLIENT_ASSERTION_SECONDS)
            .catch((cause: unknown) => {
              throw new OAuthError('temporarily_unavailable', 'the replay store cannot be used', { cause });
            }),
        allowPublic: true,
      }),
    handoverSecret,
    askForTokens: createAskForTokens({ engine, readToken, sessions, stepUps }),
    refreshOnce: createRefreshOnce({ store, windowSeconds: deps.refreshReuseSeconds, pause: deps.pause }),
    readToken,
    sessions,
    clock: deps.clock,
  });
  const routes = Router().use(
    clientRoutes({ ...deps, endpoint }),
    browserRoutes({
      publicUrl,
      mcpResource: resourceOf(publicUrl, undefined),
      lifetimeSeconds: deps.sessionLifetimeSeconds,
      cookie,
      strangers: deps.strangers,
      memory,
      authorize: createAuthorize({
        ...{ publicUrl, engine, findClient, cookie },
        isResource: isOwnResource(publicUrl),
      }),
      interactions: createInteractions({
        engine,
        hubClientId,
        findClient,
        placeClient: createPlaceClient(deps.agentOf),
        findNames: deps.findNames,
        interactions: interactionStore,
        consents,
        stepUps,
        sessions,
        refreshTokens: deps.refreshTokens,
        noteDeed: deps.noteDeed,
      }),
      signIn: createSignInStep({
        interactions: interactionStore,
        userSignIn: deps.userSignIn,
        verifyOwn: deps.verifyOwn,
        admit: deps.admit,
      }),
      log,
    }),
  );
  const answer: AnswerGrant = async (req, res, form) => {
    const { status, body } = await endpoint.answer(req, form);
    if (status === 503) res.set('Retry-After', RETRY_AFTER_SECONDS);
    res.status(status).type('json').send(body);
  };
  return {
    routes,
    apiRoutes: userClientRoutes({ clientSessionsOf: deps.clientSessionsOf, sessions, consents }),
    part: {
      grants: new Map([
        ['authorization_code', answer],
        ['refresh_token', answer],
      ]),
      isKnown: endpoint.isKnown,
      metadata: metadataOf(publicUrl, deps.ways),
    },
  };
}

function createEngine(
  deps: Parameters<typeof createAuthorizationServer>[0],
  state: { backend: Backend; prefix: string },
  handoverSecret: (clientId: string) => string,
) {
  const { publicUrl, findClient, sessions, keys, clock, log } = deps;
  const adapters = createAdapterFactory({
    ...state,
    clock,
    async findClient(clientId) {
      const client = await findClient(clientId, { kind: 'token' });
      return (
        client && {
          client_id: clientId,
          redirect_uris: [...client.redirectUris],
          application_type: 'native', // whose loopback redirect URIs are good with any port (RFC 8252 §7.3)
          grant_types: ['authorization_code', 'refresh_token'],
          response_types: ['code'],
          token_endpoint_auth_method: client.isPublic ? 'none' : 'client_secret_post',
          ...(!client.isPublic && { client_secret: handoverSecret(clientId) }),
        }
      );
    },
  });
  const adapter = boundOpenAuthorizations(adapters, { clock });
  return createOpenIdEngine({
    issuer: publicUrl,
    build: () =>
      createProvider({
        publicUrl,
        adapter,
        cookieKeys: cookieKeysOf(keys),
        jwks: deps.jwks,
        resources: isOwnResource(publicUrl),
        findSession: (key) => findSession(sessions, key),
        renderFault,
        clock,
        log,
      }),
  });
}

/** `/mcp`, and each connector's */
function isOwnResource(publicUrl: string): (resource: string) => boolean {
  const mcp = resourceOf(publicUrl, undefined);
  return (resource) => resource === mcp || isConnectorResource(resource, mcp);
}

/** `/mcp/{connector_id}`. Every possible id counts, so that the existence of a connector is not told. */
const isConnectorResource = (resource: string, mcp: string): boolean =>
  resource.startsWith(`${mcp}/`) &&
  /^(?!\.{1,2}$)[A-Za-z0-9_.-]{1,128}$/.test(resource.slice(mcp.length + 1));

async function findSession(
  sessions: Pick<Sessions, 'findByKey'>,
  key: string,
): Promise<LivingSession | undefined> {
  try {
    return await sessions.findByKey(key);
  } catch (err) {
    if (err instanceof Problem && err.status < 500) return undefined;
    throw new StoreUnavailable(err);
  }
}
