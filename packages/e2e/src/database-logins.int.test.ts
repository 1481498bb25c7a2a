import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { machineEnvironment, ROOT } from '@legate/dev';
import { findFreePort } from '@legate/service/testing';
import { needs, START_UP_MS } from '@legate/testing';
import { Client } from 'pg';
import { openPostgres } from './postgres-process.ts';
import { currentRelease } from './schema-upgrade-release.ts';

// Tests management-api in production, as processes with the logins of docs/operations/production.md.

const { describe, path } = needs('PostgreSQL');
const KEYS = `k:${randomBytes(32).toString('base64')}`;

describe('management-api in production', () => {
  let postgres: Awaited<ReturnType<typeof openPostgres>>;
  let admin: Client;
  /** Roles belong to the whole server. */
  const suffix = randomBytes(4).toString('hex');
  const [owner, application, bypassing] = [`owner_${suffix}`, `app_${suffix}`, `bypass_${suffix}`];
  const urlAs = (login: string) => {
    const url = new URL(postgres.url);
    [url.username, url.password] = [login, 'password'];
    return url.href;
  };

  beforeAll(async () => {
    postgres = await openPostgres(path.PostgreSQL);
    await postgres.start();
    admin = new Client({ connectionString: postgres.url });
    await admin.connect();
    await admin.query(`
      DO $$ BEGIN CREATE ROLE mgmt_app NOLOGIN; EXCEPTION WHEN duplicate_object THEN NULL; END $$;
      CREATE ROLE ${owner} LOGIN PASSWORD 'password' IN ROLE mgmt_app;
      CREATE ROLE ${application} LOGIN PASSWORD 'password' IN ROLE mgmt_app;
      CREATE ROLE ${bypassing} LOGIN PASSWORD 'password' IN ROLE mgmt_app BYPASSRLS;
      ALTER DATABASE "${new URL(postgres.url).pathname.slice(1)}" OWNER TO ${owner};`);
    const migrated = await (await currentRelease()).migrate({
      NODE_ENV: 'production',
      MIGRATION_DATABASE_URL: urlAs(owner),
    });
    expect(migrated).toMatchObject({ code: 0 });
  }, START_UP_MS);
  afterAll(async () => {
    await admin?.query(`REASSIGN OWNED BY ${owner} TO CURRENT_USER; DROP OWNED BY ${owner};`);
    await admin?.query(`DROP ROLE ${owner}, ${application}, ${bypassing}`);
    await admin?.end();
    await postgres?.remove();
  });

  async function start(login: string, env: Record<string, string> = {}): Promise<void> {
    const url = `http://127.0.0.1:${await findFreePort()}`;
    const process = await (await currentRelease()).start(url, {
      NODE_ENV: 'production',
      PORT: new URL(url).port,
      METRICS_PORT: String(await findFreePort()),
      RESOURCE: 'https://api.example',
      IDP_ISSUER: 'https://idp.example',
      DATABASE_URL: urlAs(login),
      CONNECTOR_ENCRYPTION_KEYS: KEYS,
      REDIS_URL: 'redis://127.0.0.1:1',
      TRUSTED_PROXIES: 'none',
      ...env,
    });
    await process.stop();
  }

  it('starts with a login that is only a member of mgmt_app', () => start(application), START_UP_MS);

  it.each([
    ['owns the tables', owner, {}],
    ['has BYPASSRLS', bypassing, {}],
    ['is a superuser', 'postgres', {}],
    ['is a superuser and migrates', 'postgres', { MIGRATE_ON_START: 'true' }],
  ])(
    'refuses a login that %s',
    async (_case, login, env) => {
      await expect(start(login, env)).rejects.toThrow(
        /^configuration: 1 fault\(s\)\n {2}DATABASE_URL: its login .* refused in production/,
      );
    },
    START_UP_MS,
  );

  it(
    'starts with the login of the owner if that one migrates',
    () => start(owner, { MIGRATE_ON_START: 'true' }),
    START_UP_MS,
  );

  it('re-encrypts connector secrets with DATABASE_URL and CONNECTOR_ENCRYPTION_KEYS alone', async () => {
    const env = { DATABASE_URL: urlAs(application), CONNECTOR_ENCRYPTION_KEYS: KEYS };
    const stderr = await new Promise((resolve) =>
      execFile(
        process.execPath,
        [join(ROOT, 'apps/management-api/dist/reseal-secrets.js')],
        { env: { ...machineEnvironment(), NODE_ENV: 'production', ...env } },
        (_err, _stdout, text) => resolve(text),
      ),
    );
    expect(stderr).toBe('');
  });
});
