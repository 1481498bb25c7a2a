-- What is due is found by an index, over all organizations.
CREATE INDEX organizations_purge ON organizations (purge_at) WHERE purge_at IS NOT NULL;
CREATE INDEX sites_deleted ON sites (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX agents_deleted ON agents (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX connectors_deleted ON connectors (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX site_origins_expiry ON site_origins (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX onboarding_sessions_age ON onboarding_sessions (created_at);
CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);

-- For the function below, which runs as the owner and switches the setting on for its transaction. Elsewhere the owner sees
-- no row more than before; to the application's role, which is not a member of it, the setting means nothing.
CREATE POLICY purge ON organizations TO CURRENT_USER USING (current_setting('app.purging', true) = 'on');
CREATE POLICY purge ON sites TO CURRENT_USER USING (current_setting('app.purging', true) = 'on');
CREATE POLICY purge ON site_origins TO CURRENT_USER USING (current_setting('app.purging', true) = 'on');
CREATE POLICY purge ON agents TO CURRENT_USER USING (current_setting('app.purging', true) = 'on');
CREATE POLICY purge ON connectors TO CURRENT_USER USING (current_setting('app.purging', true) = 'on');
CREATE POLICY purge ON onboarding_sessions TO CURRENT_USER USING (current_setting('app.purging', true) = 'on');
CREATE POLICY purge ON idempotency_keys TO CURRENT_USER USING (current_setting('app.purging', true) = 'on');

-- Deletes for good at most some of what nobody can bring back any more, and of nothing else: what is due is said here, not
-- by the caller. Returns how many, or null where another process is at it. What belongs to a row goes with it: origins,
-- links and bindings, and all that an organization has but its audit trail.
CREATE FUNCTION purge(what text, at_time timestamptz, at_most int) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
DECLARE
  -- By the slower of two clocks: a fast one must not make the young old.
  now_at timestamptz := least(at_time, clock_timestamp());
  -- Hours, because a day may have 23 of them where the server's time zone has summer time. A row of exactly that age can
  -- no longer be restored, and goes.
  month_ago timestamptz := now_at - interval '720 hours';
  day_ago timestamptz := now_at - interval '24 hours';
  batch int := least(at_most, 1000);
  due text[];
  gone int;
BEGIN
  -- Both to the end of the transaction.
  PERFORM set_config('app.purging', 'on', true);
  IF NOT pg_try_advisory_xact_lock(hashtextextended('purge', 0)) THEN
    RETURN NULL;
  END IF;
  -- Each condition is said twice: for the search, and for a row that somebody changed while we waited for it.
  CASE what
  WHEN 'origins' THEN
    -- The site first, as everybody locks it who changes its origins. Its version counts the expired ones, and must not
    -- come back to what it was with fewer of them.
    SELECT array_agg(id) INTO due FROM (
      SELECT s.id::text FROM sites s
      WHERE s.id IN (SELECT site_id FROM site_origins WHERE expires_at <= month_ago ORDER BY expires_at LIMIT batch)
      FOR UPDATE SKIP LOCKED
    ) locked;
    DELETE FROM site_origins WHERE site_id = ANY (due) AND expires_at <= month_ago;
    GET DIAGNOSTICS gone = ROW_COUNT;
    UPDATE sites SET version = version + 1 WHERE id = ANY (due);
    RETURN gone;
  WHEN 'sites', 'agents', 'connectors' THEN
    -- Also those of organizations that are due, so that an organization goes in batches too.
    EXECUTE format('DELETE FROM %1$I t
      WHERE t.id IN (
        SELECT id FROM %1$I WHERE deleted_at <= $1
        UNION ALL
        SELECT c.id FROM organizations o JOIN %1$I c ON c.organization_id = o.id
        WHERE o.purge_at <= $2 AND o.status <> ''active''
        LIMIT $3
      ) AND (t.deleted_at <= $1 OR EXISTS (
        SELECT FROM organizations o WHERE o.id = t.organization_id AND o.purge_at <= $2 AND o.status <> ''active''
      ))', what) USING month_ago, now_at, batch;
  WHEN 'organizations' THEN
    SELECT array_agg(id) INTO due FROM (
      SELECT id::text FROM organizations WHERE purge_at <= now_at AND status <> 'active'
      ORDER BY purge_at LIMIT batch FOR UPDATE
    ) locked;
    DELETE FROM usage_days WHERE organization_id = ANY (due);
    DELETE FROM organizations WHERE id = ANY (due);
  WHEN 'onboarding_sessions' THEN
    DELETE FROM onboarding_sessions WHERE created_at <= day_ago AND id IN (
      SELECT id FROM onboarding_sessions WHERE created_at <= day_ago ORDER BY created_at LIMIT batch
    );
  WHEN 'idempotency_keys' THEN
    DELETE FROM idempotency_keys WHERE created_at <= day_ago AND (organization_id, user_id, key) IN (
      SELECT organization_id, user_id, key FROM idempotency_keys WHERE created_at <= day_ago
      ORDER BY created_at LIMIT batch
    );
  END CASE;
  GET DIAGNOSTICS gone = ROW_COUNT;
  RETURN gone;
END $$;
REVOKE EXECUTE ON FUNCTION purge(text, timestamptz, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION purge(text, timestamptz, int) TO mgmt_app;

-- Drops the months that ended that many months ago or earlier, and returns how many. A month is some 28 days at least, and
-- one is always kept. It waits for no reader longer than a second: all others would wait behind it.
CREATE FUNCTION drop_audit_partitions(at_time timestamptz, months_kept int) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public SET lock_timeout = '1s' AS $$
DECLARE
  ended_by timestamp := least(at_time, clock_timestamp()) AT TIME ZONE 'UTC' - make_interval(months => greatest(months_kept, 1));
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
REVOKE EXECUTE ON FUNCTION drop_audit_partitions(timestamptz, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION drop_audit_partitions(timestamptz, int) TO mgmt_app;
