import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { findKind, KIND_NAMES } from '@legate/identity-providers';
import { TOKEN_TYPE } from '@legate/oauth';
import { printSettings } from './fields.ts';
import {
  AUDIENCE,
  CLIENT_ID,
  examineFake,
  ISSUER,
  refusal,
  SECRET,
  signIdToken,
  signingKeys,
  WITH_CLIENT,
} from './testing/fake-provider.ts';

const DOCUMENTED = readFileSync(new URL('../../../../docs/operations/settings.md', import.meta.url), 'utf8');

it('prints the settings to paste, with files for secrets', async () => {
  const { leg, settings } = await examineFake({ ...WITH_CLIENT, secretFile: '/run/secrets/idp' });
  expect(leg('fields').detail).toBe('The settings are below.');
  const printed = settings && printSettings(settings);
  expect(printed?.split('\n')).toEqual([
    expect.stringMatching(/^# For a shell, .*docker run/),
    '',
    '# The tool hub',
    'IDP_KIND=generic',
    `IDP_ISSUER=${ISSUER}`,
    `IDP_CLIENT_ID=${CLIENT_ID}`,
    'IDP_CLIENT_SECRET_FILE=/run/secrets/idp',
    '',
    '# The management API',
    'IDP_KIND=generic',
    `IDP_ISSUER=${ISSUER}`,
    '',
    '# The console',
    'IDP_KIND=generic',
    `IDP_ISSUER=${ISSUER}`,
    `IDP_CLIENT_ID=${CLIENT_ID}`,
    'IDP_CLIENT_SECRET_FILE=/run/secrets/idp',
    '',
  ]);
  expect(printed).not.toContain(SECRET);
});

it('prints lines that a shell and Node.js read alike, with JSON in them', async () => {
  const target = { ...WITH_CLIENT, kind: 'okta', secretFile: '/run/my secrets/$idp' } as const;
  const { settings } = await examineFake(target);
  const folder = mkdtempSync(join(tmpdir(), 'legate-doctor-'));
  try {
    const path = join(folder, 'settings.env');
    writeFileSync(path, settings ? printSettings(settings) : '');
    const printEnv = `${process.execPath} -p 'JSON.stringify(process.env)'`;
    for (const command of [`set -a; . "${path}"; ${printEnv}`, `${printEnv} --env-file="${path}"`])
      expect(JSON.parse(execFileSync('sh', ['-c', command], { encoding: 'utf8' }))).toMatchObject({
        ...settings?.hub,
      });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it.each([
  ['on this computer', ['127.0.0.1', '::1'], 'loopback'],
  ['in a private network', ['10.1.2.3', 'fd00::7'], '10.1.2.3/32,fd00::7/128'],
  ['at a public address', ['203.0.114.7', '2600::1'], undefined],
])('lets the services connect to a provider %s', async (_case, addresses, allow) => {
  const { settings } = await examineFake({ ...WITH_CLIENT, addresses });
  if (!settings) throw new Error('no settings');
  for (const service of [settings.hub, settings.managementApi, settings.console])
    expect(service?.OUTBOUND_ALLOW).toBe(allow);
});

it('names the keys instead of a secret', async () => {
  const { settings } = await examineFake({ ...WITH_CLIENT, keysFile: 'keys.json' });
  expect(settings?.hub).toMatchObject({ IDP_CLIENT_KEYS_FILE: 'keys.json' });
  expect(settings?.hub).not.toHaveProperty('IDP_CLIENT_SECRET_FILE');
});

it('says what is still to be filled in', async () => {
  const { leg, settings } = await examineFake({ kind: 'okta' });
  expect(leg('fields').detail).toBe(
    'The settings are below. Fill in ORGANIZATION_RULE, IDP_CLIENT_ID, IDP_CLIENT_SECRET_FILE.',
  );
  expect(settings?.hub).toMatchObject({ ORGANIZATION_RULE: '{"fixed":"org_…"}' });
});

it.each(KIND_NAMES)('prints for %s only settings that exist, and none that cannot work', async (kind) => {
  const { settings } = await examineFake({ ...WITH_CLIENT, kind });
  const printed = settings ? printSettings(settings) : '';
  for (const [, name = ''] of printed.matchAll(/^(\w+)=/gm))
    expect(DOCUMENTED).toContain(`| \`${name.replace(/_FILE$/, '')}\``);
  const { issuesApiTokens } = findKind(kind);
  for (const service of ['The management API', 'The console'])
    expect(printed.includes(`# ${service}\n# not with this issuer`)).toBe(!issuesApiTokens);
});

it.each([
  ['refuses ID tokens', 'generic', true],
  ['issues no ID-JAGs', 'keycloak', false],
] as const)('says which token is exchanged at a provider that %s', async (_case, kind, isSaid) => {
  const access_token = await signingKeys.sign({ aud: AUDIENCE, sub: 'user_alice' }, { typ: 'at+jwt' });
  const { leg, settings } = await examineFake(
    { ...WITH_CLIENT, kind, tokens: { idToken: await signIdToken(), accessToken: 'the-access-token' } },
    {
      token: ({ form }) =>
        form.get('subject_token') === 'the-access-token'
          ? { access_token, token_type: 'Bearer', issued_token_type: TOKEN_TYPE.accessToken }
          : refusal('invalid_request'),
    },
  );
  expect(leg('token_exchange').status).toBe('ok');
  expect(settings?.hub.IDP_SUBJECT_TOKEN_TYPE).toBe(isSaid ? 'access_token' : undefined);
  expect(settings && printSettings(settings).includes('IDP_SUBJECT_TOKEN_TYPE=')).toBe(isSaid);
});
