SET LOCAL lock_timeout = '300ms';
LOCK TABLE organizations;

-- A deleted organization stays suspended with purge_at, as the version before knows it. These say what a restore brings back.
-- Null while suspended: by the version before, where only the operator could. While deleted: it was active.
ALTER TABLE organizations ADD COLUMN suspended_at timestamptz(3);
ALTER TABLE organizations ADD COLUMN suspended_by text CHECK (suspended_by IN ('owner', 'operator'));
-- Null with purge_at: deleted by the version before
ALTER TABLE organizations ADD COLUMN deleted_at timestamptz(3);

-- Organizations that were purged: a token that still names one must not create it anew.
CREATE TABLE organization_tombstones (
  organization_id ext_id PRIMARY KEY, -- no foreign key: it outlives the organization
  purged_at timestamptz(3) NOT NULL DEFAULT clock_timestamp()
);
ALTER TABLE organization_tombstones ENABLE ROW LEVEL SECURITY;
ALTER TABLE organization_tombstones FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON organization_tombstones
  USING (organization_id = current_setting('app.organization_id', true))
  WITH CHECK (organization_id = current_setting('app.organization_id', true));
-- The purge alone writes them, and the operator takes one away, as the owner of the tables.
GRANT SELECT ON organization_tombstones TO mgmt_app;

-- As in 0013, and each organization leaves a tombstone and an event.
CREATE OR REPLACE FUNCTION purge(what text, at_time timestamptz, at_most int) RETURNS int
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  -- By the slower of two clocks: a fast one must not make the young old.
  now_at timestamptz := least(at_time, clock_timestamp());
  -- Hours, because a day may have 23 of them where the server's time zone has summer time. A row of exactly that age can
  -- no longer be restored, and goes.
  month_ago timestamptz := now_at - interval '720 hours';
  day_ago timestamptz := now_at - interval '24 hours';
  batch int := least(at_most, 1000);
  due text[];
  one record;
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
    FOR one IN
      SELECT o.id::text AS id, o.name FROM organizations o WHERE o.purge_at <= now_at AND o.status <> 'active'
      ORDER BY o.purge_at LIMIT batch FOR UPDATE
    LOOP
      due := due || one.id;
      -- As the organization: both are its own rows.
      PERFORM set_config('app.organization_id', one.id, true);
      INSERT INTO organization_tombstones (organization_id) VALUES (one.id) ON CONFLICT DO NOTHING;
      INSERT INTO audit_events (id, organization_id, action, actor, targets)
      VALUES (
        'evt_' || upper(left(replace(gen_random_uuid()::text, '-', ''), 26)), one.id, 'organization.purged',
        '{"type": "system", "id": "management-api", "email": null}',
        jsonb_build_array(jsonb_build_object('type', 'organization', 'id', one.id, 'name', one.name))
      );
    END LOOP;
    PERFORM set_config('app.organization_id', '', true);
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
