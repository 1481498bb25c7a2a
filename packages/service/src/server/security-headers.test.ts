import { expect, it } from '@jest/globals';
import express from 'express';
import request from 'supertest';
import { apiSecurityHeaders, consoleHeaders, pageSecurityHeaders } from '../index.ts';

it('forbids that an API response runs, is framed, or is sniffed', async () => {
  const app = express().use(apiSecurityHeaders(), (_req, res) => void res.json({}));
  const { headers } = await request(app).get('/');
  expect(headers).toMatchObject({
    'content-security-policy': "default-src 'none';frame-ancestors 'none'",
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'SAMEORIGIN',
    'referrer-policy': 'no-referrer',
    'strict-transport-security': 'max-age=63072000; includeSubDomains',
  });
});

it('allows a page its own styles and permitted form targets, and no script', async () => {
  const app = express().use(
    pageSecurityHeaders({ formAction: ["'self'", 'http://localhost:*'] }),
    (_req, res) => void res.send('<p>'),
  );
  const policy = (await request(app).get('/')).headers['content-security-policy'];
  expect(policy?.split(';')).toEqual([
    "default-src 'none'",
    "style-src 'self'",
    "img-src 'self' data:",
    "form-action 'self' http://localhost:*",
    "frame-ancestors 'none'",
    "base-uri 'none'",
  ]);
});

it('allows the console only files of its own origin, and no text that becomes script', async () => {
  const app = express().use(consoleHeaders(), (_req, res) => void res.send('<p>'));
  const { headers } = await request(app).get('/');
  expect(headers['content-security-policy']?.split(';')).toEqual([
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ]);
  expect(headers).toMatchObject({
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': expect.stringContaining('camera=()'),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'strict-transport-security': 'max-age=63072000; includeSubDomains',
  });
});
