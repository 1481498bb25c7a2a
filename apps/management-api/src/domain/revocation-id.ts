import type { AuditEventId } from './ids.ts';

/**
 * Returns the id of the revocation that is sent to the tool hub after an audit event, so that each can be
 * found by the id of the other.
 */
export const revocationIdOf = (event: AuditEventId): string => event.replace(/^evt_/, 'rev_');

/** Returns false for a user whom the hub has never served, because its cache keys join ids with a colon. */
export const isServedByHub = (userId: string): boolean => !userId.includes(':');
