import { createStrangerBudget, type StrangerBudget } from '@legate/rate-limit';

/**
 * What strangers may use of the hub, per minute and process. An address alone has a third of it, and less where many ask
 * (`createStrangerBudget`). Only requests that are answered count where a middleware counts them.
 */
const PER_MINUTE = {
  /** An entry in Redis for ten minutes, of a client in a browser */
  authorizations: 3072,
  /** A request to Redis, or an entry for ten minutes, of one authorization */
  interactions: 6144,
  /** A request to Redis, or an entry for ten minutes, of a browser */
  connectPages: 1536,
  /** Some encryption, of a page */
  registrations: 1536,
  /** A request to a host of the stranger's choice: documents of clients that are not known here */
  newDocuments: 480,
  /** A request to `management-api` each: ids of clients that are not known here */
  unknownClients: 1200,
} as const;

export type StrangerUse = keyof typeof PER_MINUTE;
export type Strangers = Readonly<Record<StrangerUse, StrangerBudget>>;

/** One budget for each use. */
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
