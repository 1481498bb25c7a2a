import type { TenantDatabase } from '@legate/postgres';
import { inSpan } from '@legate/service';

/** A span for each transaction of a request: by the names that our statements have, without what they ask for. */
export function traceTenants(tenants: TenantDatabase): TenantDatabase {
  return {
    withTenant: (organizationId, work) =>
      spanOf('transaction', () => tenants.withTenant(organizationId, work)),
    queryAsTenant: (organizationId, statement) =>
      spanOf(statement.name, () => tenants.queryAsTenant(organizationId, statement)),
    ping: tenants.ping,
  };
}

const spanOf = <Result>(operation: string, work: () => Promise<Result>): Promise<Result> =>
  inSpan(
    `postgres ${operation}`,
    'client',
    { 'db.system.name': 'postgresql', 'db.operation.name': operation },
    work,
  );
