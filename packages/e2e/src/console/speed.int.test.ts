import { afterAll, beforeAll, expect } from '@jest/globals';
import { scene } from '@legate/dev';
import { needs } from '@legate/testing';
import { openPostgres } from '../postgres-process.ts';
import { type StackUnderTest, startStackUnderTest } from '../stack-under-test.ts';
import { fillOrganization } from './large-organization.ts';
import { apiAs } from './people.ts';

/** Measures the audit trail of a large organization. Fails above twice the budget, because the machine may be shared. */

const { it, path } = needs('night', 'PostgreSQL');
const RUNS = 5;
const BUDGET = { firstPageMs: 1000, page100Ms: 300 };

let postgres: Awaited<ReturnType<typeof openPostgres>>;
let stack: StackUnderTest;
beforeAll(async () => {
  postgres = await openPostgres(path.PostgreSQL);
  await postgres.start();
  stack = await startStackUnderTest({ databaseServer: postgres.url });
  await fillOrganization(stack.databaseUrl);
});
afterAll(async () => {
  await stack?.stop();
  await postgres?.remove();
});

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

it('reads page 1 and page 100 of 100,000 events within twice their budget', async () => {
  const api = await apiAs(stack, scene.USERS.alice.email);
  const timeOf = async (path: string) => {
    await api('GET', path);
    const times: number[] = [];
    for (let run = 0; run < RUNS; run++) {
      const begin = performance.now();
      await api('GET', path);
      times.push(performance.now() - begin);
    }
    return median(times);
  };
  const first = await timeOf('/audit-events?limit=50');
  const hundredth = await timeOf('/audit-events?limit=50&offset=4950');
  const search = await timeOf('/audit-events?limit=50&search=Agent%20150');
  const ms = [first, hundredth, search].map((value) => Math.round(value)).join(', ');
  process.stdout.write(`Audit events: page 1, page 100, a search: ${ms} ms\n`);
  expect(first).toBeLessThan(2 * BUDGET.firstPageMs);
  expect(hundredth).toBeLessThan(2 * BUDGET.page100Ms);
});
