import { beforeEach, describe, expect, it } from '@jest/globals';
import express from 'express';
import request from 'supertest';
import {
  createLogger,
  methodNotAllowed,
  Problem,
  problemHandler,
  problemsOf,
  requestContext,
  UnusableAnswer,
  unmatchedRoute,
  withMembers,
} from '../index.ts';

const about = { meaning: 'What happened.', remedy: 'What helps.' };
const problem = problemsOf({
  too_long: { status: 422, title: 'Too long', ...about },
  forbidden: { status: 403, title: 'Forbidden', ...about },
  busy: { status: 503, title: 'Busy', ...about },
});

let thrown: unknown;
let lines: Record<string, unknown>[];
const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };

function createApp() {
  const app = express();
  app.use(requestContext(), express.json({ limit: 1000 }));
  app.all('/things/:id', (req, _res, next) =>
    req.method === 'PATCH' ? methodNotAllowed(['GET', 'POST'])(req, _res, next) : next(),
  );
  app.all('/things/:id', () => {
    throw thrown;
  });
  app.use(unmatchedRoute);
  const log = createLogger({ service: 'test', level: 'debug', destination });
  app.use(problemHandler({ log, typeBase: 'https://h/errors' }));
  return app;
}

beforeEach(() => {
  thrown = new Error('nothing thrown');
  lines = [];
});

it('sends a problem with all its members, and without the query of the request', async () => {
  thrown = problem('too_long', {
    detail: 'The name is too long.',
    errors: [{ pointer: '/name', code: 'too_long', detail: 'at most 100 characters' }],
    headers: { 'X-Extra': 'y' },
    extensions: { limit: 100 },
    cause: new Error('private'),
  });
  const res = await request(createApp())
    .get('/things/1?code=secret')
    .set('X-Request-Id', 'req_of_the_caller');
  expect(res.headers).toMatchObject({
    'content-type': 'application/problem+json; charset=utf-8',
    'cache-control': 'no-store',
    'x-extra': 'y',
  });
  expect([res.status, res.body]).toEqual([
    422,
    {
      type: 'https://h/errors/too_long',
      title: 'Too long',
      status: 422,
      code: 'too_long',
      detail: 'The name is too long.',
      instance: '/things/1',
      request_id: res.get('X-Request-Id'),
      errors: [{ pointer: '/name', code: 'too_long', detail: 'at most 100 characters' }],
      limit: 100,
    },
  ]);
});

describe('an error of the framework is a problem too', () => {
  it.each([
    [
      'malformed JSON',
      () => request(createApp()).post('/things/1').type('json').send('{"a":'),
      400,
      'malformed_json',
    ],
    ['a scalar', () => request(createApp()).post('/things/1').type('json').send('7'), 400, 'malformed_json'],
    [
      'a body too large',
      () =>
        request(createApp())
          .post('/things/1')
          .send({ a: 'x'.repeat(1000) }),
      413,
      'payload_too_large',
    ],
    [
      'an unknown charset',
      () =>
        request(createApp()).post('/things/1').set('Content-Type', 'application/json; charset=x').send('{}'),
      415,
      'unsupported_media_type',
    ],
    ['a bad percent-encoding', () => request(createApp()).get('/things/%zz'), 400, 'malformed_path'],
    ['an unknown path', () => request(createApp()).get('/nothing'), 404, 'not_found'],
    ['a method that is not served', () => request(createApp()).patch('/things/1'), 405, 'method_not_allowed'],
  ])('%s', async (_case, send, status, code) => {
    const res = await send();
    expect([res.status, res.body.code, res.body.status]).toEqual([status, code, status]);
    expect(res.headers['content-type']).toContain('application/problem+json');
    if (status === 405) expect(res.headers.allow).toBe('GET, POST');
  });
});

it.each([
  ['an error of ours', new Error('select * from secrets')],
  ['an answer of a peer', new UnusableAnswer('https://peer.example/keys', 'status 404', 404)],
  ['no error at all', 'text'],
])('does not send %s, and logs it', async (_case, err) => {
  thrown = err;
  const res = await request(createApp()).get('/things/1');
  expect([res.status, res.body.code]).toEqual([500, 'internal_error']);
  expect(res.text).not.toMatch(/secrets|peer|text|stack/);
  expect(lines).toMatchObject([{ level: 'error', code: 'internal_error', msg: 'request failed' }]);
});

it('logs an expected refusal in one line with its reason, and without a stack, whatever its status', async () => {
  thrown = problem('busy', {
    cause: new Error('it has failed too often of late'),
    isExpected: true,
  });
  await request(createApp()).get('/things/1');
  expect(lines).toEqual([
    expect.objectContaining({
      level: 'warn',
      msg: 'request refused',
      reason: 'it has failed too often of late',
    }),
  ]);
  expect(JSON.stringify(lines)).not.toContain('stack');
});

it('logs a refusal without its cause, and only for debugging', async () => {
  thrown = problem('forbidden', { cause: new Error('private') });
  await request(createApp()).get('/things/1');
  expect(lines).toMatchObject([{ level: 'debug', code: 'forbidden', msg: 'request refused' }]);
  expect(JSON.stringify(lines)).not.toContain('private');
});

it('creates a problem with the status and the title that are declared for its code', async () => {
  thrown = problem('too_long', { detail: 'The name is too long.', extensions: { limit: 100 } });
  const res = await request(createApp()).get('/things/1');
  expect(thrown).toBeInstanceOf(Problem);
  expect([res.status, res.body]).toEqual([
    422,
    expect.objectContaining({ code: 'too_long', title: 'Too long', status: 422, limit: 100 }),
  ]);
});

it('adds members to a problem, and keeps its existing members', () => {
  const cause = new Error('private');
  const busy = problem('busy', {
    detail: 'Try again.',
    errors: [{ pointer: '/a', code: 'b', detail: 'c' }],
    headers: { 'Retry-After': '5' },
    extensions: { limit: 1 },
    cause,
    isExpected: true,
  });
  const extended = withMembers(busy, { more: 2 });
  expect(extended).toBeInstanceOf(Problem);
  expect(extended).toMatchObject({ ...busy, extensions: { limit: 1, more: 2 }, cause });
  expect(busy.extensions).toEqual({ limit: 1 });
});

it('compiles only with a declared code, and without another status or title', () => {
  // @ts-expect-error not in the list
  expect(() => problem('not_listed')).toThrow();
  // @ts-expect-error a problem is made of a list
  expect(new Problem('too_long', { status: 400, title: 'Other' })).toBeInstanceOf(Problem);
});
