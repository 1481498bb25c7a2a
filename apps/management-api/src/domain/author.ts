import { type OrganizationId, UserId } from '@legate/ids';
import type { Credential } from './credential.ts';

/** The author of a change and the request, for the audit trail. */
export interface Author {
  readonly type: 'user' | 'service_account' | 'system';
  readonly organizationId: OrganizationId;
  /** `sub` of the token, id of the service account, or `management-api` for its own changes */
  readonly userId: UserId;
  readonly email: string | null;
  readonly credential: Credential | null;
  readonly requestId: string | null;
  /** The `X-Request-Id` and the trace that the caller sent: the caller chose these ids, and may reuse them */
  readonly callerRequestId: string | null;
  /** W3C trace id */
  readonly traceId: string | null;
  readonly ip: string | null;
  readonly userAgent: string | null;
  /** Called if the change is answered although the tool hub has not confirmed it. */
  readonly onUnconfirmed?: () => void;
}

/** The author of changes without a request, such as those of background jobs. */
export const systemAuthor = (organizationId: OrganizationId): Author => ({
  type: 'system',
  organizationId,
  userId: UserId.parse('management-api'),
  email: null,
  credential: null,
  requestId: null,
  callerRequestId: null,
  traceId: null,
  ip: null,
  userAgent: null,
});
