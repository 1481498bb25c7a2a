-- The application's role owns nothing, so that row-level security binds it. Roles belong to the whole server: another
-- database of it may have made this one. Logging in with it is the operator's matter:
-- ALTER ROLE mgmt_app LOGIN PASSWORD '…', or GRANT mgmt_app TO some_login.
DO $$
BEGIN
  IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'mgmt_app') THEN
    CREATE ROLE mgmt_app NOLOGIN;
  END IF;
EXCEPTION WHEN duplicate_object OR unique_violation THEN
  NULL; -- made by someone else between the two statements
END $$;
-- One login for migrations and application is enough for small installations: it steps down to the role.
DO $$
BEGIN
  IF NOT pg_has_role(current_user, 'mgmt_app', 'MEMBER') THEN
    EXECUTE format('GRANT mgmt_app TO %I', current_user);
  END IF;
END $$;

-- No ':' in an id: the hub's cache key joins ids with it.
CREATE DOMAIN ext_id AS text CHECK (VALUE ~ '^[A-Za-z0-9_.-]{1,128}$');

CREATE TABLE organizations (
  id ext_id PRIMARY KEY, -- the identity provider's organization_id
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100 AND name = btrim(name)),
  plan text NOT NULL DEFAULT 'free' CHECK (plan IN ('free', 'pro', 'custom')),
  rate_limit_per_minute int CHECK (rate_limit_per_minute BETWEEN 1 AND 1000000),
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'suspended', 'deleted')),
  version int NOT NULL DEFAULT 1,
  -- clock_timestamp(), not now(): now() is the transaction's time and ties every row of a bulk insert.
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  CHECK (plan = 'custom' OR rate_limit_per_minute IS NULL)
);

CREATE TABLE members (
  organization_id ext_id NOT NULL REFERENCES organizations ON DELETE CASCADE,
  user_id text NOT NULL CHECK (length(user_id) BETWEEN 1 AND 255), -- the identity provider's sub
  id ext_id NOT NULL UNIQUE,
  email text,
  name text,
  role text NOT NULL CHECK (role IN ('owner', 'admin', 'developer', 'viewer')),
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (organization_id, user_id)
);

CREATE TABLE sites (
  id ext_id PRIMARY KEY,
  organization_id ext_id NOT NULL REFERENCES organizations ON DELETE CASCADE,
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100 AND name = btrim(name)),
  version int NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  deleted_at timestamptz(3),
  UNIQUE (organization_id, id) -- for the composite foreign keys: nothing can be linked across organizations
);
-- (created_at, id) is the total order of the list.
CREATE INDEX sites_list ON sites (organization_id, created_at, id) WHERE deleted_at IS NULL;

CREATE TABLE site_origins (
  organization_id ext_id NOT NULL,
  site_id ext_id NOT NULL,
  origin text NOT NULL CHECK (
    length(origin) <= 300
    AND origin ~ '^(https://[a-z0-9.-]+(:[1-9][0-9]{0,4})?|http://(localhost|127\.0\.0\.1)(:[1-9][0-9]{0,4})?)$'
  ),
  position int NOT NULL,
  expires_at timestamptz(3), -- null: permanent
  PRIMARY KEY (site_id, origin),
  FOREIGN KEY (organization_id, site_id) REFERENCES sites (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX site_origins_by_origin ON site_origins (organization_id, origin);

-- FORCE, because the owner would otherwise pass by the policies. Without a tenant the setting is null or empty, which
-- equals no id: no rows.
ALTER TABLE organizations ENABLE ROW LEVEL SECURITY;
ALTER TABLE organizations FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON organizations
  USING (id = current_setting('app.organization_id', true))
  WITH CHECK (id = current_setting('app.organization_id', true));

ALTER TABLE members ENABLE ROW LEVEL SECURITY;
ALTER TABLE members FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON members
  USING (organization_id = current_setting('app.organization_id', true))
  WITH CHECK (organization_id = current_setting('app.organization_id', true));

ALTER TABLE sites ENABLE ROW LEVEL SECURITY;
ALTER TABLE sites FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON sites
  USING (organization_id = current_setting('app.organization_id', true))
  WITH CHECK (organization_id = current_setting('app.organization_id', true));

ALTER TABLE site_origins ENABLE ROW LEVEL SECURITY;
ALTER TABLE site_origins FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON site_origins
  USING (organization_id = current_setting('app.organization_id', true))
  WITH CHECK (organization_id = current_setting('app.organization_id', true));

GRANT USAGE ON SCHEMA public TO mgmt_app;
GRANT SELECT, INSERT, UPDATE ON organizations TO mgmt_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON members, sites, site_origins TO mgmt_app;
