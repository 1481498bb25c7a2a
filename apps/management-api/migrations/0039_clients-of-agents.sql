SET LOCAL lock_timeout = '300ms';
LOCK TABLE agent_clients;

-- Clients that the organization registers for an agent, besides those with a document of their own.
ALTER TABLE agent_clients
  DROP CONSTRAINT agent_clients_client_id_check,
  ADD COLUMN name text CHECK (char_length(name) BETWEEN 1 AND 100 AND name = btrim(name)),
  ADD COLUMN redirect_uris text[] CHECK (cardinality(redirect_uris) BETWEEN 1 AND 20),
  ADD COLUMN auth_method text CHECK (auth_method IN ('none', 'client_secret_basic', 'private_key_jwt')),
  -- SHA-256: the secret is random enough for it.
  ADD COLUMN secret_hash bytea CHECK (octet_length(secret_hash) = 32),
  ADD COLUMN jwks jsonb,
  ADD CONSTRAINT agent_clients_client_id_check CHECK (length(client_id) BETWEEN 1 AND 512
    AND client_id LIKE CASE WHEN auth_method IS NULL THEN 'https://%' ELSE 'lac\_%' END),
  ADD CONSTRAINT agent_clients_registered_check CHECK (num_nonnulls(name, redirect_uris, auth_method) IN (0, 3)),
  ADD CONSTRAINT agent_clients_secret_check CHECK ((auth_method IS NOT DISTINCT FROM 'client_secret_basic') = (secret_hash IS NOT NULL)),
  ADD CONSTRAINT agent_clients_jwks_check CHECK ((auth_method IS NOT DISTINCT FROM 'private_key_jwt') = (jwks IS NOT NULL));
CREATE UNIQUE INDEX agent_clients_registered ON agent_clients (client_id) WHERE auth_method IS NOT NULL;

-- For the function below, as in 0032
CREATE POLICY looking_up ON agent_clients FOR SELECT TO CURRENT_USER USING (current_setting('app.looking_up', true) = 'on');

-- Where a registered client belongs. Says nothing else: the rest is read as the organization.
CREATE FUNCTION find_agent_client(registered_id text) RETURNS TABLE (organization_id text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.looking_up', 'on', true);
  RETURN QUERY SELECT k.organization_id::text FROM agent_clients k
    WHERE k.client_id = registered_id AND k.auth_method IS NOT NULL;
  PERFORM set_config('app.looking_up', 'off', true);
END $$;
REVOKE EXECUTE ON FUNCTION find_agent_client(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION find_agent_client(text) TO mgmt_app;
