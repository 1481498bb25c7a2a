#!/bin/sh
# Runs once, in an empty database: the owner of the tables, who migrates them, and the login of the service, whom row-level
# security binds. Their passwords are those of the connection URLs, which are secrets.
set -eu
password_in() { sed -E 's|^[a-z]+://[^:]+:([^@]+)@.*|\1|' "$1"; }

psql -v ON_ERROR_STOP=1 --no-psqlrc --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" \
  -v database="$POSTGRES_DB" \
  -v owner_password="$(password_in /run/secrets/migration-database-url)" \
  -v service_password="$(password_in /run/secrets/database-url)" <<'SQL'
CREATE ROLE mgmt_app NOLOGIN;
CREATE ROLE legate_owner LOGIN PASSWORD :'owner_password' IN ROLE mgmt_app;
CREATE ROLE management_api LOGIN PASSWORD :'service_password' IN ROLE mgmt_app;
ALTER DATABASE :"database" OWNER TO legate_owner;
SQL
