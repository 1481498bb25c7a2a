import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, expect } from '@jest/globals';
import {
  createBrowser,
  machineEnvironment,
  ROOT,
  type ServiceProcess,
  scene,
  startService,
} from '@legate/dev';
import { findFreePort } from '@legate/service/testing';
import { needs, START_UP_MS } from '@legate/testing';

/**
 * Tests `legate doctor idp` as a process against mock-idp as a process, which imitates identity providers by their
 * documents. Somebody signs in through the page.
 */

const { describe, it } = needs('time');

const LEGATE = `${ROOT}packages/cli/bin/legate.js`;
const CLIENT = scene.IDP_CLIENTS.hub;
const TOOL_SERVER = 'http://localhost:4003';
const SCOPE = 'mcp:tools:call';

const folder = mkdtempSync(join(tmpdir(), 'legate-doctor-'));
const fileWith = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const secretFile = fileWith('secret', `${CLIENT.secret}\n`);

let idp: ServiceProcess | undefined;
afterEach(async () => {
  await idp?.stop();
  idp = undefined;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** @param path of the issuer of this provider */
async function start(personality: string | undefined, path: string): Promise<string> {
  const port = await findFreePort();
  const origin = `http://localhost:${port}`;
  idp = startService(
    'mock-idp',
    {
      PORT: String(port),
      IDP_ISSUER: `${origin}${path}`,
      ...(personality && { PERSONALITY: personality }),
      CONFIG_FILE: `${ROOT}infra/development/identity-provider.json`,
    },
    join(folder, 'mock-idp.log'),
  );
  await idp.waitUntilReady(origin, START_UP_MS);
  return `${origin}${path}`;
}

interface Leg {
  readonly check: string;
  readonly status: string;
  readonly detail: string;
  readonly evidence: Record<string, unknown>;
}
interface Examined {
  readonly code: number;
  readonly printed: string;
  readonly report: { readonly kind: string; readonly settings: Record<string, Record<string, string>> };
  readonly leg: (name: string) => Leg;
}

/** @param onNote gets what the command has written to stderr so far */
function legate(
  args: readonly string[],
  env: Record<string, string>,
  onNote: (stderr: string) => void = () => {},
): Promise<Examined> {
  const child = spawn(process.execPath, [LEGATE, 'doctor', 'idp', ...args, '--json'], {
    env: { ...machineEnvironment(), XDG_CONFIG_HOME: folder, ...env },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
    onNote(stderr);
  });
  return once(child, 'close').then(([code]) => {
    const report = JSON.parse(stdout);
    const leg = (name: string): Leg => report.checks.find(({ check }: Leg) => check === name);
    return { code, printed: stdout + stderr, report, leg };
  });
}

const doctor = (args: readonly string[], env: Record<string, string> = {}) => legate(args, env);

/** Examines with a sign-in: the test opens the address that the command prints. */
async function doctorSigningIn(args: readonly string[]): Promise<Examined> {
  let visit: Promise<unknown> | undefined;
  const examined = await legate([...args, '--sign-in'], {}, (stderr) => {
    const address = /^http\S+(?=\n)/m.exec(stderr)?.[0];
    if (address === undefined || visit !== undefined) return;
    const redirectUri = new URL(address).searchParams.get('redirect_uri') ?? '';
    visit = createBrowser()
      .signIn(address, redirectUri, scene.USERS.alice.email, scene.PASSWORD)
      // A refused sign-in ends at the command too, which reports it.
      .catch(() => `${redirectUri}?error=not_signed_in`)
      .then((callback) => fetch(callback));
  });
  await visit;
  return examined;
}

const asClient = (issuer: string, ...further: string[]) => [
  issuer,
  '--client-id',
  CLIENT.id,
  '--secret-file',
  secretFile,
  ...further,
];
const DELEGATION = ['--audience', TOOL_SERVER, '--resource', TOOL_SERVER, '--scope', SCOPE];

/** What the documents of a provider say */
const EXPECTED = {
  okta: { path: '', idJag: ['ok', 'warn'], user: 'sub' },
  pingfederate: { path: '', idJag: ['ok', 'warn', 'fail'], user: 'sub' },
  keycloak: { path: '/realms/legate', idJag: ['skipped'], user: 'sub' },
  auth0: { path: '/', idJag: ['skipped'], user: 'sub' },
  entra: { path: '/legate-tenant/v2.0', idJag: ['skipped'], user: 'oid' },
  google: { path: '', idJag: ['skipped'], user: 'sub' },
} as const;

describe.each(Object.entries(EXPECTED))('%s', (name, { path, idJag, user }) => {
  it('is recognized, signs somebody in, accepts the client, and issues what its documents say', async () => {
    const issuer = await start(name, path);
    const { report, leg, printed } = await doctorSigningIn(asClient(issuer, ...DELEGATION));
    expect(report.kind).toBe(name);
    expect([leg('metadata').status, leg('keys').status, leg('client').status]).toEqual(['ok', 'ok', 'ok']);
    expect(['ok', 'warn']).toContain(leg('sign_in').status);
    expect(leg('sign_in').evidence.user_claim).toBe(user);
    expect(leg('organization').status).not.toBe('skipped');
    expect(idJag).toContain(leg('id_jag').status);
    expect(report.settings.tool_hub).toMatchObject({ IDP_KIND: name, IDP_ISSUER: issuer });
    expect(printed).not.toMatch(new RegExp(`eyJ|${CLIENT.secret}`));
  });
});

describe('the identity provider for development', () => {
  it('passes every leg of a delegation', async () => {
    const issuer = await start(undefined, '');
    const { code, report, leg } = await doctorSigningIn(asClient(issuer, ...DELEGATION));
    expect(leg('id_jag')).toMatchObject({ status: 'ok', evidence: { left_out: [] } });
    expect([code, report.kind]).toEqual([0, 'generic']);
  });

  it('reads only public documents without options', async () => {
    const issuer = await start(undefined, '');
    const { code, leg } = await doctor([issuer]);
    expect([code, leg('metadata').status, leg('client').status]).toEqual([0, 'ok', 'skipped']);
  });

  it('reports a slash too many, and sends no secret then', async () => {
    const issuer = await start(undefined, '');
    const { code, leg } = await doctor(asClient(`${issuer}/`));
    expect([code, leg('metadata').status, leg('client').status]).toEqual([1, 'fail', 'skipped']);
    expect(leg('metadata').detail).toContain('differs only by a trailing slash');
  });

  it('reports a wrong secret without printing it', async () => {
    const issuer = await start(undefined, '');
    const secret = 'a-wrong-secret-of-somebody';
    const { code, leg, printed } = await doctor([issuer, '--client-id', CLIENT.id], {
      LEGATE_IDP_SECRET: secret,
    });
    expect([code, leg('client').detail]).toEqual([1, expect.stringContaining('invalid_client')]);
    expect(printed).not.toContain(secret);
  });

  it('reports an audience to which the client is not connected', async () => {
    const issuer = await start(undefined, '');
    const { code, leg } = await doctorSigningIn(
      asClient(issuer, '--audience', 'https://as.example', '--resource', 'https://mcp.example/mcp'),
    );
    expect([code, leg('client').status, leg('id_jag').status]).toEqual([1, 'ok', 'fail']);
  });
});
