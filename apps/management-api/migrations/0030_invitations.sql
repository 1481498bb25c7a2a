SET LOCAL lock_timeout = '300ms';
LOCK TABLE organizations, members, onboarding_sessions;

CREATE TABLE invitations (
  id ext_id PRIMARY KEY,
  organization_id ext_id NOT NULL REFERENCES organizations ON DELETE CASCADE,
  -- Normalized: the address that a sign-in is compared with
  email text NOT NULL CHECK (length(email) BETWEEN 3 AND 254),
  role text NOT NULL CHECK (role IN ('owner', 'admin', 'developer', 'viewer')),
  -- `accepting`: a user has accepted, and their membership is being made at the identity provider and here. An invitation whose
  -- time is over stays `pending` until its address is invited again.
  state text NOT NULL DEFAULT 'pending'
    CHECK (state IN ('pending', 'accepting', 'accepted', 'declined', 'revoked', 'expired')),
  token_hash bytea NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
  valid_days int NOT NULL CHECK (valid_days BETWEEN 1 AND 30),
  -- When the link was made. Whoever is kept out later stays out.
  sent_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  invited_by_type text NOT NULL CHECK (invited_by_type IN ('user', 'service_account')),
  invited_by_id text NOT NULL CHECK (length(invited_by_id) BETWEEN 1 AND 255),
  -- The sub of the user who accepts, and until when they are assumed to be at it
  user_id text CHECK (length(user_id) BETWEEN 1 AND 255),
  lease_until timestamptz(3),
  version int NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  CHECK ((state IN ('accepting', 'accepted')) = (user_id IS NOT NULL)),
  CHECK (lease_until IS NULL OR state = 'accepting')
);
-- An address has one open invitation of an organization.
CREATE UNIQUE INDEX invitations_open ON invitations (organization_id, email) WHERE state IN ('pending', 'accepting');
CREATE INDEX invitations_list ON invitations (organization_id, created_at, id);
CREATE INDEX invitations_accepting ON invitations (user_id) WHERE state = 'accepting';
CREATE INDEX invitations_age ON invitations (greatest(updated_at, expires_at));

ALTER TABLE invitations ENABLE ROW LEVEL SECURITY;
ALTER TABLE invitations FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON invitations
  USING (organization_id = current_setting('app.organization_id', true))
  WITH CHECK (organization_id = current_setting('app.organization_id', true));
GRANT SELECT, UPDATE, INSERT ON invitations TO mgmt_app;

-- For the functions below, which run as the owner and switch a setting on. Elsewhere the owner sees no row more than before; to
-- the application's role, which is not a member of it, the settings mean nothing.
CREATE POLICY of_token ON invitations FOR SELECT TO CURRENT_USER USING (current_setting('app.looking_up', true) = 'on');
CREATE POLICY of_user ON invitations FOR SELECT TO CURRENT_USER USING (current_setting('app.reading_own', true) = 'on');
CREATE POLICY purge ON invitations TO CURRENT_USER USING (current_setting('app.purging', true) = 'on');

-- Which invitation a token is of, before its organization is known. Says nothing else: the rest is read as the organization.
CREATE FUNCTION find_invitation(hash bytea) RETURNS TABLE (organization_id text, id text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.looking_up', 'on', true);
  RETURN QUERY SELECT i.organization_id::text, i.id::text FROM invitations i WHERE i.token_hash = hash;
  PERFORM set_config('app.looking_up', '', true);
END $$;
REVOKE EXECUTE ON FUNCTION find_invitation(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_invitation(bytea) TO mgmt_app;

-- Whether a user is a member of an organization besides this one, or about to become one. A member whose issuer is not known yet
-- counts. Unlike organizations_of_user(), members by their first token count too.
CREATE FUNCTION is_member_elsewhere(issuer_of_user text, sub_of_user text, here text, at_time timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  found_one boolean;
BEGIN
  PERFORM set_config('app.reading_own', 'on', true);
  SELECT EXISTS (
    SELECT FROM members m JOIN organizations o ON o.id = m.organization_id
    WHERE m.user_id = sub_of_user AND coalesce(m.issuer, issuer_of_user) = issuer_of_user
      AND m.removed_at IS NULL AND m.organization_id <> here AND o.purge_at IS NULL AND o.status <> 'deleted'
  ) OR EXISTS (
    SELECT FROM invitations i
    WHERE i.user_id = sub_of_user AND i.state = 'accepting' AND i.organization_id <> here AND i.lease_until > at_time
  ) INTO found_one;
  PERFORM set_config('app.reading_own', '', true);
  RETURN found_one;
END $$;
REVOKE EXECUTE ON FUNCTION is_member_elsewhere(text, text, text, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION is_member_elsewhere(text, text, text, timestamptz) TO mgmt_app;

-- Deletes invitations a month after their time was over and nothing happened to them any more.
CREATE FUNCTION purge_invitations(at_time timestamptz, at_most int) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  month_ago timestamptz := least(at_time, clock_timestamp()) - interval '720 hours';
  gone int;
BEGIN
  -- To the end of the transaction, as for purge()
  PERFORM set_config('app.purging', 'on', true);
  DELETE FROM invitations WHERE id IN (
    SELECT i.id FROM invitations i WHERE greatest(i.updated_at, i.expires_at) <= month_ago
    ORDER BY greatest(i.updated_at, i.expires_at) LIMIT least(at_most, 1000) FOR UPDATE SKIP LOCKED
  );
  GET DIAGNOSTICS gone = ROW_COUNT;
  RETURN gone;
END $$;
REVOKE EXECUTE ON FUNCTION purge_invitations(timestamptz, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION purge_invitations(timestamptz, int) TO mgmt_app;

-- True if the identity provider says that the address of a sign-in is verified: unlike `email_verified`, false where it says nothing.
ALTER TABLE onboarding_sessions ADD COLUMN email_proven boolean NOT NULL DEFAULT false;
