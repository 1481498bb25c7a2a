import { expect, it } from '@jest/globals';
import { createLogger } from '@legate/service';
import express from 'express';
import request from 'supertest';
import { showFault } from './fault-page.ts';
import { PageFault } from './page-fault.ts';

const cause = new Error('the store is down');

it.each<[string, Error, number, string | undefined]>([
  ['a fault with a cause', new PageFault('unavailable', 'not stored', { cause }), 503, cause.message],
  ['a fault without one', new PageFault('unavailable', 'not stored'), 503, undefined],
  ['an unexpected error', cause, 503, cause.message],
  ['a refusal', new PageFault('expired', 'too late', { cause }), 400, undefined],
])('shows a page, and logs the cause unless it is a refusal: %s', async (_case, err, status, logged) => {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
  const log = createLogger({ service: 'test', level: 'info', destination });
  const app = express()
    .use(() => {
      throw err;
    })
    .use(showFault(log, 'connection'));
  expect((await request(app).get('/')).status).toBe(status);
  const line = JSON.parse(lines.join(''));
  expect((line.err?.cause ?? line.err)?.message).toBe(logged);
});
