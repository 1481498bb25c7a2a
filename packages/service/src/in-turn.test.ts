import { expect, it } from '@jest/globals';
import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import request from 'supertest';
import { inTurn } from './in-turn.ts';

const tell: ErrorRequestHandler = (err, _req, res, _next) =>
  void res.status(500).json({ message: err.message });
const serve = (...handlers: RequestHandler[]) =>
  request(
    express()
      .use(inTurn(...handlers))
      .use((_req, res) => void res.json(res.locals.steps))
      .use(tell),
  ).get('/');
const step =
  (name: string): RequestHandler =>
  (_req, res, next) => {
    res.locals.steps = [...(res.locals.steps ?? []), name];
    next();
  };

it('runs the handlers in turn, then what follows them', async () => {
  const late: RequestHandler = async (req, res, next) => {
    await Promise.resolve();
    step('late')(req, res, next);
  };
  expect((await serve(step('first'), late, step('last'))).body).toEqual(['first', 'late', 'last']);
});

it.each<[string, RequestHandler]>([
  ['hands on', (_req, _res, next) => next(new Error('no'))],
  [
    'throws',
    () => {
      throw new Error('no');
    },
  ],
  ['rejects with', () => Promise.reject(new Error('no'))],
])('passes on an error that a handler %s', async (_case, failing) => {
  const answer = await serve(step('first'), failing, step('never'));
  expect([answer.status, answer.body]).toEqual([500, { message: 'no' }]);
});
