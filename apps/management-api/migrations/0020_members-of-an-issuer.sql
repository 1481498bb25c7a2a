SET LOCAL lock_timeout = '300ms';
LOCK TABLE members, organizations;

-- A sub is unique together with its issuer only. Null: not known yet, for the row is of before.
ALTER TABLE members ADD COLUMN issuer text CHECK (length(issuer) BETWEEN 1 AND 2048);
CREATE INDEX members_of_user ON members (user_id, issuer) WHERE removed_at IS NULL;

-- For the function below, which runs as the owner and switches the setting on for its transaction. Elsewhere the owner sees
-- no row more than before; to the application's role, which is not a member of it, the setting means nothing.
CREATE POLICY of_user ON members FOR SELECT TO CURRENT_USER USING (current_setting('app.reading_own', true) = 'on');
CREATE POLICY of_user ON organizations FOR SELECT TO CURRENT_USER USING (current_setting('app.reading_own', true) = 'on');

-- The organizations that a user is a member of, in the order of joining; not deleted ones, nor ones that removed the user.
-- Called for a sign-in that names no organization; every other query reads as the organization it knows.
CREATE FUNCTION organizations_of_user(issuer_of_user text, sub_of_user text)
RETURNS TABLE (organization_id text, name text, status text, member_id text, role text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  PERFORM set_config('app.reading_own', 'on', true);
  RETURN QUERY
    SELECT o.id::text, o.name, o.status, m.id::text, m.role
    FROM members m JOIN organizations o ON o.id = m.organization_id
    WHERE m.user_id = sub_of_user AND m.issuer = issuer_of_user AND m.removed_at IS NULL
      AND o.purge_at IS NULL AND o.status <> 'deleted'
    ORDER BY m.created_at, o.id;
END $$;
REVOKE EXECUTE ON FUNCTION organizations_of_user(text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION organizations_of_user(text, text) TO mgmt_app;
