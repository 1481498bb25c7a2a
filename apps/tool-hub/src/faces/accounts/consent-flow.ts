import {
  authorizationUrl,
  type Connections,
  type ConsentClientOf,
  type DiscoverUserAuthorization,
  redeemCode,
  type UserAuthorization,
} from '@legate/delegation';
import type { ConnectorId } from '@legate/ids';
import { epochSeconds } from '@legate/jwt';
import { toEventText } from '@legate/management-contract';
import type { SecureStore } from '@legate/secure-store';
import type { Logger } from '@legate/service';
import { randomNonce, randomPKCECodeVerifier } from 'openid-client';
import type { RecordUserAction } from '../../audit/user-event.ts';
import { redirectUriOf } from '../../domain/client-urls.ts';
import type { Connector } from '../../domain/connector.ts';
import { PageFault } from '../pages/page-fault.ts';
import { createConsentLinks } from './consent-link.ts';
import type { PartnersOf } from './consent-partners.ts';
import type { KeepConsent } from './keep-consent.ts';
import {
  countOpen,
  createPendingConsents,
  FLOW_SECONDS,
  OFFLINE_ACCESS,
  TICKET_SECONDS,
  type Ticket,
} from './pending-consents.ts';
import type { UserSignIn } from './user-sign-in.ts';

export interface ConsentOutcome {
  readonly isConnected: boolean;
  readonly connectorId: ConnectorId;
  readonly returnTo: string | undefined;
}

/**
 * Redirects a user from the application to the tool server's authorization server and back. `browser` is the cookie's
 * value.
 */
export type ConsentFlow = ReturnType<typeof createConsentFlow>;

/**
 * Creates the flow. Only the user for whom the link was created may use it. Otherwise attackers could send their own
 * link to somebody else, whose account would then be connected to the attacker. A page that asks "is this you?" would
 * depend on the victim's attention, so the user signs in at the identity provider instead. docs/adr/0026.
 */
export function createConsentFlow(deps: {
  connections: Connections;
  partnersOf: PartnersOf;
  keep: KeepConsent;
  discover: DiscoverUserAuthorization;
  clientOf: ConsentClientOf;
  userSignIn: UserSignIn;
  store: SecureStore;
  publicUrl: string;
  recordUserAction: RecordUserAction;
  clock: () => Date;
  log: Logger;
}) {
  const { connections, partnersOf, discover, clientOf, userSignIn, store, publicUrl, clock, log } = deps;
  const { tickets, signIns, consents } = createPendingConsents(store);

  return {
    begin: createConsentLinks({ connections, discover, clientOf, tickets, publicUrl, clock }),

    /** @returns the address of the identity provider. @throws {PageFault} */
    async open(connectorId: string, secret: string, browser: string): Promise<string> {
      // The ticket is not used up yet: link previews and scanners must not consume it.
      const ticket = await tickets.find(secret);
      if (ticket?.connectorId !== connectorId || epochSeconds(clock()) >= ticket.openUntil)
        throw new PageFault('link_expired', 'no such ticket');
      if (!(await countOpen(store, ticket))) throw new PageFault('link_expired', 'opened too often');
      const pending = { nonce: randomNonce(), codeVerifier: randomPKCECodeVerifier() };
      const state = await signIns.issue({ ticket: tickets.referenceTo(secret), browser, ...pending });
      return userSignIn.url({ state, ...pending });
    },

    /** @returns the address of the authorization server. @throws {PageFault} */
    async signedIn(search: string, browser: string | undefined): Promise<string> {
      const state = stateOf(search);
      const flow = await signIns.take(state);
      if (!flow || flow.browser !== browser) throw new PageFault('other_browser', 'sign-in: state or cookie');
      const ticket = await tickets.findBy(flow.ticket);
      if (!ticket) throw new PageFault('link_expired', 'its ticket is gone');
      const { userId } = await userSignIn.tokensOf(search, { state, ...flow });
      const isFirst = await store.add(`connect-used:${ticket.id}`, '1', TICKET_SECONDS + FLOW_SECONDS);
      if (!isFirst) throw new PageFault('link_expired', 'used before');
      if (userId !== ticket.userId) {
        log.warn(
          { ...aboutOf(ticket) },
          'connection: link opened by another user than the one it was made for',
        );
        throw new PageFault('other_user', 'not the user of the ticket');
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

    /** @throws {PageFault} */
    async finish(connectorId: string, search: string, browser: string | undefined): Promise<ConsentOutcome> {
      const state = stateOf(search);
      const flow = await consents.take(state);
      if (!flow || flow.browser !== browser) throw new PageFault('other_browser', 'consent: state or cookie');
      const { ticket, codeVerifier } = flow;
      if (ticket.connectorId !== connectorId)
        throw new PageFault('not_possible', 'the response arrived at the redirect URI of another connector');
      const { connector, authorization, client } = await partnersOf(ticket);
      if (authorization.issuer !== flow.issuer)
        throw new PageFault('not_possible', 'the tool server has another authorization server now');

      const answer = await redeemCode(client, new URL(`${redirectUriOf(publicUrl, connector.id)}${search}`), {
        state,
        codeVerifier,
        resource: connector.resource,
      });
      const { returnTo } = ticket;
      const { organizationId, userId } = ticket;
      const consent = { organizationId, userId, connector };
      if (answer.kind === 'declined') {
        deps.recordUserAction('consent.denied', consent);
        return { isConnected: false, connectorId: connector.id, returnTo };
      }
      const tokens = await deps.keep(client, connector, flow, answer);
      log.info({ ...aboutOf(ticket), scopes: tokens.scopes }, 'connection: connected');
      deps.recordUserAction('consent.granted', {
        ...consent,
        details: { scope: toEventText(tokens.scopes.join(' '), 500) ?? null, used_consent: true },
      });
      return { isConnected: true, connectorId: connector.id, returnTo };
    },
  };
}

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
