-- The row of a removed member stays, so that a token that is still valid does not add the member again.
ALTER TABLE members ADD COLUMN removed_at timestamptz(3);
ALTER TABLE members ADD COLUMN version int NOT NULL DEFAULT 1;
CREATE INDEX members_list ON members (organization_id, created_at, id) WHERE removed_at IS NULL;
