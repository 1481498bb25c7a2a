import { expect, it, jest } from '@jest/globals';
import express from 'express';
import request from 'supertest';
import { createHealth, type ReadinessCheck } from './index.ts';

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

it('is ready when every check holds', async () => {
  expect(await scene({ postgres: fine, redis: fine }).ready()).toEqual([
    200,
    { status: 'ready' },
    'no-store',
  ]);
  expect((await scene({}).ready())[0]).toBe(200);
});

it('names the failed checks and tells why to the log alone', async () => {
  const { ready, onFailure } = scene({ redis: broken, postgres: broken, keys: fine });
  const failed = { status: 'not_ready', failed: ['postgres', 'redis'] };
  expect(await ready()).toEqual([503, failed, 'no-store']);
  expect(onFailure).toHaveBeenCalledWith('redis', expect.objectContaining({ message: expect.any(String) }));
});

it('takes a check that throws at once, or never answers, for a failed one', async () => {
  const { ready } = scene({
    hanging: () => new Promise(() => {}),
    throwing: () => {
      throw new Error('x');
    },
  });
  expect((await ready())[1]).toEqual({ status: 'not_ready', failed: ['hanging', 'throwing'] });
});

it('is alive while it drains, and ready no more', async () => {
  const { app, health, ready } = scene({});
  health.drain();
  expect(await ready()).toEqual([503, { status: 'draining' }, 'no-store']);
  expect((await request(app).get('/healthz')).body).toEqual({ status: 'ok' });
});
