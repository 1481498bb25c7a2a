import type { AuditEventId } from './ids.ts';

/** The id of the revocation of which the tool hub is notified after an event, so that each is found by the other's key. */
export const revocationIdOf = (event: AuditEventId): string => event.replace(/^evt_/, 'rev_');

/** Returns false for a user whom the hub has never served, because its cache keys join ids with a colon. */
export const isServedByHub = (userId: string): boolean => !userId.includes(':');
