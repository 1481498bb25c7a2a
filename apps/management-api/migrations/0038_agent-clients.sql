SET LOCAL lock_timeout = '300ms';
LOCK TABLE agents;

-- MCP clients of the hub that are an agent of this organization: a user who comes by the document at this address comes as the agent.
CREATE TABLE agent_clients (
  organization_id ext_id NOT NULL,
  id ext_id NOT NULL,
  agent_id ext_id NOT NULL,
  client_id text NOT NULL CHECK (length(client_id) BETWEEN 1 AND 512 AND client_id LIKE 'https://%'),
  created_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (organization_id, id),
  -- A deleted agent keeps its clients: they must not become ordinary ones, which may do more.
  FOREIGN KEY (organization_id, agent_id) REFERENCES agents (organization_id, id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX agent_clients_client ON agent_clients (organization_id, client_id);
CREATE INDEX agent_clients_of_agent ON agent_clients (organization_id, agent_id, created_at, id);

ALTER TABLE agent_clients ENABLE ROW LEVEL SECURITY;
ALTER TABLE agent_clients FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON agent_clients
  USING (organization_id = current_setting('app.organization_id', true))
  WITH CHECK (organization_id = current_setting('app.organization_id', true));
GRANT SELECT, INSERT, DELETE ON agent_clients TO mgmt_app;
