import { expect, it } from '@jest/globals';
import { explainRefusal, KIND_NAMES, type KindName, type RefusalDetails } from './index.ts';

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
  ['okta', 'invalid_client', { description: 'Something new' }, 'does not accept the hub as its client'],
  ['okta', 'unauthorized_client', { description: 'Scope not permitted' }, 'resource connection'],
  ['entra', 'invalid_client', { codes: [7000215] }, 'not its id'],
  ['entra', 'invalid_client', { codes: [700027] }, 'certificate is not registered'],
  ['entra', 'unsupported_grant_type', { codes: [70003] }, 'issues no ID-JAGs'],
  [
    'keycloak',
    'unauthorized_client',
    { description: 'Invalid client or Invalid client credentials' },
    'where it means invalid_client',
  ],
  ['keycloak', 'unauthorized_client', {}, 'Allow the hub'],
])('explains the refusal of a token exchange by %s: %s %j', (kind, error, details, hint) => {
  expect(explainRefusal(kind, 'exchange', { error, details })).toContain(hint);
});

it('applies the texts and numbers of one provider to no other', () => {
  const details = { description: 'The client_assertion JWT kid is invalid.', codes: [7000215] };
  const hints = new Set(
    KIND_NAMES.filter((kind) => kind !== 'okta' && kind !== 'entra').map((kind) =>
      explainRefusal(kind, 'exchange', { error: 'invalid_client', details }),
    ),
  );
  expect([...hints]).toEqual([expect.stringContaining('does not accept the hub as its client')]);
});

it('explains what it can of a refusal by the leg that was refused', () => {
  const hintAt = (leg: 'exchange' | 'renewal', error: string) => explainRefusal('generic', leg, { error });
  expect(hintAt('exchange', 'unauthorized_client')).toContain('token exchange');
  expect(hintAt('renewal', 'unauthorized_client')).toContain('refresh tokens');
  expect([hintAt('renewal', 'invalid_grant'), hintAt('exchange', 'unheard_of')]).toEqual([
    undefined,
    undefined,
  ]);
});

it.each(KIND_NAMES)('repeats nothing that %s wrote', (kind) => {
  const details = { description: 'kid is invalid <script> eyJhbGciOi', codes: [7000215] };
  expect(explainRefusal(kind, 'exchange', { error: 'invalid_client', details })).not.toMatch(/script|eyJ/);
});
