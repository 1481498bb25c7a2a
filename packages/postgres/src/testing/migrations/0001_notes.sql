-- For the tests of this package.
DO $$ BEGIN
  CREATE ROLE legate_notes_app NOLOGIN;
EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; -- roles belong to the server, not to one database
END $$;

CREATE TABLE notes (
  organization_id text NOT NULL,
  body text NOT NULL UNIQUE DEFERRABLE INITIALLY DEFERRED
);
ALTER TABLE notes ENABLE ROW LEVEL SECURITY;
ALTER TABLE notes FORCE ROW LEVEL SECURITY;
CREATE POLICY tenant ON notes
  USING (organization_id = current_setting('app.organization_id', true))
  WITH CHECK (organization_id = current_setting('app.organization_id', true));
GRANT SELECT, INSERT ON notes TO legate_notes_app;
GRANT SELECT ON schema_migrations TO legate_notes_app;
