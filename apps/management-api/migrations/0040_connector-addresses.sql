SET LOCAL lock_timeout = '300ms';
LOCK TABLE connectors;

ALTER TABLE connectors
  -- Null: `resource_url` itself, or `/mcp` there if that is only a host
  ADD COLUMN mcp_url text CHECK (length(mcp_url) BETWEEN 1 AND 2048 AND mcp_url ~ '^https?://'),
  -- Null: as the authorization server's metadata has it
  ADD COLUMN token_endpoint_auth_method text
    CHECK (token_endpoint_auth_method IN ('client_secret_basic', 'client_secret_post', 'private_key_jwt')),
  -- Of the token exchange. Null: derived from the metadata
  ADD COLUMN audience text CHECK (length(audience) BETWEEN 1 AND 2048);

ALTER TABLE connectors NO FORCE ROW LEVEL SECURITY;
-- The version before posted to `/mcp` below every address that did not end so. What it reached stays where it is; with a query
-- it reached nothing.
UPDATE connectors SET mcp_url = regexp_replace(resource_url, '/$', '') || '/mcp'
WHERE resource_url ~ '^https?://[^/?#]+/' AND resource_url !~ '/mcp/?$' AND resource_url !~ '[?#]'
  AND length(resource_url) <= 2044;
-- It sent every secret in the body. Where that works, it stays so.
UPDATE connectors SET token_endpoint_auth_method = 'client_secret_post'
WHERE auth_method = 'id-jag' AND (id_jag_used_at IS NOT NULL OR consent_used_at IS NOT NULL);
ALTER TABLE connectors FORCE ROW LEVEL SECURITY;
