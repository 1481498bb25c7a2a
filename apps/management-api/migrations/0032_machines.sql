-- All locks at once, as in 0018.
SET LOCAL lock_timeout = '300ms';
LOCK TABLE organizations;

-- A machine that acts in an organization, as a client of the identity provider, by API keys, or both.
CREATE TABLE service_accounts (
  organization_id ext_id NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id ext_id NOT NULL,
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100 AND name = btrim(name)),
  description text CHECK (char_length(description) <= 500),
  role text NOT NULL CHECK (role IN ('admin', 'developer', 'viewer')),
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'disabled')),
  -- Who made it: a `sub`, or the id of a service account
  created_by_type text CHECK (created_by_type IN ('user', 'service_account', 'system')),
  created_by_id text CHECK (length(created_by_id) BETWEEN 1 AND 255),
  -- The client, as its tokens name it
  issuer text CHECK (length(issuer) BETWEEN 1 AND 2048),
  client_subject text CHECK (length(client_subject) BETWEEN 1 AND 255),
  -- When the client itself confirmed that it belongs to the organization: only then a token without one counts
  confirmed_at timestamptz(3),
  confirmation_hash bytea CHECK (octet_length(confirmation_hash) = 32),
  confirmation_expires_at timestamptz(3),
  version int NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  deleted_at timestamptz(3),
  PRIMARY KEY (organization_id, id),
  CHECK (num_nonnulls(issuer, client_subject) IN (0, 2)),
  CHECK (client_subject IS NOT NULL OR num_nonnulls(confirmed_at, confirmation_hash) = 0),
  CHECK (num_nonnulls(confirmation_hash, confirmation_expires_at) IN (0, 2))
);
CREATE UNIQUE INDEX service_accounts_client ON service_accounts (organization_id, issuer, client_subject)
  WHERE deleted_at IS NULL;
-- A token without an organization must lead to one.
CREATE UNIQUE INDEX service_accounts_confirmed ON service_accounts (issuer, client_subject)
  WHERE deleted_at IS NULL AND confirmed_at IS NOT NULL;
CREATE UNIQUE INDEX service_accounts_confirmation ON service_accounts (confirmation_hash)
  WHERE confirmation_hash IS NOT NULL;
CREATE INDEX service_accounts_deleted ON service_accounts (deleted_at) WHERE deleted_at IS NOT NULL;

-- Secrets of ours that a machine sends. Only their SHA-256 is here: they are random enough for it.
CREATE TABLE api_keys (
  organization_id ext_id NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id ext_id NOT NULL,
  kind text NOT NULL DEFAULT 'api' CHECK (kind IN ('api', 'scim')),
  service_account_id ext_id,
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100 AND name = btrim(name)),
  key_hash bytea NOT NULL UNIQUE CHECK (octet_length(key_hash) = 32),
  hint text NOT NULL CHECK (char_length(hint) = 4),
  scopes text[] NOT NULL DEFAULT '{}',
  allowed_ips cidr[] NOT NULL DEFAULT '{}' CHECK (cardinality(allowed_ips) <= 20),
  expires_at timestamptz(3) NOT NULL,
  revoked_at timestamptz(3),
  rotated_to ext_id,
  last_used_at timestamptz(3),
  last_used_ip inet,
  created_by_type text CHECK (created_by_type IN ('user', 'service_account', 'system')),
  created_by_id text CHECK (length(created_by_id) BETWEEN 1 AND 255),
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (organization_id, id),
  FOREIGN KEY (organization_id, service_account_id) REFERENCES service_accounts (organization_id, id) ON DELETE CASCADE,
  CHECK ((kind = 'api') = (service_account_id IS NOT NULL)),
  -- Without scopes it would not be limited; and anyone who finds one can neither make more of them nor invite.
  CHECK (kind <> 'api' OR (cardinality(scopes) > 0
    AND NOT scopes && ARRAY['org:write', 'credentials:write', 'invitations:read', 'invitations:write']))
);
CREATE INDEX api_keys_of_account ON api_keys (organization_id, service_account_id, created_at, id);
CREATE INDEX api_keys_made_by ON api_keys (organization_id, created_by_id) WHERE revoked_at IS NULL;
CREATE INDEX api_keys_ended ON api_keys ((least(expires_at, revoked_at)));

ALTER TABLE service_accounts ENABLE ROW LEVEL SECURITY;
ALTER TABLE service_accounts FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON service_accounts
  USING (organization_id = current_setting('app.organization_id', true))
  WITH CHECK (organization_id = current_setting('app.organization_id', true));
ALTER TABLE api_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE api_keys FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON api_keys
  USING (organization_id = current_setting('app.organization_id', true))
  WITH CHECK (organization_id = current_setting('app.organization_id', true));
GRANT SELECT, UPDATE, INSERT ON service_accounts, api_keys TO mgmt_app;

-- For the functions below, which run as the owner. Elsewhere the owner sees no row more than before; to the application's role,
-- which is not a member of it, the settings mean nothing.
CREATE POLICY looking_up ON service_accounts FOR SELECT TO CURRENT_USER USING (current_setting('app.looking_up', true) = 'on');
CREATE POLICY looking_up ON api_keys FOR SELECT TO CURRENT_USER USING (current_setting('app.looking_up', true) = 'on');
CREATE POLICY purge ON service_accounts TO CURRENT_USER USING (current_setting('app.purging', true) = 'on');
CREATE POLICY purge ON api_keys TO CURRENT_USER USING (current_setting('app.purging', true) = 'on');

-- Where a key belongs, for one who has its hash. Says nothing else: whether it is good is read as the organization.
CREATE FUNCTION find_api_key(hash bytea) RETURNS TABLE (organization_id text, id text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.looking_up', 'on', true);
  RETURN QUERY SELECT k.organization_id::text, k.id::text FROM api_keys k WHERE k.key_hash = hash AND k.kind = 'api';
  PERFORM set_config('app.looking_up', 'off', true);
END $$;

-- The organization that a client has confirmed, for a token that names none.
CREATE FUNCTION find_confirmed_client(issuer_of_client text, subject_of_client text)
RETURNS TABLE (organization_id text, id text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.looking_up', 'on', true);
  RETURN QUERY SELECT s.organization_id::text, s.id::text FROM service_accounts s
    WHERE s.issuer = issuer_of_client AND s.client_subject = subject_of_client
      AND s.confirmed_at IS NOT NULL AND s.deleted_at IS NULL;
  PERFORM set_config('app.looking_up', 'off', true);
END $$;

-- Where a confirmation belongs, for one who has its hash.
CREATE FUNCTION find_confirmation(hash bytea) RETURNS TABLE (organization_id text, id text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.looking_up', 'on', true);
  RETURN QUERY SELECT s.organization_id::text, s.id::text FROM service_accounts s
    WHERE s.confirmation_hash = hash AND s.deleted_at IS NULL;
  PERFORM set_config('app.looking_up', 'off', true);
END $$;

-- Deletes accounts that were deleted, and keys that ended, a month ago; a deleted account takes its keys along.
CREATE FUNCTION purge_machines(what text, at_time timestamptz, at_most int) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  month_ago timestamptz := least(at_time, clock_timestamp()) - interval '720 hours';
  batch int := least(at_most, 1000);
  gone int;
BEGIN
  -- To the end of the transaction, as for purge()
  PERFORM set_config('app.purging', 'on', true);
  CASE what
  WHEN 'service_accounts' THEN
    DELETE FROM service_accounts WHERE deleted_at <= month_ago AND (organization_id, id) IN (
      SELECT s.organization_id, s.id FROM service_accounts s WHERE s.deleted_at <= month_ago
      ORDER BY s.deleted_at LIMIT batch FOR UPDATE SKIP LOCKED
    );
  WHEN 'api_keys' THEN
    DELETE FROM api_keys WHERE least(expires_at, revoked_at) <= month_ago AND (organization_id, id) IN (
      SELECT k.organization_id, k.id FROM api_keys k WHERE least(k.expires_at, k.revoked_at) <= month_ago
      ORDER BY least(k.expires_at, k.revoked_at) LIMIT batch FOR UPDATE SKIP LOCKED
    );
  END CASE;
  GET DIAGNOSTICS gone = ROW_COUNT;
  RETURN gone;
END $$;
REVOKE EXECUTE ON FUNCTION find_api_key(bytea), find_confirmed_client(text, text), find_confirmation(bytea),
  purge_machines(text, timestamptz, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_api_key(bytea), find_confirmed_client(text, text), find_confirmation(bytea),
  purge_machines(text, timestamptz, int) TO mgmt_app;
