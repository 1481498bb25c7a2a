SET LOCAL lock_timeout = '300ms';
LOCK TABLE organizations, agent_connectors, site_agents;

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

ALTER TABLE client_consents ENABLE ROW LEVEL SECURITY;
ALTER TABLE client_consents FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON client_consents
  USING (organization_id = current_setting('app.organization_id', true))
  WITH CHECK (organization_id = current_setting('app.organization_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON client_consents TO mgmt_app;

-- Raised by a trigger, since the version before does not raise it. New rows begin with the time: a binding that was deleted and
-- made anew must not have a version that it had before.
ALTER TABLE agent_connectors ADD COLUMN version bigint NOT NULL DEFAULT 1;
ALTER TABLE site_agents ADD COLUMN version bigint NOT NULL DEFAULT 1;
ALTER TABLE agent_connectors ALTER COLUMN version SET DEFAULT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint;
ALTER TABLE site_agents ALTER COLUMN version SET DEFAULT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint;

CREATE FUNCTION raise_binding_version() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp AS $$
BEGIN
  NEW.version := OLD.version + 1;
  RETURN NEW;
END $$;
REVOKE EXECUTE ON FUNCTION raise_binding_version() FROM PUBLIC;
CREATE TRIGGER raise_version BEFORE UPDATE ON agent_connectors
  FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION raise_binding_version();
CREATE TRIGGER raise_version BEFORE UPDATE ON site_agents
  FOR EACH ROW WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION raise_binding_version();
