-- A removed member stays known, so that a token that is still valid does not bring him back.
ALTER TABLE members ADD COLUMN removed_at timestamptz(3);
ALTER TABLE members ADD COLUMN version int NOT NULL DEFAULT 1;
CREATE INDEX members_list ON members (organization_id, created_at, id) WHERE removed_at IS NULL;
