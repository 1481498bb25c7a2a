import { describe, expect, it } from '@jest/globals';
import { runs } from '@legate/testing';
import fc from 'fast-check';
import { refreshTokenGrant } from 'openid-client';
import { readTokenAnswer } from './token-answer.ts';
import { createTokenClient } from './token-client.ts';

const GOOD = { access_token: 'token', token_type: 'Bearer' };

const read = (body: unknown, usesIdTokens = false): Promise<unknown> =>
  readTokenAnswer(Response.json(body), { usesIdTokens }).json();

it.each<[string, object, object]>([
  [
    'null members',
    { refresh_token: null, scope: null, expires_in: null, resource: null, id_token: null },
    {},
  ],
  ['empty members', { refresh_token: '', scope: '', issued_token_type: '' }, {}],
  ['a life as a text', { expires_in: '3600' }, { expires_in: 3600 }],
  ['a life that is none', { expires_in: 'soon' }, {}],
  ['a refresh token that is none', { refresh_token: 7 }, {}],
  ['an ID token that nobody asked for', { id_token: 'eyJ.of.another' }, {}],
  ['what decides, whatever it is', { scope: 7, resource: [] }, { scope: 7, resource: [] }],
  ['other members', { more: { of: ['them'] } }, { more: { of: ['them'] } }],
])('reads %s', async (_what, members, kept) => {
  expect(await read({ ...GOOD, ...members })).toEqual({ ...GOOD, ...kept });
});

it('keeps the ID token of a sign-in', async () => {
  expect(await read({ ...GOOD, id_token: 'eyJ' }, true)).toEqual({ ...GOOD, id_token: 'eyJ' });
  expect(await read({ ...GOOD, id_token: null }, true)).toEqual(GOOD);
});

it('does not change refusals, and responses that are not objects', async () => {
  const refusal = Response.json({ error: 'invalid_grant', scope: null }, { status: 400 });
  expect(await readTokenAnswer(refusal, { usesIdTokens: false }).json()).toHaveProperty('scope', null);
  for (const body of [[], ['x'], 'token', null]) expect(await read(body)).toEqual(body);
  for (const text of ['<p>', ''])
    await expect(readTokenAnswer(new Response(text), { usesIdTokens: false }).json()).rejects.toThrow(
      SyntaxError,
    );
});

describe('a token response', () => {
  it('is never refused because of an optional member without which it would be accepted', async () => {
    const names = ['refresh_token', 'id_token', 'expires_in', 'more', 'ext_expires_in', 'not_before'];
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.constantFrom(...names), fc.jsonValue()), async (odd) => {
        const client = await createTokenClient({
          ...{ issuer: 'https://as.example', tokenEndpoint: 'https://AS.example:443/token', clientId: 'hub' },
          clientAuth: { method: 'client_secret_post', clientSecret: 'secret' },
          fetch: async () => Response.json({ ...odd, ...GOOD }),
        });
        const { access_token: token } = await refreshTokenGrant(client, 'a-refresh-token');
        expect(token).toBe('token');
      }),
      runs(300),
    );
  });
});
