CREATE TABLE usage_days (
  -- No foreign key: counts are saved for many organizations at once, and one that is gone must not refuse the others'.
  organization_id ext_id NOT NULL,
  day date NOT NULL, -- in UTC
  requests bigint NOT NULL CHECK (requests >= 0),
  throttled bigint NOT NULL CHECK (throttled BETWEEN 0 AND requests),
  PRIMARY KEY (organization_id, day)
);

ALTER TABLE usage_days ENABLE ROW LEVEL SECURITY;
ALTER TABLE usage_days FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON usage_days
  USING (organization_id = current_setting('app.organization_id', true))
  WITH CHECK (organization_id = current_setting('app.organization_id', true));
-- For the function below, which runs as the owner; the application's role is not a member of it.
CREATE POLICY counts ON usage_days TO CURRENT_USER USING (true);

-- Adds what one process has counted for many organizations. The application reads as one organization, and can neither
-- lower a count nor delete it.
CREATE FUNCTION add_usage(organization_ids text[], days date[], requests bigint[], throttled bigint[]) RETURNS void
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public AS $$
  INSERT INTO usage_days AS u (organization_id, day, requests, throttled)
  SELECT c.organization_id, c.day, c.requests, c.throttled
  FROM unnest($1, $2, $3, $4) AS c (organization_id, day, requests, throttled)
  ORDER BY c.organization_id, c.day -- in one order, so that two processes wait for each other, and do not lock up
  ON CONFLICT (organization_id, day) DO UPDATE
  SET requests = u.requests + excluded.requests, throttled = u.throttled + excluded.throttled
$$;
REVOKE EXECUTE ON FUNCTION add_usage(text[], date[], bigint[], bigint[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION add_usage(text[], date[], bigint[], bigint[]) TO mgmt_app;

GRANT SELECT ON usage_days TO mgmt_app;
