import { type OrganizationId, UserId } from '@legate/ids';
/** The author of a change and the request, for the audit trail. */
export interface Author {
  readonly type: 'user' | 'system';
  readonly organizationId: OrganizationId;
  /** `sub` of the token; `management-api` for its own changes */
  readonly userId: UserId;
  readonly email: string | null;
  readonly requestId: string | null;
  readonly ip: string | null;
  readonly userAgent: string | null;
}

/** For changes without a request. */
export const systemAuthor = (organizationId: OrganizationId): Author => ({
  type: 'system',
  organizationId,
  userId: UserId.parse('management-api'),
  email: null,
  requestId: null,
  ip: null,
  userAgent: null,
});
