import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createBrowser, ROOT, scene } from '@legate/dev';
import { eventually } from '@legate/testing';
import type { StackUnderTest } from '../stack-under-test.ts';

const LEGATE = `${ROOT}packages/cli/bin/legate.js`;
const CREATE = scene.toolAtMcp('create_note');

/** Configures `legate` to use the stack. */
const portsOf = ({ ports }: StackUnderTest): NodeJS.ProcessEnv => ({
  MANAGEMENT_API_PORT: `${ports['management-api']}`,
  TOOL_HUB_PORT: `${ports['tool-hub']}`,
  MOCK_IDP_PORT: `${ports['mock-idp']}`,
});

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Tests every command of `legate` as a process against the stack. Must run before Carol has called a tool. */
export function describeCommandLine(stack: () => StackUnderTest): void {
  let config: string;
  let env: NodeJS.ProcessEnv;
  beforeAll(() => {
    config = mkdtempSync(join(tmpdir(), 'legate-config-'));
    env = { PATH: process.env.PATH, ...portsOf(stack()), XDG_CONFIG_HOME: config };
  });
  afterAll(() => rmSync(config, { recursive: true, force: true }));

  function legate(args: readonly string[], input = '', more: NodeJS.ProcessEnv = {}): Promise<Ran> {
    return new Promise((resolve) => {
      const child = execFile(
        process.execPath,
        [LEGATE, ...args],
        { env: { ...env, ...more } },
        (err, stdout, stderr) => resolve({ code: err ? Number(err.code) : 0, stdout, stderr }),
      );
      child.stdin?.end(input);
    });
  }
  const json = async (...args: string[]) => {
    const { code, stdout } = await legate([...args, '--json']);
    return { code, value: JSON.parse(stdout) };
  };

  describe('legate', () => {
    it('prints tokens that hub and management API accept', async () => {
      const { urls } = stack();
      const [idToken, apiToken, session] = await Promise.all(
        [['token'], ['token', '--api'], ['token', '--hub']].map(async (args) => {
          const { code, stdout } = await legate([...args, '--user', scene.USERS.alice.email]);
          expect([code, stdout]).toEqual([0, expect.stringMatching(/^\S+\n$/)]);
          return stdout.trim();
        }),
      );
      const status = async (url: string, token = '') =>
        (await fetch(url, { headers: { Authorization: `Bearer ${token}` } })).status;
      expect(await status(`${urls['tool-hub']}/api/v1/connectors`, idToken)).toBe(200);
      expect(await status(`${urls['tool-hub']}/api/v1/connectors`, session)).toBe(200);
      expect(await status(`${urls['management-api']}/api/v1/me`, apiToken)).toBe(200);

      const decoded = await legate(['decode', '-', '--issuer', urls['mock-idp']], apiToken);
      expect([decoded.code, decoded.stdout]).toEqual([0, expect.stringContaining('verified by the keys of')]);
      const other = await legate(['decode', '-', '--issuer', urls['reference-mcp-server']], apiToken);
      expect([other.code, other.stdout]).toEqual([1, expect.stringContaining('does not hold')]);
    });

    it('prints as whom it acts, according to both services', async () => {
      const text = await legate(['whoami']);
      expect([text.code, text.stdout]).toEqual([
        0,
        expect.stringContaining('alice@acme.example (user_alice)'),
      ]);
      expect(text.stderr).toContain('Acting as alice@acme.example');
      const { code, value } = await json('whoami', '--hub', '--api', '--user', scene.USERS.bob.email);
      expect([code, value]).toMatchObject([
        0,
        { user_id: 'user_bob', hub: { accepted: true }, api: { role: 'developer' } },
      ]);
      expect((await legate(['whoami', '--user', 'nobody@acme.example'])).code).toBe(2);
    });

    it('lists tools, calls one, and explains the call', async () => {
      const listed = await legate(['tools']);
      expect([listed.code, listed.stdout]).toEqual([0, expect.stringContaining(CREATE)]);
      expect((await json('tools', '--connector', 'reference')).value.tools).toContainEqual(
        expect.objectContaining({ name: CREATE, connector_id: scene.CONNECTOR }),
      );
      const note = await legate(['call', CREATE, '-'], '{"text":"from the command line"}');
      expect([note.code, JSON.parse(note.stdout)]).toMatchObject([0, { text: 'from the command line' }]);
      const failed = await json('call', CREATE, '{"wrong":1}');
      expect([failed.code, failed.value.is_error]).toEqual([1, true]);
      const why = await legate(['explain', failed.value.call_id]);
      expect([why.code, why.stdout]).toEqual([
        0,
        expect.stringContaining('and the tool server reported an error.\n'),
      ]);
      expect((await json('explain', failed.value.call_id)).value).toMatchObject({
        tool: 'create_note',
        rule: 'tool_failed',
      });
      expect((await legate(['call', 'nope'])).code).toBe(2);
      expect((await legate(['explain', 'evt_nope'])).code).toBe(2);
    });

    it('prints who has denied a call', async () => {
      const { urls } = stack();
      const admin = (path: string, method: string, body?: object) =>
        fetch(`${urls['mock-idp']}/admin/policies${path}`, {
          method,
          headers: { Authorization: `Bearer ${scene.IDP_ADMIN_KEY}`, 'Content-Type': 'application/json' },
          ...(body && { body: JSON.stringify(body) }),
        });
      const match = { users: [scene.USERS.carol.id], resources: [urls['reference-mcp-server']] };
      const { id } = Object(await (await admin('', 'POST', { effect: 'deny', match })).json());
      const { code, stderr } = await legate([
        'call',
        scene.toolAtMcp('whoami'),
        '--user',
        scene.USERS.carol.email,
      ]);
      await admin(`/${id}`, 'DELETE');
      expect([code, stderr]).toEqual([4, expect.stringContaining('Decided by the identity provider.')]);
    });

    it('runs the doctor on a tool server, and makes the hub check a connector', async () => {
      const server = await legate(['doctor', `${stack().urls['reference-mcp-server']}/mcp`]);
      expect([server.code, server.stdout]).toEqual([0, expect.stringContaining('No fault.')]);
      const { code, value } = await json('doctor', '--connector', scene.CONNECTOR);
      expect([code, value.status, value.checks.at(-1)]).toMatchObject([
        0,
        'ok',
        { check: 'tools_list', status: 'ok' },
      ]);
      const wrong = await json('doctor', `${stack().urls['mock-idp']}/mcp`);
      expect([wrong.code, wrong.value.status]).toEqual([1, 'fail']);
    });

    it('adds, shows, lists and removes a connector', async () => {
      const secret = 'the-secret-of-another-client';
      const typed = [
        'connectors',
        'add',
        'https://tools.example',
        '--name',
        'More',
        '--slug',
        'more',
        '--client-id',
        'hub',
      ];
      const added = await legate([...typed, '--scope', 'a', '--secret-stdin', '--json'], secret);
      expect([added.code, added.stderr]).toEqual([
        0,
        expect.stringContaining('Next: legate doctor --connector con_'),
      ]);
      const { id } = JSON.parse(added.stdout);
      const shown = await legate(['connectors', 'get', id]);
      expect([shown.code, shown.stdout]).toEqual([0, expect.stringMatching(/name +More\n/)]);
      const ids = async () => (await json('connectors')).value.map((one: { id: string }) => one.id);
      expect(await ids()).toEqual(expect.arrayContaining([scene.CONNECTOR, id]));
      expect((await legate(['connectors', 'remove', id])).code).toBe(2); // there is no terminal to ask on
      expect(await legate(['connectors', 'remove', id, '--yes'])).toMatchObject({
        code: 0,
        stdout: 'More is deleted.\n',
      });
      expect(await ids()).not.toContain(id);
      expect((await legate(['connectors', 'get', id])).code).toBe(2);
      const bob = await legate([...typed, '--user', scene.USERS.bob.email]);
      expect([bob.code, bob.stderr]).toEqual([4, expect.stringContaining('Next: legate whoami')]);
    });

    it('follows the audit trail until Ctrl-C', async () => {
      const last = await legate(['audit', 'tail', '--lines', '1']);
      expect([last.code, last.stdout.trim().split('\n')]).toEqual([
        0,
        [expect.stringMatching(/^\d{4}-.* evt_\w+$/)],
      ]);

      const tail = spawn(
        process.execPath,
        [LEGATE, 'audit', 'tail', '--follow', '--json', '--tool', 'list_notes'],
        { env },
      );
      let seen = '';
      tail.stdout.on('data', (chunk: Buffer) => {
        seen += chunk.toString();
      });
      await once(tail.stderr, 'data'); // the command has begun
      expect((await legate(['call', scene.toolAtMcp('list_notes')])).code).toBe(0);
      // The hub may deliver earlier events, of Bob, at any time.
      const lineOfAlice = () => seen.match(/^.*"user_alice".*(?=\n)/m)?.[0];
      const line = await eventually('the call in the trail that is followed', lineOfAlice);
      tail.kill('SIGINT');
      const [code] = await once(tail, 'close');
      expect(code).toBe(130);
      expect(JSON.parse(line)).toMatchObject({
        action: 'tool.called',
        actor: { id: 'user_alice' },
      });
    });

    it('signs in with the real sign-in page, uses the profile, and renews it', async () => {
      const issuer = stack().urls['mock-idp'];
      const child = spawn(process.execPath, [LEGATE, 'login', issuer, '--print-url'], { env });
      let said = '';
      let out = '';
      child.stdout.on('data', (chunk: Buffer) => {
        out += chunk.toString();
      });
      const url = await new Promise<string>((resolve) =>
        child.stderr.on('data', (chunk: Buffer) => {
          said += chunk.toString();
          const [, shown] = /^(http.+)\n/m.exec(said) ?? [];
          if (shown) resolve(shown);
        }),
      );
      const redirectUri = new URL(url).searchParams.get('redirect_uri') ?? '';
      const callback = await createBrowser().signIn(url, redirectUri, scene.USERS.bob.email, scene.PASSWORD);
      const page = await fetch(callback);
      const [code] = await once(child, 'close');
      expect([code, page.status, out]).toEqual([
        0,
        200,
        expect.stringContaining('Signed in as bob@acme.example'),
      ]);

      const path = join(config, 'legate', 'default.json');
      const profile = JSON.parse(readFileSync(path, 'utf8'));
      expect(statSync(path).mode & 0o777).toBe(0o600);
      for (const secret of [profile.idToken, profile.accessToken, profile.refreshToken])
        expect(said + out).not.toContain(secret);
      expect((await json('whoami', '--hub', '--api')).value).toMatchObject({
        source: 'profile',
        user_id: 'user_bob',
        hub: { accepted: true },
        api: { role: 'developer' },
      });

      const [header, , signature] = profile.idToken.split('.');
      const expired = Buffer.from(JSON.stringify({ exp: 1 })).toString('base64url');
      writeFileSync(path, JSON.stringify({ ...profile, idToken: `${header}.${expired}.${signature}` }), {
        mode: 0o600,
      });
      const renewed = await legate(['whoami', '--hub', '--json']);
      expect([renewed.code, JSON.parse(renewed.stdout).user_id]).toEqual([0, 'user_bob']);
      expect(JSON.parse(readFileSync(path, 'utf8')).refreshToken).not.toBe(profile.refreshToken);
      rmSync(path);
    });

    it('exits with 2 for a wrong command, and with 5 for an unreachable hub', async () => {
      expect(await legate(['tokens'])).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringContaining('Did you mean token?'),
      });
      expect(
        (await legate(['tools', '--user', scene.USERS.alice.email], '', { TOOL_HUB_PORT: '1' })).code,
      ).toBe(5);
      expect(
        (await legate(['whoami'], '', { LEGATE_TOKEN: 'wrong', LEGATE_API: stack().urls['management-api'] }))
          .code,
      ).toBe(3);
    });

    it('prints help, and completion scripts that bash accepts', async () => {
      expect(await legate([])).toMatchObject({ code: 0, stdout: expect.stringContaining('Usage: legate') });
      const script = `eval "$("${process.execPath}" "${LEGATE}" completion bash)"; COMP_WORDS=(legate connectors ad); COMP_CWORD=2; _legate; echo "$COMPREPLY"`;
      const completed = await new Promise<string>((resolve) =>
        execFile('bash', ['--norc', '-c', script], { env }, (_err, stdout) => resolve(stdout)),
      );
      expect(completed).toBe('add\n');
    });
  });
}
