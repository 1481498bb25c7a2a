import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { needs } from '@legate/testing';
import { Client } from 'pg';
import { type ApiUnderTest, startApiUnderTest } from './api-under-test.ts';
import { openPostgres } from './postgres-process.ts';

/** The built management-api, with a heap of 64 MB, streams the longest export: its memory does not grow with it. */

const { it, path } = needs('night', 'PostgreSQL', 'procfs');
const EVENTS = 1_000_000;
const MAX_MEMORY_MB = 150;

let postgres: Awaited<ReturnType<typeof openPostgres>>;
let api: ApiUnderTest;
beforeAll(async () => {
  postgres = await openPostgres(path.PostgreSQL);
  await postgres.start();
  // No Redis: this test does not need rate limits.
  api = await startApiUnderTest({
    databaseUrl: postgres.url,
    redisUrl: 'redis://127.0.0.1:1',
    organizations: ['org_acme'],
    env: { NODE_OPTIONS: '--max-old-space-size=64' }, // otherwise garbage of the start would be measured
  });
  const owner = new Client({ connectionString: postgres.url });
  await owner.connect();
  await owner.query(
    `INSERT INTO audit_events (id, organization_id, action, actor, targets, context, details, occurred_at)
     SELECT 'evt_' || lpad(i::text, 26, '0'), 'org_acme', 'tool.called',
       jsonb_build_object('type', 'user', 'id', 'user_' || i % 100, 'email', null),
       jsonb_build_array(jsonb_build_object('type', 'tool', 'id', 'find_orders', 'name', null)),
       jsonb_build_object('request_id', 'req_' || i, 'ip', null, 'user_agent', null),
       jsonb_build_object('outcome', 'granted', 'leg', 'tool', 'rule', 'granted', 'id_token_hash', md5(i::text)),
       clock_timestamp() - interval '29 days' + i * interval '1 second'
     FROM generate_series(1, $1::int) i`,
    [EVENTS],
  );
  await owner.query('ANALYZE audit_events');
  await owner.end();
}, 600_000);
afterAll(async () => {
  await api?.stop();
  await postgres?.remove();
});

async function memoryMb(): Promise<number> {
  const status = await readFile(`/proc/${api.service.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

it(`exports ${EVENTS} events in less than ${MAX_MEMORY_MB} MB`, async () => {
  const answer = await fetch(`${api.url}/api/v1/audit-events/export?format=ndjson&action=tool.called`, {
    headers: { Authorization: `Bearer ${await api.token('org_acme')}` },
  });
  expect(answer.status).toBe(200);
  let [lines, largestMb, tail] = [0, 0, ''];
  const decoder = new TextDecoder();
  for await (const part of answer.body ?? []) {
    const text = decoder.decode(part, { stream: true });
    lines += text.split('\n').length - 1;
    tail = (tail + text).slice(-500);
    largestMb = Math.max(largestMb, await memoryMb());
  }
  expect(lines).toBe(EVENTS + 1);
  expect(tail).toMatch(/\n\{"end":true,"count":1000000,"resume":null\}\n$/);
  expect(largestMb).toBeGreaterThan(30);
  expect(largestMb).toBeLessThan(MAX_MEMORY_MB);
}, 900_000);
