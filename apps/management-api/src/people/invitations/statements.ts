import { isoTime } from '../../storage/columns.ts';

/** `$1` is the organization and `$2` the current time, in every statement about an invitation `r`. */
export const OF_ORGANIZATION = 'r.organization_id = $1';
export const ONE = `${OF_ORGANIZATION} AND r.id = $3`;
export const OPEN = `r.state IN ('pending', 'accepting')`;

/** The current role of the inviter; null if they are kept out, disabled or deleted */
export const INVITER_ROLE = `CASE r.invited_by_type WHEN 'user' THEN (
  SELECT i.role FROM members i
  WHERE i.organization_id = r.organization_id AND i.user_id = r.invited_by_id AND i.removed_at IS NULL
) ELSE (
  SELECT i.role FROM service_accounts i
  WHERE i.organization_id = r.organization_id AND i.id = r.invited_by_id AND i.deleted_at IS NULL AND i.status = 'active'
) END`;
/** True if the inviter can still grant the role: not if they were removed, or have become a developer. */
const INVITER_MAY_GIVE = `coalesce(${INVITER_ROLE} = 'owner' OR (${INVITER_ROLE} = 'admin' AND r.role <> 'owner'), false)`;

export const IS_BEING_ACCEPTED = `(r.state = 'accepting' AND r.lease_until > $2::timestamptz)`;

/** The current state of an invitation, which may differ from the saved state */
export const STATE = `CASE WHEN NOT ${OPEN} THEN r.state WHEN NOT ${INVITER_MAY_GIVE} THEN 'revoked'
  WHEN ${IS_BEING_ACCEPTED} THEN 'pending' WHEN r.expires_at <= $2::timestamptz THEN 'expired' ELSE 'pending' END`;

export const INVITER_NAME = `CASE r.invited_by_type WHEN 'user' THEN (
  SELECT coalesce(i.name, i.email) FROM members i
  WHERE i.organization_id = r.organization_id AND i.user_id = r.invited_by_id
) ELSE (
  SELECT i.name FROM service_accounts i WHERE i.organization_id = r.organization_id AND i.id = r.invited_by_id
) END`;

export const INVITATION_JSON = `json_build_object('id', r.id, 'email', r.email, 'role', r.role, 'state', ${STATE},
  'expires_at', ${isoTime('expires_at')},
  'invited_by', json_build_object('type', r.invited_by_type, 'id', r.invited_by_id, 'name', ${INVITER_NAME}),
  'accept_url', NULL, 'created_at', ${isoTime('created_at')}, 'updated_at', ${isoTime('updated_at')})`;
/** The version includes the state, which changes without an update of the row. */
export const STORED = `${INVITATION_JSON} AS value, r.version || '-' || ${STATE} AS version`;

/** Columns of an invitation that a change has locked */
export const LOCKED = `${STORED}, r.state AS "savedState", ${IS_BEING_ACCEPTED} AS "isBeingAccepted",
  r.sent_at AS "sentAt", r.valid_days AS "validDays", r.user_id AS "userId"`;
