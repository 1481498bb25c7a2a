CREATE TABLE domains (
  id ext_id PRIMARY KEY,
  organization_id ext_id NOT NULL REFERENCES organizations ON DELETE CASCADE,
  -- The name that is asked for is longer by `_mgmt-challenge.`, and a name in the DNS has at most 253 characters.
  domain text NOT NULL CHECK (domain = lower(domain) AND domain ~ '^[a-z0-9-]+(\.[a-z0-9-]+)+$' AND length(domain) <= 237),
  state text NOT NULL DEFAULT 'pending' CHECK (state IN ('pending', 'verified', 'failed')),
  verification_token text NOT NULL CHECK (length(verification_token) >= 32), -- public: it stands in the DNS
  verified_at timestamptz(3),
  misses int NOT NULL DEFAULT 0 CHECK (misses >= 0), -- daily checks in a row that found no record
  check_at timestamptz(3),
  version int NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  CHECK ((state = 'verified') = (verified_at IS NOT NULL)),
  CHECK ((state = 'verified') = (check_at IS NOT NULL)),
  CONSTRAINT domains_once UNIQUE (organization_id, domain)
);
-- Of all organizations, one has a domain verified. An index sees the rows that a policy hides.
CREATE UNIQUE INDEX domains_verified_once ON domains (domain) WHERE state = 'verified';
CREATE INDEX domains_list ON domains (organization_id, created_at, id);
CREATE INDEX domains_check ON domains (check_at) WHERE state = 'verified';

ALTER TABLE domains ENABLE ROW LEVEL SECURITY;
ALTER TABLE domains FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON domains
  USING (organization_id = current_setting('app.organization_id', true))
  WITH CHECK (organization_id = current_setting('app.organization_id', true));
-- For the function below, which runs as the owner; the application's role is not a member of it.
CREATE POLICY checks ON domains TO CURRENT_USER USING (state = 'verified');

-- The daily check is the one work on domains of all organizations. It is given ids, and nothing else, by this function;
-- what it then reads and saves, it reads and saves as the organization. What is given out is due again at `again_at`, so
-- that each domain is given to one process, and once more if that one dies.
CREATE FUNCTION take_due_domains(due_at timestamptz, again_at timestamptz, at_most int)
RETURNS TABLE (organization_id text, id text)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
  UPDATE domains d SET check_at = again_at
  WHERE d.id IN (
    SELECT due.id FROM domains due WHERE due.state = 'verified' AND due.check_at <= due_at
    ORDER BY due.check_at LIMIT least(at_most, 1000) FOR UPDATE SKIP LOCKED
  )
  RETURNING d.organization_id::text, d.id::text
$$;
REVOKE EXECUTE ON FUNCTION take_due_domains(timestamptz, timestamptz, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION take_due_domains(timestamptz, timestamptz, int) TO mgmt_app;

GRANT SELECT, INSERT, UPDATE, DELETE ON domains TO mgmt_app;
