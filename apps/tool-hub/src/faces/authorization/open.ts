import { setTimeout as wait } from 'node:timers/promises';
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
import type { Backend } from '@legate/secure-store';
import { Problem } from '@legate/service';
import { Router } from 'express';
import type { RecordUserAction } from '../../audit/user-event.ts';
import { createAgentOfClient, createMembershipCheck } from '../../connectors/access.ts';
import type { ConnectorRegistry } from '../../domain/registry.ts';
import type { Limits } from '../../limits/open.ts';
import type { Platform } from '../../platform/platform.ts';
import { CLIENT_STATE_PREFIX } from '../../sign-in/client-tokens.ts';
import type { IdentityProviderPart } from '../../sign-in/identity-provider.ts';
import type { SignIn } from '../../sign-in/open.ts';
import type { Sessions } from '../../sign-in/sessions.ts';
import type { BrowserCookie } from '../accounts/browser-cookie.ts';
import type { UserSignIn } from '../accounts/user-sign-in.ts';
import type { HubOperation } from '../api/operation.ts';
import { resourceOf } from '../mcp/metadata.ts';
import type { AnswerGrant, OAuthPart } from '../token-endpoint/oauth-part.ts';
import { createAuthorize } from './authorize.ts';
import { createConsents } from './consents.ts';
import { cookieKeysOf } from './cookie-keys.ts';
import { createInteractionStore } from './interaction-store.ts';
import { createInteractions } from './interactions.ts';
import { metadataOf } from './metadata.ts';
import { boundOpenAuthorizations } from './open-authorizations.ts';
import type { AuthorizationServerOptions } from './options.ts';
import { createPlaceClient } from './place-client.ts';
import { createProvider, type LivingSession } from './provider.ts';
import { createRefreshOnce } from './refresh-once.ts';
import { renderFault } from './render-fault.ts';
import { browserRoutes, clientRoutes } from './routes.ts';
import { createFindNames } from './shown-names.ts';
import { createSignInStep } from './sign-in-step.ts';
import { createAskForTokens } from './token-answers.ts';
import { createTokenEndpoint } from './token-endpoint.ts';
import { userClientOperations } from './user-clients.ts';

/**
 * Maximum seconds during which a `client_assertion` can be presented: five minutes of lifetime, and a minute of skew at
 * both ends
 */
const CLIENT_ASSERTION_SECONDS = 420;

/**
 * Opens the hub as the authorization server of its own MCP endpoint, in front of the identity provider.
 * @see docs/adr/0072-the-hub-signs-mcp-clients-in.md
 */
export function openAuthorization(
  platform: Platform,
  options: AuthorizationServerOptions,
  parts: {
    identityProvider: Pick<IdentityProviderPart, 'hubClient' | 'subjectScope'>;
    accounts: { readonly cookie: BrowserCookie; readonly userSignIn: UserSignIn };
    registry: ConnectorRegistry;
    signIn: Pick<
      SignIn,
      'verifyOwn' | 'sessions' | 'clientSessionsOf' | 'stepUps' | 'refreshTokens' | 'exchangeTokens'
    >;
    limits: Pick<Limits, 'failures' | 'strangers'>;
    recordUserAction: RecordUserAction;
  },
): { readonly routes: Router; readonly operations: readonly HubOperation[]; readonly part: OAuthPart } {
  const { publicUrl, store, memory, clock, log } = platform;
  const { findClient, dynamic } = options;
  const { registry, recordUserAction } = parts;
  const { hubClient, subjectScope } = parts.identityProvider;
  const { cookie, userSignIn } = parts.accounts;
  const { verifyOwn, sessions, clientSessionsOf, stepUps, refreshTokens, exchangeTokens } = parts.signIn;
  const { failures, strangers } = parts.limits;
  const mcpResource = resourceOf(publicUrl, undefined);
  const state = { backend: namingOutages(options.backend), prefix: CLIENT_STATE_PREFIX };
  const handoverSecret = createHandoverSecret();
  const engine = createEngine(platform, options, { sessions, state, handoverSecret });
  const readToken = createTokenReader(state);
  const interactionStore = createInteractionStore(store);
  const consents = createConsents(store);
  const endpoint = createTokenEndpoint({
    publicUrl,
    authenticateFor: (asker) =>
      createClientAuthenticator({
        findClient: (clientId) => findClient(clientId, { kind: 'token', asker }),
        useAssertionOnce: (clientId, jti) =>
          options
            .useOnce(['client_assertion', clientId, jti], CLIENT_ASSERTION_SECONDS)
            .catch((cause: unknown) => {
              throw new OAuthError('temporarily_unavailable', 'the replay store cannot be used', { cause });
            }),
        allowPublic: true,
      }),
    handoverSecret,
    askForTokens: createAskForTokens({ engine, readToken, sessions, stepUps }),
    refreshOnce: createRefreshOnce({ store, windowSeconds: options.refreshReuseSeconds, pause: wait }),
    readToken,
    sessions,
    clock,
  });
  const routes = Router().use(
    clientRoutes({ endpoint, dynamic, strangers, failures, memory, log }),
    browserRoutes({
      publicUrl,
      mcpResource,
      lifetimeSeconds: options.sessionLifetimeSeconds,
      cookie,
      strangers,
      memory,
      authorize: createAuthorize({
        ...{ publicUrl, engine, findClient, cookie },
        isResource: isOwnResource(publicUrl),
      }),
      interactions: createInteractions({
        engine,
        hubClientId: hubClient.clientId,
        findClient,
        placeClient: createPlaceClient(createAgentOfClient(registry)),
        findNames: createFindNames(registry, mcpResource),
        interactions: interactionStore,
        consents,
        stepUps,
        sessions,
        refreshTokens,
        recordUserAction,
      }),
      signIn: createSignInStep({
        interactions: interactionStore,
        userSignIn,
        verifyOwn,
        exchangeTokens,
        subjectScope,
        checkMembership: createMembershipCheck(registry),
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
    operations: userClientOperations({ clientSessionsOf, sessions, consents }),
    part: {
      grants: new Map([
        ['authorization_code', answer],
        ['refresh_token', answer],
      ]),
      isKnown: endpoint.isKnown,
      metadata: metadataOf(publicUrl, options.ways),
    },
  };
}

function createEngine(
  { publicUrl, encryptionKeys: keys, clock, log }: Platform,
  { findClient, jwks }: AuthorizationServerOptions,
  parts: {
    sessions: Sessions;
    state: { backend: Backend; prefix: string };
    handoverSecret: (clientId: string) => string;
  },
) {
  const { sessions, state, handoverSecret } = parts;
  const adapters = createAdapterFactory({
    ...state,
    clock,
    async findClient(clientId) {
      const client = await findClient(clientId, { kind: 'token' });
      return (
        client && {
          client_id: clientId,
          redirect_uris: [...client.redirectUris],
          application_type: 'native', // allows any port in loopback redirect URIs (RFC 8252 §7.3)
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
        jwks,
        resources: isOwnResource(publicUrl),
        findSession: (key) => findSession(sessions, key),
        renderFault,
        clock,
        log,
      }),
  });
}

/** `/mcp`, and the path of each connector */
function isOwnResource(publicUrl: string): (resource: string) => boolean {
  const mcp = resourceOf(publicUrl, undefined);
  return (resource) => resource === mcp || isConnectorResource(resource, mcp);
}

/** `/mcp/{connector_id}`. Every possible id counts, so that the existence of a connector is not revealed. */
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
