import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createClient } from '@legate/client';
import { ROOT, registerToolServer, scene, signIn } from '@legate/dev';
import { createIdJagMint, examineUrl, redemptionChecks } from '@legate/doctor';
import { findFreePort } from '@legate/service/testing';
import { needs } from '@legate/testing';
import type { StackUnderTest } from '../stack-under-test.ts';
import { type ExampleProcess, startExample, untilAnswers } from './example-process.ts';

const HUB_SECRET = 'a-secret-of-32-characters-or-more';
const LEGATE = `${ROOT}packages/cli/bin/legate.js`;
/** Express 4 in the place of 5 */
const EXPRESS_4 = new URL('express-4.mjs', import.meta.url).href;

const withPython = needs('python3');
const withSdk = needs('python-mcp');

const SERVERS: [title: string, example: string, nodeArgs: readonly string[]][] = [
  ['tool-server-express', 'tool-server-express', []],
  ['tool-server-express on Express 4', 'tool-server-express', ['--import', EXPRESS_4]],
  ['tool-server-fastify', 'tool-server-fastify', []],
  ['tool-server-hono', 'tool-server-hono', []],
];

export function describeToolServers(stack: () => StackUnderTest): void {
  it('tool-server-express, -fastify and -hono have the same tools', () => {
    const toolsOf = (name: string) =>
      readFileSync(`${ROOT}examples/tool-server-${name}/src/notes.ts`, 'utf8');
    expect([toolsOf('fastify'), toolsOf('hono')]).toEqual([toolsOf('express'), toolsOf('express')]);
  });

  describe.each(SERVERS)('%s', (_title, example, nodeArgs) => {
    describeToolServer(stack, (env) => startExample(example, env, { nodeArgs }));
  });

  describe('a tool server that legate init has written', () => {
    /** Beneath the clone, so that its dependencies are found. */
    let folder: string;
    const write = () => {
      mkdirSync(`${ROOT}.legate`, { recursive: true });
      folder = mkdtempSync(`${ROOT}.legate/init-`);
      const options = [
        '--kind',
        'tool-server',
        '--framework',
        'express',
        '--issuer',
        stack().urls['mock-idp'],
      ];
      execFileSync(process.execPath, [LEGATE, 'init', folder, ...options]);
      execFileSync(process.execPath, [`${ROOT}node_modules/typescript/bin/tsc`], { cwd: folder });
    };
    const start = ({ PORT = '' }: Readonly<Record<string, string>>) => {
      write();
      const command = [process.execPath, '--env-file=.env', 'dist/main.js'] as const;
      return startExample(folder, { PORT }, { command });
    };
    afterAll(() => rmSync(folder, { recursive: true, force: true }));
    const secret = () => /^HUB_SECRET=(.+)$/m.exec(readFileSync(`${folder}/.env`, 'utf8'))?.[1] ?? '';
    describeToolServer(stack, start, secret);
  });

  withSdk.describe('tool-server-python', () => {
    const command = [withSdk.path['python-mcp'], '-B', 'main.py'] as const;
    describeToolServer(stack, (env) => startExample('tool-server-python', env, { command }));
  });

  withPython.it('tool-server-python compiles', () => {
    const compile = 'import sys; [compile(open(name).read(), name, "exec") for name in sys.argv[1:]]';
    const files = ['main.py', 'id_jag.py'].map((name) => `${ROOT}examples/tool-server-python/${name}`);
    const { status, stderr } = spawnSync(withPython.path.python3, ['-c', compile, ...files], {
      encoding: 'utf8',
    });
    expect([stderr, status]).toEqual(['', 0]);
  });
}

/** Tests the requirements for a tool server in any language. */
function describeToolServer(
  stack: () => StackUnderTest,
  start: (env: Readonly<Record<string, string>>) => ExampleProcess,
  secretOf = () => HUB_SECRET,
): void {
  let running: ExampleProcess;
  let url: string;
  beforeAll(async () => {
    const port = String(await findFreePort());
    url = `http://localhost:${port}`;
    const env = { PORT: port, ISSUER: stack().urls['mock-idp'], HUB_SECRET };
    running = start(env);
    await untilAnswers(running, `${url}/.well-known/oauth-protected-resource`);
  });
  afterAll(() => running?.stop());

  it("passes the doctor's checks, redeems each valid ID-JAG once, and refuses invalid ones", async () => {
    const mint = createIdJagMint({
      issuer: stack().urls['mock-idp'],
      adminKey: scene.IDP_ADMIN_KEY,
      user: scene.USERS.alice.email,
      fetch,
    });
    const inside = redemptionChecks({ mint, client: { id: 'tool-hub', secret: secretOf() } });
    const report = await examineUrl(`${url}/mcp`, { fetch, clock: () => new Date() }, inside);
    expect(report.checks.filter(({ status }) => status !== 'ok')).toEqual([]);
    expect(report.checks.map(({ check }) => check)).toContain('replayed');
  });

  it('does not show Bob the notes of Alice, who calls through the hub', async () => {
    const { slug } = await registerToolServer(stack().urls, url, { secret: secretOf() });
    const as = async ({ email }: { email: string }) => {
      const { idToken } = await signIn({ issuer: stack().urls['mock-idp'], email });
      return createClient({ hub: stack().urls['tool-hub'], idToken: () => idToken });
    };
    const [alice, bob] = [await as(scene.USERS.alice), await as(scene.USERS.bob)];
    const created = await alice.call(`${slug}_create_note`, { text: 'Hello' });
    expect(created).toMatchObject({ kind: 'result', isError: false, structuredContent: { text: 'Hello' } });
    const list = async (client: typeof alice) => await client.call(`${slug}_list_notes`);
    const note = created.kind === 'result' ? created.structuredContent : undefined;
    expect(await list(alice)).toMatchObject({ structuredContent: { notes: [note] } });
    expect(await list(bob)).toMatchObject({ structuredContent: { notes: [] } });
    const { id } = note as { id: string };
    expect(await bob.call(`${slug}_delete_note`, { id })).toMatchObject({ isError: true });
    expect(await alice.call(`${slug}_delete_note`, { id })).toMatchObject({ isError: false });
  });
}
