import { expect, it } from '@jest/globals';
import { type ErrorRequestHandler, Router } from 'express';
import request from 'supertest';
import { createExpressApp, createMetrics } from '../index.ts';

async function countsAfter(paths: string[]): Promise<Record<string, number>> {
  const metrics = createMetrics('test');
  const app = createExpressApp();
  app.use(metrics.observeRequests);
  app.get('/sites/:id', (_req, res) => void res.json({}));
  app.get(['/a', '/b'], (_req, res) => void res.json({}));
  app.use(
    '/tenants/:tenant',
    Router().get('/things/:id', (_req, res) => void res.json({})),
  );
  app.use(
    '/api/v1',
    Router()
      .get('/things/:id', (req, res, next) =>
        req.params.id === 'bad' ? next(new Error('bad')) : res.json({}),
      )
      .get(['/lists', '/lists/:list'], (_req, _res, next) => next(new Error('bad'))),
  );
  app.use(((_err, _req, res, _next) => void res.status(503).json({})) satisfies ErrorRequestHandler);
  const server = app.listen(0, '127.0.0.1');
  for (const path of paths) await request(server).get(path);
  await new Promise((resolve) => server.close(resolve));
  const text = await metrics.registry.getSingleMetricAsString('http_request_duration_seconds');
  const counts: Record<string, number> = {};
  for (const [, labels = '', count] of text.matchAll(/^\w+_count\{(.*)\} (\d+)$/gm)) {
    const { method, route, status } = Object.fromEntries(
      [...labels.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
    );
    counts[`${method} ${route} ${status}`] = Number(count);
  }
  return counts;
}

it('counts requests by route pattern and status', async () => {
  expect(await countsAfter(['/sites/1', '/sites/2?x=y', '/b', '/nothing', '/nothing/else'])).toEqual({
    'GET /a|/b 200': 1,
    'GET /sites/:id 200': 2,
    'GET unmatched 404': 2,
  });
});

it('counts the failures of a mounted route as those of that route', async () => {
  expect(
    await countsAfter([
      '/api/v1/things/1',
      '/api/v1/things/bad?x=/y',
      '/api/v1/lists',
      '/API/v1/lists/lists/',
    ]),
  ).toEqual({
    'GET /api/v1/things/:id 200': 1,
    'GET /api/v1/things/:id 503': 1,
    'GET /api/v1/lists|/lists/:list 503': 2,
  });
});

it('limits the number of routes that ids in a mount path could create', async () => {
  const counts = await countsAfter(Array.from({ length: 205 }, (_, i) => `/tenants/${i}/things/1`));
  expect(Object.keys(counts)).toHaveLength(201);
  expect(counts['GET other 200']).toBe(5);
});

it('counts a path as one route in any case of its letters, so that spellings cannot use up the limit', async () => {
  expect(await countsAfter(['/TENANTS/a/things/1', '/tenants/A/things/1', '/Tenants/a/Things/1'])).toEqual({
    'GET /tenants/a/things/:id 200': 3,
  });
});
