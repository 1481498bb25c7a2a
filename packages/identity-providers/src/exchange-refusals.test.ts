import { expect, it } from '@jest/globals';
import { exchangeRefusalsOf, findExchangeRefusal, type KindName, type RefusalDetails } from './index.ts';

type Answer = { readonly error: string } & RefusalDetails;

const read = (kind: KindName, { error, ...details }: Answer) => {
  const row = findExchangeRefusal(exchangeRefusalsOf(kind), { error, details });
  return row && [row.outcome, row.why ?? row.hint];
};

it.each<[string, KindName, Answer, unknown]>([
  ['another sign-in', 'entra', { error: 'interaction_required', codes: [50076] }, ['expired', undefined]],
  [
    'consent',
    'entra',
    { error: 'invalid_grant', suberror: 'consent_required', codes: [65001] },
    ['denied', 'an administrator must grant consent'],
  ],
  [
    'consent, by its number',
    'entra',
    { error: 'invalid_grant', codes: [65001] },
    ['denied', 'an administrator must grant consent'],
  ],
  ['a revoked sign-in', 'entra', { error: 'invalid_grant', codes: [50173] }, ['expired', undefined]],
  ['an expired sign-in', 'entra', { error: 'invalid_grant', codes: [700082] }, ['expired', undefined]],
  [
    'a subject for another audience',
    'entra',
    { error: 'invalid_grant', codes: [500131] },
    ['misconfigured', expect.stringContaining('audience')],
  ],
  ['an unknown scope', 'entra', { error: 'invalid_scope', codes: [70011] }, ['denied', 'scope_refused']],
  [
    'an unknown scope, named otherwise',
    'entra',
    { error: 'invalid_grant', codes: [28002] },
    ['denied', 'scope_refused'],
  ],
  [
    'an unknown audience',
    'entra',
    { error: 'invalid_resource', codes: [500011] },
    ['denied', 'target_unknown'],
  ],
  ['an unknown audience of RFC 8693', 'auth0', { error: 'invalid_target' }, ['denied', 'target_unknown']],
  [
    'a user without an assignment',
    'entra',
    { error: 'invalid_grant', codes: [50105] },
    ['denied', 'the user is not assigned to the application'],
  ],
  [
    'a client that may not exchange',
    'auth0',
    { error: 'unauthorized_client' },
    ['misconfigured', expect.stringContaining('exchange')],
  ],
  [
    'an audience that is not in the token',
    'keycloak',
    { error: 'access_denied', description: 'Client is not within the token audience' },
    ['misconfigured', expect.stringContaining('audiences of the access token')],
  ],
  ['a denial', 'keycloak', { error: 'access_denied' }, ['denied', undefined]],
  [
    'an audience that is no client',
    'keycloak',
    { error: 'invalid_client', description: 'audience' },
    ['denied', 'target_unknown'],
  ],
  [
    'an audience that the client does not have',
    'keycloak',
    { error: 'invalid_request', description: 'audience' },
    ['denied', 'target_unknown'],
  ],
  [
    'an exchange that is off',
    'keycloak',
    { error: 'invalid_request', description: 'token exchange' },
    ['misconfigured', expect.stringContaining('is off')],
  ],
  ['a token that has ended', 'keycloak', { error: 'invalid_request' }, ['expired', undefined]],
  [
    'a request that lacks something',
    'entra',
    { error: 'invalid_request', codes: [900144] },
    ['misconfigured', expect.stringContaining('invalid')],
  ],
  [
    'a wrong secret, in the words for a denied user',
    'auth0',
    { error: 'access_denied', status: 401 },
    ['misconfigured', expect.stringContaining('authenticates')],
  ],
  [
    'a wrong secret, in the words for a client without the right',
    'keycloak',
    { error: 'unauthorized_client', status: 401 },
    ['misconfigured', expect.stringContaining('authenticates')],
  ],
  ['a denied user elsewhere', 'auth0', { error: 'access_denied' }, ['denied', undefined]],
  [
    'a wrong secret',
    'entra',
    { error: 'invalid_client', codes: [7000215] },
    ['misconfigured', expect.stringContaining('authenticates')],
  ],
  ['no such grant', 'generic', { error: 'unsupported_grant_type' }, ['unsupported', undefined]],
  [
    'no such type of token',
    'generic',
    { error: 'invalid_request', description: 'requested_token_type' },
    ['unsupported', undefined],
  ],
  ['an invalid subject', 'generic', { error: 'invalid_request' }, ['expired', undefined]],
  ['a loop', 'entra', { error: 'invalid_grant', codes: [50196] }, ['unavailable', undefined]],
])('reads a refusal because of %s', (_why, kind, answer, expected) => {
  expect(read(kind, answer)).toEqual(expected);
});

it('does not decide by a number alone', () => {
  expect(read('entra', { error: 'some_error', codes: [50105, 65001] })).toBeUndefined();
  expect(read('auth0', { error: 'invalid_grant', codes: [50105] })).toEqual(['expired', undefined]);
});
