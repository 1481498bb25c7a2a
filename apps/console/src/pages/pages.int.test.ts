import { afterAll, beforeAll, expect, it } from '@jest/globals';
import request from 'supertest';
import { type Scene, startScene } from '../testing/scene.ts';
import { createPages } from './routes.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
});
afterAll(() => scene.stop());
const get = (path: string) => request(scene.app).get(path);

it.each(['/', '/connectors', '/connectors/con_1', '/signed-out?code=x', '/me/accounts'])(
  'answers %s with the one page, which browsers ask for anew each time',
  async (path) => {
    const { headers, text } = await get(path).expect(200);
    expect(text).toContain('<title>Legate');
    expect([headers['cache-control'], headers['content-type']]).toEqual([
      'no-cache',
      'text/html; charset=utf-8',
    ]);
  },
);

it.each([
  '/missing.js',
  '/assets/missing',
  '/assets/index-gone.js',
  '/.vite/manifest.json',
  '/bff',
  '/bff/x',
])('does not respond to %s with a page', async (path) => {
  const { headers, status } = await get(path).set('Legate-Console', '1');
  expect([status, headers['content-type']]).toEqual([404, 'application/problem+json; charset=utf-8']);
});

it('does not respond to other methods with a page', async () => {
  await request(scene.app).post('/connectors').expect(404);
});

it('lets browsers cache only files with a hash in their name', async () => {
  const { headers } = await get('/assets/index-abc.js').expect(200);
  expect(headers['cache-control']).toBe('public, max-age=31536000, immutable');
  expect((await get('/theme.js').expect(200)).headers['cache-control']).toBe('no-cache');
  const config = await get('/config.json').expect(200);
  expect([config.headers['cache-control'], config.body]).toEqual(['no-store', { name: 'Acme tools' }]);
});

it('sets the content security policy on pages, files and API responses', async () => {
  for (const path of ['/', '/assets/index-abc.js', '/config.json', '/bff/session', '/nothing.js'])
    expect((await get(path)).headers['content-security-policy']).toContain("script-src 'self'");
});

it('serves the descriptions of its errors, and reports that it is alive and ready', async () => {
  await get('/errors/signed_out').expect(200);
  await get('/healthz').expect(200);
  await get('/readyz').expect(200);
});

it('does not start if the pages were not built', () => {
  expect(() => createPages({ webRoot: '/nowhere', browserConfig: {} })).toThrow('npm run build');
});
