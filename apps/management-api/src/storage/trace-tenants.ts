import type { TenantDatabase } from '@legate/postgres';
import { inSpan } from '@legate/service';

/** Creates a span for each transaction of a request, with the names of its statements and without their values. */
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
