import { randomUUID } from 'node:crypto';
import { epochSeconds } from '@legate/jwt';
import type { SecureStore } from '@legate/secure-store';
import { type Logger, Problem } from '@legate/service';
import { randomNonce, randomPKCECodeVerifier } from 'openid-client';
import { readable } from '../audit/audit-event.ts';
import type { NoteDeed } from '../audit/user-event.ts';
import type { Caller } from '../caller/caller.ts';
import { type ConnectorAccess, requireConnector } from '../connectors/access.ts';
import { allowsScopes, type Connector } from '../connectors/connector.ts';
import { toProblem } from '../delegation/problems.ts';
import type { DiscoverUserAuthorization } from '../discovery/cached-discovery.ts';
import type { UserAuthorization } from '../discovery/discover-user-authorization.ts';
import {
  type AuthorizationClient,
  authorizationUrl,
  createAuthorizationClient,
  type GrantAnswer,
  redeemCode,
  revokeAt,
} from './authorization-client.ts';
import { redirectUriOf } from './client-document.ts';
import { type Connection, consentSettingsOf, ownerOf, registrationOf } from './connection.ts';
import type { Connections } from './connections.ts';
import { type ConsentClient, type ConsentClientOf, whereToConsent } from './consent-client.ts';
import { ConnectFault } from './fault.ts';
import {
  type ConsentFlow,
  countOpen,
  createFlows,
  FLOW_SECONDS,
  TICKET_SECONDS,
  type Ticket,
} from './flows.ts';
import { checkTokens, type GrantedTokens } from './granted-tokens.ts';
import { noConnections } from './problems.ts';
import type { UserSignIn } from './user-sign-in.ts';

export interface ConnectRequest {
  /** Besides those of the connector */
  readonly scopes: readonly string[];
  /** One of the known pages; undefined: a page of ours */
  readonly returnTo: string | undefined;
  /** In whose name the user is asked, where it is not the application itself */
  readonly agentId: string | undefined;
}

export interface Connected {
  readonly isConnected: boolean;
  readonly connectorId: string;
  readonly returnTo: string | undefined;
}

/** A user's way from his application to the tool server's authorization server and back. `browser` is from its cookie. */
export interface Connecting {
  /** @throws {Problem} */
  begin(
    caller: Caller,
    connector: Connector,
    request: ConnectRequest,
  ): Promise<{ url: string; expiresAt: Date }>;
  /** @returns the address of the identity provider. @throws {ConnectFault} */
  open(connectorId: string, ticket: string, browser: string): Promise<string>;
  /** @returns the address of the authorization server. @throws {ConnectFault} */
  signedIn(search: string, browser: string | undefined): Promise<string>;
  /** @throws {ConnectFault} */
  finish(connectorId: string, search: string, browser: string | undefined): Promise<Connected>;
}

/**
 * Whoever opens the link must be the user for whom it was made, or an attacker could send his own link to somebody else
 * and have that person's account connected to himself. A page that asks "is this you?" would leave that to the attention
 * of the person attacked; so the identity provider is asked. docs/adr/0026.
 */
export function createConnecting(deps: {
  connections: Connections;
  access: ConnectorAccess;
  discover: DiscoverUserAuthorization;
  clientOf: ConsentClientOf;
  userSignIn: UserSignIn;
  store: SecureStore;
  fetch: typeof globalThis.fetch;
  publicUrl: string;
  ttlSeconds: number;
  noteDeed: NoteDeed;
  clock: () => Date;
  log: Logger;
}): Connecting {
  const { connections, discover, userSignIn, store, publicUrl, log } = deps;
  const { tickets, signIns, consents } = createFlows(store);

  return {
    async begin(caller, connector, { scopes, returnTo, agentId }) {
      const settings = consentSettingsOf(connector);
      if (!settings) throw noConnections(connector);
      const client = deps.clientOf(connector, settings);
      const isBound = connector.binding?.scopesKey !== undefined;
      if (isBound && !scopes.every((scope) => connector.scopes.includes(scope)))
        throw toProblem(
          { outcome: 'denied', by: 'binding', scopes, reason: 'not bound to the agent' },
          connector,
        );
      // A connector that lists none leaves them to its users, who are asked.
      const further = scopes.filter((scope) => scope !== OFFLINE_ACCESS);
      if (connector.scopes.length > 0 && !allowsScopes(connector, further))
        throw toProblem(
          { outcome: 'denied', by: 'connector', scopes, reason: 'beyond the scopes of the connector' },
          connector,
        );
      const discovery = await discover(whereToConsent(connector.resource, client));
      if (discovery.kind !== 'found') throw toProblem(asRefusal(discovery), connector);

      const { epochs } = await connections.find(ownerOf(caller, connector));
      const expiresAt = new Date(deps.clock().getTime() + TICKET_SECONDS * 1000);
      const ticket = await tickets.issue({
        id: randomUUID(),
        organizationId: caller.organizationId,
        userId: caller.userId,
        connectorId: connector.id,
        agentId,
        scopes: [...scopes],
        returnTo,
        registration: registrationOf(connector, client),
        epochs: [...epochs],
        openUntil: epochSeconds(expiresAt),
      });
      return { url: `${publicUrl}/oauth/connect/${connector.id}?ticket=${ticket}`, expiresAt };
    },

    async open(connectorId, secret, browser) {
      // Not used up yet: what looks at links before people do (previews, scanners) must not spend them.
      const ticket = await tickets.find(secret);
      if (ticket?.connectorId !== connectorId || epochSeconds(deps.clock()) >= ticket.openUntil)
        throw new ConnectFault('link_expired', 'no such ticket');
      if (!(await countOpen(store, ticket))) throw new ConnectFault('link_expired', 'opened too often');
      const pending = { nonce: randomNonce(), codeVerifier: randomPKCECodeVerifier() };
      const state = await signIns.issue({ ticket: tickets.referenceTo(secret), browser, ...pending });
      return userSignIn.url({ state, ...pending });
    },

    async signedIn(search, browser) {
      const state = stateOf(search);
      const flow = await signIns.take(state);
      if (!flow || flow.browser !== browser)
        throw new ConnectFault('other_browser', 'sign-in: state or cookie');
      const ticket = await tickets.findBy(flow.ticket);
      if (!ticket) throw new ConnectFault('link_expired', 'its ticket is gone');
      const subject = await userSignIn.subjectOf(search, { state, ...flow });
      const isFirst = await store.add(`connect-used:${ticket.id}`, '1', TICKET_SECONDS + FLOW_SECONDS);
      if (!isFirst) throw new ConnectFault('link_expired', 'used before');
      if (subject !== ticket.userId) {
        log.warn({ ...aboutOf(ticket) }, 'connection: opened by somebody else than the user it was for');
        throw new ConnectFault('other_user', 'sub is not the user of the ticket');
      }

      const { connector, authorization, client } = await partnersOf(ticket);
      const scopes = scopesFor(connector, authorization, ticket.scopes);
      const codeVerifier = randomPKCECodeVerifier();
      const { issuer } = authorization;
      return authorizationUrl(client, {
        redirectUri: redirectUriOf(publicUrl, ticket.connectorId),
        state: await consents.issue({ ticket, browser: flow.browser, codeVerifier, issuer, scopes }),
        codeVerifier,
        resource: connector.resource,
        scopes,
      });
    },

    async finish(connectorId, search, browser) {
      const state = stateOf(search);
      const flow = await consents.take(state);
      if (!flow || flow.browser !== browser)
        throw new ConnectFault('other_browser', 'consent: state or cookie');
      const { ticket, codeVerifier } = flow;
      if (ticket.connectorId !== connectorId)
        throw new ConnectFault('not_possible', 'the answer arrived at the redirect URI of another connector');
      const { connector, authorization, client } = await partnersOf(ticket);
      if (authorization.issuer !== flow.issuer)
        throw new ConnectFault('not_possible', 'the tool server has another authorization server now');

      const answer = await redeemCode(client, new URL(`${redirectUriOf(publicUrl, connectorId)}${search}`), {
        state,
        codeVerifier,
        resource: connector.resource,
      });
      const { returnTo } = ticket;
      const { organizationId, userId } = ticket;
      const consent = { organizationId, userId, connector };
      if (answer.kind === 'declined') {
        deps.noteDeed('consent.denied', consent);
        return { isConnected: false, connectorId, returnTo };
      }
      const tokens = await tokensOf(client, connector, flow, answer);
      await keep(client, connector, flow, tokens);
      log.info({ ...aboutOf(ticket), scopes: tokens.scopes }, 'connection: connected');
      deps.noteDeed('consent.granted', {
        ...consent,
        details: { scope: readable(tokens.scopes.join(' '), 500) ?? null },
      });
      return { isConnected: true, connectorId, returnTo };
    },
  };

  /** All that takes part, as it is now: much may have happened since the link was made. */
  async function partnersOf(ticket: Ticket): Promise<{
    connector: Connector;
    authorization: UserAuthorization;
    client: AuthorizationClient;
  }> {
    const { connector, registered } = await connectorOf(ticket);
    const discovery = await discover(whereToConsent(connector.resource, registered));
    if (discovery.kind === 'unavailable') throw new ConnectFault('unavailable', discovery.reason);
    if (discovery.kind !== 'found') throw new ConnectFault('not_possible', discovery.reason);
    const { authorization } = discovery;
    const client = await createAuthorizationClient(authorization, registered, deps.fetch).catch(() => {
      throw new ConnectFault('not_possible', 'our private key cannot be used');
    });
    return { connector, authorization, client };
  }

  async function connectorOf(ticket: Ticket): Promise<{ connector: Connector; registered: ConsentClient }> {
    const own = await deps
      .access(ticket, ticket.agentId)
      .then((set) => requireConnector(set, ticket.connectorId))
      .catch((cause: unknown) => {
        if (!(cause instanceof Problem)) throw cause;
        const code = cause.status === 503 ? 'unavailable' : 'no_longer_allowed';
        throw new ConnectFault(code, cause.code, { cause });
      });
    const settings = consentSettingsOf(own);
    const registered = settings && deps.clientOf(own, settings);
    if (!registered || registrationOf(own, registered) !== ticket.registration)
      throw new ConnectFault('no_longer_allowed', 'the connector was changed');
    return { connector: own, registered };
  }

  async function tokensOf(
    client: AuthorizationClient,
    { resource }: Connector,
    { scopes }: ConsentFlow,
    answer: Exclude<GrantAnswer, { kind: 'declined' }>,
  ): Promise<GrantedTokens> {
    if (answer.kind === 'failed') {
      const { failure } = answer;
      if (failure.kind === 'refused') {
        const code = failure.error === 'invalid_grant' ? 'link_expired' : 'not_possible';
        throw new ConnectFault(code, `authorization server: ${failure.error}`);
      }
      const code = failure.kind === 'unavailable' ? 'unavailable' : 'not_possible';
      throw new ConnectFault(code, `authorization server: ${failure.reason}`);
    }
    const { body } = answer;
    const tokens = checkTokens(body, { resource, scopes }, epochSeconds(deps.clock()));
    if (typeof tokens !== 'string') return tokens;
    await revokeAt(client, { accessToken: body.access_token, refreshToken: body.refresh_token });
    throw new ConnectFault('not_possible', `authorization server: ${tokens}`);
  }

  async function keep(
    client: AuthorizationClient,
    connector: Connector,
    { ticket, issuer }: ConsentFlow,
    { accessToken, refreshToken, expiresAt, scopes }: GrantedTokens,
  ): Promise<void> {
    const { registration, epochs } = ticket;
    const endsAt = epochSeconds(deps.clock()) + deps.ttlSeconds;
    const connection: Connection = {
      id: randomUUID(),
      generation: 0,
      accessToken,
      expiresAt: Math.min(expiresAt ?? endsAt, endsAt),
      refreshToken,
      scopes,
      issuer,
      clientId: client.clientMetadata().client_id,
      registration,
      endsAt,
      epochs,
    };
    const owner = ownerOf(ticket, connector);
    try {
      await connections.create(owner, connection);
      // What was revoked while the user consented does not count, whoever has written last.
      if ((await connections.find(owner)).connection) return;
    } catch (cause) {
      await revokeAt(client, connection);
      throw new ConnectFault('unavailable', 'the tokens cannot be stored', { cause });
    }
    await revokeAt(client, connection);
    throw new ConnectFault('no_longer_allowed', 'revoked while the user consented');
  }
}

/** OpenID Connect Core §11: it asks for a refresh token, and for nothing at the tool server. */
const OFFLINE_ACCESS = 'offline_access';

const stateOf = (search: string): string => new URLSearchParams(search).get('state') ?? '';

const aboutOf = ({ organizationId, userId, connectorId }: Ticket) => ({
  organization_id: organizationId,
  user_id: userId,
  connector_id: connectorId,
});

/** MCP authorization, "Scope Selection Strategy". Without `offline_access` many servers give no refresh token. */
const scopesFor = (
  connector: Connector,
  { scopesSupported, hasOfflineAccess }: UserAuthorization,
  further: readonly string[],
): string[] => [
  ...new Set([
    ...(connector.scopes.length > 0 ? connector.scopes : scopesSupported),
    ...further,
    ...(hasOfflineAccess ? [OFFLINE_ACCESS] : []),
  ]),
];

type NotFound = Exclude<Awaited<ReturnType<DiscoverUserAuthorization>>, { kind: 'found' }>;

const asRefusal = (discovery: NotFound) =>
  discovery.kind === 'unavailable'
    ? ({ outcome: 'unavailable', by: 'tool_server', ...discovery } as const)
    : ({ outcome: 'misconfigured', by: 'tool_server', reason: discovery.reason } as const);
