SET LOCAL lock_timeout = '300ms';
LOCK TABLE connectors;

ALTER TABLE connectors
  -- When the hub last told of an ID-JAG for this resource; not each time, but each time that it matters
  ADD COLUMN id_jag_used_at timestamptz,
  -- When an administrator last approved the fallback as it is
  ADD COLUMN fallback_approved_at timestamptz,
  -- Beyond `scopes`: what single tools may ask for
  ADD COLUMN step_up_scopes text[] NOT NULL DEFAULT '{}' CHECK (cardinality(step_up_scopes) <= 100);
