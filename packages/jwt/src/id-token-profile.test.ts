import { describe, expect, it } from '@jest/globals';
import { createLocalJWKSet } from 'jose';
import {
  ACCESS_TOKEN_MARKS,
  type AccessTokenMark,
  boundedIdToken,
  createSigningKeys,
  createTokenVerifier,
  TokenRefused,
} from './index.ts';

const NOW = 1_790_000_000;
const clock = () => new Date(NOW * 1000);
const CLAIMS = { iss: 'https://idp.example', sub: 'user_alice', aud: 'app', iat: NOW, exp: NOW + 3600 };
const keys = await createSigningKeys({ alg: 'ES256', clock });

async function outcomeOf(claims: object, options?: Parameters<typeof boundedIdToken>[0]) {
  const verify = createTokenVerifier(boundedIdToken(options), {
    issuers: [{ issuer: CLAIMS.iss, keys: createLocalJWKSet(keys.publicJwks()) }],
    audience: 'app',
    clock,
  });
  return verify(await keys.sign({ ...CLAIMS, ...claims }, { typ: 'JWT' })).then(
    () => 'accepted',
    (err: unknown) => (err instanceof TokenRefused ? err.message : err),
  );
}

describe('an ID token', () => {
  it.each([
    ['nothing of an access token', {}],
    ['the token_use of an ID token', { token_use: 'id' }],
    ['the typ of an ID token', { typ: 'ID' }],
    ['the typ of a JWT', { typ: 'JWT' }],
    ['several audiences', { aud: ['app', 'other'] }],
  ])('is accepted with %s', async (_case, claims) => {
    expect(await outcomeOf(claims)).toBe('accepted');
  });

  it.each<[AccessTokenMark, unknown]>([
    ['scope', 'openid'],
    ['scp', ['openid']],
    ['client_id', 'app'],
    ['token_use', 'access'],
    ['token_use', 7],
    ['typ', 'Bearer'],
    ['typ', 'Refresh'],
    ['typ', 7],
    ['typ', null],
  ])('is refused with %s %j unless this claim is allowed for the provider', async (claim, value) => {
    expect(await outcomeOf({ [claim]: value })).toBe(`typ: ${claim}`);
    expect(await outcomeOf({ [claim]: value }, { allowedMarks: [claim] })).toBe('accepted');
    const others = ACCESS_TOKEN_MARKS.filter((mark) => mark !== claim);
    expect(await outcomeOf({ [claim]: value }, { allowedMarks: others })).toBe(`typ: ${claim}`);
  });

  it('is refused if it is a logout token', async () => {
    expect(await outcomeOf({ events: {} })).toBe('typ: events');
  });

  it.each([
    ['another audience', { aud: 'other' }],
    ['an end in the past', { exp: NOW - 60 }],
    ['no user', { sub: undefined }],
  ])('is refused as an access token if it is one, even with %s', async (_case, claims) => {
    expect(await outcomeOf({ ...claims, scope: 'api' })).toBe('typ: scope');
  });

  it('has a lifetime of at most a day, or of the configured maximum', async () => {
    expect(await outcomeOf({ exp: NOW + 86_400 })).toBe('accepted');
    expect(await outcomeOf({ exp: NOW + 86_401 })).toBe('lifetime');
    expect(await outcomeOf({ exp: NOW + 61 }, { maxLifetimeSeconds: 60 })).toBe('lifetime');
  });
});
