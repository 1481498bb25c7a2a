import { expect, it } from '@jest/globals';
import { KIND_NAMES, type KindName, type RefusalDetails, type RefusedLeg, readRefusal } from './index.ts';

const explain = (kind: KindName, leg: RefusedLeg, error: string, details?: RefusalDetails) =>
  readRefusal(kind, leg, { error, details }).hint;

it.each<[KindName, string, RefusalDetails, string]>([
  ['generic', 'invalid_client', {}, 'IDP_CLIENT_ASSERTION_AUDIENCE (the aud of assertions)'],
  [
    'okta',
    'invalid_client',
    { description: 'The client_assertion JWT kid is invalid.' },
    'not among the keys',
  ],
  [
    'okta',
    'invalid_client',
    { description: 'The audience claim for client_assertion must be the endpoint invoked for the request.' },
    'IDP_CLIENT_ASSERTION_AUDIENCE=token_endpoint',
  ],
  [
    'okta',
    'invalid_client',
    { description: 'Private key JWT signature verification failed' },
    'No key is registered under this kid, or another one is',
  ],
  ['okta', 'invalid_client', { description: 'Something new' }, 'does not accept the hub as its client'],
  ['okta', 'unauthorized_client', { description: 'Scope not permitted' }, 'resource connection'],
  ['okta', 'unauthorized_client', {}, 'Connect the hub'],
  ['entra', 'invalid_client', { codes: [7000215] }, 'With a secret: IDP_CLIENT_SECRET must be the value'],
  ['entra', 'invalid_client', { codes: [7000215] }, 'With keys: upload the certificate'],
  ['entra', 'invalid_client', { codes: [700027] }, 'certificate that is registered'],
  ['entra', 'invalid_client', { codes: [700027] }, 'has no x5t#S256, or is not for PS256'],
  ['entra', 'unsupported_grant_type', { codes: [70003] }, 'issues no ID-JAGs'],
  [
    'keycloak',
    'unauthorized_client',
    { description: 'Invalid client or Invalid client credentials' },
    'does not accept the hub as its client',
  ],
  [
    'keycloak',
    'unauthorized_client',
    { description: 'Client authentication with signed JWT failed: Token is not active' },
    'does not accept the hub as its client',
  ],
  ['keycloak', 'unauthorized_client', {}, 'Allow the hub'],
])('explains the refusal of a token exchange by %s: %s %j', (kind, error, details, hint) => {
  expect(explain(kind, 'exchange', error, details)).toContain(hint);
});

it('applies the texts and numbers of one provider to no other', () => {
  const details = { description: 'The client_assertion JWT kid is invalid.', codes: [7000215] };
  const hints = new Set(
    KIND_NAMES.filter((kind) => kind !== 'okta' && kind !== 'entra').map((kind) =>
      explain(kind, 'exchange', 'invalid_client', details),
    ),
  );
  expect([...hints]).toEqual([expect.stringContaining('does not accept the hub as its client')]);
});

it('explains what it can of a refusal by the leg that was refused', () => {
  const hintAt = (leg: 'exchange' | 'renewal', error: string) => explain('generic', leg, error);
  expect(hintAt('exchange', 'unauthorized_client')).toContain('token exchange');
  expect(hintAt('renewal', 'unauthorized_client')).toContain('refresh tokens');
  expect([hintAt('renewal', 'invalid_grant'), hintAt('exchange', 'unheard_of')]).toEqual([
    undefined,
    undefined,
  ]);
});

it.each(KIND_NAMES)('repeats nothing that %s wrote', (kind) => {
  const details = { description: 'kid is invalid <script> eyJhbGciOi', codes: [7000215] };
  expect(explain(kind, 'exchange', 'invalid_client', details)).not.toMatch(/script|eyJ/);
});

type Answer = { readonly error: string } & RefusalDetails;

const says = (description: string) => ({ description });
/** @returns outcome and reason, as of an exchange of an access token, and the hint */
const read = (kind: KindName, { error, ...details }: Answer) => {
  const { outcome, why, hint } = readRefusal(kind, 'exchange', { error, details });
  return [why ?? outcome, hint];
};

it.each<[string, KindName, Answer, [outcome: string, hint?: string]]>([
  ['another sign-in', 'entra', { error: 'interaction_required', codes: [50076] }, ['expired']],
  ['consent', 'entra', { error: 'invalid_grant', suberror: 'consent_required' }, ['denied', 'grant consent']],
  [
    'consent, by its number',
    'entra',
    { error: 'invalid_grant', codes: [65001] },
    ['denied', 'grant consent'],
  ],
  ['a revoked sign-in', 'entra', { error: 'invalid_grant', codes: [50173] }, ['expired']],
  ['an expired sign-in', 'entra', { error: 'invalid_grant', codes: [700082] }, ['expired']],
  [
    'a subject for another audience',
    'entra',
    { error: 'invalid_grant', codes: [500131] },
    ['misconfigured', 'another audience than the hub'],
  ],
  [
    'an unknown scope',
    'entra',
    { error: 'invalid_scope', codes: [70011] },
    ['scope_refused', 'Application ID URI'],
  ],
  [
    'an unknown scope, named otherwise',
    'entra',
    { error: 'invalid_grant', codes: [28002] },
    ['scope_refused', 'Application ID URI'],
  ],
  ['an unknown audience', 'entra', { error: 'invalid_resource', codes: [500011] }, ['target_unknown']],
  ['an unknown audience of RFC 8693', 'auth0', { error: 'invalid_target' }, ['target_unknown']],
  [
    'a user without an assignment',
    'entra',
    { error: 'invalid_grant', codes: [50105] },
    ['denied', 'Assign the user'],
  ],
  [
    'a client that may not exchange',
    'auth0',
    { error: 'unauthorized_client' },
    ['misconfigured', 'to use the token exchange'],
  ],
  [
    'an audience that is not in the token',
    'keycloak',
    { error: 'access_denied', ...says('Client is not within the token audience') },
    ['misconfigured', 'audience mapper'],
  ],
  ['a denial', 'keycloak', { error: 'access_denied' }, ['denied']],
  [
    'an audience that is no client',
    'keycloak',
    { error: 'invalid_client', ...says('Audience not found') },
    ['target_unknown', 'needs one for each audience'],
  ],
  [
    'the audience of an assertion',
    'keycloak',
    {
      error: 'invalid_client',
      ...says("Client authentication with signed JWT failed: Token audience doesn't match domain."),
    },
    ['misconfigured', 'does not accept the hub as its client'],
  ],
  [
    'an audience that the client does not have',
    'keycloak',
    { error: 'invalid_request', ...says('Requested audience not available: tools') },
    ['target_unknown', 'audience mapper'],
  ],
  [
    'a disabled client',
    'keycloak',
    { error: 'invalid_client', ...says('Client disabled') },
    ['misconfigured', 'enable it'],
  ],
  [
    'an exchange that is off',
    'keycloak',
    { error: 'invalid_request', ...says('Standard token exchange is not enabled for the requested client') },
    ['misconfigured', 'Switch the standard token exchange on'],
  ],
  ['a token that has ended', 'keycloak', { error: 'invalid_request' }, ['expired']],
  [
    'a request that lacks something',
    'entra',
    { error: 'invalid_request', codes: [900144] },
    ['misconfigured', 'does not take the request'],
  ],
  [
    'a wrong secret, in the words for a denied user',
    'auth0',
    { error: 'access_denied', status: 401 },
    ['misconfigured', 'Compare IDP_CLIENT_ID'],
  ],
  [
    'a wrong secret, in the words for a client without the right',
    'keycloak',
    { error: 'unauthorized_client', status: 401 },
    ['misconfigured', 'Compare IDP_CLIENT_ID'],
  ],
  ['a denied user elsewhere', 'auth0', { error: 'access_denied' }, ['denied']],
  [
    'a wrong secret',
    'entra',
    { error: 'invalid_client', codes: [7000215] },
    ['misconfigured', 'With a secret'],
  ],
  ['no such grant', 'generic', { error: 'unsupported_grant_type' }, ['unsupported']],
  [
    'no such type of token',
    'generic',
    { error: 'invalid_request', ...says('requested_token_type') },
    ['unsupported'],
  ],
  ['an invalid subject', 'generic', { error: 'invalid_request' }, ['expired']],
  ['a loop', 'entra', { error: 'invalid_grant', codes: [50196] }, ['unavailable']],
])('reads a refusal because of %s', (_why, kind, answer, [outcome, hint]) => {
  expect(read(kind, answer)).toEqual([outcome, hint && expect.stringContaining(hint)]);
});

it('does not decide by a number or a text alone', () => {
  const answer = {
    codes: [50105, 65001, 7000215],
    ...says('Audience not found. Public client is not allowed'),
  };
  for (const kind of KIND_NAMES) expect(read(kind, { error: 'some_error', ...answer })[0]).toBeUndefined();
  expect(read('auth0', { error: 'invalid_grant', codes: [50105] })).toEqual(['expired', undefined]);
});

it('blames the connector for a scope only where its token was asked for', () => {
  expect(explain('entra', 'renewal', 'invalid_scope', { codes: [70011] })).toBeUndefined();
});

it('explains an audience only where one was asked for', () => {
  const details = says('Audience not found');
  expect(explain('keycloak', 'renewal', 'invalid_client', details)).toContain('Compare IDP_CLIENT_ID');
});
