import { hash } from 'node:crypto';
import { beforeEach, expect, it } from '@jest/globals';
import type { Express } from 'express';
import request from 'supertest';
import {
  apiSecurityHeaders,
  createExpressApp,
  createLogger,
  PAGE_STYLE,
  problemHandler,
  SERVICE_PROBLEMS,
  servicePages,
  unmatchedRoute,
} from '../index.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8';
const URL = 'https://api.example';
let app: Express;

beforeEach(() => {
  app = createExpressApp();
  app.use(apiSecurityHeaders());
  app.use(
    servicePages({
      name: 'test-service',
      summary: 'Tests <things> & "more".',
      documents: { '/openapi.json': 'What it serves' },
      problems: SERVICE_PROBLEMS,
      url: URL,
    }),
    unmatchedRoute,
    problemHandler({ log: createLogger({ service: 't', level: 'silent' }), typeBase: `${URL}/errors` }),
  );
});

it('explains each problem and its remedy at the URL in its type', async () => {
  for (const [code, { status, title, meaning, remedy }] of Object.entries(SERVICE_PROBLEMS)) {
    const res = await request(app).get(`/errors/${code}`);
    expect([res.status, res.body]).toEqual([
      200,
      { type: `${URL}/errors/${code}`, title, status, code, meaning, remedy },
    ]);
    const page = await request(app).get(`/errors/${code}`).set('Accept', BROWSER);
    expect([page.status, page.type]).toEqual([200, 'text/html']);
    for (const text of [`<h1>${title}</h1>`, code, meaning, remedy]) expect(page.text).toContain(text);
  }
});

it('is served at the URL in the type of a response', async () => {
  const { body } = await request(app).get('/nothing/here');
  const { pathname } = new globalThis.URL(body.type);
  expect((await request(app).get(pathname)).body).toMatchObject({ type: body.type, title: body.title });
});

it("shows the service's description and documents, with the common ones", async () => {
  const { body } = await request(app).get('/');
  expect(body).toMatchObject({ name: 'test-service', summary: 'Tests <things> & "more".' });
  expect(body.documents.map(({ href }: { href: string }) => href)).toEqual([
    'https://api.example/openapi.json',
    'https://api.example/healthz',
    'https://api.example/readyz',
    'https://api.example/errors',
  ]);
  const { text } = await request(app).get('/').set('Accept', BROWSER);
  expect(text).toContain('Tests &lt;things&gt; &amp; &quot;more&quot;.');
  expect(text).toContain('<a href="https://api.example/openapi.json">What it serves</a>');
});

it('lists all codes', async () => {
  const { body } = await request(app).get('/errors');
  expect(body.problems.map(({ code }: { code: string }) => code)).toEqual(
    Object.keys(SERVICE_PROBLEMS).sort(),
  );
  expect((await request(app).get('/errors').set('Accept', BROWSER)).text).toContain(
    '<a href="https://api.example/errors/not_found"><code>not_found</code></a> 404',
  );
});

it('sends a page that may not run scripts, load files, submit forms or be framed', async () => {
  const { headers } = await request(app).get('/').set('Accept', BROWSER);
  expect(headers['content-security-policy']).toMatch(
    /^default-src 'none';style-src 'self' 'sha256-[^']+';img-src 'self' data:;form-action 'none';frame-ancestors 'none';base-uri 'none'$/,
  );
  expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', vary: 'Accept' });
});

it('has the common style of all pages, which its policy allows', async () => {
  for (const path of ['/', '/errors', '/errors/not_found']) {
    const { text, headers } = await request(app).get(path).set('Accept', BROWSER);
    const style = /<style>([\s\S]*)<\/style>/.exec(text)?.[1] ?? '';
    expect(style).toContain(PAGE_STYLE);
    expect(headers['content-security-policy']).toContain(`'sha256-${hash('sha256', style, 'base64')}'`);
  }
});

it.each([
  ['nothing', undefined],
  ['anything', '*/*'],
  ['JSON before a page', 'application/json, text/html;q=0.5'],
  ['more than anybody reads', `text/html,${'a/b,'.repeat(300)}`],
])('sends JSON to a client that accepts %s', async (_case, accept) => {
  const res = await request(app)
    .get('/errors/not_found')
    .set(accept === undefined ? {} : { Accept: accept });
  expect(res.type).toBe('application/json');
});

it('returns 405 for another method, and 404 for an unknown code', async () => {
  const res = await request(app).post('/errors/not_found');
  expect([res.status, res.headers.allow]).toEqual([405, 'GET, HEAD']);
  for (const path of ['/errors/no_such_code', '/errors/__proto__', '/errors/toString'])
    expect((await request(app).get(path)).status).toBe(404);
});
