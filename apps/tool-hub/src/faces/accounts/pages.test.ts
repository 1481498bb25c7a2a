import { createHash } from 'node:crypto';
import { expect, it } from '@jest/globals';
import express from 'express';
import request from 'supertest';
import { sendFault } from '../pages/fault-page.ts';
import { PageFault } from '../pages/page-fault.ts';
import { sendDeclined, sendDone } from './pages.ts';

it.each([
  ['is connected', sendDone, 200],
  ['declined', sendDeclined, 200],
  [
    'cannot continue',
    (req: express.Request, res: express.Response) =>
      sendFault(req, res, new PageFault('unavailable', 'the store does not respond')),
    503,
  ],
])('a browser that %s shows a page with its style applied', async (_case, send, status) => {
  const page = await request(express().use(send)).get('/');
  const [, style] = /<style>(.*)<\/style>/s.exec(page.text) ?? [];
  const hash = createHash('sha256')
    .update(style ?? '')
    .digest('base64');
  expect([page.status, page.headers['content-security-policy']]).toEqual([
    status,
    expect.stringContaining(`style-src 'self' 'sha256-${hash}';`),
  ]);
});
