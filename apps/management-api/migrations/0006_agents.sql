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

-- A deleted site or agent keeps its links, so that it comes back with them.
CREATE TABLE site_agents (
  organization_id ext_id NOT NULL,
  site_id ext_id NOT NULL,
  agent_id ext_id NOT NULL,
  is_default boolean NOT NULL DEFAULT false,
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (site_id, agent_id),
  FOREIGN KEY (organization_id, site_id) REFERENCES sites (organization_id, id) ON DELETE CASCADE,
  FOREIGN KEY (organization_id, agent_id) REFERENCES agents (organization_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX site_agents_default ON site_agents (site_id) WHERE is_default;
CREATE INDEX site_agents_by_agent ON site_agents (organization_id, agent_id);

ALTER TABLE agents ENABLE ROW LEVEL SECURITY;
ALTER TABLE agents FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON agents
  USING (organization_id = current_setting('app.organization_id', true))
  WITH CHECK (organization_id = current_setting('app.organization_id', true));
ALTER TABLE site_agents ENABLE ROW LEVEL SECURITY;
ALTER TABLE site_agents FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON site_agents
  USING (organization_id = current_setting('app.organization_id', true))
  WITH CHECK (organization_id = current_setting('app.organization_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON agents, site_agents TO mgmt_app;
