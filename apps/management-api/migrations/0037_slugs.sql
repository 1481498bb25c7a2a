SET LOCAL lock_timeout = '300ms';
LOCK TABLE connectors;

-- Short name of a connector, in front of the names of its tools. Null where the version before registered it; the next change
-- by this one gives it a slug.
ALTER TABLE connectors ADD COLUMN slug text CHECK (slug ~ '^[a-z]([a-z0-9-]{0,14}[a-z0-9])?$');

-- As slugFrom in packages/management-contract makes them, for what is there, in order of creation.
ALTER TABLE connectors NO FORCE ROW LEVEL SECURITY;
DO $$
DECLARE
  one record;
  plain text;
  wanted text;
  number int;
BEGIN
  FOR one IN SELECT organization_id, id, name FROM connectors ORDER BY organization_id, created_at, id LOOP
    plain := btrim(regexp_replace(lower(regexp_replace(normalize(one.name, NFKD), '[\u0300-\u036f]', '', 'g')), '[^a-z0-9]+', '-', 'g'), '-');
    plain := CASE WHEN plain ~ '^[0-9]' THEN 'c-' || plain WHEN plain = '' THEN 'tools' ELSE plain END;
    number := 1;
    LOOP
      wanted := CASE number WHEN 1 THEN '' ELSE '-' || number END;
      wanted := rtrim(left(plain, 16 - length(wanted)), '-') || wanted;
      EXIT WHEN wanted NOT IN ('legate', 'hub', 'mcp', 'ui')
        AND NOT EXISTS (SELECT FROM connectors c WHERE c.organization_id = one.organization_id AND c.slug = wanted);
      number := number + 1;
    END LOOP;
    UPDATE connectors SET slug = wanted WHERE organization_id = one.organization_id AND id = one.id;
  END LOOP;
END
$$;
ALTER TABLE connectors FORCE ROW LEVEL SECURITY;

-- Deleted ones count: a host that always allows a tool must not come to allow another server's.
CREATE UNIQUE INDEX connectors_slug ON connectors (organization_id, slug);
