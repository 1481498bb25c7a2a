SET LOCAL lock_timeout = '300ms';

-- Counts the calls that were recorded before 0027, which has counted all since: they have no `recorded_at`. Takes as long as
-- reading the trail does, and holds nobody up; the counts of a day are locked for its last moment only.
SELECT set_config('app.counting', 'on', true);
INSERT INTO call_counts AS c
  (organization_id, day, connector_id, agent_id, leg, rule, allowed, refused, failed, first_allowed_at)
SELECT e.organization_id, (e.occurred_at AT TIME ZONE 'UTC')::date,
  coalesce(jsonb_path_query_first(e.targets, '$[*] ? (@.type == "connector").id') #>> '{}', '') AS connector,
  coalesce(jsonb_path_query_first(e.targets, '$[*] ? (@.type == "agent").id') #>> '{}', '') AS agent,
  coalesce(e.details ->> 'leg', '') AS leg, coalesce(e.details ->> 'rule', '') AS rule,
  count(*) FILTER (WHERE o.outcome = 'allowed'),
  coalesce(sum(CASE WHEN jsonb_typeof(e.details -> 'count') = 'number'
    THEN least(greatest((e.details ->> 'count')::numeric, 1), 1000000000)::bigint ELSE 1 END)
    FILTER (WHERE o.outcome = 'refused'), 0),
  count(*) FILTER (WHERE o.outcome = 'failed'),
  min(e.occurred_at) FILTER (WHERE o.outcome = 'allowed')
FROM audit_events e, LATERAL (SELECT public.outcome_of_call(e.action) AS outcome) o
WHERE e.recorded_at IS NULL AND o.outcome IS NOT NULL
GROUP BY 1, 2, 3, 4, 5, 6
ORDER BY 1, 2, 3, 4, 5, 6
ON CONFLICT (organization_id, day, connector_id, agent_id, leg, rule) DO UPDATE
SET allowed = c.allowed + excluded.allowed, refused = c.refused + excluded.refused, failed = c.failed + excluded.failed,
  first_allowed_at = least(c.first_allowed_at, excluded.first_allowed_at);
