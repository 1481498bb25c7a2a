import { expect, it } from '@jest/globals';
import { createPrivateJwk } from '@legate/testing';
import { loadConfig } from '../../config.ts';
import { readOnboardingSettings } from './settings.ts';

const ALL = {
  IDP_CLIENT_ID: 'management-api',
  IDP_CLIENT_SECRET: 'the-secret',
  IDP_ADMIN_URL: 'https://idp.example/admin',
  IDP_ADMIN_API_KEY: 'the-key',
};
const KEYS = `k:${Buffer.alloc(32).toString('base64')}`;
const read = (env: NodeJS.ProcessEnv) => readOnboardingSettings(loadConfig(env));

it('is off if nothing is set', () => {
  expect(read({})).toBeUndefined();
  const { IDP_CLIENT_ID, IDP_CLIENT_SECRET } = ALL; // for calls to the hub
  expect(read({ IDP_CLIENT_ID, IDP_CLIENT_SECRET })).toBeUndefined();
});

it('is on if everything is set, and returns to its own page by default', () => {
  expect(read({ ...ALL, RESOURCE: 'https://api.example' })).toMatchObject({
    publicUrl: 'https://api.example',
    returnTo: ['https://api.example/onboarding'],
    identityProvider: { IDP_KIND: 'generic' },
  });
  expect(read({ ...ALL, ORGANIZATION_CLAIM: 'org_id' })?.identityProvider.ORGANIZATION_CLAIM).toBe('org_id');
  const settings = read({ ...ALL, RETURN_TO: 'https://a.example/x, https://b.example' });
  expect(settings?.returnTo).toEqual(['https://a.example/x', 'https://b.example']);
});

it('reads the clients of applications from the setting that lists their pages', () => {
  const value = 'https://app.example/welcome|frontend-app, https://other.example,https://x.example|a|b';
  const { returnTo, clients } = read({ ...ALL, RETURN_TO: value }) ?? {};
  expect(returnTo).toEqual(['https://app.example/welcome', 'https://other.example', 'https://x.example']);
  expect([...(clients ?? [])]).toEqual([
    ['https://app.example/welcome', 'frontend-app'],
    ['https://x.example', 'a|b'],
  ]);
});

it('does not link members again unless it is configured', () => {
  expect(read(ALL)?.relinkMembers).toBe(false);
  expect(read({ ...ALL, RELINK_MEMBERS: 'false' })?.relinkMembers).toBe(false);
  expect(read({ ...ALL, RELINK_MEMBERS: 'true' })?.relinkMembers).toBe(true);
});

it.each(Object.keys(ALL))('refuses to start without %s, and shows no value', (name) => {
  expect(() => read({ ...ALL, [name]: '' })).toThrow(
    expect.objectContaining({ faults: [`${name}: required for onboarding`] }),
  );
});

it('refuses a map of organizations, because a new organization is not in it', () => {
  const ORGANIZATION_RULE = '{"claim":"tid","map":{"a":"org_acme"}}';
  const faults = [expect.stringMatching(/^ORGANIZATION_RULE: without a map/)];
  expect(() => read({ ...ALL, ORGANIZATION_RULE })).toThrow(expect.objectContaining({ faults }));
  expect(read({ ORGANIZATION_RULE })).toBeUndefined();
});

it('accepts keys in place of a secret, but not both', () => {
  const jwk = createPrivateJwk({ namedCurve: 'P-256' });
  const IDP_CLIENT_KEYS = JSON.stringify({ keys: [{ ...jwk, kid: 'a' }] });
  expect(read({ ...ALL, IDP_CLIENT_SECRET: '', IDP_CLIENT_KEYS })?.credentials).toMatchObject({
    method: 'private_key_jwt',
    privateJwk: { kid: 'a', alg: 'ES256' },
  });
  expect(() => read({ ...ALL, IDP_CLIENT_KEYS })).toThrow('IDP_CLIENT_SECRET, IDP_CLIENT_KEYS: one of them');
});

it('requires keys that all processes share if they share Redis', () => {
  const shared = { ...ALL, REDIS_URL: 'redis://127.0.0.1' };
  expect(() => read(shared)).toThrow('ENCRYPTION_KEYS: required for onboarding');
  expect(read({ ...shared, ENCRYPTION_KEYS: KEYS })?.encryptionKeys?.activeId).toBe('k');
});

it.each([
  ['ENCRYPTION_KEYS', 'k:short'],
  ['RETURN_TO', 'javascript:alert(1)'],
  ['RETURN_TO', 'https://app.example|'],
  ['RELINK_MEMBERS', 'perhaps'],
])('refuses an unusable %s without showing it', (name, value) => {
  const start = () => read({ ...ALL, [name]: value });
  expect(start).toThrow(name);
  expect(start).not.toThrow(value);
});
