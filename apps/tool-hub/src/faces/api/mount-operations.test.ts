import { beforeEach, describe, expect, it } from '@jest/globals';
import { AgentId } from '@legate/ids';
import { createLogger, problemHandler } from '@legate/service';
import express, { type RequestHandler } from 'express';
import request from 'supertest';
import { z } from 'zod';
import { noContent } from './answers.ts';
import { mountOperations } from './mount-operations.ts';
import { json, operation, optionalJson } from './operation.ts';

let steps: string[];
let agentId: AgentId | undefined;
beforeEach(() => {
  steps = [];
  agentId = undefined;
});

const step =
  (name: string): RequestHandler =>
  (_req, res, next) => {
    steps.push(name);
    Object.assign(res.locals, { caller: { agentId } });
    next();
  };
const responses = { 204: { description: 'Done' } } as const;
const work = () => {
  steps.push('work');
  return noContent;
};

const OPERATIONS = [
  operation('meanwhile', 'post', '/meanwhile/{some_id}', {
    ...{ summary: '', access: 'agents', readsSignOuts: true, countedMeanwhile: true, responses },
    serve: async ({ params: { someId }, res }) => {
      steps.push(`serve ${someId}`);
      res.status(204).end();
    },
  }),
  operation('early', 'get', '/early', {
    ...{
      summary: '',
      access: 'agents',
      readsSignOuts: true,
      guards: [step('guard')],
      responses,
      handle: work,
    },
  }),
  operation('own', 'delete', '/own', { summary: '', access: 'user', responses, handle: work }),
  operation('late', 'get', '/late', { summary: '', access: 'agents', responses, handle: work }),
  operation('open', 'get', '/open', { summary: '', access: 'public', responses, handle: work }),
  operation('body', 'post', '/body', {
    ...{ summary: '', access: 'agents', body: json(z.strictObject({ a: z.int() })), responses },
    handle: ({ readBody }) => {
      steps.push(JSON.stringify(readBody()));
      return noContent;
    },
  }),
  operation('optional', 'post', '/optional', {
    ...{ summary: '', access: 'agents', responses },
    body: optionalJson(z.strictObject({ a: z.int().default(1) }).default({ a: 1 })),
    handle: ({ readBody }) => {
      steps.push(JSON.stringify(readBody()));
      return noContent;
    },
  }),
];

const app = express();
mountOperations(app, OPERATIONS, {
  cors: step('cors'),
  begin: [step('authenticate'), express.json()],
  awaitCount: step('count'),
  refuseSignedOut: step('signed out?'),
  refused: [
    (err, _req, _res, next) => {
      steps.push('refused');
      next(err);
    },
  ],
});
app.use(
  problemHandler({ log: createLogger({ service: 'test', level: 'silent' }), typeBase: 'https://a.example' }),
);
const ask = (method: 'get' | 'post' | 'delete', path: string) => request(app)[method](`/api/v1${path}`);

describe('mountOperations', () => {
  it.each([
    ['an operation that is counted while it runs', 'post', '/meanwhile/1', ['authenticate', 'serve 1']],
    ['an operation that reads sign-outs', 'get', '/early', ['authenticate', 'count', 'guard', 'work']],
    ['any other operation', 'get', '/late', ['authenticate', 'count', 'signed out?', 'work']],
    ['an operation for users only', 'delete', '/own', ['authenticate', 'count', 'signed out?', 'work']],
    ['a public operation', 'get', '/open', ['cors', 'work']],
  ] as const)('runs the gates of %s in order', async (_case, method, path, expected) => {
    expect((await ask(method, path)).status).toBe(204);
    expect(steps).toEqual(expected);
  });

  it.each([
    [
      'of an operation that is counted while it runs',
      'get',
      '/meanwhile/1',
      ['authenticate', 'count', 'refused'],
    ],
    ['of an operation that reads sign-outs', 'post', '/early', ['authenticate', 'count', 'refused']],
    ['of any other operation', 'post', '/late', ['authenticate', 'count', 'signed out?', 'refused']],
    ['of a public operation', 'post', '/open', ['refused']],
  ] as const)(
    'answers other methods %s with 405, behind its gates',
    async (_case, method, path, expected) => {
      expect((await ask(method, path)).status).toBe(405);
      expect(steps).toEqual(expected);
    },
  );

  it('refuses an agent an operation for users only, before it runs', async () => {
    agentId = AgentId.parse('agt_1');
    const { status, body } = await ask('delete', '/own');
    expect([status, body.code]).toEqual([403, 'insufficient_permission']);
    expect(steps).not.toContain('work');
  });

  it('refuses operations that put one path behind two gates', () => {
    const other = operation('other', 'post', '/open', {
      ...{ summary: '', access: 'agents', responses, handle: work },
    });
    const nothing: RequestHandler = (_req, _res, next) => next();
    const gates = {
      cors: nothing,
      begin: [],
      awaitCount: nothing,
      refuseSignedOut: nothing,
      refused: [],
    };
    expect(() => mountOperations(express(), [...OPERATIONS, other], gates)).toThrow('another gate');
  });
});

describe('readBody', () => {
  it.each([
    ['refuses a missing body', '/body', undefined, 400],
    ['refuses a body that does not match the schema', '/body', { b: 1 }, 400],
    ['returns the body', '/body', { a: 2 }, 204],
    ['accepts a missing body where it is optional', '/optional', undefined, 204],
  ])('%s', async (_case, path, sent, status) => {
    expect((await ask('post', path).send(sent)).status).toBe(status);
    const expected = status === 204 ? JSON.stringify(sent ?? { a: 1 }) : undefined;
    expect(steps.at(-1)).toBe(expected ?? 'refused');
  });
});
