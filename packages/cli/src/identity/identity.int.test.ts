import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  ALICE,
  API,
  DEVELOPMENT,
  ISSUER,
  problem,
  type Routes,
  runTyped,
  type Sent,
  secondsFromNow,
  unsigned,
} from '../testing/run-typed.ts';

let config: string;
let path: string;
beforeEach(() => {
  config = mkdtempSync(join(tmpdir(), 'legate-cli-'));
  mkdirSync(join(config, 'legate'));
  path = join(config, 'legate', 'default.json');
});
afterEach(() => rmSync(config, { recursive: true }));

const tokenFor = (seconds: number, name = 'kept') =>
  unsigned({ ...ALICE, name, exp: secondsFromNow(seconds) });
const VALID = tokenFor(3600);
const EXPIRED = tokenFor(30);
const PROFILE = { issuer: ISSUER, clientId: 'app', idToken: VALID, refreshToken: 'r1' };

const keep = (profile: object | string, mode = 0o600) => {
  writeFileSync(path, typeof profile === 'string' ? profile : JSON.stringify(profile));
  chmodSync(path, mode);
};
const run = (args: string[], routes: Routes = DEVELOPMENT, env: NodeJS.ProcessEnv = {}) =>
  runTyped(args, { routes, env: { XDG_CONFIG_HOME: config, ...env } });

it('uses the profile, and sends no request while its token is valid', async () => {
  keep(PROFILE);
  expect(await run(['token'])).toMatchObject({ code: 0, stdout: `${VALID}\n`, stderr: '', sent: [] });
});

it.each([
  ['--user', ['--user', 'bob@acme.example'], {}, 'Acting as bob@acme.example'],
  ['LEGATE_USER', [], { LEGATE_USER: 'bob@acme.example' }, 'Acting as bob@acme.example'],
  [
    'LEGATE_ISSUER of another',
    [],
    { LEGATE_ISSUER: 'http://127.0.0.1:4002' },
    'Acting as alice@acme.example',
  ],
])('is not used with %s', async (_case, args, env, said) => {
  keep(PROFILE);
  const routes = { ...DEVELOPMENT };
  for (const [route, answer] of Object.entries(DEVELOPMENT))
    routes[route.replace('localhost', '127.0.0.1')] = answer;
  const { stderr } = await run(['token', ...args], routes, env);
  expect(stderr).toContain(said);
});

it('prefers --profile to LEGATE_TOKEN, and LEGATE_TOKEN to the default profile', async () => {
  keep(PROFILE);
  const env = { LEGATE_TOKEN: 'lgt_key' };
  expect((await run(['token'], {}, env)).stdout).toBe('lgt_key\n');
  expect((await run(['token', '--profile', 'default'], {}, env)).stdout).toBe(`${VALID}\n`);
});

it.each([0o644, 0o640, 0o604])('does not use a profile that others may read: %o', async (mode) => {
  keep(PROFILE, mode);
  const { code, stdout, stderr } = await run(['token']);
  expect([code, stdout]).toEqual([3, '']);
  expect(stderr).toContain(`Next: chmod 600 ${path}\n`);
});

it.each(['', '{', '[]', '{"issuer":1}', '{"issuer":"a","clientId":"b","idToken":"c","api":1}'])(
  'does not use the file %j',
  async (content) => {
    keep(content);
    expect(await run(['token'])).toMatchObject({
      code: 3,
      stderr: expect.stringContaining('is not a profile.'),
    });
  },
);

it('does not fall back to the development user if a profile is named', async () => {
  expect(await run(['token', '--profile', 'work'])).toMatchObject({
    code: 3,
    stderr: 'Error: There is no profile work.\nNext: legate login <issuer> --profile work\n',
  });
});

describe('an expiring token', () => {
  const metadata = { issuer: ISSUER, token_endpoint: `${ISSUER}/token` };
  const withTokens = (answer: Routes[string]): Routes => ({
    [`GET ${ISSUER}/.well-known/openid-configuration`]: metadata,
    [`POST ${ISSUER}/token`]: answer,
  });
  const renewed = unsigned({
    ...ALICE,
    aud: 'app',
    exp: Math.floor(Date.now() / 1000) + 7200,
    iat: Math.floor(Date.now() / 1000),
  });
  const answer = { access_token: 'a2', token_type: 'Bearer', refresh_token: 'r2', id_token: renewed };

  it('is renewed once by concurrent commands, and the new refresh token is stored', async () => {
    keep({ ...PROFILE, idToken: EXPIRED, api: API, accessToken: 'old' });
    const forms: Sent[] = [];
    const routes = withTokens((sent: Sent) => {
      forms.push(sent);
      return answer;
    });
    const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms / 10));
    const typed = () => runTyped(['token'], { routes, env: { XDG_CONFIG_HOME: config }, io: { wait } });
    const runs = await Promise.all([typed(), typed(), typed()]);
    expect(runs.map(({ stdout }) => stdout)).toEqual(Array(3).fill(`${renewed}\n`));
    expect(forms.map(({ body }) => Object.fromEntries(new URLSearchParams(body)))).toEqual([
      { grant_type: 'refresh_token', refresh_token: 'r1', resource: API, client_id: 'app' },
    ]);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
      idToken: renewed,
      accessToken: 'a2',
      refreshToken: 'r2',
    });
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  it('is renewed although another process died during the renewal', async () => {
    keep({ ...PROFILE, idToken: EXPIRED });
    writeFileSync(`${path}.lock`, '');
    const longAgo = new Date(Date.now() - 60_000);
    utimesSync(`${path}.lock`, longAgo, longAgo);
    expect((await run(['token'], withTokens(answer))).stdout).toBe(`${renewed}\n`);
  });

  it.each([
    [
      'the identity provider refuses',
      problem(400, { error: 'invalid_grant' }, { 'Content-Type': 'application/json' }),
      3,
      'refuses to renew this sign-in',
    ],
    ['the identity provider fails', new Response('busy', { status: 503 }), 5, 'did not renew the sign-in'],
  ])('asks the user to sign in if %s', async (_case, refusal, exitCode, message) => {
    keep({ ...PROFILE, idToken: EXPIRED });
    const { code, stderr } = await run(['token'], withTokens(refusal));
    expect([code, stderr]).toEqual([exitCode, expect.stringContaining(message)]);
  });

  it('is used until it expires if the identity provider renews only access tokens', async () => {
    keep({ ...PROFILE, idToken: EXPIRED });
    const { code, stdout } = await run(['token'], withTokens({ access_token: 'a', token_type: 'Bearer' }));
    expect([code, stdout]).toEqual([0, `${EXPIRED}\n`]);
  });

  it('asks the user to sign in if there is no refresh token', async () => {
    keep({ issuer: ISSUER, clientId: 'app', hub: 'https://hub.example', api: API, idToken: EXPIRED });
    expect(await run(['token', '--profile', 'default'])).toMatchObject({
      code: 3,
      stderr: `Error: The sign-in has expired.\nNext: legate login ${ISSUER} --client-id app --hub https://hub.example --profile default\n`,
    });
  });

  it('asks the user to sign in if only access tokens are renewed', async () => {
    keep({ ...PROFILE, idToken: tokenFor(-1) });
    const { code, stderr } = await run(['token'], withTokens({ access_token: 'a', token_type: 'Bearer' }));
    expect([code, stderr]).toEqual([3, expect.stringContaining('renews access tokens only')]);
  });
});

it('does not send the access token of one management API to another', async () => {
  keep({ ...PROFILE, api: API, accessToken: 'a1' });
  expect((await run(['token', '--api'])).stdout).toBe('a1\n');
  expect((await run(['token', '--api'], {}, { LEGATE_API: `${API}/` })).stdout).toBe('a1\n');
  const { code, stderr } = await run(['token', '--api'], {}, { LEGATE_API: 'https://api.example' });
  expect([code, stderr]).toEqual([
    3,
    expect.stringContaining(
      `not for the management API at https://api.example (from LEGATE_API).\nNext: unset LEGATE_API\n`,
    ),
  ]);
});

it('suggests how to configure the hub if the profile has none', async () => {
  keep({ ...PROFILE, issuer: 'https://idp.example' });
  expect(await run(['tools'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(
      'Error: Neither the profile nor LEGATE_HUB has the address of the hub.\nNext: legate login https://idp.example --client-id app --hub <url> --api <url>\n',
    ),
  });
});

it('does not ask for the address of the management API again if LEGATE_API has it', async () => {
  keep({ ...PROFILE, issuer: 'https://idp.example' });
  const { stderr } = await run(['tools'], {}, { LEGATE_API: 'https://api.example' });
  expect(stderr).toContain('\nNext: legate login https://idp.example --client-id app --hub <url>\n');
});
