import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, it } from '@jest/globals';
import { readJwt } from '@legate/jwt';
import { createPrivateJwk, eventually } from '@legate/testing';
import { runTyped } from '../testing/run-typed.ts';

const SECRET = 'the-secret-of-the-hub';
const folder = mkdtempSync(join(tmpdir(), 'legate-cli-'));
afterAll(() => rmSync(folder, { recursive: true }));
const fileWith = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

/** A provider that refuses everybody, and has an odd name for one of its methods */
let provider: ReturnType<typeof createServer>;
let issuer: string;
let forms: URLSearchParams[];
beforeEach(async () => {
  forms = [];
  provider = createServer((req, res) => {
    let body = '';
    req.on('data', (chunk) => {
      body += chunk;
    });
    req.on('end', () => {
      if (req.method === 'POST') forms.push(new URLSearchParams(body));
      const documents: Readonly<Record<string, object>> = {
        '/.well-known/openid-configuration': {
          issuer,
          authorization_endpoint: `${issuer}/authorize`,
          token_endpoint: `${issuer}/token`,
          jwks_uri: `${issuer}/jwks`,
          token_endpoint_auth_methods_supported: ['client_secret_post\u001b[31m'],
        },
        '/jwks': { keys: [{ kty: 'EC', crv: 'P-256', x: 'x', y: 'y' }] },
      };
      const document = documents[req.url ?? ''];
      res.writeHead(document ? 200 : 401, { 'Content-Type': 'application/json' });
      res.end(JSON.stringify(document ?? { error: 'invalid_client', error_description: body }));
    });
  });
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve));
  issuer = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`;
});
afterEach(() => {
  provider.close();
  provider.closeAllConnections();
});

const io = { clock: () => new Date() };
const run = (...args: string[]) => runTyped(['doctor', 'idp', issuer, ...args], { io });

it('examines what needs no client, says what the other legs need, and ends with the settings', async () => {
  const { code, stdout, stderr } = await run();
  expect([code, stderr]).toEqual([0, '']);
  expect(stdout).toContain('No fault.');
  expect(stdout).toContain('skip  client                  Needs --client-id, and --secret-file, --key');
  expect(stdout).toContain('auth_methods: client_secret_post?[31m');
  expect(stdout).toMatch(
    new RegExp(
      `\n\n# The tool hub\nIDP_KIND=generic\nIDP_ISSUER=${issuer}\nOUTBOUND_ALLOW=loopback\n(.+\n)+\n# The management API\n`,
    ),
  );
});

it('does not break the lines of the settings', async () => {
  const path = fileWith('a-secret-in-a-file-whose-name-is-long', SECRET);
  const args = ['doctor', 'idp', issuer, '--client-id', 'hub', '--secret-file', path];
  const { stdout } = await runTyped(args, { io, isTTY: true, columns: 40 });
  expect(stdout).toContain(`\nIDP_CLIENT_SECRET_FILE=${path}\n`);
});

it('writes the report and the settings as JSON', async () => {
  const { code, stdout } = await run('--json');
  const report = JSON.parse(stdout);
  expect([code, report.issuer, report.kind, report.first_fault]).toEqual([0, issuer, 'generic', null]);
  expect(report.checks.at(-1)).toMatchObject({ check: 'fields', status: 'ok' });
  expect(report.settings.tool_hub).toMatchObject({ IDP_ISSUER: issuer });
  expect(report.settings.management_api).toMatchObject({ IDP_KIND: 'generic' });
  expect(report.settings.console).toMatchObject({ IDP_KIND: 'generic', IDP_ISSUER: issuer });
});

it.each([
  ['--secret-file', () => ['--secret-file', fileWith('secret', `${SECRET}\n`)], {}],
  ['LEGATE_IDP_SECRET', () => [], { LEGATE_IDP_SECRET: SECRET }],
])('sends the secret of %s, exits with 1 for a refusal, and never prints it', async (_case, args, env) => {
  for (const json of [[], ['--json']]) {
    const typed = ['doctor', 'idp', issuer, '--client-id', 'hub', ...args(), ...json];
    const { code, stdout, stderr } = await runTyped(typed, { io, env });
    expect([code, stdout]).toEqual([1, expect.stringContaining('refuses our authentication')]);
    expect(stdout + stderr).not.toContain(SECRET);
  }
  expect(forms.map((form) => form.get('client_secret'))).toEqual([SECRET, SECRET]);
});

it('signs with the first key of --key', async () => {
  const jwk = { ...createPrivateJwk({ namedCurve: 'P-256' }), kid: 'k1' };
  const path = fileWith('keys.json', JSON.stringify({ keys: [jwk] }));
  const { stdout } = await run('--client-id', 'hub', '--key', path);
  expect(forms[0]?.get('client_assertion')).toMatch(/^eyJ/);
  expect(stdout).toContain(`IDP_CLIENT_KEYS_FILE=${path}`);
  expect(stdout).not.toContain(jwk.d);
});

it.each([
  ['a bare ID token', 'eyJhbGciOiJSUzI1NiJ9.e30.c2ln'],
  [
    'the response of a token endpoint',
    JSON.stringify({ id_token: 'eyJhbGciOiJSUzI1NiJ9.e30.c2ln', access_token: 'a' }),
  ],
])('reads %s from --token-file', async (_case, text) => {
  const { code, stdout } = await run('--client-id', 'hub', '--token-file', fileWith('tokens', text));
  expect([code, stdout]).toEqual([1, expect.stringContaining('The ID token is refused: issuer.')]);
  expect(stdout).not.toContain('eyJ');
});

/** Runs the command with `--sign-in`, and a browser in which the user is signed in at once. */
async function runSignIn(...args: string[]) {
  const pages: string[] = [];
  const opened: URL[] = [];
  const openBrowser = async (url: string) => {
    opened.push(new URL(url));
    const { searchParams } = new URL(url);
    const redirect = new URL(searchParams.get('redirect_uri') ?? '');
    redirect.searchParams.set('code', 'c1');
    redirect.searchParams.set('state', searchParams.get('state') ?? '');
    void fetch(redirect).then(async (page) => pages.push(await page.text()));
    return true;
  };
  const typed = ['doctor', 'idp', issuer, '--client-id', 'hub', '--sign-in', ...args];
  const ran = await runTyped(typed, { io: { ...io, openBrowser } });
  await eventually('the page', () => pages.length === 1);
  return { ...ran, opened };
}

it('signs in with the browser as the client, and reports what the provider says', async () => {
  const { code, stdout, stderr, opened } = await runSignIn('--secret-file', fileWith('secret', SECRET));
  expect(Object.fromEntries(opened[0]?.searchParams ?? [])).toMatchObject({
    client_id: 'hub',
    scope: 'openid email profile offline_access',
    code_challenge_method: 'S256',
  });
  expect([code, stdout]).toEqual([1, expect.stringContaining('Nobody was signed in:')]);
  expect(forms[0]?.get('client_secret')).toBe(SECRET);
  expect(stdout + stderr).not.toContain(SECRET);
});

it.each([
  ['generic', () => issuer],
  ['okta', () => `${issuer}/token`],
])('signs every assertion with the aud of the kind %s, that of the sign-in too', async (kind, audience) => {
  const jwk = { ...createPrivateJwk({ modulusLength: 2048 }), kid: 'k1', alg: 'RS256' };
  const path = fileWith('keys.json', JSON.stringify({ keys: [jwk] }));
  const { stdout } = await runSignIn('--key', path, '--kind', kind, '--json');
  const sent = forms.map((form) => [
    form.get('grant_type'),
    readJwt(form.get('client_assertion') ?? '').claims.aud,
  ]);
  expect(sent).toEqual([
    ['authorization_code', audience()],
    ['refresh_token', audience()],
  ]);
  const checks: { check: string; remedy: string }[] = JSON.parse(stdout).checks;
  const [signIn, client] = ['sign_in', 'client'].map((name) => checks.find(({ check }) => check === name));
  expect(signIn).toMatchObject({ status: 'fail', remedy: client?.remedy });
  expect(stdout).not.toContain('eyJ');
});

it('reaches no address of this computer for a provider elsewhere', async () => {
  const elsewhere = issuer.replace('http:', 'https:').replace('127.0.0.1', 'localhost');
  const { code, stdout } = await runTyped(['doctor', 'idp', elsewhere], { io });
  expect([code, stdout]).toEqual([1, expect.stringContaining('requests are not allowed')]);
});

it.each([
  [[], "Missing required argument 'issuer'."],
  [['http://idp.example'], 'The issuer must be an https URL'],
  [['https://idp.example', '--kind', 'acme'], '--kind must be one of generic, okta, '],
  [['https://idp.example', '--key', 'a', '--secret-file', 'b'], 'Give either --key or --secret-file.'],
  [['https://idp.example', '--token-file', 'a', '--sign-in'], 'Give either --token-file or --sign-in.'],
  [['https://idp.example', '--sign-in'], '--sign-in needs --client-id.'],
  [['https://idp.example', '--resource', 'no url'], '--resource must be a URL.'],
  [['https://idp.example', '--secret-file', '/missing'], '--secret-file: the file cannot be read (ENOENT).'],
  [['https://idp.example', '--client-secret', 'x'], "Unknown option '--client-secret'."],
])('exits with 2 for the arguments %j', async (args, fault) => {
  const { code, stdout, stderr } = await runTyped(['doctor', 'idp', ...args]);
  expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(`Error: ${fault}`)]);
});

it.each([
  ['--key', '{"keys":[{"kty":"EC","d":"secret-part"}]}'],
  ['--key', 'secret-part'],
  ['--token-file', 'secret-part'],
  ['--secret-file', '\n'],
])('exits with 2 for a useless file in %s, and quotes nothing of it', async (option, text) => {
  const { code, stdout, stderr } = await run(option, fileWith('useless', text));
  expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(`Error: ${option}: the file `)]);
  expect(stderr).not.toContain('secret-part');
});
