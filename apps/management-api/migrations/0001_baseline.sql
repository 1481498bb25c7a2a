-- The schema of 0.1, whole. Later changes are migrations of their own: docs/operations/upgrade.md.
--
-- Every table belongs to the owner, who migrates; the application works as the role mgmt_app, which owns nothing, so that
-- row-level security binds it. Functions that must see more than one organization run as the owner (SECURITY DEFINER): each
-- gives out ids or counts alone, and what is then read or saved is read and saved as the organization.

-- ---------------------------------------------------------------------------------------------------------------------------
-- Roles and types

-- Roles belong to the whole server, so another database may have made this one. Logging in as it is the operator's matter:
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

GRANT USAGE ON SCHEMA public TO mgmt_app;
-- A service that does not migrate checks that somebody did.
GRANT SELECT ON schema_migrations TO mgmt_app;

-- No ':' in an id: the hub's cache key joins ids with it.
CREATE DOMAIN ext_id AS text CHECK (VALUE ~ '^[A-Za-z0-9_.-]{1,128}$');

-- Times of creation default to clock_timestamp(), not now(): now() is the transaction's time and ties every row of a bulk
-- insert. (created_at, id) is the total order of a list.

-- ---------------------------------------------------------------------------------------------------------------------------
-- Organizations and their members

CREATE TABLE organizations (
  id ext_id PRIMARY KEY, -- the identity provider's organization_id
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100 AND name = btrim(name)),
  plan text NOT NULL DEFAULT 'free' CHECK (plan IN ('free', 'pro', 'custom')),
  rate_limit_per_minute int CHECK (rate_limit_per_minute BETWEEN 1 AND 1000000),
  -- The role of a member whose first token has none. Null: the deployment's DEFAULT_MEMBER_ROLE
  default_role text CHECK (default_role IN ('none', 'viewer', 'developer', 'admin')),
  role_source text NOT NULL DEFAULT 'local' CHECK (role_source IN ('local', 'identity_provider')),
  -- What the tool hub demands of agents in lists and calls
  agent_policy text NOT NULL DEFAULT 'any' CHECK (agent_policy IN ('any', 'named', 'authenticated')),
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'suspended', 'deleted')),
  -- A deleted organization is suspended with purge_at, the time from which it may be purged. The columns of its suspension say
  -- what a restore brings back: null while it is deleted means that it was active.
  suspended_at timestamptz(3),
  suspended_by text CHECK (suspended_by IN ('owner', 'operator')),
  deleted_at timestamptz(3),
  purge_at timestamptz(3),
  version int NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  CHECK (plan = 'custom' OR rate_limit_per_minute IS NULL)
);
CREATE INDEX organizations_purge ON organizations (purge_at) WHERE purge_at IS NOT NULL;
GRANT SELECT, INSERT, UPDATE ON organizations TO mgmt_app;

-- Organizations that were purged: a token that still names one must not create it anew. The purge alone writes them, and the
-- operator removes one as the owner of the tables.
CREATE TABLE organization_tombstones (
  organization_id ext_id PRIMARY KEY, -- no foreign key: it outlives the organization
  purged_at timestamptz(3) NOT NULL DEFAULT clock_timestamp()
);
GRANT SELECT ON organization_tombstones TO mgmt_app;

-- A member is active while removed_at is null. The row of a removed member stays, so that a token that is still valid does not
-- add the member again.
CREATE TABLE members (
  organization_id ext_id NOT NULL REFERENCES organizations ON DELETE CASCADE,
  user_id text NOT NULL CHECK (length(user_id) BETWEEN 1 AND 255), -- the identity provider's sub
  id ext_id NOT NULL UNIQUE,
  -- A sub is unique together with its issuer only. Null: not known yet
  issuer text CHECK (length(issuer) BETWEEN 1 AND 2048),
  email text,
  email_verified boolean,
  name text,
  role text NOT NULL CHECK (role IN ('owner', 'admin', 'developer', 'viewer')),
  role_claimed_at timestamptz(3), -- iat of the last token whose roles were heeded
  source text NOT NULL DEFAULT 'onboarding' CHECK (source IN ('onboarding', 'identity_provider', 'invitation', 'scim', 'operator', 'denial')),
  external_id text CHECK (length(external_id) BETWEEN 1 AND 255),
  invited_by text CHECK (length(invited_by) BETWEEN 1 AND 255),
  last_seen_at timestamptz(3),
  -- When an administrator last ended what the member had, and not the membership: tokens issued before are refused.
  access_revoked_at timestamptz,
  removed_at timestamptz(3),
  -- Why a member with removed_at is kept out; null: removed
  kept_out text CHECK (kept_out IN ('deactivated', 'denied')),
  version int NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (organization_id, user_id)
);
CREATE INDEX members_list ON members (organization_id, created_at, id) WHERE removed_at IS NULL;
CREATE INDEX members_of_user ON members (user_id, issuer) WHERE removed_at IS NULL;
-- What the purge erases
CREATE INDEX members_removed ON members (removed_at)
  WHERE removed_at IS NOT NULL AND kept_out IS NULL AND num_nonnulls(email, name) > 0;
GRANT SELECT, INSERT, UPDATE, DELETE ON members TO mgmt_app;

CREATE TABLE invitations (
  id ext_id PRIMARY KEY,
  organization_id ext_id NOT NULL REFERENCES organizations ON DELETE CASCADE,
  email text NOT NULL CHECK (length(email) BETWEEN 3 AND 254), -- normalized, to be compared with the address of a sign-in
  role text NOT NULL CHECK (role IN ('owner', 'admin', 'developer', 'viewer')),
  -- `accepting`: a user has accepted, and their membership is being made at the identity provider and here. An invitation whose
  -- time is over stays `pending` until its address is invited again.
  state text NOT NULL DEFAULT 'pending'
    CHECK (state IN ('pending', 'accepting', 'accepted', 'declined', 'revoked', 'expired')),
  token_hash bytea NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
  valid_days int NOT NULL CHECK (valid_days BETWEEN 1 AND 30),
  sent_at timestamptz(3) NOT NULL, -- when the link was made: it does not admit a user who was removed or denied later
  expires_at timestamptz(3) NOT NULL,
  invited_by_type text NOT NULL CHECK (invited_by_type IN ('user', 'service_account')),
  invited_by_id text NOT NULL CHECK (length(invited_by_id) BETWEEN 1 AND 255),
  user_id text CHECK (length(user_id) BETWEEN 1 AND 255), -- the sub of the user who accepts
  lease_until timestamptz(3), -- until then, a process is assumed to be making the membership
  version int NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  CHECK ((state IN ('accepting', 'accepted')) = (user_id IS NOT NULL)),
  CHECK (lease_until IS NULL OR state = 'accepting')
);
-- An organization has one open invitation for an address.
CREATE UNIQUE INDEX invitations_open ON invitations (organization_id, email) WHERE state IN ('pending', 'accepting');
CREATE INDEX invitations_list ON invitations (organization_id, created_at, id);
CREATE INDEX invitations_accepting ON invitations (user_id) WHERE state = 'accepting';
CREATE INDEX invitations_age ON invitations (greatest(updated_at, expires_at));
GRANT SELECT, INSERT, UPDATE ON invitations TO mgmt_app;

-- A user's way from a sign-in to an organization. It holds no token of the user: those are in the encrypted store only.
CREATE TABLE onboarding_sessions (
  id uuid PRIMARY KEY,
  user_id text NOT NULL CHECK (length(user_id) BETWEEN 1 AND 255), -- the identity provider's sub
  email text,
  email_verified boolean NOT NULL,
  -- True if the identity provider states that the address is verified; unlike email_verified, false if it states nothing.
  email_proven boolean NOT NULL DEFAULT false,
  name text,
  step text NOT NULL DEFAULT 'create_org' CHECK (step IN ('create_org', 'creating', 'consent', 'done')),
  -- The identity provider knows the organization by it: the id of the first session that tried to create it.
  external_id uuid NOT NULL,
  organization_id ext_id,
  request_hash bytea, -- of the user and the name that was asked for; null if nothing was asked for
  lease_until timestamptz(3), -- until then, a process is assumed to be creating the organization
  return_to text NOT NULL,
  decision text CHECK (decision IN ('approve', 'deny')),
  -- SHA-256 of the secret in the cookie of the browser that signed in here; null if an application's own pages continue
  browser_hash bytea CHECK (octet_length(browser_hash) = 32),
  created_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  CHECK (step NOT IN ('consent', 'done') OR organization_id IS NOT NULL),
  CHECK ((step = 'done') = (decision IS NOT NULL))
);
CREATE INDEX onboarding_sessions_of_user ON onboarding_sessions (user_id);
-- Two tabs cannot create two organizations.
CREATE UNIQUE INDEX onboarding_one_creation ON onboarding_sessions (user_id) WHERE step = 'creating';
CREATE INDEX onboarding_sessions_age ON onboarding_sessions (created_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON onboarding_sessions TO mgmt_app;

-- What people have decided about applications. They may decide before their first token has made them members, so the table does
-- not reference members; the service deletes the decisions of a member whom it removes.
CREATE TABLE client_consents (
  organization_id ext_id NOT NULL REFERENCES organizations ON DELETE CASCADE,
  user_id text NOT NULL CHECK (length(user_id) BETWEEN 1 AND 255),
  client_id text NOT NULL CHECK (length(client_id) BETWEEN 1 AND 255),
  decision text NOT NULL CHECK (decision IN ('approve', 'deny')),
  decided_at timestamptz(3) NOT NULL,
  PRIMARY KEY (organization_id, user_id, client_id)
);
-- What the hub is told
CREATE INDEX client_consents_denied ON client_consents (organization_id) WHERE decision = 'deny';
GRANT SELECT, INSERT, UPDATE, DELETE ON client_consents TO mgmt_app;

-- ---------------------------------------------------------------------------------------------------------------------------
-- Machines

-- A machine that acts in an organization, as a client of the identity provider, by API keys, or both.
CREATE TABLE service_accounts (
  organization_id ext_id NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id ext_id NOT NULL,
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100 AND name = btrim(name)),
  description text CHECK (char_length(description) <= 500),
  role text NOT NULL CHECK (role IN ('admin', 'developer', 'viewer')),
  status text NOT NULL DEFAULT 'active' CHECK (status IN ('active', 'disabled')),
  -- Who made it: a sub, or the id of a service account
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
GRANT SELECT, INSERT, UPDATE ON service_accounts TO mgmt_app;

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
  -- Without scopes a key would not be limited; and whoever finds one can neither make more of them, nor invite, nor register a
  -- client that users take for the organization's.
  CHECK (kind <> 'api' OR (cardinality(scopes) > 0
    AND NOT scopes && ARRAY['org:write', 'credentials:write', 'invitations:read', 'invitations:write', 'clients:write']))
);
CREATE INDEX api_keys_of_account ON api_keys (organization_id, service_account_id, created_at, id);
CREATE INDEX api_keys_made_by ON api_keys (organization_id, created_by_id) WHERE revoked_at IS NULL;
CREATE INDEX api_keys_ended ON api_keys ((least(expires_at, revoked_at)));
GRANT SELECT, INSERT, UPDATE ON api_keys TO mgmt_app;

-- ---------------------------------------------------------------------------------------------------------------------------
-- Sites, agents, connectors, and their bindings
--
-- UNIQUE (organization_id, id) is for composite foreign keys: nothing can be linked across organizations. What is deleted keeps
-- its bindings until it is purged, so that a restore brings them back.

CREATE TABLE sites (
  id ext_id PRIMARY KEY,
  organization_id ext_id NOT NULL REFERENCES organizations ON DELETE CASCADE,
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100 AND name = btrim(name)),
  version int NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  deleted_at timestamptz(3),
  UNIQUE (organization_id, id)
);
CREATE INDEX sites_list ON sites (organization_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX sites_deleted ON sites (deleted_at) WHERE deleted_at IS NOT NULL;
GRANT SELECT, INSERT, UPDATE, DELETE ON sites TO mgmt_app;

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
CREATE INDEX site_origins_expiry ON site_origins (expires_at) WHERE expires_at IS NOT NULL;
GRANT SELECT, INSERT, UPDATE, DELETE ON site_origins TO mgmt_app;

CREATE TABLE agents (
  id ext_id PRIMARY KEY,
  organization_id ext_id NOT NULL REFERENCES organizations ON DELETE CASCADE,
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100 AND name = btrim(name)),
  description text CHECK (char_length(description) <= 500),
  instructions text CHECK (char_length(instructions) <= 20000),
  status text NOT NULL DEFAULT 'draft' CHECK (status IN ('draft', 'active', 'disabled')),
  identity_mode text NOT NULL DEFAULT 'anonymous' CHECK (identity_mode IN ('anonymous', 'idp')),
  settings jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(settings) = 'object' AND pg_column_size(settings) <= 16384),
  version int NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  deleted_at timestamptz(3),
  UNIQUE (organization_id, id)
);
CREATE INDEX agents_list ON agents (organization_id, created_at, id) WHERE deleted_at IS NULL;
CREATE INDEX agents_deleted ON agents (deleted_at) WHERE deleted_at IS NOT NULL;
GRANT SELECT, INSERT, UPDATE, DELETE ON agents TO mgmt_app;

-- MCP clients of the hub that are an agent of this organization: a user who comes with one comes as the agent. A client has a
-- document at its client_id, or is registered here and has a name, redirect URIs and a method of authentication.
CREATE TABLE agent_clients (
  organization_id ext_id NOT NULL,
  id ext_id NOT NULL,
  agent_id ext_id NOT NULL,
  client_id text NOT NULL,
  name text CHECK (char_length(name) BETWEEN 1 AND 100 AND name = btrim(name)),
  redirect_uris text[] CHECK (cardinality(redirect_uris) BETWEEN 1 AND 20),
  auth_method text CHECK (auth_method IN ('none', 'client_secret_basic', 'private_key_jwt')),
  secret_hash bytea CHECK (octet_length(secret_hash) = 32), -- SHA-256: the secret is random enough for it
  jwks jsonb,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (organization_id, id),
  -- A deleted agent keeps its clients: they must not become ordinary ones, which may do more.
  FOREIGN KEY (organization_id, agent_id) REFERENCES agents (organization_id, id) ON DELETE CASCADE,
  CONSTRAINT agent_clients_client_id_check CHECK (length(client_id) BETWEEN 1 AND 512
    AND client_id LIKE CASE WHEN auth_method IS NULL THEN 'https://%' ELSE 'lac\_%' END),
  CONSTRAINT agent_clients_registered_check CHECK (num_nonnulls(name, redirect_uris, auth_method) IN (0, 3)),
  CONSTRAINT agent_clients_secret_check CHECK ((auth_method IS NOT DISTINCT FROM 'client_secret_basic') = (secret_hash IS NOT NULL)),
  CONSTRAINT agent_clients_jwks_check CHECK ((auth_method IS NOT DISTINCT FROM 'private_key_jwt') = (jwks IS NOT NULL))
);
CREATE UNIQUE INDEX agent_clients_client ON agent_clients (organization_id, client_id);
CREATE UNIQUE INDEX agent_clients_registered ON agent_clients (client_id) WHERE auth_method IS NOT NULL;
CREATE INDEX agent_clients_of_agent ON agent_clients (organization_id, agent_id, created_at, id);
GRANT SELECT, INSERT, DELETE ON agent_clients TO mgmt_app;

-- An id of a connector is unique in its organization: two organizations may be given the same connectors.
CREATE TABLE connectors (
  organization_id ext_id NOT NULL REFERENCES organizations ON DELETE CASCADE,
  id ext_id NOT NULL,
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100 AND name = btrim(name)),
  slug text NOT NULL CHECK (slug ~ '^[a-z]([a-z0-9-]{0,14}[a-z0-9])?$'), -- in front of the names of its tools
  resource_url text NOT NULL CHECK (length(resource_url) <= 2048 AND resource_url ~ '^https?://'),
  -- Null: resource_url itself, or `/mcp` there if that is only a host
  mcp_url text CHECK (length(mcp_url) BETWEEN 1 AND 2048 AND mcp_url ~ '^https?://'),
  enabled boolean NOT NULL DEFAULT true,
  auth_method text NOT NULL DEFAULT 'id-jag' CHECK (auth_method IN ('id-jag', 'passthrough', 'service', 'oauth-pkce')),
  -- Tried in this order, each only if the one before is not offered
  fallback text[] NOT NULL DEFAULT '{}'
    CHECK (fallback <@ ARRAY['passthrough', 'service', 'oauth-pkce'] AND cardinality(fallback) <= 3),
  fallback_approved_at timestamptz, -- when an administrator last approved the fallback as it is
  scopes text[] NOT NULL DEFAULT '{}' CHECK (cardinality(scopes) <= 100),
  -- Beyond scopes: what single tools may ask for
  step_up_scopes text[] NOT NULL DEFAULT '{}' CHECK (cardinality(step_up_scopes) <= 100),
  client_id text CHECK (length(client_id) BETWEEN 1 AND 255),
  -- Both secrets are sealed by the application with a key that the database never has.
  secret bytea,
  secret_updated_at timestamptz(3),
  fallback_secret bytea, -- of `service` as a fallback
  -- Null: as the authorization server's metadata has it
  token_endpoint_auth_method text
    CHECK (token_endpoint_auth_method IN ('client_secret_basic', 'client_secret_post', 'private_key_jwt')),
  audience text CHECK (length(audience) BETWEEN 1 AND 2048), -- of the token exchange; null: derived from the metadata
  -- Of oauth-pkce. The application alone keeps it from other methods.
  issuer text CHECK (length(issuer) BETWEEN 1 AND 2048),
  service_kind text CHECK (service_kind IN ('mtls', 'api_key')),
  api_key_header text CHECK (length(api_key_header) BETWEEN 1 AND 64),
  ca_certificates text CHECK (length(ca_certificates) BETWEEN 1 AND 32768),
  passthrough_audiences text[] NOT NULL DEFAULT '{}' CHECK (cardinality(passthrough_audiences) <= 20),
  acknowledge_legacy boolean NOT NULL DEFAULT false,
  discovery_auth text NOT NULL DEFAULT 'none' CHECK (discovery_auth IN ('none', 'secret')),
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'ready', 'error')),
  metadata jsonb,
  last_error jsonb,
  -- When the hub last reported an ID-JAG for this resource, and that users could consent themselves. Not each time, but each time
  -- that it matters.
  id_jag_used_at timestamptz,
  consent_used_at timestamptz,
  version int NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  deleted_at timestamptz(3),
  PRIMARY KEY (organization_id, id),
  CONSTRAINT connectors_fallback_once CHECK (auth_method <> ALL (fallback)),
  -- With oauth-pkce, the client may be one that is registered nowhere.
  CONSTRAINT connectors_client_id CHECK (client_id IS NOT NULL OR auth_method <> 'id-jag'),
  CONSTRAINT connectors_secret CHECK (auth_method NOT IN ('id-jag', 'service') OR secret IS NOT NULL OR NOT enabled),
  CONSTRAINT connectors_secret_dated CHECK ((secret IS NULL) = (secret_updated_at IS NULL)),
  -- A registered client of oauth-pkce may have a secret. The application alone keeps it from others.
  CONSTRAINT connectors_passthrough_secret CHECK (auth_method <> 'passthrough' OR secret IS NULL),
  CONSTRAINT connectors_fallback_secret CHECK (
    CASE WHEN 'service' = ANY (fallback) THEN fallback_secret IS NOT NULL OR NOT enabled ELSE fallback_secret IS NULL END
  ),
  CONSTRAINT connectors_service_kind CHECK (
    (service_kind IS NOT NULL) = ('service' = ANY (array_append(fallback, auth_method)))
  ),
  CONSTRAINT connectors_acknowledged CHECK (
    acknowledge_legacy = ('passthrough' = ANY (array_append(fallback, auth_method)))
  )
);
CREATE INDEX connectors_list ON connectors (organization_id, created_at, id) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX connectors_resource ON connectors (organization_id, resource_url) WHERE deleted_at IS NULL;
-- Deleted ones count: a host that always allows a tool must not come to allow another server's.
CREATE UNIQUE INDEX connectors_slug ON connectors (organization_id, slug);
CREATE INDEX connectors_deleted ON connectors (deleted_at) WHERE deleted_at IS NOT NULL;
GRANT SELECT, INSERT, UPDATE, DELETE ON connectors TO mgmt_app;

-- Tools that a tool server has listed for some user, as the hub has read them: a binding that names another one is accepted with
-- a warning. resource_url is the connector's at that time: after a change the names are those of another tool server.
CREATE TABLE connector_tools (
  organization_id ext_id NOT NULL,
  connector_id text NOT NULL,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 128),
  resource_url text NOT NULL,
  PRIMARY KEY (organization_id, connector_id, name),
  FOREIGN KEY (organization_id, connector_id) REFERENCES connectors (organization_id, id) ON DELETE CASCADE
);
GRANT SELECT, INSERT, UPDATE, DELETE ON connector_tools TO mgmt_app;

-- The version of a binding begins with the time, in microseconds: one that was deleted and made anew must not have a version that
-- it had before. A trigger raises it.
CREATE TABLE site_agents (
  organization_id ext_id NOT NULL,
  site_id ext_id NOT NULL,
  agent_id ext_id NOT NULL,
  is_default boolean NOT NULL DEFAULT false,
  version bigint NOT NULL DEFAULT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (site_id, agent_id),
  FOREIGN KEY (organization_id, site_id) REFERENCES sites (organization_id, id) ON DELETE CASCADE,
  FOREIGN KEY (organization_id, agent_id) REFERENCES agents (organization_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX site_agents_default ON site_agents (site_id) WHERE is_default;
CREATE INDEX site_agents_by_agent ON site_agents (organization_id, agent_id);
GRANT SELECT, INSERT, UPDATE, DELETE ON site_agents TO mgmt_app;

CREATE TABLE agent_connectors (
  organization_id ext_id NOT NULL,
  agent_id ext_id NOT NULL,
  connector_id ext_id NOT NULL,
  scopes text[] CHECK (cardinality(scopes) <= 100), -- null: all of the connector
  tools text[] CHECK (cardinality(tools) <= 200), -- null: all of the connector
  approval text NOT NULL DEFAULT 'write' CHECK (approval IN ('always', 'write', 'never')),
  version bigint NOT NULL DEFAULT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (agent_id, connector_id),
  FOREIGN KEY (organization_id, agent_id) REFERENCES agents (organization_id, id) ON DELETE CASCADE,
  FOREIGN KEY (organization_id, connector_id) REFERENCES connectors (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX agent_connectors_by_connector ON agent_connectors (organization_id, connector_id);
GRANT SELECT, INSERT, UPDATE, DELETE ON agent_connectors TO mgmt_app;

CREATE FUNCTION raise_binding_version() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  NEW.version := OLD.version + 1;
  RETURN NEW;
END $$;
REVOKE EXECUTE ON FUNCTION raise_binding_version() FROM PUBLIC;
CREATE TRIGGER raise_version BEFORE UPDATE ON site_agents
  FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION raise_binding_version();
CREATE TRIGGER raise_version BEFORE UPDATE ON agent_connectors
  FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION raise_binding_version();

-- ---------------------------------------------------------------------------------------------------------------------------
-- Domains

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
GRANT SELECT, INSERT, UPDATE, DELETE ON domains TO mgmt_app;

-- ---------------------------------------------------------------------------------------------------------------------------
-- Audit trail, usage, and what the API has yet to do

CREATE TABLE audit_events (
  id ext_id NOT NULL,
  organization_id ext_id NOT NULL, -- no foreign key: the trail outlives what it is about
  action text NOT NULL,
  actor jsonb NOT NULL,
  targets jsonb NOT NULL DEFAULT '[]',
  changes jsonb,
  details jsonb, -- what services report besides what all events have
  context jsonb NOT NULL DEFAULT '{}',
  occurred_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  -- May be long after it occurred: a reader who follows the trail in this order misses none.
  recorded_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (organization_id, occurred_at, id)
) PARTITION BY RANGE (occurred_at);
-- An event by its id, whose month is not known
CREATE INDEX audit_events_by_id ON audit_events (organization_id, id);
CREATE INDEX audit_events_recorded ON audit_events (organization_id, recorded_at, id);
GRANT SELECT, INSERT ON audit_events TO mgmt_app;
REVOKE UPDATE, DELETE, TRUNCATE ON audit_events FROM mgmt_app; -- even where default privileges grant them

-- What no month takes: an event is never refused because a partition is missing.
CREATE TABLE audit_events_default PARTITION OF audit_events DEFAULT;

-- Calls by day, as the hub reports them
CREATE TABLE call_counts (
  organization_id ext_id NOT NULL, -- no foreign key: events are accepted for organizations that are not known yet
  day date NOT NULL, -- in UTC
  connector_id text NOT NULL, -- '' for none, here and below: a call may be refused before it is known
  agent_id text NOT NULL,
  leg text NOT NULL,
  rule text NOT NULL,
  allowed bigint NOT NULL CHECK (allowed >= 0),
  refused bigint NOT NULL CHECK (refused >= 0),
  failed bigint NOT NULL CHECK (failed >= 0),
  first_allowed_at timestamptz(3),
  PRIMARY KEY (organization_id, day, connector_id, agent_id, leg, rule)
);
GRANT SELECT ON call_counts TO mgmt_app;

-- Requests to this API by day
CREATE TABLE usage_days (
  -- No foreign key: counts are saved for many organizations at once, and one that is gone must not refuse the others'.
  organization_id ext_id NOT NULL,
  day date NOT NULL, -- in UTC
  requests bigint NOT NULL CHECK (requests >= 0),
  throttled bigint NOT NULL CHECK (throttled BETWEEN 0 AND requests),
  PRIMARY KEY (organization_id, day)
);
GRANT SELECT ON usage_days TO mgmt_app;

-- What the tool hub has yet to be told. A row is written in the transaction of the change that it follows from, so that neither
-- is without the other, and goes when the hub has answered.
CREATE TABLE pending_revocations (
  id ext_id PRIMARY KEY,
  organization_id ext_id NOT NULL, -- no foreign key: the hub must hear of an organization that is gone
  connector_id ext_id,
  user_id text CHECK (length(user_id) BETWEEN 1 AND 255),
  agent_id ext_id,
  reason text NOT NULL,
  attempts int NOT NULL DEFAULT 0,
  due_at timestamptz(3) NOT NULL,
  created_at timestamptz(3) NOT NULL,
  CHECK (num_nonnulls(connector_id, user_id, agent_id) <= 1)
);
CREATE INDEX pending_revocations_due ON pending_revocations (due_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON pending_revocations TO mgmt_app;

CREATE TABLE idempotency_keys (
  organization_id ext_id NOT NULL REFERENCES organizations ON DELETE CASCADE,
  user_id text NOT NULL,
  key text NOT NULL CHECK (length(key) BETWEEN 1 AND 255),
  request_hash bytea NOT NULL,
  answer json, -- not jsonb: an answer is repeated as it was, its members in their order
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (organization_id, user_id, key)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (organization_id, created_at);
CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);
GRANT SELECT, INSERT, UPDATE, DELETE ON idempotency_keys TO mgmt_app;

-- ---------------------------------------------------------------------------------------------------------------------------
-- Row-level security: who sees which rows
--
-- FORCE, because the policies would not bind the owner otherwise. Without a tenant the setting is null or empty, which equals no
-- id: no rows.

DO $$
DECLARE
  tenant_table text;
BEGIN
  FOREACH tenant_table IN ARRAY ARRAY[
    'organization_tombstones', 'members', 'invitations', 'client_consents', 'service_accounts', 'api_keys',
    'sites', 'site_origins', 'agents', 'agent_clients', 'connectors', 'connector_tools', 'site_agents', 'agent_connectors',
    'domains', 'audit_events', 'call_counts', 'usage_days', 'pending_revocations', 'idempotency_keys'
  ] LOOP
    EXECUTE format('ALTER TABLE %I ENABLE ROW LEVEL SECURITY', tenant_table);
    EXECUTE format('ALTER TABLE %I FORCE ROW LEVEL SECURITY', tenant_table);
    EXECUTE format('CREATE POLICY tenant ON %I
      USING (organization_id = current_setting(''app.organization_id'', true))
      WITH CHECK (organization_id = current_setting(''app.organization_id'', true))', tenant_table);
  END LOOP;
END $$;

ALTER TABLE organizations ENABLE ROW LEVEL SECURITY;
ALTER TABLE organizations FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON organizations
  USING (id = current_setting('app.organization_id', true))
  WITH CHECK (id = current_setting('app.organization_id', true));

-- The user is the tenant here. An organization's id holds no ':', so neither is ever taken for the other.
ALTER TABLE onboarding_sessions ENABLE ROW LEVEL SECURITY;
ALTER TABLE onboarding_sessions FORCE ROW LEVEL SECURITY;
CREATE POLICY own_sessions ON onboarding_sessions
  USING ('user:' || user_id = current_setting('app.organization_id', true))
  WITH CHECK ('user:' || user_id = current_setting('app.organization_id', true));

-- Partitions have no policy, so that nobody reads them past the parent's.
ALTER TABLE audit_events_default ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_events_default FORCE ROW LEVEL SECURITY;

-- What the owner sees besides, in the functions below. Most of them switch a setting on for that, for their transaction; to the
-- application's role, which is not a member of the owner's, the settings mean nothing.
CREATE POLICY checks ON domains TO CURRENT_USER USING (state = 'verified');
CREATE POLICY counts ON usage_days TO CURRENT_USER USING (true);
CREATE POLICY counts ON call_counts TO CURRENT_USER USING (true);
CREATE POLICY deliveries ON pending_revocations TO CURRENT_USER USING (true);

CREATE POLICY of_user ON organizations FOR SELECT TO CURRENT_USER USING (current_setting('app.reading_own', true) = 'on');
CREATE POLICY of_user ON members FOR SELECT TO CURRENT_USER USING (current_setting('app.reading_own', true) = 'on');
CREATE POLICY of_user ON invitations FOR SELECT TO CURRENT_USER USING (current_setting('app.reading_own', true) = 'on');

CREATE POLICY of_token ON invitations FOR SELECT TO CURRENT_USER USING (current_setting('app.looking_up', true) = 'on');
CREATE POLICY looking_up ON service_accounts FOR SELECT TO CURRENT_USER USING (current_setting('app.looking_up', true) = 'on');
CREATE POLICY looking_up ON api_keys FOR SELECT TO CURRENT_USER USING (current_setting('app.looking_up', true) = 'on');
CREATE POLICY looking_up ON agent_clients FOR SELECT TO CURRENT_USER USING (current_setting('app.looking_up', true) = 'on');

CREATE POLICY purge ON organizations TO CURRENT_USER USING (current_setting('app.purging', true) = 'on');
CREATE POLICY purge ON members TO CURRENT_USER USING (current_setting('app.purging', true) = 'on');
CREATE POLICY purge ON invitations TO CURRENT_USER USING (current_setting('app.purging', true) = 'on');
CREATE POLICY purge ON onboarding_sessions TO CURRENT_USER USING (current_setting('app.purging', true) = 'on');
CREATE POLICY purge ON service_accounts TO CURRENT_USER USING (current_setting('app.purging', true) = 'on');
CREATE POLICY purge ON api_keys TO CURRENT_USER USING (current_setting('app.purging', true) = 'on');
CREATE POLICY purge ON sites TO CURRENT_USER USING (current_setting('app.purging', true) = 'on');
CREATE POLICY purge ON site_origins TO CURRENT_USER USING (current_setting('app.purging', true) = 'on');
CREATE POLICY purge ON agents TO CURRENT_USER USING (current_setting('app.purging', true) = 'on');
CREATE POLICY purge ON connectors TO CURRENT_USER USING (current_setting('app.purging', true) = 'on');
CREATE POLICY purge ON idempotency_keys TO CURRENT_USER USING (current_setting('app.purging', true) = 'on');

-- ---------------------------------------------------------------------------------------------------------------------------
-- Functions that run as the owner
--
-- Each names pg_temp last in its search_path. A table of pg_temp is found before all others if pg_temp is not named, so the
-- application could put a table of its own, with triggers of its own, in the way.

-- Members: across organizations

-- The organizations that a user is a member of, in the order of joining; not deleted ones, nor ones that removed the user.
-- Called for a sign-in that names no organization. Members by their first token are left out: whether they still belong to the
-- organization is for the identity provider to say, which names it in their tokens or does not.
CREATE FUNCTION organizations_of_user(issuer_of_user text, sub_of_user text)
RETURNS TABLE (organization_id text, name text, status text, member_id text, role text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.reading_own', 'on', true);
  RETURN QUERY
    SELECT o.id::text, o.name, o.status, m.id::text, m.role
    FROM members m JOIN organizations o ON o.id = m.organization_id
    WHERE m.user_id = sub_of_user AND m.issuer = issuer_of_user AND m.removed_at IS NULL
      AND m.source IN ('onboarding', 'invitation', 'operator')
      AND o.purge_at IS NULL AND o.status <> 'deleted'
    ORDER BY m.created_at, o.id;
END $$;

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

-- How many organizations have members, and no owner among them: the operator alone can appoint one.
CREATE FUNCTION organizations_without_owner() RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  found_ones bigint;
BEGIN
  -- To the end of the transaction, as for organizations_of_user()
  PERFORM set_config('app.reading_own', 'on', true);
  SELECT count(*) INTO found_ones FROM organizations o
  WHERE o.status = 'active' AND o.purge_at IS NULL
    AND EXISTS (SELECT FROM members m WHERE m.organization_id = o.id AND m.removed_at IS NULL)
    AND NOT EXISTS (
      SELECT FROM members m WHERE m.organization_id = o.id AND m.removed_at IS NULL AND m.role = 'owner'
    );
  RETURN found_ones;
END $$;

-- Secrets and identifiers: where one belongs, before its organization is known. Whether it is good is read as the organization.

CREATE FUNCTION find_invitation(hash bytea) RETURNS TABLE (organization_id text, id text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.looking_up', 'on', true);
  RETURN QUERY SELECT i.organization_id::text, i.id::text FROM invitations i WHERE i.token_hash = hash;
  PERFORM set_config('app.looking_up', '', true);
END $$;

CREATE FUNCTION find_api_key(hash bytea) RETURNS TABLE (organization_id text, id text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.looking_up', 'on', true);
  RETURN QUERY SELECT k.organization_id::text, k.id::text FROM api_keys k WHERE k.key_hash = hash AND k.kind = 'api';
  PERFORM set_config('app.looking_up', 'off', true);
END $$;

-- The organization that a client has confirmed, for a token that names none
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

CREATE FUNCTION find_confirmation(hash bytea) RETURNS TABLE (organization_id text, id text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.looking_up', 'on', true);
  RETURN QUERY SELECT s.organization_id::text, s.id::text FROM service_accounts s
    WHERE s.confirmation_hash = hash AND s.deleted_at IS NULL;
  PERFORM set_config('app.looking_up', 'off', true);
END $$;

-- A client that an organization registered for an agent
CREATE FUNCTION find_agent_client(registered_id text) RETURNS TABLE (organization_id text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.looking_up', 'on', true);
  RETURN QUERY SELECT k.organization_id::text FROM agent_clients k
    WHERE k.client_id = registered_id AND k.auth_method IS NOT NULL;
  PERFORM set_config('app.looking_up', 'off', true);
END $$;

-- Connectors with sealed secrets, disabled and deleted ones included, to seal them anew
CREATE FUNCTION connectors_with_secrets(after_id text, at_most int) RETURNS TABLE (organization_id text, id text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  -- To the end of the transaction; it opens what the purge may see to the owner, and to nobody else.
  PERFORM set_config('app.purging', 'on', true);
  RETURN QUERY SELECT c.organization_id::text, c.id::text FROM connectors c
    WHERE (c.secret IS NOT NULL OR c.fallback_secret IS NOT NULL) AND c.id > after_id
    ORDER BY c.id LIMIT least(at_most, 1000);
END $$;

-- Domains

-- The daily check is the one work on the domains of all organizations. What is given out is due again at `again_at`, so that each
-- domain is given to one process, and once more if that one dies.
CREATE FUNCTION take_due_domains(due_at timestamptz, again_at timestamptz, at_most int)
RETURNS TABLE (organization_id text, id text)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  UPDATE domains d SET check_at = again_at
  WHERE d.id IN (
    SELECT due.id FROM domains due WHERE due.state = 'verified' AND due.check_at <= due_at
    ORDER BY due.check_at LIMIT least(at_most, 1000) FOR UPDATE SKIP LOCKED
  )
  RETURNING d.organization_id::text, d.id::text
$$;

-- Who has proved a domain that another organization proves now: the holder is then checked at once.
CREATE FUNCTION holder_of_domain(name text) RETURNS TABLE (organization_id text, id text)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT d.organization_id::text, d.id::text FROM domains d WHERE d.domain = name AND d.state = 'verified'
$$;

-- Revocations

-- Delivery is work for all organizations. What is given out is due again at `again_at`: each row is given to one process, and
-- once more if that one dies.
CREATE FUNCTION take_due_revocations(due_before timestamptz, again_at timestamptz, at_most int)
RETURNS SETOF pending_revocations
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  UPDATE pending_revocations p SET due_at = again_at, attempts = p.attempts + 1
  WHERE p.id IN (
    SELECT due.id FROM pending_revocations due WHERE due.due_at <= due_before
    ORDER BY due.due_at LIMIT least(at_most, 1000) FOR UPDATE SKIP LOCKED
  )
  RETURNING p.*
$$;

-- Counts

-- Adds what one process has counted for many organizations. The application reads as one organization, and can neither lower a
-- count nor delete it.
CREATE FUNCTION add_usage(organization_ids text[], days date[], requests bigint[], throttled bigint[]) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  INSERT INTO usage_days AS u (organization_id, day, requests, throttled)
  SELECT c.organization_id, c.day, c.requests, c.throttled
  FROM unnest($1, $2, $3, $4) AS c (organization_id, day, requests, throttled)
  ORDER BY c.organization_id, c.day -- in one order, so that two processes wait for each other, and do not lock up
  ON CONFLICT (organization_id, day) DO UPDATE
  SET requests = u.requests + excluded.requests, throttled = u.throttled + excluded.throttled
$$;

-- What an event counts as. Null for what is no call.
CREATE FUNCTION outcome_of_call(action text) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT CASE
    WHEN action IN ('tool.called', 'prompt.read', 'resource.read', 'delegation.granted') THEN 'allowed'
    WHEN action IN ('tool.denied', 'prompt.denied', 'resource.denied', 'delegation.denied') THEN 'refused'
    WHEN action IN ('tool.failed', 'prompt.failed', 'resource.failed', 'delegation.failed') THEN 'failed'
  END
$$;

-- Adds calls to the counts, in the transaction that records their events. One that is sent again is not inserted, so it counts
-- once.
CREATE FUNCTION count_calls() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  INSERT INTO call_counts AS c
    (organization_id, day, connector_id, agent_id, leg, rule, allowed, refused, failed, first_allowed_at)
  SELECT e.organization_id, (e.occurred_at AT TIME ZONE 'UTC')::date,
    coalesce(jsonb_path_query_first(e.targets, '$[*] ? (@.type == "connector").id') #>> '{}', '') AS connector,
    coalesce(jsonb_path_query_first(e.targets, '$[*] ? (@.type == "agent").id') #>> '{}', '') AS agent,
    coalesce(e.details ->> 'leg', '') AS leg, coalesce(e.details ->> 'rule', '') AS rule,
    count(*) FILTER (WHERE o.outcome = 'allowed'),
    -- One event may stand for many refusals.
    coalesce(sum(CASE WHEN jsonb_typeof(e.details -> 'count') = 'number'
      THEN least(greatest((e.details ->> 'count')::numeric, 1), 1000000000)::bigint ELSE 1 END)
      FILTER (WHERE o.outcome = 'refused'), 0),
    count(*) FILTER (WHERE o.outcome = 'failed'),
    min(e.occurred_at) FILTER (WHERE o.outcome = 'allowed')
  FROM recorded e, LATERAL (SELECT public.outcome_of_call(e.action) AS outcome) o
  WHERE o.outcome IS NOT NULL
  GROUP BY 1, 2, 3, 4, 5, 6
  ORDER BY 1, 2, 3, 4, 5, 6 -- in one order, so that two processes wait for each other, and do not lock up
  ON CONFLICT (organization_id, day, connector_id, agent_id, leg, rule) DO UPDATE
  SET allowed = c.allowed + excluded.allowed, refused = c.refused + excluded.refused, failed = c.failed + excluded.failed,
    first_allowed_at = least(c.first_allowed_at, excluded.first_allowed_at);
  RETURN NULL;
END $$;
CREATE TRIGGER count_calls AFTER INSERT ON audit_events
  REFERENCING NEW TABLE AS recorded FOR EACH STATEMENT EXECUTE FUNCTION count_calls();

-- Counts go with their organization, as usage does.
CREATE FUNCTION forget_calls() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  DELETE FROM call_counts WHERE organization_id = OLD.id;
  RETURN NULL;
END $$;
CREATE TRIGGER forget_calls AFTER DELETE ON organizations FOR EACH ROW EXECUTE FUNCTION forget_calls();

-- Partitions of the trail

-- Months in UTC. A month for whose lock readers are in the way is left to the next time: others who want to read meanwhile would
-- wait too, and there are months ahead enough. It takes no text, so the application cannot use it for anything else.
CREATE FUNCTION ensure_audit_partitions(months_ahead int) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp SET lock_timeout = '1s' AS $$
DECLARE
  starts timestamp;
  part text;
BEGIN
  FOR i IN 0..least(months_ahead, 60) LOOP
    starts := date_trunc('month', now() AT TIME ZONE 'UTC') + make_interval(months => i);
    part := 'audit_events_' || to_char(starts, 'YYYY_MM');
    CONTINUE WHEN to_regclass('public.' || part) IS NOT NULL;
    BEGIN
      EXECUTE format('CREATE TABLE public.%I PARTITION OF public.audit_events FOR VALUES FROM (%L) TO (%L)',
        part, starts AT TIME ZONE 'UTC', (starts + interval '1 month') AT TIME ZONE 'UTC');
      EXECUTE format('ALTER TABLE public.%I ENABLE ROW LEVEL SECURITY', part);
      EXECUTE format('ALTER TABLE public.%I FORCE ROW LEVEL SECURITY', part);
    EXCEPTION
      -- Made by another process meanwhile, or the default partition has events of that month already.
      WHEN duplicate_table OR unique_violation OR check_violation THEN
        NULL;
      WHEN lock_not_available THEN
        RETURN;
    END;
  END LOOP;
END $$;

-- How long the audit trail is kept at least, whatever the application asks for. The owner may replace it.
CREATE FUNCTION audit_retention_minimum() RETURNS interval
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$ SELECT interval '90 days' $$;

-- Drops the months that ended that many months ago or earlier, and returns how many; but no month that ended within the owner's
-- minimum, by the clock of the database. A month is some 28 days at least, and one is always kept. It waits for no reader longer
-- than a second: all others would wait behind it. What a late start, or events of another time, left in the default partition has
-- no month of its own to be dropped with: it is deleted row by row, some at a time.
CREATE FUNCTION drop_audit_partitions(at_time timestamptz, months_kept int) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp SET lock_timeout = '1s' AS $$
DECLARE
  ended_by timestamp := least(
    least(at_time, clock_timestamp()) AT TIME ZONE 'UTC' - make_interval(months => greatest(months_kept, 1)),
    clock_timestamp() AT TIME ZONE 'UTC' - public.audit_retention_minimum()
  );
  part text;
  dropped int := 0;
BEGIN
  FOR part IN
    SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
    WHERE i.inhparent = 'public.audit_events'::regclass AND c.relname ~ '^audit_events_[0-9]{4}_[0-9]{2}$'
      AND to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month' <= ended_by
  LOOP
    EXECUTE format('DROP TABLE public.%I', part);
    dropped := dropped + 1;
  END LOOP;
  -- Mostly empty. Its owner is held to its row security like everybody, which lets nobody see a row: lifted under the lock
  -- that this takes, and put back before anybody else gets in.
  IF pg_relation_size('public.audit_events_default') > 0 THEN
    BEGIN
      ALTER TABLE public.audit_events_default NO FORCE ROW LEVEL SECURITY;
      DELETE FROM public.audit_events_default WHERE ctid IN (
        SELECT ctid FROM public.audit_events_default
        WHERE occurred_at < date_trunc('month', ended_by) AT TIME ZONE 'UTC' LIMIT 10000 -- whole months, as above
      );
      ALTER TABLE public.audit_events_default FORCE ROW LEVEL SECURITY;
    EXCEPTION WHEN lock_not_available THEN
      NULL; -- readers are in the way: the next time
    END;
  END IF;
  RETURN dropped;
END $$;

-- Purges

-- Deletes for good at most some of what nobody can bring back any more, and of nothing else: what is due is said here, not by the
-- caller. Returns how many, or null if another process is at it. What belongs to a row goes with it: origins and bindings, and all
-- that an organization has but its audit trail. Each organization leaves a tombstone and an event.
CREATE FUNCTION purge(what text, at_time timestamptz, at_most int) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  -- By the slower of two clocks: a fast one must not make the young old.
  now_at timestamptz := least(at_time, clock_timestamp());
  -- Hours, because a day may have 23 of them where the server's time zone has summer time. A row of exactly that age can
  -- no longer be restored, and goes.
  month_ago timestamptz := now_at - interval '720 hours';
  day_ago timestamptz := now_at - interval '24 hours';
  batch int := least(at_most, 1000);
  due text[];
  one record;
  gone int;
BEGIN
  -- Both to the end of the transaction.
  PERFORM set_config('app.purging', 'on', true);
  IF NOT pg_try_advisory_xact_lock(hashtextextended('purge', 0)) THEN
    RETURN NULL;
  END IF;
  -- Each condition is said twice: for the search, and for a row that somebody changed while we waited for it.
  CASE what
  WHEN 'origins' THEN
    -- The site first, as everybody locks it who changes its origins. Its version counts the expired ones, and must not
    -- come back to what it was with fewer of them.
    SELECT array_agg(id) INTO due FROM (
      SELECT s.id::text FROM sites s
      WHERE s.id IN (SELECT site_id FROM site_origins WHERE expires_at <= month_ago ORDER BY expires_at LIMIT batch)
      FOR UPDATE SKIP LOCKED
    ) locked;
    DELETE FROM site_origins WHERE site_id = ANY (due) AND expires_at <= month_ago;
    GET DIAGNOSTICS gone = ROW_COUNT;
    UPDATE sites SET version = version + 1 WHERE id = ANY (due);
    RETURN gone;
  WHEN 'sites', 'agents', 'connectors' THEN
    -- Also those of organizations that are due, so that an organization goes in batches too.
    EXECUTE format('DELETE FROM %1$I t
      WHERE t.id IN (
        SELECT id FROM %1$I WHERE deleted_at <= $1
        UNION ALL
        SELECT c.id FROM organizations o JOIN %1$I c ON c.organization_id = o.id
        WHERE o.purge_at <= $2 AND o.status <> ''active''
        LIMIT $3
      ) AND (t.deleted_at <= $1 OR EXISTS (
        SELECT FROM organizations o WHERE o.id = t.organization_id AND o.purge_at <= $2 AND o.status <> ''active''
      ))', what) USING month_ago, now_at, batch;
  WHEN 'organizations' THEN
    FOR one IN
      SELECT o.id::text AS id, o.name FROM organizations o WHERE o.purge_at <= now_at AND o.status <> 'active'
      ORDER BY o.purge_at LIMIT batch FOR UPDATE
    LOOP
      due := due || one.id;
      -- As the organization: both are its own rows.
      PERFORM set_config('app.organization_id', one.id, true);
      INSERT INTO organization_tombstones (organization_id) VALUES (one.id) ON CONFLICT DO NOTHING;
      INSERT INTO audit_events (id, organization_id, action, actor, targets)
      VALUES (
        'evt_' || upper(left(replace(gen_random_uuid()::text, '-', ''), 26)), one.id, 'organization.purged',
        '{"type": "system", "id": "management-api", "email": null}',
        jsonb_build_array(jsonb_build_object('type', 'organization', 'id', one.id, 'name', one.name))
      );
    END LOOP;
    PERFORM set_config('app.organization_id', '', true);
    DELETE FROM usage_days WHERE organization_id = ANY (due);
    DELETE FROM organizations WHERE id = ANY (due);
  WHEN 'onboarding_sessions' THEN
    DELETE FROM onboarding_sessions WHERE created_at <= day_ago AND id IN (
      SELECT id FROM onboarding_sessions WHERE created_at <= day_ago ORDER BY created_at LIMIT batch
    );
  WHEN 'idempotency_keys' THEN
    DELETE FROM idempotency_keys WHERE created_at <= day_ago AND (organization_id, user_id, key) IN (
      SELECT organization_id, user_id, key FROM idempotency_keys WHERE created_at <= day_ago
      ORDER BY created_at LIMIT batch
    );
  END CASE;
  GET DIAGNOSTICS gone = ROW_COUNT;
  RETURN gone;
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

-- Erases name and address of members who were removed a month ago; not of those who are deactivated or denied. user_id stays: it
-- keeps them out.
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

-- All of them are for the application, and for nobody else.
REVOKE EXECUTE ON FUNCTION
  organizations_of_user(text, text), is_member_elsewhere(text, text, text, timestamptz), organizations_without_owner(),
  find_invitation(bytea), find_api_key(bytea), find_confirmed_client(text, text), find_confirmation(bytea),
  find_agent_client(text), connectors_with_secrets(text, int), take_due_domains(timestamptz, timestamptz, int),
  holder_of_domain(text), take_due_revocations(timestamptz, timestamptz, int),
  add_usage(text[], date[], bigint[], bigint[]), ensure_audit_partitions(int), drop_audit_partitions(timestamptz, int),
  purge(text, timestamptz, int), purge_machines(text, timestamptz, int), purge_invitations(timestamptz, int),
  erase_removed_members(timestamptz, int)
FROM PUBLIC;
GRANT EXECUTE ON FUNCTION
  organizations_of_user(text, text), is_member_elsewhere(text, text, text, timestamptz), organizations_without_owner(),
  find_invitation(bytea), find_api_key(bytea), find_confirmed_client(text, text), find_confirmation(bytea),
  find_agent_client(text), connectors_with_secrets(text, int), take_due_domains(timestamptz, timestamptz, int),
  holder_of_domain(text), take_due_revocations(timestamptz, timestamptz, int),
  add_usage(text[], date[], bigint[], bigint[]), ensure_audit_partitions(int), drop_audit_partitions(timestamptz, int),
  purge(text, timestamptz, int), purge_machines(text, timestamptz, int), purge_invitations(timestamptz, int),
  erase_removed_members(timestamptz, int)
TO mgmt_app;
-- Triggers call these two.
REVOKE EXECUTE ON FUNCTION count_calls(), forget_calls() FROM PUBLIC;

SELECT ensure_audit_partitions(12);
