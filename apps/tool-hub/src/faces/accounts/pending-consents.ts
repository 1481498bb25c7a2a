import { AgentId, ConnectorId, OrganizationId, UserId } from '@legate/ids';
import type { SecureStore } from '@legate/secure-store';
import { z } from 'zod';
import { createOneTime } from './one-time.ts';

/** Seconds in which the link must be opened, and seconds for each of the two redirects that follow */
export const TICKET_SECONDS = 120;
export const FLOW_SECONDS = 600;
/** Link previews and scanners open links before people do. The limit bounds the entries that each opening stores. */
export const MAX_OPENS = 5;

/** The user and purpose of a link. */
const Ticket = z.object({
  id: z.string(),
  organizationId: OrganizationId,
  userId: UserId,
  /** The application that asked for the link */
  client: z.string(),
  connectorId: ConnectorId,
  agentId: AgentId.optional(),
  scopes: z.array(z.string()),
  returnTo: z.string().optional(),
  registration: z.string(),
  epochs: z.array(z.string().nullable()),
  /** Epoch seconds until which the link may be opened. The ticket itself lasts until the sign-in must have ended. */
  openUntil: z.number(),
});
export type Ticket = z.output<typeof Ticket>;

/** State during the redirect to the identity provider; `browser` identifies the browser that was redirected. */
const PendingSignIn = z.object({
  /** Reference to the ticket, not a copy: anyone who has the link can create such an entry. */
  ticket: z.string(),
  browser: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
});

/** State during the redirect to the tool server's authorization server */
const PendingConsent = z.object({
  ticket: Ticket,
  browser: z.string(),
  codeVerifier: z.string(),
  issuer: z.string(),
  scopes: z.array(z.string()),
});
export type PendingConsent = z.output<typeof PendingConsent>;

/** The scope that requests a refresh token (OpenID Connect Core §11) and gives no permission at the tool server */
export const OFFLINE_ACCESS = 'offline_access';

/** Counts one more opening of a ticket. @returns false if it has been opened too often */
export async function countOpen(store: SecureStore, { id }: Pick<Ticket, 'id'>): Promise<boolean> {
  for (let number = 1; number <= MAX_OPENS; number += 1)
    if (await store.add(`connect-open:${id}:${number}`, '1', TICKET_SECONDS)) return true;
  return false;
}

export type PendingConsents = ReturnType<typeof createPendingConsents>;

/** Pending steps in a browser, each for one use: links under their tickets, the two redirects under their `state`. */
export const createPendingConsents = (store: SecureStore) => ({
  tickets: createOneTime({
    store,
    prefix: 'connect-ticket:',
    schema: Ticket,
    ttlSeconds: TICKET_SECONDS + FLOW_SECONDS,
  }),
  signIns: createOneTime({
    store,
    prefix: 'connect-sign-in:',
    schema: PendingSignIn,
    ttlSeconds: FLOW_SECONDS,
  }),
  consents: createOneTime({
    store,
    prefix: 'connect-consent:',
    schema: PendingConsent,
    ttlSeconds: FLOW_SECONDS,
  }),
});
