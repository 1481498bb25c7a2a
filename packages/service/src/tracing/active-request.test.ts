import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import express, { type RequestHandler } from 'express';
import request from 'supertest';
import { rememberRequest, requestContext, requestOf } from '../request-context.ts';
import { activeRequest, IS_CHEAP, runInRequest, runUntilClosed } from './active-request.ts';

const tellRemembered: RequestHandler = async (_req, res) => {
  await nextTurn();
  res.json({ remembered: activeRequest()?.requestId, own: requestOf(res)?.requestId });
};

const app = express().use(requestContext(undefined, { remembers: 'in_spans' }));
app.get('/lean', tellRemembered);
app.get('/remembered', rememberRequest, tellRemembered);
app.get('/in-part', async (_req, res) => {
  const ids = await runInRequest(requestOf(res), async () => {
    await nextTurn();
    return activeRequest()?.requestId;
  });
  res.json({ remembered: ids, own: requestOf(res)?.requestId, after: activeRequest()?.requestId });
});

it('remembers no request in a service that passes the ids on, if that is expensive', async () => {
  const { body } = await request(app).get('/lean');
  expect(body.own).toMatch(/^req_/);
  expect(body.remembered).toBe(IS_CHEAP ? body.own : undefined);
});

it('remembers a request behind rememberRequest, and for as long as a part of its work runs', async () => {
  const { body: whole } = await request(app).get('/remembered');
  expect(whole.remembered).toBe(whole.own);
  const { body: part } = await request(app).get('/in-part');
  expect(part.remembered).toBe(part.own);
  expect(part.after).toBe(IS_CHEAP ? part.own : undefined);
});

it('remembers the one while another one ends', async () => {
  const within = (requestId: string) => ({ requestId, trace: undefined, tracer: undefined });
  let end = () => {};
  const hasEnded = new Promise<void>((resolve) => {
    end = resolve;
  });
  const long = runInRequest(within('req_long'), async () => {
    await hasEnded;
    return activeRequest()?.requestId;
  });
  await runInRequest(within('req_short'), nextTurn);
  end();
  expect(await long).toBe('req_long');
});

it('runs work within the request that is remembered already', async () => {
  const ids = await runInRequest({ requestId: 'req_outer', trace: undefined, tracer: undefined }, () =>
    runInRequest(
      { requestId: 'req_inner', trace: undefined, tracer: undefined },
      async () => activeRequest()?.requestId,
    ),
  );
  expect(ids).toBe('req_outer');
});

it('does not remember the request of a caller who left before, since nothing would end that', () => {
  const gone = new ServerResponse(new IncomingMessage(new Socket()));
  gone.destroy();
  let remembered: string | undefined = 'not called';
  const request = { requestId: 'req_gone', trace: undefined, tracer: undefined };
  runUntilClosed(gone, request, () => {
    remembered = activeRequest()?.requestId;
  });
  expect([remembered, gone.listenerCount('close')]).toEqual([undefined, 0]);
});
