-- All locks at once, as in 0018.
SET LOCAL lock_timeout = '300ms';
LOCK TABLE organizations, audit_events;

-- When an event was recorded, which may be long after it occurred: a reader who follows the trail misses none. Not volatile
-- while the column is added, or all events would be rewritten; null for those of before.
ALTER TABLE audit_events ADD COLUMN IF NOT EXISTS recorded_at timestamptz(3);
ALTER TABLE audit_events ALTER COLUMN recorded_at SET DEFAULT clock_timestamp();
-- Not coalesce(), which row-level security takes for a function that may leak, and then uses no index.
-- Of a large trail it is made by hand before, for each partition, after the column: docs/operations/upgrade.md
CREATE INDEX IF NOT EXISTS audit_events_recorded
  ON audit_events (organization_id, (CASE WHEN recorded_at IS NULL THEN occurred_at ELSE recorded_at END), id);

-- Calls by day, as the hub reports them.
CREATE TABLE call_counts (
  organization_id ext_id NOT NULL, -- no foreign key: events are taken for organizations that are not known yet
  day date NOT NULL, -- in UTC
  connector_id text NOT NULL, -- '' for none, here and below: a call may be refused before it is known
  agent_id text NOT NULL,
  leg text NOT NULL,
  rule text NOT NULL,
  allowed bigint NOT NULL CHECK (allowed >= 0),
  refused bigint NOT NULL CHECK (refused >= 0),
  failed bigint NOT NULL CHECK (failed >= 0),
  first_allowed_at timestamptz(3),
  PRIMARY KEY (organization_id, day, connector_id, agent_id, leg, rule)
);
ALTER TABLE call_counts ENABLE ROW LEVEL SECURITY;
ALTER TABLE call_counts FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON call_counts
  USING (organization_id = current_setting('app.organization_id', true))
  WITH CHECK (organization_id = current_setting('app.organization_id', true));
-- For the functions below, which run as the owner; the application's role is not a member of it.
CREATE POLICY counts ON call_counts TO CURRENT_USER USING (true);
GRANT SELECT ON call_counts TO mgmt_app;

-- What an event counts as. Null for what is no call.
CREATE FUNCTION outcome_of_call(action text) RETURNS text
LANGUAGE sql IMMUTABLE SET search_path = pg_catalog, pg_temp AS $$
  SELECT CASE
    WHEN action IN ('tool.called', 'prompt.read', 'resource.read', 'delegation.granted') THEN 'allowed'
    WHEN action IN ('tool.denied', 'prompt.denied', 'resource.denied', 'delegation.denied') THEN 'refused'
    WHEN action IN ('tool.failed', 'prompt.failed', 'resource.failed', 'delegation.failed') THEN 'failed'
  END
$$;

-- Adds calls to the counts, in the transaction that records their events. One that is sent again is not inserted, so it
-- counts once; and the version before counts too, without knowing of it.
CREATE FUNCTION count_calls() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  INSERT INTO call_counts AS c
    (organization_id, day, connector_id, agent_id, leg, rule, allowed, refused, failed, first_allowed_at)
  SELECT e.organization_id, (e.occurred_at AT TIME ZONE 'UTC')::date,
    coalesce(jsonb_path_query_first(e.targets, '$[*] ? (@.type == "connector").id') #>> '{}', '') AS connector,
    coalesce(jsonb_path_query_first(e.targets, '$[*] ? (@.type == "agent").id') #>> '{}', '') AS agent,
    coalesce(e.details ->> 'leg', '') AS leg, coalesce(e.details ->> 'rule', '') AS rule,
    count(*) FILTER (WHERE o.outcome = 'allowed'),
    -- One event may stand for many refusals.
    coalesce(sum(CASE WHEN jsonb_typeof(e.details -> 'count') = 'number'
      THEN least(greatest((e.details ->> 'count')::numeric, 1), 1000000000)::bigint ELSE 1 END)
      FILTER (WHERE o.outcome = 'refused'), 0),
    count(*) FILTER (WHERE o.outcome = 'failed'),
    min(e.occurred_at) FILTER (WHERE o.outcome = 'allowed')
  FROM recorded e, LATERAL (SELECT public.outcome_of_call(e.action) AS outcome) o
  WHERE o.outcome IS NOT NULL
  GROUP BY 1, 2, 3, 4, 5, 6
  ORDER BY 1, 2, 3, 4, 5, 6 -- in one order, so that two processes wait for each other, and do not lock up
  ON CONFLICT (organization_id, day, connector_id, agent_id, leg, rule) DO UPDATE
  SET allowed = c.allowed + excluded.allowed, refused = c.refused + excluded.refused, failed = c.failed + excluded.failed,
    first_allowed_at = least(c.first_allowed_at, excluded.first_allowed_at);
  RETURN NULL;
END $$;
CREATE TRIGGER count_calls AFTER INSERT ON audit_events
  REFERENCING NEW TABLE AS recorded FOR EACH STATEMENT EXECUTE FUNCTION count_calls();

-- Counts go with their organization, as usage does.
CREATE FUNCTION forget_calls() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  DELETE FROM call_counts WHERE organization_id = OLD.id;
  RETURN NULL;
END $$;
CREATE TRIGGER forget_calls AFTER DELETE ON organizations FOR EACH ROW EXECUTE FUNCTION forget_calls();
REVOKE EXECUTE ON FUNCTION count_calls(), forget_calls() FROM PUBLIC;

-- For 0028, which counts the calls of before: the owner sees the trail while this setting is on, and nobody else does.
CREATE POLICY counting ON audit_events FOR SELECT TO CURRENT_USER USING (current_setting('app.counting', true) = 'on');
