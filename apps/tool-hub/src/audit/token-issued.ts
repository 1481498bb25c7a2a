import { hash } from 'node:crypto';
import { readable } from './audit-event.ts';
import { newCallId } from './call-id.ts';
import { tokenId } from './token-id.ts';

/** A transaction token that a workload got: it acts, and the user is whom it acts for. */
export interface IssuedToken {
  readonly workloadId: string;
  readonly organizationId: string;
  readonly userId: string;
  /** The service, and what may be done there */
  readonly audience: string;
  readonly operation: string;
  readonly txn: string;
  readonly jti: string;
  readonly subjectToken: string;
  readonly requestId: string | undefined;
}

/** As management-api takes it; to it whoever is no user is a `system`. */
export const tokenIssuedEvent = (issued: IssuedToken, atMs: number) => ({
  id: newCallId(atMs),
  organization_id: issued.organizationId,
  action: 'token.issued',
  occurred_at: new Date(atMs).toISOString(),
  actor: { type: 'system', id: readable(issued.workloadId, 255) ?? '?' },
  targets: [],
  request_id: readable(issued.requestId, 64) ?? null,
  details: {
    user_id: readable(issued.userId, 255) ?? '?',
    audience: readable(issued.audience, 500) ?? null,
    operation: readable(issued.operation, 255) ?? null,
    transaction_id: issued.txn,
    transaction_token_hash: hash('sha256', issued.jti, 'base64url'),
    access_token_hash: tokenId(issued.subjectToken),
  },
});
