import type { SecureStore } from '@legate/secure-store';
import { z } from 'zod';
import { createOneTime } from './one-time.ts';

/** Seconds in which the link must be opened, and those for each of the two ways that follow. */
export const TICKET_SECONDS = 120;
export const FLOW_SECONDS = 600;

/** For whom a link is, and for what. */
const Ticket = z.object({
  id: z.string(),
  organizationId: z.string(),
  userId: z.string(),
  connectorId: z.string(),
  agentId: z.string().optional(),
  scopes: z.array(z.string()),
  returnTo: z.string().optional(),
  registration: z.string(),
  epochs: z.array(z.string().nullable()),
});
export type Ticket = z.output<typeof Ticket>;

/** On the way to the identity provider; `browser` is the cookie of the one that was sent there. */
const SignInFlow = z.object({
  ticket: Ticket,
  browser: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
});

/** On the way to the tool server's authorization server */
const ConsentFlow = z.object({
  ticket: Ticket,
  browser: z.string(),
  codeVerifier: z.string(),
  issuer: z.string(),
  scopes: z.array(z.string()),
});
export type ConsentFlow = z.output<typeof ConsentFlow>;

/** What waits for a browser, each for one use: links under their tickets, the two ways under their `state`. */
export const createFlows = (store: SecureStore) => ({
  tickets: createOneTime({ store, prefix: 'connect-ticket:', schema: Ticket, ttlSeconds: TICKET_SECONDS }),
  signIns: createOneTime({
    store,
    prefix: 'connect-sign-in:',
    schema: SignInFlow,
    ttlSeconds: FLOW_SECONDS,
  }),
  consents: createOneTime({
    store,
    prefix: 'connect-consent:',
    schema: ConsentFlow,
    ttlSeconds: FLOW_SECONDS,
  }),
});
