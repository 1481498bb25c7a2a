SET LOCAL lock_timeout = '300ms';
LOCK TABLE connectors;

-- A registered client of oauth-pkce may have a secret. What 0007 said of both methods stays said of passthrough. That only a
-- registered one has it is said by the application alone: the version before this one knows of no such rule.
ALTER TABLE connectors
  DROP CONSTRAINT connectors_check3,
  ADD CONSTRAINT connectors_passthrough_secret CHECK (auth_method <> 'passthrough' OR secret IS NULL);
