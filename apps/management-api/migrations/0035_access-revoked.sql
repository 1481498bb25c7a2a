SET LOCAL lock_timeout = '300ms';
LOCK TABLE members;

-- When an administrator last ended what the member had, and not the membership: tokens of before are refused.
ALTER TABLE members ADD COLUMN access_revoked_at timestamptz;
