ALTER TABLE connectors
  -- In this order, each only where the one before does not exist
  ADD COLUMN fallback text[] NOT NULL DEFAULT '{}'
    CHECK (fallback <@ ARRAY['passthrough', 'service', 'oauth-pkce'] AND cardinality(fallback) <= 3),
  ADD COLUMN passthrough_audiences text[] NOT NULL DEFAULT '{}' CHECK (cardinality(passthrough_audiences) <= 20),
  ADD COLUMN api_key_header text CHECK (length(api_key_header) BETWEEN 1 AND 64),
  ADD COLUMN ca_certificates text CHECK (length(ca_certificates) BETWEEN 1 AND 32768),
  -- Of `service` where that is a fallback; sealed like the other one
  ADD COLUMN fallback_secret bytea;

-- Those of 0007 that knew of one method only
ALTER TABLE connectors
  DROP CONSTRAINT connectors_check, -- client_id
  DROP CONSTRAINT connectors_check1, -- service_kind
  DROP CONSTRAINT connectors_check5, -- acknowledge_legacy
  ADD CONSTRAINT connectors_fallback_once CHECK (auth_method <> ALL (fallback)),
  ADD CONSTRAINT connectors_client_id CHECK (
    client_id IS NOT NULL OR NOT ARRAY['id-jag', 'oauth-pkce'] && array_append(fallback, auth_method)
  ),
  ADD CONSTRAINT connectors_service_kind CHECK (
    (service_kind IS NOT NULL) = ('service' = ANY (array_append(fallback, auth_method)))
  ),
  ADD CONSTRAINT connectors_acknowledged CHECK (
    acknowledge_legacy = ('passthrough' = ANY (array_append(fallback, auth_method)))
  ),
  ADD CONSTRAINT connectors_fallback_secret CHECK (
    CASE WHEN 'service' = ANY (fallback) THEN fallback_secret IS NOT NULL OR NOT enabled ELSE fallback_secret IS NULL END
  );
