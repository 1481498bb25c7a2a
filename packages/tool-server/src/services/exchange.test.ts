import { describe, expect, it } from '@jest/globals';
import { createExchange, type ExchangeOutcome } from './exchange.ts';

const GRANTED = {
  access_token: 'the-txn-token',
  issued_token_type: 'urn:ietf:params:oauth:token-type:txn_token',
  token_type: 'N_A',
  expires_in: 60,
  scope: 'sites:list',
};
const EXCHANGE = {
  accessToken: 'the-access-token',
  audience: 'https://api.example',
  operation: 'sites:list',
  details: { limit: 20 },
};

/** Exchanges a token at a service that sends this response. */
function exchangeAt(
  answer: () => Promise<Response>,
  tokenEndpoint = 'https://tokens.example/token',
): Promise<ExchangeOutcome> {
  const service = { tokenEndpoint, clientId: 'tools', clientSecret: 'secret' };
  return createExchange({ service, fetch: answer })(EXCHANGE);
}
const answering = (body: unknown, status = 200) => exchangeAt(async () => Response.json(body, { status }));
const failing = (err: unknown) => exchangeAt(() => Promise.reject(err));

it('sends the access token with the one operation, and with our credentials', async () => {
  let form = new URLSearchParams();
  const service = {
    tokenEndpoint: 'https://tokens.example/token',
    clientId: 'tools',
    clientSecret: 'secret',
  };
  const exchange = createExchange({
    service,
    async fetch(_url, init) {
      form = new URLSearchParams(String(init?.body));
      return Response.json(GRANTED);
    },
  });
  expect(await exchange(EXCHANGE)).toEqual({ kind: 'granted', txnToken: 'the-txn-token' });
  expect(Object.fromEntries(form)).toEqual({
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    requested_token_type: 'urn:ietf:params:oauth:token-type:txn_token',
    audience: 'https://api.example',
    scope: 'sites:list',
    subject_token: 'the-access-token',
    subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    request_details: '{"limit":20}',
    client_id: 'tools',
    client_secret: 'secret',
  });
});

it('lets the HTTP client decide whether a service without TLS may be called', async () => {
  const outcome = await exchangeAt(async () => Response.json(GRANTED), 'http://127.0.0.1:9/token');
  expect(outcome.kind).toBe('granted');
});

describe('the token of a response', () => {
  it('is used if the response has no scope, which means the requested scope', async () => {
    const { scope: _scope, ...unscoped } = GRANTED;
    expect(await answering(unscoped)).toEqual({ kind: 'granted', txnToken: 'the-txn-token' });
  });

  it('may have 16384 characters', async () => {
    const longest = 'x'.repeat(16_384);
    expect(await answering({ ...GRANTED, access_token: longest })).toMatchObject({ txnToken: longest });
  });

  it.each<[string, object, string]>([
    ['it is a bearer token', { token_type: 'Bearer' }, 'the answer holds no transaction token'],
    ['its type is another', { issued_token_type: 'x' }, 'the answer holds no transaction token'],
    ['its type is missing', { issued_token_type: undefined }, 'the answer holds no transaction token'],
    ['it is too long', { access_token: 'x'.repeat(16_385) }, 'the answer holds no transaction token'],
    ['it permits more', { scope: 'sites:list sites:delete' }, 'the answer is for another operation'],
    ['it permits something else', { scope: 'sites:delete' }, 'the answer is for another operation'],
    ['it is empty', { access_token: '' }, 'OAUTH_INVALID_RESPONSE'],
    ['it is missing', { access_token: undefined }, 'OAUTH_INVALID_RESPONSE'],
  ])('is not used if %s', async (_case, change, reason) => {
    expect(await answering({ ...GRANTED, ...change })).toEqual({ kind: 'misconfigured', reason });
  });
});

it.each<[string, number, ExchangeOutcome]>([
  ['access_denied', 400, { kind: 'denied' }],
  ['invalid_scope', 400, { kind: 'insufficient_scope' }],
  ['invalid_request', 400, { kind: 'access_token_refused' }],
  ['invalid_target', 400, { kind: 'misconfigured', reason: 'invalid_target' }],
  ['x'.repeat(64), 400, { kind: 'misconfigured', reason: 'x'.repeat(64) }],
  ['x'.repeat(65), 400, { kind: 'misconfigured', reason: 'unknown error' }],
  ['<b>invalid</b>', 400, { kind: 'misconfigured', reason: 'unknown error' }],
  ['temporarily_unavailable', 400, { kind: 'unavailable', reason: 'temporarily_unavailable' }],
  ['access_denied', 429, { kind: 'unavailable', reason: 'status 429' }],
  ['access_denied', 500, { kind: 'unavailable', reason: 'status 500' }],
  ['access_denied', 499, { kind: 'denied' }],
])('interprets the error %s with status %i', async (error, status, outcome) => {
  expect(await answering({ error }, status)).toEqual(outcome);
});

it.each<[string, number, ExchangeOutcome]>([
  ['a page of a proxy', 502, { kind: 'unavailable', reason: 'status 502' }],
  ['a page that asks to wait', 429, { kind: 'unavailable', reason: 'status 429' }],
  ['a page that is not found', 404, { kind: 'misconfigured', reason: 'no JSON' }],
])('does not treat %s as a refusal', async (_case, status, outcome) => {
  expect(await exchangeAt(async () => new Response('<html>', { status }))).toEqual(outcome);
});

it('reports a response that is not JSON as a misconfiguration', async () => {
  const html = { headers: { 'Content-Type': 'application/json' } };
  expect(await exchangeAt(async () => new Response('<html>', html))).toMatchObject({ kind: 'misconfigured' });
});

describe('a connection that fails', () => {
  const withCode = (code: string, cause?: unknown) => Object.assign(new Error('failed', { cause }), { code });

  it.each<[string, unknown, ExchangeOutcome]>([
    ['with a code', withCode('ECONNREFUSED'), { kind: 'unavailable', reason: 'ECONNREFUSED' }],
    [
      'with a code below',
      new Error('failed', { cause: withCode('ECONNRESET') }),
      { kind: 'unavailable', reason: 'ECONNRESET' },
    ],
    ['without a code', new Error('https://secret.internal'), { kind: 'unavailable', reason: 'network' }],
    [
      'because its address is forbidden',
      new Error('failed', { cause: withCode('ERR_FORBIDDEN_ADDRESS') }),
      { kind: 'misconfigured', reason: 'ERR_FORBIDDEN_ADDRESS' },
    ],
    [
      'because of a redirect',
      withCode('ERR_UNUSABLE_ANSWER'),
      { kind: 'misconfigured', reason: 'ERR_UNUSABLE_ANSWER' },
    ],
  ])('%s is reported separately', async (_case, err, outcome) => {
    expect(await failing(err)).toEqual(outcome);
  });

  it.each([
    ['null', null],
    ['a text', 'closed'],
    ['an error that a text has caused', new Error('failed', { cause: 'closed' })],
    ['an error that null has caused', new Error('failed', { cause: null })],
  ])('with %s is reported as an outage, and nothing is thrown', async (_case, err) => {
    expect(await failing(err)).toEqual({ kind: 'unavailable', reason: 'network' });
  });

  it('with an error that is its own cause is reported as an outage', async () => {
    const err = new Error('failed');
    err.cause = err;
    expect(await failing(err)).toEqual({ kind: 'unavailable', reason: 'network' });
  });
});
