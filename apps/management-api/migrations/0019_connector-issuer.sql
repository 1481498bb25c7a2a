SET LOCAL lock_timeout = '300ms';
LOCK TABLE connectors;

-- Of oauth-pkce. That it is nothing for other methods is said by the application alone: the version before this one knows of no
-- such rule, and may change the method of a connector that has one.
ALTER TABLE connectors ADD COLUMN issuer text CHECK (length(issuer) BETWEEN 1 AND 2048);
