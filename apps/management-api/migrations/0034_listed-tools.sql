SET LOCAL lock_timeout = '300ms';
LOCK TABLE connectors;

-- Tools that a tool server has listed for somebody, as the hub has read them: a binding that names another one is taken, with a
-- warning. `resource_url` is the connector's at that time: after a change the names are those of another tool server.
CREATE TABLE connector_tools (
  organization_id ext_id NOT NULL,
  connector_id text NOT NULL,
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 128),
  resource_url text NOT NULL,
  PRIMARY KEY (organization_id, connector_id, name),
  FOREIGN KEY (organization_id, connector_id) REFERENCES connectors (organization_id, id) ON DELETE CASCADE
);

ALTER TABLE connector_tools ENABLE ROW LEVEL SECURITY;
ALTER TABLE connector_tools FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON connector_tools
  USING (organization_id = current_setting('app.organization_id', true))
  WITH CHECK (organization_id = current_setting('app.organization_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON connector_tools TO mgmt_app;
