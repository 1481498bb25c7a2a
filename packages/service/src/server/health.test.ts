import { expect, it, jest } from '@jest/globals';
import { eventually } from '@legate/testing';
import express from 'express';
import request from 'supertest';
import { createHealth, type ReadinessCheck } from '../index.ts';

function scene(checks: Record<string, ReadinessCheck>) {
  const onFailure = jest.fn<(check: string, err: unknown) => void>();
  const health = createHealth({ checks, onFailure });
  const app = express().use(health.router);
  const ready = async () => {
    const res = await request(app).get('/readyz');
    return [res.status, res.body, res.headers['cache-control']];
  };
  return { app, health, onFailure, ready };
}

const fine = () => Promise.resolve();
const broken = () => Promise.reject(new Error('connect ECONNREFUSED 10.0.0.7:5432'));

it('is ready if every check succeeds', async () => {
  expect(await scene({ postgres: fine, redis: fine }).ready()).toEqual([
    200,
    { status: 'ready' },
    'no-store',
  ]);
  expect((await scene({}).ready())[0]).toBe(200);
});

it('names the failed checks, and writes the reasons only to the log', async () => {
  const { ready, onFailure } = scene({ redis: broken, postgres: broken, keys: fine });
  const failed = { status: 'not_ready', failed: ['postgres', 'redis'] };
  expect(await ready()).toEqual([503, failed, 'no-store']);
  expect(onFailure).toHaveBeenCalledWith('redis', expect.objectContaining({ message: expect.any(String) }));
});

it('treats a check that throws, or never responds, as failed', async () => {
  const { ready } = scene({
    hanging: () => new Promise(() => {}),
    throwing: () => {
      throw new Error('x');
    },
  });
  expect((await ready())[1]).toEqual({ status: 'not_ready', failed: ['hanging', 'throwing'] });
});

it('is alive while it drains, but not ready', async () => {
  const { app, health, ready } = scene({});
  health.drain();
  expect(await ready()).toEqual([503, { status: 'draining' }, 'no-store']);
  expect((await request(app).get('/healthz')).body).toEqual({ status: 'ok' });
});

it('runs its checks once for all concurrent requests, because strangers may ask often', async () => {
  let asked = 0;
  let answer = () => {};
  const { app } = scene({
    postgres: () => {
      asked += 1;
      return new Promise<void>((resolve) => {
        answer = resolve;
      });
    },
  });
  const server = app.listen(0, '127.0.0.1');
  let arrived = 0;
  const all = new Promise<void>((resolve) => {
    server.on('request', () => {
      arrived += 1;
      if (arrived === 3) resolve();
    });
  });
  const answers = [1, 2, 3].map(async () => (await request(server).get('/readyz')).status);
  await all;
  answer();
  expect(await Promise.all(answers)).toEqual([200, 200, 200]);
  expect(asked).toBe(1);
  const later = request(server)
    .get('/readyz')
    .then(({ status }) => status);
  await eventually('the next check', () => asked === 2);
  answer();
  expect(await later).toBe(200);
  server.close();
});

it('checks nothing while it drains', async () => {
  const check = jest.fn(fine);
  const { health, ready } = scene({ postgres: check });
  health.drain();
  expect((await ready())[0]).toBe(503);
  expect(check).not.toHaveBeenCalled();
});
