-- An id of a connector is unique in its organization: two organizations may be given the same connectors.
ALTER TABLE connectors DROP CONSTRAINT connectors_pkey;
ALTER TABLE connectors ADD PRIMARY KEY (organization_id, id);

-- What services tell of, besides what all events have.
ALTER TABLE audit_events ADD COLUMN details jsonb;

-- What the tool hub has yet to be told. A row is written in the transaction of the change that it follows from, so that
-- neither is without the other, and goes when the hub has answered.
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

ALTER TABLE pending_revocations ENABLE ROW LEVEL SECURITY;
ALTER TABLE pending_revocations FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON pending_revocations
  USING (organization_id = current_setting('app.organization_id', true))
  WITH CHECK (organization_id = current_setting('app.organization_id', true));
-- For the function below, which runs as the owner; the application's role is not a member of it.
CREATE POLICY deliveries ON pending_revocations TO CURRENT_USER USING (true);

-- Delivery is work for all organizations. What is given out is due again at `again_at`: each row is given to one process,
-- and once more if that one dies.
CREATE FUNCTION take_due_revocations(due_before timestamptz, again_at timestamptz, at_most int)
RETURNS SETOF pending_revocations
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
  UPDATE pending_revocations p SET due_at = again_at, attempts = p.attempts + 1
  WHERE p.id IN (
    SELECT due.id FROM pending_revocations due WHERE due.due_at <= due_before
    ORDER BY due.due_at LIMIT least(at_most, 1000) FOR UPDATE SKIP LOCKED
  )
  RETURNING p.*
$$;
REVOKE EXECUTE ON FUNCTION take_due_revocations(timestamptz, timestamptz, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION take_due_revocations(timestamptz, timestamptz, int) TO mgmt_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON pending_revocations TO mgmt_app;
