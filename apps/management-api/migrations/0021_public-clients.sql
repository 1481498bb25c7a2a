SET LOCAL lock_timeout = '300ms';
LOCK TABLE connectors;

-- Behind oauth-pkce, and as oauth-pkce, a client may be one that is registered nowhere. What 0017 said of both methods stays
-- said of id-jag, which cannot be a fallback.
ALTER TABLE connectors
  DROP CONSTRAINT connectors_client_id,
  ADD CONSTRAINT connectors_client_id CHECK (client_id IS NOT NULL OR auth_method <> 'id-jag');
