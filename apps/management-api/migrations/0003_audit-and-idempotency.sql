CREATE TABLE audit_events (
  id ext_id NOT NULL,
  organization_id ext_id NOT NULL, -- no foreign key: the trail outlives what it is about
  action text NOT NULL,
  actor jsonb NOT NULL,
  targets jsonb NOT NULL DEFAULT '[]',
  changes jsonb,
  context jsonb NOT NULL DEFAULT '{}',
  occurred_at timestamptz(3) NOT NULL DEFAULT clock_timestamp(),
  PRIMARY KEY (organization_id, occurred_at, id)
) PARTITION BY RANGE (occurred_at);
-- What no month takes: an event is never refused because a partition is missing.
CREATE TABLE audit_events_default PARTITION OF audit_events DEFAULT;

ALTER TABLE audit_events ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_events FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON audit_events
  USING (organization_id = current_setting('app.organization_id', true))
  WITH CHECK (organization_id = current_setting('app.organization_id', true));
-- Partitions have no policy, so that nothing is seen past the parent's.
ALTER TABLE audit_events_default ENABLE ROW LEVEL SECURITY;
ALTER TABLE audit_events_default FORCE ROW LEVEL SECURITY;

-- Months in UTC. As the owner, because the application may not change the schema; it takes no text.
CREATE FUNCTION ensure_audit_partitions(months_ahead int) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
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
    -- Made by another process meanwhile, or the default partition has events of that month already.
    EXCEPTION WHEN duplicate_table OR unique_violation OR check_violation THEN
      NULL;
    END;
  END LOOP;
END $$;
REVOKE EXECUTE ON FUNCTION ensure_audit_partitions(int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION ensure_audit_partitions(int) TO mgmt_app;
SELECT ensure_audit_partitions(12);

GRANT SELECT, INSERT ON audit_events TO mgmt_app;
REVOKE UPDATE, DELETE, TRUNCATE ON audit_events FROM mgmt_app;

CREATE TABLE idempotency_keys (
  organization_id ext_id NOT NULL REFERENCES organizations ON DELETE CASCADE,
  user_id text NOT NULL,
  key text NOT NULL CHECK (length(key) BETWEEN 1 AND 255),
  request_hash bytea NOT NULL,
  -- json, not jsonb: an answer is repeated as it was, its members in their order.
  answer json,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (organization_id, user_id, key)
);
CREATE INDEX idempotency_keys_by_age ON idempotency_keys (organization_id, created_at);
ALTER TABLE idempotency_keys ENABLE ROW LEVEL SECURITY;
ALTER TABLE idempotency_keys FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON idempotency_keys
  USING (organization_id = current_setting('app.organization_id', true))
  WITH CHECK (organization_id = current_setting('app.organization_id', true));
GRANT SELECT, INSERT, UPDATE, DELETE ON idempotency_keys TO mgmt_app;
