import { readFile } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { needs } from '@legate/testing';
import { Client } from 'pg';
import { type ApiUnderTest, startApiUnderTest } from './api-under-test.ts';
import { openPostgres } from './postgres-process.ts';

/** Tests the built management-api with a member who requests many of the largest possible pages at the same time. */

const { it, path } = needs('night', 'PostgreSQL', 'procfs');
const EVENTS = 400;
/** Size of the changes in an event that is as large as a list allows */
const CHANGES_BYTES = 15_000;
const AT_ONCE = 24;
const MAX_GROWTH_MB = 64;
const PAGE = '/api/v1/audit-events?action=agent.updated&limit=100';

let postgres: Awaited<ReturnType<typeof openPostgres>>;
let api: ApiUnderTest;
let acme: Record<string, string>;
let globex: Record<string, string>;
let restingMb: number;
beforeAll(async () => {
  postgres = await openPostgres(path.PostgreSQL);
  await postgres.start();
  // No Redis: this test does not need rate limits.
  api = await startApiUnderTest({
    databaseUrl: postgres.url,
    redisUrl: 'redis://127.0.0.1:1',
    organizations: ['org_acme', 'org_globex'],
    env: { NODE_OPTIONS: '--max-old-space-size=96' }, // otherwise uncollected garbage would be measured
  });
  const owner = new Client({ connectionString: postgres.url });
  await owner.connect();
  await owner.query(
    `INSERT INTO audit_events (id, organization_id, action, actor, targets, changes, context, occurred_at)
     SELECT 'evt_' || lpad(i::text, 26, '0'), 'org_acme', 'agent.updated', '{"type":"user","id":"u","email":null}', '[]',
       jsonb_build_object('instructions', jsonb_build_object('from', null, 'to', repeat('x', $2::int))),
       '{"request_id":null,"ip":null,"user_agent":null}', clock_timestamp() - i * interval '1 second'
     FROM generate_series(1, $1::int) i`,
    [EVENTS, CHANGES_BYTES],
  );
  await owner.query('ANALYZE audit_events');
  await owner.end();
  const bearer = async (id: string) => ({ Authorization: `Bearer ${await api.token(id)}` });
  acme = await bearer('org_acme');
  globex = await bearer('org_globex');
  // Memory that the program itself needs, after it has done each of these things once
  for (let i = 0; i < 10; i += 1) {
    const answer = await fetch(`${api.url}${PAGE}`, { headers: acme });
    expect([answer.status, (await answer.text()).length > 450_000]).toEqual([200, true]);
  }
  expect((await fetch(`${api.url}/api/v1/sites`, { headers: globex })).status).toBe(200);
  restingMb = await memoryMb();
}, 600_000);
afterAll(async () => {
  await api?.stop();
  await postgres?.remove();
});

async function memoryMb(): Promise<number> {
  const status = await readFile(`/proc/${api.service.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

/** Measures the memory until `work` is done, and sends requests of another organization meanwhile. */
async function during(
  work: Promise<unknown>,
  look = () => {},
): Promise<{ largestMb: number; others: Set<number> }> {
  let isDone = false;
  let largestMb = 0;
  const others = new Set<number>();
  const watch = (async () => {
    while (!isDone) {
      others.add((await fetch(`${api.url}/api/v1/sites`, { headers: globex })).status);
      largestMb = Math.max(largestMb, await memoryMb());
      look();
    }
  })();
  await work.finally(() => {
    isDone = true;
  });
  await watch;
  return { largestMb, others };
}

describe(`${AT_ONCE} of the largest pages at once`, () => {
  it(`take less than ${MAX_GROWTH_MB} MB, and another organization is served meanwhile`, async () => {
    const statuses = new Set<number>();
    const ask = async () => {
      const answer = await fetch(`${api.url}${PAGE}`, { headers: acme });
      await answer.arrayBuffer();
      statuses.add(answer.status);
    };
    const rounds = async () => {
      for (let round = 0; round < 5; round += 1) await Promise.all(Array.from({ length: AT_ONCE }, ask));
    };
    const { largestMb, others } = await during(rounds());
    expect([statuses, others]).toEqual([new Set([200]), new Set([200])]);
    expect(largestMb - restingMb).toBeLessThan(MAX_GROWTH_MB);
  });

  it('take no more while nobody reads them, until the first connection is cut', async () => {
    const { hostname, port } = new URL(api.url);
    const head = Object.entries({ Host: 'localhost', ...acme }).map((field) => field.join(': '));
    const clients: Socket[] = [];
    const cut = Array.from({ length: 4 * AT_ONCE }, async () => {
      const client = connect(Number(port), hostname).pause();
      clients.push(client);
      client.on('error', () => undefined);
      // More than the operating system buffers for a connection
      client.write(`GET ${PAGE} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n`.repeat(20));
      await new Promise((resolve) => client.once('close', resolve));
    });
    let looks = 0;
    const { largestMb, others } = await during(Promise.race(cut), () => {
      const client = clients[looks++ % clients.length];
      // A client that does not read only notices by writing that the connection was closed.
      if (client?.writable) client.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
    });
    for (const client of clients) client.destroy();
    await Promise.all(cut);
    expect(others).toEqual(new Set([200]));
    expect(largestMb - restingMb).toBeLessThan(MAX_GROWTH_MB);
  });
});
