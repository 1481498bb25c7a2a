SET LOCAL lock_timeout = '300ms';
LOCK TABLE connectors;

ALTER TABLE connectors
  -- When the hub last told that users could consent themselves at this resource; not each time, but each time that it matters
  ADD COLUMN consent_used_at timestamptz;
