import type { SessionRecord } from './session-record.ts';

/**
 * The right to send a session's refresh token: the mark `sentAt`, set in one atomic step, shared by renewals and
 * exchanges.
 * @see docs/adr/0059-one-rule-for-refresh-tokens.md
 */

/** Seconds after which a refresh token that was sent gets no response any more: the request may take 5 seconds */
export const ANSWER_SECONDS = 15;
/** Milliseconds between two looks for the mark of another process */
export const WAIT_MS = 100;
/** `sentAt` of a token whose response is known to be lost, so that nobody waits for it */
export const LOST = 0;

/** Returns true if the process that sent the token has had enough time to keep what it got. */
export const isAbandoned = ({ sentAt }: Pick<SessionRecord, 'sentAt'>, now: number): boolean =>
  sentAt !== undefined && now - sentAt >= ANSWER_SECONDS;
