import { gzipSync } from 'node:zlib';
import { beforeEach, expect, it } from '@jest/globals';
import express from 'express';
import request from 'supertest';
import { formOf, oauthErrorHandler, tokenEndpointForm } from './express.ts';
import { OAuthError } from './index.ts';

let logged: [string, object, string][];
let thrown: unknown;

const log = {
  info: (fields: object, message: string) => void logged.push(['info', fields, message]),
  error: (fields: object, message: string) => void logged.push(['error', fields, message]),
};

function createApp() {
  const app = express();
  app.all('/token', ...tokenEndpointForm(), (_req, res) => {
    if (thrown) throw thrown;
    res.json({ grant_type: formOf(res).find('grant_type') });
  });
  app.use(oauthErrorHandler(log));
  return app;
}

beforeEach(() => {
  logged = [];
  thrown = undefined;
});

const FORM = 'application/x-www-form-urlencoded';

it('accepts a form with any case and charset in its media type', async () => {
  for (const type of [
    FORM,
    `${FORM}; charset=utf-8`,
    `${FORM} ;charset=UTF-8`,
    FORM.toUpperCase(),
    `application/json, ${FORM}`,
  ]) {
    const res = await request(createApp()).post('/token').set('Content-Type', type).send('grant_type=x');
    expect([res.status, res.body]).toEqual([200, { grant_type: 'x' }]);
  }
});

it('reads a missing body as an empty form', async () => {
  const res = await request(createApp()).post('/token').set('Content-Type', FORM);
  expect([res.status, res.body]).toEqual([200, {}]);
});

it('forbids storing any response of a token endpoint', async () => {
  const good = await request(createApp()).post('/token').type('form').send('a=b');
  const bad = await request(createApp()).get('/token');
  for (const res of [good, bad])
    expect(res.headers).toMatchObject({ 'cache-control': 'no-store', pragma: 'no-cache' });
});

it.each([
  ['a GET', () => request(createApp()).get('/token'), 405, 'allow', 'POST'],
  ['a PUT', () => request(createApp()).put('/token').type('form').send('a=b'), 405, 'allow', 'POST'],
  ['JSON', () => request(createApp()).post('/token').send({ grant_type: 'x' }), 415, 'accept-post', FORM],
  [
    'a type that only begins like it',
    () => request(createApp()).post('/token').set('Content-Type', `${FORM}x`).send('a=b'),
    415,
    'accept-post',
    FORM,
  ],
  [
    'another type behind it',
    () => request(createApp()).post('/token').set('Content-Type', `${FORM}, text/plain`).send('a=b'),
    415,
    'accept-post',
    FORM,
  ],
  ['no type', () => request(createApp()).post('/token').set('Content-Type', ''), 415, 'accept-post', FORM],
])('refuses %s as invalid_request and lists what it accepts', async (_case, send, status, header, value) => {
  const res = await send();
  expect([res.status, res.body.error, res.headers[header]]).toEqual([status, 'invalid_request', value]);
});

it.each([
  ['too large', 413, FORM, 'identity', Buffer.from(`a=${'x'.repeat(70_000)}`)],
  ['too large when unpacked', 413, FORM, 'gzip', gzipSync(`a=${'x'.repeat(70_000)}`)],
  ['not the gzip it claims to be', 400, FORM, 'gzip', Buffer.from('a=b')],
  ['in an unknown encoding', 415, FORM, 'zebra', Buffer.from('a=b')],
  ['in an unknown charset', 415, `${FORM}; charset=klingon`, 'identity', Buffer.from('a=b')],
])('refuses a body that is %s', async (_case, status, type, encoding, body) => {
  const res = await request(createApp())
    .post('/token')
    .set('Content-Type', type)
    .set('Content-Encoding', encoding)
    .serialize((sent: Buffer) => sent as unknown as string)
    .send(body);
  expect([res.status, res.body.error]).toEqual([status, 'invalid_request']);
});

it.each([
  ['invalid_grant', 400],
  ['invalid_client', 401],
  ['invalid_scope', 400],
  ['access_denied', 400],
] as const)('responds to %s with %i and a fixed text, and only logs the reason', async (code, status) => {
  thrown = new OAuthError(code, 'assertion: expired');
  const res = await request(createApp()).post('/token').type('form').send('a=b');
  expect([res.status, res.body.error]).toEqual([status, code]);
  expect(Object.keys(res.body)).toEqual(['error', 'error_description']);
  expect(res.text).not.toContain('expired:');
  expect(logged).toEqual([['info', { code, reason: 'assertion: expired' }, 'oauth request refused']]);
});

it('sends the WWW-Authenticate header of a refusal', async () => {
  thrown = new OAuthError('invalid_client', 'wrong secret', {
    headers: { 'WWW-Authenticate': 'Basic realm="token"' },
  });
  const res = await request(createApp()).post('/token').type('form').send('a=b');
  expect([res.status, res.headers['www-authenticate']]).toEqual([401, 'Basic realm="token"']);
});

it('sends Retry-After for an outage, and logs it as an error with its cause', async () => {
  thrown = new OAuthError('temporarily_unavailable', 'signing keys are not available');
  const res = await request(createApp()).post('/token').type('form').send('a=b');
  expect([res.status, res.body.error, res.headers['retry-after']]).toEqual([
    503,
    'temporarily_unavailable',
    '5',
  ]);
  expect(logged).toEqual([
    [
      'error',
      { code: 'temporarily_unavailable', reason: 'signing keys are not available', err: thrown },
      'oauth request without a response',
    ],
  ]);
});

it('throws if a route reads a form without tokenEndpointForm in front of it', async () => {
  const app = express();
  app.post('/token', (_req, res) => void res.json(formOf(res)));
  app.use(oauthErrorHandler(log));
  const res = await request(app).post('/token');
  expect([res.status, logged[0]?.[1]]).toEqual([
    500,
    { err: new Error('tokenEndpointForm was not mounted in front of this route') },
  ]);
});

it.each([
  [399, 500],
  [400, 400],
  [499, 499],
  [500, 500],
])("responds to a body parser's error of status %i with %i", async (status, expected) => {
  thrown = Object.assign(new Error('of the body'), { status, expose: true });
  const res = await request(createApp()).post('/token').type('form').send('a=b');
  expect([res.status, res.body.error]).toEqual([
    expected,
    expected === 500 ? 'server_error' : 'invalid_request',
  ]);
});

it.each([
  ['an error of ours', new Error('select * from secrets')],
  ['an error that carries the status of a peer', Object.assign(new Error('status 404'), { status: 404 })],
])('does not reveal %s', async (_case, err) => {
  thrown = err;
  const res = await request(createApp()).post('/token').type('form').send('a=b');
  expect([res.status, res.body]).toEqual([500, { error: 'server_error' }]);
  expect(logged).toEqual([['error', { err }, 'oauth request failed']]);
});
