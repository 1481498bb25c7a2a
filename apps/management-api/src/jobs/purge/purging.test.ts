import { expect, it } from '@jest/globals';
import type { NamedStatement, TenantDatabase } from '@legate/postgres';
import { createLogger, Registry } from '@legate/service';
import { createPurging } from './purging.ts';

/** A database in which rows of some kinds are due, once. */
function setUp(due: Record<string, number | null | Error>) {
  const left = { ...due };
  const queryAsTenant = async (_tenant: string, { name, values = [] }: NamedStatement) => {
    if (!['purge', 'erase_members', 'purge_machines', 'purge_invitations'].includes(String(name))) return [];
    const [kind] = values as [string];
    const gone = kind in left ? left[kind] : 0;
    delete left[kind];
    if (gone instanceof Error) throw gone;
    return [{ gone }];
  };
  const lines: string[] = [];
  const registry = new Registry();
  const run = createPurging({
    tenants: { queryAsTenant } as unknown as TenantDatabase,
    auditMonthsKept: undefined,
    clock: () => new Date(0),
    log: createLogger({
      service: 'test',
      level: 'info',
      destination: { write: (line: string) => lines.push(line) },
    }),
    registry,
  });
  return { run, registry, logged: () => lines.map((line) => JSON.parse(line)) };
}

it('reports what was deleted, in the log and in the metrics', async () => {
  const { run, registry, logged } = setUp({ sites: 3, idempotency_keys: 7 });
  await run();
  expect(logged()).toEqual([
    expect.objectContaining({ msg: 'purge', outcome: 'done', purged: { sites: 3, idempotency_keys: 7 } }),
  ]);
  const metrics = await registry.metrics();
  expect(metrics).toContain('purged_total{kind="sites"} 3');
  expect(metrics).toContain('purged_total{kind="idempotency_keys"} 7');
  expect(metrics).toContain('purge_runs_total{outcome="done"} 1');
});

it('stops if another process is purging', async () => {
  const { run, registry, logged } = setUp({ origins: 1, sites: null, agents: 5 });
  await run();
  expect(logged()).toEqual([expect.objectContaining({ outcome: 'left', purged: { origins: 1 } })]);
  expect(await registry.metrics()).toContain('purge_runs_total{outcome="left"} 1');
});

it('counts a run that fails, and the rows that it deleted before', async () => {
  const { run, registry } = setUp({ origins: 1, sites: new Error('of the database') });
  await expect(run()).rejects.toThrow('of the database');
  const metrics = await registry.metrics();
  expect(metrics).toContain('purge_runs_total{outcome="failed"} 1');
  expect(metrics).toContain('purged_total{kind="origins"} 1');
});
