-- The number of sites, agents and connectors that an organization has, for the total of a list: docs/adr/0101. Triggers add each
-- change to a row of counts in the transaction of the change, so a snapshot that has the one has the other. The next migration
-- adds what is there already.
SET LOCAL lock_timeout = '300ms';
LOCK TABLE organizations, sites, agents, connectors IN SHARE ROW EXCLUSIVE MODE;

-- A count is the sum of its parts. A transaction adds to a part that no other one has locked, and otherwise makes another part,
-- so it never waits. There are never more parts than changes in transactions that were open at one time.
CREATE TABLE resource_counts (
  -- No foreign key: rows that go with their organization are counted after a cascade would have deleted their counts.
  organization_id ext_id NOT NULL,
  resource text NOT NULL CHECK (resource IN ('sites', 'agents', 'connectors')), -- the table
  part bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  present bigint NOT NULL, -- rows that are not deleted; less than 0 where they were counted in other parts
  PRIMARY KEY (organization_id, resource, part)
);
GRANT SELECT ON resource_counts TO mgmt_app;
ALTER TABLE resource_counts ENABLE ROW LEVEL SECURITY;
ALTER TABLE resource_counts FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON resource_counts
  USING (organization_id = current_setting('app.organization_id', true))
  WITH CHECK (organization_id = current_setting('app.organization_id', true));
CREATE POLICY counts ON resource_counts TO CURRENT_USER USING (true);

CREATE FUNCTION add_to_resource_count(in_organization text, of_resource text, difference bigint) RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  UPDATE resource_counts SET present = present + difference
  WHERE organization_id = in_organization AND resource = of_resource AND part = (
    SELECT c.part FROM resource_counts c WHERE c.organization_id = in_organization AND c.resource = of_resource
    ORDER BY c.part LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED
  );
  IF NOT FOUND THEN
    INSERT INTO resource_counts (organization_id, resource, present) VALUES (in_organization, of_resource, difference);
  END IF;
END $$;

-- By statement, so that a purge of many rows adds once for each organization.
CREATE FUNCTION count_resources() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  CASE TG_OP
  WHEN 'INSERT' THEN
    PERFORM add_to_resource_count(organization_id, TG_TABLE_NAME, count(*))
    FROM added WHERE deleted_at IS NULL GROUP BY organization_id;
  WHEN 'DELETE' THEN
    PERFORM add_to_resource_count(organization_id, TG_TABLE_NAME, -count(*))
    FROM removed WHERE deleted_at IS NULL GROUP BY organization_id;
  WHEN 'UPDATE' THEN
    PERFORM add_to_resource_count(organization_id, TG_TABLE_NAME, sum(difference))
    FROM (
      SELECT organization_id, 1 AS difference FROM added WHERE deleted_at IS NULL
      UNION ALL
      SELECT organization_id, -1 FROM removed WHERE deleted_at IS NULL
    ) changed GROUP BY organization_id HAVING sum(difference) <> 0;
  WHEN 'TRUNCATE' THEN
    DELETE FROM resource_counts WHERE resource = TG_TABLE_NAME;
  END CASE;
  RETURN NULL;
END $$;

DO $$
DECLARE
  counted text;
BEGIN
  FOREACH counted IN ARRAY ARRAY['sites', 'agents', 'connectors'] LOOP
    EXECUTE format('CREATE TRIGGER count_added AFTER INSERT ON %I
      REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_resources()', counted);
    EXECUTE format('CREATE TRIGGER count_changed AFTER UPDATE ON %I
      REFERENCING OLD TABLE AS removed NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_resources()', counted);
    EXECUTE format('CREATE TRIGGER count_removed AFTER DELETE ON %I
      REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_resources()', counted);
    EXECUTE format('CREATE TRIGGER count_truncated AFTER TRUNCATE ON %I
      FOR EACH STATEMENT EXECUTE FUNCTION count_resources()', counted);
  END LOOP;
END $$;

-- Counts go with their organization; at the end of the transaction, after the rows that a cascade deletes were counted.
CREATE FUNCTION forget_resource_counts() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  DELETE FROM resource_counts WHERE organization_id = OLD.id;
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER forget_resource_counts AFTER DELETE ON organizations DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION forget_resource_counts();

-- Adds the difference between rows and counts, which triggers keep as it is: one statement sees both as they were at one time, so
-- rows may change meanwhile. For the owner, after rows were loaded without triggers.
CREATE FUNCTION correct_resource_counts() RETURNS void
LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.purging', 'on', true); -- to see all organizations
  -- One at a time, and not while the purge deletes organizations
  PERFORM pg_advisory_xact_lock(hashtextextended('purge', 0));
  INSERT INTO resource_counts (organization_id, resource, present)
  SELECT organization_id, resource, sum(n) FROM (
    SELECT organization_id, 'sites' AS resource, count(*) AS n FROM sites WHERE deleted_at IS NULL GROUP BY organization_id
    UNION ALL
    SELECT organization_id, 'agents', count(*) FROM agents WHERE deleted_at IS NULL GROUP BY organization_id
    UNION ALL
    SELECT organization_id, 'connectors', count(*) FROM connectors WHERE deleted_at IS NULL GROUP BY organization_id
    UNION ALL
    SELECT organization_id, resource, -present FROM resource_counts
  ) counted GROUP BY organization_id, resource HAVING sum(n) <> 0;
END $$;

-- Triggers and the owner call these.
REVOKE EXECUTE ON FUNCTION
  add_to_resource_count(text, text, bigint), count_resources(), forget_resource_counts(), correct_resource_counts()
FROM PUBLIC;
