import { expect, it } from '@jest/globals';
import { callerOf } from '@legate/tool-server';
import express from 'express';
import request from 'supertest';

it('types req.auth for users of the package, and leaves it undefined if no token is required', async () => {
  const app = express().get('/', (req, res) => {
    res.json({ auth: req.auth ?? null, isRefused: isRefused(() => callerOf(req.auth)) });
  });
  expect((await request(app).get('/')).body).toEqual({ auth: null, isRefused: true });
});

function isRefused(ask: () => unknown): boolean {
  try {
    ask();
    return false;
  } catch {
    return true;
  }
}
