import { expect, it, jest } from '@jest/globals';
import { KeysUnavailable } from '@legate/jwt';
import { createHttpClient } from '@legate/service';
import { createTestClock } from '@legate/service/testing';
import { createPrivateJwk } from '@legate/testing';
import { z } from 'zod';
import type { Platform } from '../platform/platform.ts';
import { openIdentityProvider } from './identity-provider.ts';
import { signInEnvironment } from './settings.ts';

const ENV = {
  IDP_ISSUER: 'https://idp.example',
  IDP_CLIENT_ID: 'tool-hub',
  IDP_CLIENT_SECRET: 'a-secret-value',
};

function open(env: Record<string, string>) {
  const log = { info: jest.fn(), warn: jest.fn(), error: jest.fn() };
  const http = createHttpClient();
  const platform = {
    ...{ http, clock: createTestClock(), log },
    publicUrl: 'https://hub.example',
  } as unknown as Platform;
  const given = Object.entries({ ...ENV, ...env }).filter(([, value]) => value !== '');
  const settings = z.object(signInEnvironment).parse(Object.fromEntries(given));
  return { log, ...openIdentityProvider(platform, settings, () => () => undefined) };
}

it.each([
  [{}, 'id_token', undefined],
  [{ IDP_KIND: 'pingfederate' }, 'refresh_token', undefined],
  [{ IDP_KIND: 'pingfederate', IDP_SUBJECT_TOKEN_TYPE: 'id_token' }, 'id_token', undefined],
  [{ IDP_KIND: 'keycloak' }, 'access_token', undefined],
  [{ IDP_KIND: 'entra' }, 'access_token', 'api://tool-hub/access_as_user'],
  [{ IDP_KIND: 'entra', IDP_SUBJECT_TOKEN_TYPE: 'id_token' }, 'id_token', undefined],
  [{ IDP_KIND: 'google' }, 'id_token', undefined],
])('exchanges the token of the kind unless a setting names one: %j', (env, type, scope) => {
  const { subjectTokenType, subjectScope } = open(env);
  expect([subjectTokenType, subjectScope]).toEqual([type, scope]);
});

it.each([
  [{}, 'required'],
  [{ ORGANIZATION_CLAIM: 'org_id' }, 'required'],
  [{ ORGANIZATION_RULE: '{"claim":"tid","map":{"a":"org_acme","b":"org_globex"}}' }, 'required'],
  [{ ORGANIZATION_RULE: '{"claim":"tid","map":{"a":"org_acme","b":"org_acme"}}' }, 'optional'],
  [{ ORGANIZATION_RULE: '{"fixed":"org_acme"}' }, 'optional'],
  [{ ORGANIZATION_RULE: '{"fixed":"org_acme"}', ID_JAG_ORGANIZATION: 'required' }, 'required'],
  [{ ID_JAG_ORGANIZATION: 'optional' }, 'optional'],
])(
  'requires the organization in ID-JAGs if there are several, unless a setting decides: %j',
  (env, expected) => {
    expect(open(env).idJagOrganization).toBe(expected);
  },
);

it('logs the kind at start', () => {
  const { log } = open({ IDP_KIND: 'entra' });
  expect(log.info).toHaveBeenCalledWith(
    { issuer: 'https://idp.example', kind: 'entra' },
    'identity provider',
  );
});

const keysWith = (members: object) =>
  JSON.stringify({ keys: [{ ...createPrivateJwk({ modulusLength: 2048 }), kid: 'k1', ...members }] });

it.each([
  ['entra', { alg: 'RS256', 'x5t#S256': 't' }, /^IDP_CLIENT_KEYS: the first key signs with RS256, /],
  ['entra', { alg: 'PS256' }, /^IDP_CLIENT_KEYS: the first key has no x5t#S256, /],
  ['entra', { alg: 'PS256', 'x5t#S256': 't' }, undefined],
  ['generic', { alg: 'PS256' }, undefined],
])('warns at start of a key that %s refuses by its documents: %j', (IDP_KIND, members, warning) => {
  const { log } = open({ IDP_KIND, IDP_CLIENT_SECRET: '', IDP_CLIENT_KEYS: keysWith(members) });
  const said = log.warn.mock.calls.map(([, message]) => message);
  expect(said).toEqual(warning === undefined ? [] : [expect.stringMatching(warning)]);
});

it.each(['keys', 'a token'])(
  'names the setting, once, that keeps it from a provider at a private address, for %s',
  async (first) => {
    const { log, issuer, hubClient, close } = open({ IDP_ISSUER: 'http://127.0.0.1:9/realm' });
    const [read, send] = [
      () => expect(issuer.keys({ alg: 'ES256', kid: 'k1' })).rejects.toBeInstanceOf(KeysUnavailable),
      () => expect(hubClient.fetch('http://127.0.0.1:9/token')).rejects.toThrow('fetch failed'),
    ];
    await (first === 'keys' ? read() : send());
    expect(log.error.mock.calls).toEqual([
      [
        {
          issuer: 'http://127.0.0.1:9/realm',
          reason: 'requests to 127.0.0.1 are not allowed (OUTBOUND_ALLOW)',
        },
        expect.stringContaining('OUTBOUND_ALLOW'),
      ],
    ]);
    await read();
    await send();
    expect(log.error).toHaveBeenCalledTimes(1);
    await close();
  },
);

it('names no setting for an address that only the metadata name', async () => {
  const { log, hubClient, close } = open({ IDP_ISSUER: 'https://idp.example' });
  await expect(hubClient.fetch('http://169.254.169.254/token')).rejects.toThrow('fetch failed');
  expect(log.error).not.toHaveBeenCalled();
  await close();
});

it.each([
  ['entra', { flavour: 'on-behalf-of', userClaim: 'oid' }],
  ['keycloak', { flavour: 'token-exchange', userClaim: 'sub' }],
] as const)('exchanges access tokens as %s does, and for no service of it', (kind, expected) => {
  const { exchange } = open({ IDP_KIND: kind });
  expect(exchange).toMatchObject(expected);
  expect(
    ['tool-hub', 'https://idp.example/', 'https://hub.example', 'api://tools'].map((one) =>
      exchange?.isForbidden(one),
    ),
  ).toEqual([true, true, true, false]);
});

it('exchanges no access tokens at a provider that does not', () => {
  expect(open({ IDP_KIND: 'google' }).exchange).toBeUndefined();
});

it.each([
  [{}, true],
  [{ IDP_KIND: 'keycloak' }, false],
  [{ IDP_KIND: 'keycloak', IDP_SUBJECT_TOKEN_TYPE: 'access_token' }, false],
  [{ IDP_KIND: 'keycloak', IDP_SUBJECT_TOKEN_TYPE: 'id_token' }, true],
])('asks for ID-JAGs if the kind issues them, or a setting names the ID token: %j', (env, expected) => {
  expect(open(env).issuesIdJags).toBe(expected);
});
