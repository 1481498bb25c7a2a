-- All locks at once, and none waited for as long as it takes to find a deadlock (1 s): who serves meanwhile is not its victim.
SET LOCAL lock_timeout = '300ms';
LOCK TABLE agent_connectors, connectors;

-- A service that does not migrate looks whether somebody did.
GRANT SELECT ON schema_migrations TO mgmt_app;

-- 0014 made the primary key of what 0007 had made unique. The foreign key goes over to it.
ALTER TABLE agent_connectors DROP CONSTRAINT agent_connectors_organization_id_connector_id_fkey;
ALTER TABLE connectors DROP CONSTRAINT connectors_organization_id_id_key;
ALTER TABLE agent_connectors ADD CONSTRAINT agent_connectors_organization_id_connector_id_fkey
  FOREIGN KEY (organization_id, connector_id) REFERENCES connectors (organization_id, id) ON DELETE CASCADE;

-- How long the audit trail is kept at least, whatever the application asks for. The owner may replace it.
CREATE FUNCTION audit_retention_minimum() RETURNS interval
LANGUAGE sql STABLE SET search_path = pg_catalog, pg_temp AS $$ SELECT interval '90 days' $$;

-- As in 0013, but no month that ended within the owner's minimum, by the clock of the database.
CREATE OR REPLACE FUNCTION drop_audit_partitions(at_time timestamptz, months_kept int) RETURNS int
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
  RETURN dropped;
END $$;

-- As in 0003, but a month for whose lock readers are in the way is left to the next time: whoever wants to read meanwhile
-- would wait too, and there are months ahead enough.
CREATE OR REPLACE FUNCTION ensure_audit_partitions(months_ahead int) RETURNS void
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
