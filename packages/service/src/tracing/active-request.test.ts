import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import express from 'express';
import request from 'supertest';
import { requestContext, requestOf } from '../logs/request-context.ts';
import { activeRequest, runInRequest } from './active-request.ts';

const within = (requestId: string) => ({ requestId, trace: undefined, tracer: undefined });

it('returns the request that a handler serves, also after an await', async () => {
  const app = express().use(requestContext());
  app.get('/', async (_req, res) => {
    await nextTurn();
    res.json({ active: activeRequest()?.requestId, own: requestOf(res)?.requestId });
  });
  const { body } = await request(app).get('/');
  expect(body.own).toMatch(/^req_/);
  expect(body.active).toBe(body.own);
});

it('returns the right request for each of two that run at the same time', async () => {
  const ids = ['req_1', 'req_2'].map((id) =>
    runInRequest(within(id), async () => {
      await nextTurn();
      return activeRequest()?.requestId;
    }),
  );
  expect(await Promise.all(ids)).toEqual(['req_1', 'req_2']);
  expect(activeRequest()).toBeUndefined();
});

it('runs work outside the request that starts it', async () => {
  const active = await runInRequest(within('req_outer'), () =>
    runInRequest(undefined, async () => {
      await nextTurn();
      return activeRequest();
    }),
  );
  expect(active).toBeUndefined();
});
