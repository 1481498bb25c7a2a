import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { findFreePort } from '@legate/service/testing';
import { needs } from '@legate/testing';
import { startIssuer } from './api-under-test.ts';
import { openPostgres } from './postgres-process.ts';
import { currentRelease, nextRelease, type Release, type Running } from './schema-upgrade-release.ts';

/** Tests processes of management-api, of this version and of a later one, during a change of the schema. */
let release: Release;
let next: Release;
let idp: Awaited<ReturnType<typeof startIssuer>>;
const directories: string[] = [];
const running: Running[] = [];
beforeAll(async () => {
  release = await currentRelease();
  next = await nextRelease(
    "ALTER TABLE sites ADD COLUMN next text NOT NULL DEFAULT ''; SELECT pg_sleep(0.5);",
  );
  idp = await startIssuer();
});
afterAll(async () => {
  for (const service of running) await service.stop(); // left running by a failed test
  idp.close();
  await next.remove();
  for (const directory of directories) await rm(directory, { recursive: true, force: true });
});

async function newDataDir(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'legate-schema-'));
  directories.push(directory);
  return join(directory, 'data'); // the service stores a key file beside this directory
}

async function serving(of: Release, stores: Record<string, string>): Promise<Running & { url: string }> {
  const port = await findFreePort();
  const url = `http://localhost:${port}`;
  const env = { PORT: String(port), RESOURCE: 'https://api.example', IDP_ISSUER: idp.issuer, ...stores };
  const started = await of.start(url, { ...env, OUTBOUND_ALLOW: 'loopback', LOG_LEVEL: 'warn' });
  running.push(started);
  return { url, ...started };
}

/** One line without a stack */
const ONE_LINE = /^[^\n]+\n$/;

needs('night').describe('with the embedded database', () => {
  it('serves a schema that a command has migrated, even repeatedly, and does not start before that', async () => {
    const stores = { DATABASE_URL: pathToFileURL(await newDataDir()).href };
    await expect(serving(release, stores)).rejects.toThrow(
      'the service could not start: the database lacks the migration 0001_baseline',
    );
    expect(await release.migrate(stores)).toMatchObject({ code: 0, stderr: '' });
    const again = await release.migrate(stores);
    expect([again.code, JSON.parse(again.stdout)]).toEqual([0, expect.objectContaining({ applied: [] })]);

    const api = await serving(release, stores);
    const meanwhile = await release.migrate(stores);
    await api.stop();
    expect([meanwhile.code, meanwhile.stderr]).toEqual([1, expect.stringMatching(ONE_LINE)]);
    expect(meanwhile.stderr).toContain('is in use by process');
  }); // five processes, each with a database engine

  it('reports in one line that it cannot reach its database', async () => {
    const { code, stderr } = await release.migrate({ DATABASE_URL: 'postgres://nobody@localhost:1/none' });
    expect([code, stderr]).toEqual([1, expect.stringMatching(ONE_LINE)]);
    expect(stderr).toMatch(/^the database could not be migrated: .*ECONNREFUSED/);
  });
});

// An embedded database has only one process, so nothing can migrate it meanwhile.
const onServer = needs('night', 'PostgreSQL');
onServer.describe('with PostgreSQL', () => {
  let database: Awaited<ReturnType<typeof openPostgres>>;
  let stores: { DATABASE_URL: string };
  beforeAll(async () => {
    database = await openPostgres(onServer.path.PostgreSQL);
    await database.start();
    stores = { DATABASE_URL: database.url };
  });
  afterAll(() => database?.remove());

  it('makes two concurrent migrations wait for each other, and both succeed', async () => {
    const both = await Promise.all([release.migrate(stores), release.migrate(stores)]);
    expect(both.map(({ code, stderr }) => [code, stderr])).toEqual([
      [0, ''],
      [0, ''],
    ]);
    const applied = both.map(({ stdout }) => (JSON.parse(stdout) as { applied: string[] }).applied);
    const names = applied.flat();
    expect([new Set(names).size, names.includes(release.schema)]).toEqual([names.length, true]);
  });

  it('does not let the next version serve this schema', async () => {
    await expect(serving(next, stores)).rejects.toThrow('lacks the migration 9999_next');
  });

  it('serves without failures during and after the migration to the next version', async () => {
    const old = await serving(release, stores);
    const answers: number[] = [];
    let migrated = false;
    const load = Promise.all(
      [1, 2, 3].map(async () => {
        while (!migrated) answers.push(await createSite(old.url));
      }),
    );
    const { code } = await next.migrate(stores);
    migrated = true;
    await load;
    expect([code, new Set(answers)]).toEqual([0, new Set([201])]);

    const young = await serving(next, stores);
    // Both versions serve; to roll back, start the old one again.
    expect([await createSite(old.url), await createSite(young.url)]).toEqual([201, 201]);
    await old.stop();
    const again = await serving(release, stores);
    expect(await createSite(again.url)).toBe(201);
    await Promise.all([young.stop(), again.stop()]);
  });
});

let organizations = 0;
/** Uses another organization each time, so that none reaches its limit. */
async function createSite(url: string): Promise<number> {
  organizations += 1;
  const owner = { sub: 'user_alice', organization_id: `org_${organizations}`, roles: ['owner'] };
  const answer = await fetch(`${url}/api/v1/sites`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${await idp.sign({ ...owner, aud: 'https://api.example' })}`,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({ name: 'Site' }),
  });
  await answer.arrayBuffer();
  return answer.status;
}
