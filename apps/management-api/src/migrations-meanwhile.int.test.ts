import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { needs } from '@legate/testing';
import { type Client, clientOf } from './testing/client.ts';
import { MIGRATION_NAMES, migrationsUpTo, NEXT_MIGRATION } from './testing/migrations-up-to.ts';
import { createTestApi, type TestApi } from './testing/test-api.ts';

const { it } = needs('night');
const CLIENTS = 4;
const ENOUGH = 40;

let next: string;
let api: TestApi;
let acme: Client;
beforeAll(async () => {
  next = await migrationsUpTo(MIGRATION_NAMES.length, { '9999_next': NEXT_MIGRATION });
  api = await createTestApi();
  acme = await clientOf(api, 'org_acme', { roles: ['owner'] });
});
afterAll(async () => {
  await api.close();
  await rm(next, { recursive: true });
});

const connectorAt = (path: string) => ({
  name: 'Tools',
  resource_url: `https://tools.example/${path}`,
  client_id: 'hub',
  secret: 'a-secret-of-some-length',
  enabled: false,
});

it('responds to every request while the schema of the next version is created, and afterwards', async () => {
  const agent = await acme('post', '/agents', { name: 'Agent' });
  const answers: number[] = [];
  let until = Number.POSITIVE_INFINITY;
  let isWarm = () => {};
  const warm = new Promise<void>((resolve) => {
    isWarm = resolve;
  });
  const work = async (client: number) => {
    while (answers.length < until) {
      const number = answers.length;
      const made = await acme('post', '/connectors', connectorAt(`${client}-${number}`));
      const bound = await acme('put', `/agents/${agent.body.id}/connectors/${made.body.id}`, {});
      const listed = await acme('get', '/connectors?limit=5');
      const logged = await acme('get', '/audit-events?limit=5');
      answers.push(made.status, bound.status, listed.status, logged.status);
      if (answers.length >= ENOUGH) isWarm();
    }
  };
  const load = Promise.all(Array.from({ length: CLIENTS }, (_, client) => work(client)));
  await Promise.race([load, warm]);
  const applied = await api.database.migrate(next);
  until = answers.length + ENOUGH;
  await load;

  expect(applied).toEqual(['9999_next']);
  expect(new Set(answers)).toEqual(new Set([201, 200]));
});
