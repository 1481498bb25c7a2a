SET LOCAL lock_timeout = '300ms';
LOCK TABLE api_keys;

-- Whoever finds an API key must not be able to register a client that users take for the organization's.
ALTER TABLE api_keys ADD CONSTRAINT api_keys_no_clients_check CHECK (kind <> 'api' OR NOT scopes @> ARRAY['clients:write']);
