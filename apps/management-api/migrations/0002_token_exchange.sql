-- The method token-exchange: a connector has the audience for which the access token of a user is exchanged, and what `aud` of
-- the new token is. Both checks only become wider.
SET LOCAL lock_timeout = '300ms';
LOCK TABLE connectors;
ALTER TABLE connectors
  DROP CONSTRAINT connectors_auth_method_check,
  ADD CONSTRAINT connectors_auth_method_check
    CHECK (auth_method IN ('id-jag', 'passthrough', 'service', 'oauth-pkce', 'token-exchange')),
  DROP CONSTRAINT connectors_fallback_check,
  ADD CONSTRAINT connectors_fallback_check
    CHECK (fallback <@ ARRAY['passthrough', 'service', 'oauth-pkce', 'token-exchange'] AND cardinality(fallback) <= 4),
  ADD COLUMN exchange_audience text CHECK (length(exchange_audience) BETWEEN 1 AND 2048),
  ADD COLUMN token_audience text CHECK (length(token_audience) BETWEEN 1 AND 2048), -- null: exchange_audience
  ADD COLUMN acknowledge_shared_audience boolean NOT NULL DEFAULT false,
  -- As id_jag_used_at: when the hub last reported such a token for this resource
  ADD COLUMN token_exchange_used_at timestamptz;
