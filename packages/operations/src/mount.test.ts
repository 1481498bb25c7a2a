import { expect, it } from '@jest/globals';
import { createLogger, problemHandler } from '@legate/service';
import express, { type RequestHandler, Router } from 'express';
import request from 'supertest';
import type { Declaration } from './declaration.ts';
import { type Mounting, mountPaths, routePath } from './mount.ts';

const declare = (method: Declaration['method'], path: Declaration['path']): Declaration => ({
  ...{ method, path, operationId: `${method}${path}`, summary: '', responses: { 204: { description: '' } } },
});
const answer: RequestHandler = (req, res) => void res.json({ params: req.params, gated: res.locals.gated });
const log = createLogger({ service: 'test', level: 'silent' });

function serve(operations: readonly Declaration[], mounting: Partial<Mounting<Declaration>> = {}) {
  const router = Router();
  mountPaths(router, operations, { handlersOf: () => [answer], ...mounting });
  return request(express().use(router, problemHandler({ log, typeBase: 'https://api.example/errors' })));
}

it('serves each operation at its path and method', async () => {
  const { body } = await serve([declare('get', '/sites/{site_id}')]).get('/sites/1');
  expect(body).toEqual({ params: { site_id: '1' } });
});

it('responds to other methods of a path with 405 and the allowed methods', async () => {
  const res = await serve([declare('delete', '/sites'), declare('get', '/sites')]).post('/sites');
  expect([res.status, res.get('Allow')]).toEqual([405, 'GET, HEAD, DELETE']);
});

it('runs the gate for any method of a path', async () => {
  const gate: RequestHandler = (_req, res) => void res.status(401).end();
  const api = serve([declare('get', '/sites')], { gate: [gate] });
  expect([(await api.get('/sites')).status, (await api.put('/sites')).status]).toEqual([401, 401]);
});

it('mounts no handler for an operation without handlers, but lists its method in Allow', async () => {
  const res = await serve([declare('post', '/call')], { handlersOf: () => [] }).get('/call');
  expect([res.status, res.get('Allow')]).toEqual([405, 'POST']);
});

it('renames parameters', () => {
  expect(routePath('/a/{a_id}/b/{b}', (name) => name.toUpperCase())).toBe('/a/:A_ID/b/:B');
});

it('refuses two operations with the same path and method', () => {
  expect(() => serve([declare('get', '/sites'), declare('get', '/sites')])).toThrow('get/sites');
});
