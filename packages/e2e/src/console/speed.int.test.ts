import { afterAll, expect } from '@jest/globals';
import { scene } from '@legate/dev';
import { needs } from '@legate/testing';
import { openPostgres } from '../postgres-process.ts';
import { startStackUnderTest } from '../stack-under-test.ts';
import { fillOrganization } from './large-organization.ts';
import { apiAs } from './people.ts';
import { setStage } from './stage.ts';

/** Measures the audit trail of a large organization. It fails at twice the budget: the machine has other work. */

const { it, path } = needs('night', 'Chromium', 'PostgreSQL');
const ALICE = scene.USERS.alice.email;
const RUNS = 3;
const BUDGET = { firstPageMs: 1000, page100Ms: 300 };

let postgres: Awaited<ReturnType<typeof openPostgres>>;
const stage = setStage(
  path.Chromium,
  ({ databaseUrl = '' }) => fillOrganization(databaseUrl),
  async () => {
    postgres = await openPostgres(path.PostgreSQL);
    await postgres.start();
    return startStackUnderTest({ databaseServer: postgres.url });
  },
);
afterAll(() => postgres?.remove());

const median = (values: readonly number[]) => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

it('reads page 1 and page 100 of 100,000 events within twice their budget', async () => {
  const api = await apiAs(stage.stack, ALICE);
  const timeOf = async (path: string) => {
    const times: number[] = [];
    for (let run = 0; run < 2 * RUNS; run++) {
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
