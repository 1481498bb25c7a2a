SET LOCAL lock_timeout = '300ms';
LOCK TABLE members, organizations;

-- A member is active while removed_at is null. All who are kept out have removed_at, whatever kept_out says, so the version
-- before and the hub refuse them too. Null is "removed", which is all that the version before writes.
ALTER TABLE members ADD COLUMN kept_out text CHECK (kept_out IN ('deactivated', 'denied'));
-- Null: from onboarding, which alone made members before
ALTER TABLE members ADD COLUMN source text
  CHECK (source IN ('onboarding', 'identity_provider', 'invitation', 'scim', 'operator', 'denial'));
-- iat of the last token whose roles were heeded
ALTER TABLE members ADD COLUMN role_claimed_at timestamptz(3);
ALTER TABLE members ADD COLUMN email_verified boolean;
ALTER TABLE members ADD COLUMN external_id text CHECK (length(external_id) BETWEEN 1 AND 255);
ALTER TABLE members ADD COLUMN invited_by text CHECK (length(invited_by) BETWEEN 1 AND 255);
ALTER TABLE members ADD COLUMN last_seen_at timestamptz(3);
-- What the purge erases
CREATE INDEX members_removed ON members (removed_at)
  WHERE removed_at IS NOT NULL AND kept_out IS NULL AND num_nonnulls(email, name) > 0;

-- The role of a member whose first token has none. Organizations that exist keep what they had; null: the deployment's
-- DEFAULT_MEMBER_ROLE, and that of all organizations from now on.
ALTER TABLE organizations ADD COLUMN default_role text DEFAULT 'developer'
  CHECK (default_role IN ('none', 'viewer', 'developer', 'admin'));
ALTER TABLE organizations ALTER COLUMN default_role DROP DEFAULT;
ALTER TABLE organizations ADD COLUMN role_source text NOT NULL DEFAULT 'local'
  CHECK (role_source IN ('local', 'identity_provider'));

-- As before, without members by their first token: whether they still belong to the organization is for the identity provider
-- to say, which names it in their tokens or does not.
CREATE OR REPLACE FUNCTION organizations_of_user(issuer_of_user text, sub_of_user text)
RETURNS TABLE (organization_id text, name text, status text, member_id text, role text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.reading_own', 'on', true);
  RETURN QUERY
    SELECT o.id::text, o.name, o.status, m.id::text, m.role
    FROM members m JOIN organizations o ON o.id = m.organization_id
    WHERE m.user_id = sub_of_user AND m.issuer = issuer_of_user AND m.removed_at IS NULL
      AND coalesce(m.source, 'onboarding') IN ('onboarding', 'invitation', 'operator')
      AND o.purge_at IS NULL AND o.status <> 'deleted'
    ORDER BY m.created_at, o.id;
END $$;

-- Erases name and address of members who were removed a month ago; not of those who are deactivated or denied. user_id stays: it keeps them out.
CREATE POLICY purge ON members TO CURRENT_USER USING (current_setting('app.purging', true) = 'on');
CREATE FUNCTION erase_removed_members(at_time timestamptz, at_most int) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  month_ago timestamptz := least(at_time, clock_timestamp()) - interval '720 hours';
  erased int;
BEGIN
  -- To the end of the transaction, as for purge()
  PERFORM set_config('app.purging', 'on', true);
  UPDATE members SET email = NULL, name = NULL, email_verified = NULL, version = version + 1
  WHERE (organization_id, user_id) IN (
    SELECT m.organization_id, m.user_id FROM members m
    WHERE m.removed_at <= month_ago AND m.kept_out IS NULL AND num_nonnulls(m.email, m.name) > 0
    ORDER BY m.removed_at LIMIT least(at_most, 1000) FOR UPDATE SKIP LOCKED
  ) AND removed_at <= month_ago AND kept_out IS NULL;
  GET DIAGNOSTICS erased = ROW_COUNT;
  RETURN erased;
END $$;
REVOKE EXECUTE ON FUNCTION erase_removed_members(timestamptz, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION erase_removed_members(timestamptz, int) TO mgmt_app;
