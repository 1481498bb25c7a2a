SET LOCAL lock_timeout = '300ms';

-- Who has proved a domain, for one who proves it now: the holder is then checked at once. Says nothing of what is not verified.
CREATE FUNCTION holder_of_domain(name text) RETURNS TABLE (organization_id text, id text)
LANGUAGE sql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
  SELECT d.organization_id::text, d.id::text FROM domains d WHERE d.domain = name AND d.state = 'verified'
$$;
REVOKE EXECUTE ON FUNCTION holder_of_domain(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION holder_of_domain(text) TO mgmt_app;

-- Where there are sealed secrets, disabled and deleted connectors included, to seal them anew. Gives out ids alone: what is
-- read and saved then is read and saved as the organization.
CREATE FUNCTION connectors_with_secrets(after_id text, at_most int) RETURNS TABLE (organization_id text, id text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  -- To the end of the transaction; it opens what the purge may see to the owner, and to nobody else.
  PERFORM set_config('app.purging', 'on', true);
  RETURN QUERY SELECT c.organization_id::text, c.id::text FROM connectors c
    WHERE (c.secret IS NOT NULL OR c.fallback_secret IS NOT NULL) AND c.id > after_id
    ORDER BY c.id LIMIT least(at_most, 1000);
END $$;
REVOKE EXECUTE ON FUNCTION connectors_with_secrets(text, int) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION connectors_with_secrets(text, int) TO mgmt_app;
