SET LOCAL lock_timeout = '300ms';

-- How many organizations have members, and no owner among them: for the operator, who alone can appoint one. Says nothing else.
CREATE FUNCTION organizations_without_owner() RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  found_ones bigint;
BEGIN
  -- To the end of the transaction, as for organizations_of_user()
  PERFORM set_config('app.reading_own', 'on', true);
  SELECT count(*) INTO found_ones FROM organizations o
  WHERE o.status = 'active' AND o.purge_at IS NULL
    AND EXISTS (SELECT FROM members m WHERE m.organization_id = o.id AND m.removed_at IS NULL)
    AND NOT EXISTS (
      SELECT FROM members m WHERE m.organization_id = o.id AND m.removed_at IS NULL AND m.role = 'owner'
    );
  RETURN found_ones;
END $$;
REVOKE EXECUTE ON FUNCTION organizations_without_owner() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION organizations_without_owner() TO mgmt_app;
