import { hash } from 'node:crypto';
import { tokenId } from '@legate/jwt';
import { type AuditAction, toEventText } from '@legate/management-contract';
import type { DeniedToken, IssuedToken } from '@legate/transaction-tokens';
import { newEvent } from './user-event.ts';

export const tokenIssuedEvent = (issued: IssuedToken, atMs: number) =>
  eventOf('token.issued', issued, atMs, {
    transaction_id: issued.txn,
    transaction_token_hash: hash('sha256', issued.jti, 'base64url'),
  });

export const tokenDeniedEvent = (denied: DeniedToken, atMs: number) =>
  eventOf('token.denied', denied, atMs, {
    outcome: 'denied',
    rule: denied.rule,
    reason: toEventText(denied.reason, 500) ?? null,
  });

/** Returns an event in management-api's form, in which the type of every actor other than a user is `system`. */
const eventOf = (action: AuditAction, about: IssuedToken | DeniedToken, atMs: number, details: object) =>
  newEvent(action, about, { type: 'system', id: about.workloadId }, atMs, {
    ...details,
    user_id: toEventText(about.userId, 255) ?? '?',
    audience: toEventText(about.audience, 500) ?? null,
    operation: toEventText(about.operation, 255) ?? null,
    access_token_hash: tokenId(about.subjectToken),
  });
