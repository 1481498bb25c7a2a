-- One way from a sign-in to an organization. No token of the user is here: those are in the encrypted store only.
CREATE TABLE onboarding_sessions (
  id uuid PRIMARY KEY,
  user_id text NOT NULL CHECK (length(user_id) BETWEEN 1 AND 255), -- the identity provider's sub
  email text,
  email_verified boolean NOT NULL,
  name text,
  step text NOT NULL DEFAULT 'create_org' CHECK (step IN ('create_org', 'creating', 'consent', 'done')),
  -- The identity provider knows the organization by it: the id of the first session that tried to create it.
  external_id uuid NOT NULL,
  organization_id ext_id,
  request_hash bytea, -- of the user and the name that was asked for; null where nothing was asked for
  lease_until timestamptz(3), -- until then somebody is at work on it
  return_to text NOT NULL,
  decision text CHECK (decision IN ('approve', 'deny')),
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  CHECK (step NOT IN ('consent', 'done') OR organization_id IS NOT NULL),
  CHECK ((step = 'done') = (decision IS NOT NULL))
);
CREATE INDEX onboarding_sessions_of_user ON onboarding_sessions (user_id);
-- Two tabs cannot create two organizations.
CREATE UNIQUE INDEX onboarding_one_creation ON onboarding_sessions (user_id) WHERE step = 'creating';

-- The user is the tenant here. An organization's id holds no ':', so neither is ever taken for the other.
ALTER TABLE onboarding_sessions ENABLE ROW LEVEL SECURITY;
ALTER TABLE onboarding_sessions FORCE ROW LEVEL SECURITY;
CREATE POLICY own_sessions ON onboarding_sessions
  USING ('user:' || user_id = current_setting('app.organization_id', true))
  WITH CHECK ('user:' || user_id = current_setting('app.organization_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON onboarding_sessions TO mgmt_app;
