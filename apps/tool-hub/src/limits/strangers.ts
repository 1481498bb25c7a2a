import { createStrangerBudget, type StrangerBudget } from '@legate/rate-limit';

/**
 * Limits for requests of strangers, per minute and process. One network address has a third of each, and less if there
 * are many (`createStrangerBudget`). If a middleware counts them, only requests that get a response count.
 */
const PER_MINUTE = {
  /** Each creates an entry in Redis for ten minutes, for a client in a browser */
  authorizations: 3072,
  /** Each is a request to Redis, or an entry for ten minutes, for one authorization */
  interactions: 6144,
  /** Each is a request to Redis, or an entry for ten minutes, for a browser */
  connectPages: 1536,
  /** Each encrypts data for a page */
  registrations: 1536,
  /** Each sends a request to a host that the stranger chooses, for documents of unknown clients */
  newDocuments: 480,
  /** Each sends a request to `management-api`, for ids of unknown clients */
  unknownClients: 1200,
} as const;

export type StrangerUse = keyof typeof PER_MINUTE;
export type Strangers = Readonly<Record<StrangerUse, StrangerBudget>>;

/** Creates a separate budget for each use. */
export function createStrangers(
  options: Omit<Parameters<typeof createStrangerBudget>[0], 'perMinute'>,
): Strangers {
  const budgetOf = (use: StrangerUse) => createStrangerBudget({ ...options, perMinute: PER_MINUTE[use] });
  return {
    authorizations: budgetOf('authorizations'),
    interactions: budgetOf('interactions'),
    connectPages: budgetOf('connectPages'),
    registrations: budgetOf('registrations'),
    newDocuments: budgetOf('newDocuments'),
    unknownClients: budgetOf('unknownClients'),
  };
}
