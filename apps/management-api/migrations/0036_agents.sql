SET LOCAL lock_timeout = '300ms';
LOCK TABLE organizations;

-- What the tool hub demands of agents in lists and calls; the version before demands nothing.
ALTER TABLE organizations ADD COLUMN agent_policy text NOT NULL DEFAULT 'any'
  CHECK (agent_policy IN ('any', 'named', 'authenticated'));
