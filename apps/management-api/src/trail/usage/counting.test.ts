import { expect, it } from '@jest/globals';
import { OrganizationId } from '@legate/ids';
import { DatabaseUnavailable, type TenantDatabase } from '@legate/postgres';
import { createLogger, createMetrics } from '@legate/service';
import { startUsageCounting } from './counting.ts';

const notAsked = () => Promise.reject(new Error('not asked'));

function start(queryAsTenant: (values: readonly unknown[] | undefined) => Promise<never[]>) {
  const tenants: TenantDatabase = {
    queryAsTenant: (_organizationId, { values }) => queryAsTenant(values),
    withTenant: notAsked,
    ping: notAsked,
  };
  return startUsageCounting({
    unsharedTenants: tenants,
    clock: () => new Date('2026-09-21T12:00:00Z'),
    log: createLogger({ service: 'test', level: 'silent' }),
    metrics: createMetrics('test'),
  });
}

it('saves the remaining counts when it stops', async () => {
  const saved: unknown[] = [];
  const usage = start(async (values) => {
    saved.push(values);
    return [];
  });
  usage.count(OrganizationId.parse('org_acme'), true);
  await usage.stop();
  expect(saved).toEqual([[['org_acme'], ['2026-09-21'], [1], [1]]]);
});

it('stops even while the database is down', async () => {
  const usage = start(() => Promise.reject(new DatabaseUnavailable(new Error('down'))));
  usage.count(OrganizationId.parse('org_acme'), false);
  await expect(usage.stop()).resolves.toBeUndefined();
});
