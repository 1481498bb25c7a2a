SET LOCAL lock_timeout = '300ms';

-- As in 0018, and the default partition too: what a late start, or events of another time, left there has no month of its
-- own to be dropped with. Deleted row by row, some at a time.
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
