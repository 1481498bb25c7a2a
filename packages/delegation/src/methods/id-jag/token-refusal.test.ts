import { describe, expect, it } from '@jest/globals';
import { idpRefusal, toDelegation } from './token-refusal.ts';

const refused = (error: string) =>
  ({ kind: 'refused', error, maxAge: undefined, acrValues: undefined }) as const;

describe.each([
  ['idp', 'identity provider'],
  ['tool_server', 'tool server'],
] as const)('a refusal by the %s', (by, name) => {
  it.each([
    ['access_denied', undefined, 'access_denied'],
    ['invalid_scope', 'scope_refused', 'invalid_scope (read)'],
  ])('%s is a denial', (error, why, reason) => {
    expect(toDelegation(by, refused(error), ['read'])).toEqual({
      outcome: 'denied',
      by,
      why,
      scopes: ['read'],
      reason: `${name}: ${reason}`,
    });
  });

  it('invalid_scope is a denial even if no scopes were requested', () => {
    expect(toDelegation(by, refused('invalid_scope'), [])).toMatchObject({
      reason: `${name}: invalid_scope`,
    });
  });

  it.each([
    ['temporarily_unavailable', false],
    ['slow_down', false],
    ['server_error', true],
  ])('%s is an outage (retryable: %j)', (error, retryable) => {
    expect(toDelegation(by, refused(error), [])).toMatchObject({ outcome: 'unavailable', by, retryable });
  });

  it('unsupported_grant_type means that the grant is not supported', () => {
    expect(toDelegation(by, refused('unsupported_grant_type'), [])).toMatchObject({
      outcome: 'unsupported',
      by,
    });
  });

  it.each(['invalid_client', 'unauthorized_client', 'something_else'])('%s is a fault of ours', (error) => {
    expect(toDelegation(by, refused(error), [])).toMatchObject({ outcome: 'misconfigured', by });
  });

  it('insufficient_user_authentication requires another sign-in', () => {
    const failure = { ...refused('insufficient_user_authentication'), maxAge: 60, acrValues: 'high' };
    expect(toDelegation(by, failure, [])).toMatchObject({
      outcome: 'expired',
      maxAge: 60,
      acrValues: 'high',
    });
  });

  it('an unreadable or missing response is not a denial', () => {
    expect(toDelegation(by, { kind: 'unusable', reason: 'no JSON' }, [])).toEqual({
      outcome: 'misconfigured',
      by,
      reason: `${name}: no JSON`,
    });
    const away = { kind: 'unavailable', reason: 'status 503', retryable: true, status: 503 } as const;
    expect(toDelegation(by, { ...away, retryAfterSeconds: 7 }, [])).toEqual({
      outcome: 'unavailable',
      by,
      reason: `${name}: status 503`,
      retryable: true,
      status: 503,
      retryAfterSeconds: 7,
    });
  });
});

it.each(['invalid_grant', 'invalid_request'])(
  'treats %s at the identity provider as an expired sign-in',
  (error) => {
    expect(toDelegation('idp', refused(error), [])).toMatchObject({ outcome: 'expired' });
  },
);

it('treats invalid_target at the identity provider as a denial', () => {
  expect(toDelegation('idp', refused('invalid_target'), [])).toMatchObject({
    ...{ outcome: 'denied', why: 'target_unknown', reason: 'identity provider: invalid_target' },
  });
});

it.each([
  ['invalid_grant', /trusts.*account.*clock/],
  ['invalid_request', /"resource"/],
  ['invalid_target', /resource of the connector/],
])('treats %s at a tool server as a fault of the configuration, with a hint', (error, hint) => {
  expect(toDelegation('tool_server', refused(error), [])).toEqual({
    outcome: 'misconfigured',
    by: 'tool_server',
    reason: expect.stringMatching(new RegExp(`^tool server: ${error} \\(.*${hint.source}`)),
  });
});

describe('an invalid_request at the token exchange', () => {
  const refusal = (types: unknown) =>
    idpRefusal(
      {
        metadata: {
          issuer: 'https://idp.example',
          identity_chaining_requested_token_types_supported: types as string,
        },
        explain: (leg, { error }) => `${leg} ${error}`,
      },
      refused('invalid_request'),
      [],
    );

  it.each([[undefined], [[]], [['urn:ietf:params:oauth:token-type:jwt']], ['id-jag']])(
    'means that ID-JAGs are not supported if the metadata lists %j',
    (types) => {
      expect(refusal(types)).toMatchObject({ outcome: 'unsupported', by: 'idp' });
    },
  );

  it('means that the sign-in has expired if the metadata lists ID-JAGs', () => {
    const types = ['urn:ietf:params:oauth:token-type:id-jag'];
    expect(refusal(types)).toMatchObject({ outcome: 'expired' });
    expect(refusal(types).hint).toBe('exchange invalid_request');
  });
});
