CREATE TABLE connectors (
  id ext_id PRIMARY KEY,
  organization_id ext_id NOT NULL REFERENCES organizations ON DELETE CASCADE,
  name text NOT NULL CHECK (char_length(name) BETWEEN 1 AND 100 AND name = btrim(name)),
  resource_url text NOT NULL CHECK (length(resource_url) <= 2048 AND resource_url ~ '^https?://'),
  auth_method text NOT NULL DEFAULT 'id-jag' CHECK (auth_method IN ('id-jag', 'passthrough', 'service', 'oauth-pkce')),
  service_kind text CHECK (service_kind IN ('mtls', 'api_key')),
  scopes text[] NOT NULL DEFAULT '{}' CHECK (cardinality(scopes) <= 100),
  client_id text CHECK (length(client_id) BETWEEN 1 AND 255),
  secret bytea, -- sealed by the application with a key that the database never has
  secret_updated_at timestamptz(3),
  discovery_auth text NOT NULL DEFAULT 'none' CHECK (discovery_auth IN ('none', 'secret')),
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'ready', 'error')),
  metadata jsonb,
  last_error jsonb,
  enabled boolean NOT NULL DEFAULT true,
  acknowledge_legacy boolean NOT NULL DEFAULT false,
  version int NOT NULL DEFAULT 1,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  updated_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  deleted_at timestamptz(3),
  UNIQUE (organization_id, id),
  CHECK (auth_method NOT IN ('id-jag', 'oauth-pkce') OR client_id IS NOT NULL),
  CHECK ((auth_method = 'service') = (service_kind IS NOT NULL)),
  CHECK (auth_method NOT IN ('id-jag', 'service') OR secret IS NOT NULL OR NOT enabled),
  CHECK (auth_method NOT IN ('passthrough', 'oauth-pkce') OR secret IS NULL),
  CHECK ((secret IS NULL) = (secret_updated_at IS NULL)),
  CHECK ((auth_method = 'passthrough') = acknowledge_legacy)
);
CREATE INDEX connectors_list ON connectors (organization_id, created_at, id) WHERE deleted_at IS NULL;
CREATE UNIQUE INDEX connectors_resource ON connectors (organization_id, resource_url) WHERE deleted_at IS NULL;

-- A deleted agent or connector keeps its bindings, so that it comes back with them.
CREATE TABLE agent_connectors (
  organization_id ext_id NOT NULL,
  agent_id ext_id NOT NULL,
  connector_id ext_id NOT NULL,
  scopes text[] CHECK (cardinality(scopes) <= 100), -- null: all of the connector
  tools text[] CHECK (cardinality(tools) <= 200), -- null: all of the connector
  approval text NOT NULL DEFAULT 'write' CHECK (approval IN ('always', 'write', 'never')),
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (agent_id, connector_id),
  FOREIGN KEY (organization_id, agent_id) REFERENCES agents (organization_id, id) ON DELETE CASCADE,
  FOREIGN KEY (organization_id, connector_id) REFERENCES connectors (organization_id, id) ON DELETE CASCADE
);
CREATE INDEX agent_connectors_by_connector ON agent_connectors (organization_id, connector_id);

ALTER TABLE connectors ENABLE ROW LEVEL SECURITY;
ALTER TABLE connectors FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON connectors
  USING (organization_id = current_setting('app.organization_id', true))
  WITH CHECK (organization_id = current_setting('app.organization_id', true));
ALTER TABLE agent_connectors ENABLE ROW LEVEL SECURITY;
ALTER TABLE agent_connectors FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON agent_connectors
  USING (organization_id = current_setting('app.organization_id', true))
  WITH CHECK (organization_id = current_setting('app.organization_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON connectors, agent_connectors TO mgmt_app;
