-- A table of pg_temp is found before all others wherever pg_temp is not named, so that the application could put a table of
-- its own, with triggers of its own, in the way of a function that runs as the owner. Named last, it hides nothing.
ALTER FUNCTION ensure_audit_partitions(int) SET search_path = pg_catalog, public, pg_temp;
ALTER FUNCTION take_due_domains(timestamptz, timestamptz, int) SET search_path = pg_catalog, public, pg_temp;
ALTER FUNCTION add_usage(text[], date[], bigint[], bigint[]) SET search_path = pg_catalog, public, pg_temp;
ALTER FUNCTION purge(text, timestamptz, int) SET search_path = pg_catalog, public, pg_temp;
ALTER FUNCTION drop_audit_partitions(timestamptz, int) SET search_path = pg_catalog, public, pg_temp;
ALTER FUNCTION take_due_revocations(timestamptz, timestamptz, int) SET search_path = pg_catalog, public, pg_temp;
