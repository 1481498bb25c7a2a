import type { TenantDatabase } from '@legate/postgres';

interface Rights {
  readonly isSuperuser: boolean;
  readonly bypassesPolicies: boolean;
  readonly ownsTables: boolean;
}

const RIGHTS = {
  name: 'rights_of_login',
  text: `SELECT rolsuper AS "isSuperuser", rolbypassrls AS "bypassesPolicies", EXISTS (
      SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')
        AND pg_has_role(session_user, relowner, 'MEMBER')) AS "ownsTables"
    FROM pg_roles WHERE rolname = session_user`,
};

/**
 * Returns why a service in production should not use its login: an injected statement could return from the
 * application's role to the login, which row-level security would not bind.
 * @param options.mayOwn the same login migrates
 */
export async function loginFault(
  tenants: Pick<TenantDatabase, 'queryAsTenant'>,
  options: { mayOwn: boolean },
): Promise<string | undefined> {
  const [rights] = await tenants.queryAsTenant<Rights>('', RIGHTS);
  if (rights?.isSuperuser) return `its login is a superuser, ${REFUSED}`;
  if (rights?.bypassesPolicies) return `its login has BYPASSRLS, ${REFUSED}`;
  if (rights?.ownsTables && !options.mayOwn) return `its login owns the tables, ${REFUSED}`;
  return undefined;
}

const REFUSED = 'which is refused in production: use one that owns nothing, and is a member of mgmt_app';
