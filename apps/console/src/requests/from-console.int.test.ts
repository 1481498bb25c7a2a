import { afterAll, beforeAll, expect, it } from '@jest/globals';
import request, { type Test } from 'supertest';
import { type Scene, startScene } from '../testing/scene.ts';

let scene: Scene;
let cookie: string;
beforeAll(async () => {
  scene = await startScene();
  cookie = await scene.signIn();
});
afterAll(() => scene.stop());

const HEADER = { 'Legate-Console': '1' };
const OWN = { ...HEADER, Origin: 'http://localhost:4004' };
const get = () => request(scene.app).get('/bff/session');
const post = () => request(scene.app).post('/bff/api/sites').send({ name: 'Shop' });

const REFUSED: [string, () => Test, Record<string, string>][] = [
  ['a read without the header', get, {}],
  ['a read with another value of the header', get, { 'Legate-Console': 'yes' }],
  ['a read from another port of localhost', get, { ...HEADER, Origin: 'http://localhost:5173' }],
  ['a read that the browser calls same-site', get, { ...HEADER, 'Sec-Fetch-Site': 'same-site' }],
  ['a read that the browser calls cross-site', get, { ...HEADER, 'Sec-Fetch-Site': 'cross-site' }],
  ['an address that somebody opens', get, { ...HEADER, 'Sec-Fetch-Site': 'none' }],
  ['a change without the header', post, { Origin: 'http://localhost:4004' }],
  ['a change without Origin', post, HEADER],
  ['a change from another origin', post, { ...HEADER, Origin: 'https://evil.example' }],
  ['a change from another port of localhost', post, { ...HEADER, Origin: 'http://localhost:4001' }],
  ['a change from an opaque origin', post, { ...HEADER, Origin: 'null' }],
  ['a change that the browser calls same-site', post, { ...OWN, 'Sec-Fetch-Site': 'same-site' }],
];

it.each(REFUSED)('refuses %s, even with the session cookie', async (_case, send, headers) => {
  const before = scene.api.requests.length;
  const answer = await send().set('Cookie', cookie).set(headers).expect(403);
  expect(answer.body.code).toBe('request_not_from_console');
  expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  expect(scene.api.requests.length).toBe(before);
});

it('accepts a read and a change from a page of the console', async () => {
  await get().set('Cookie', cookie).set(HEADER).expect(200);
  await post()
    .set('Cookie', cookie)
    .set({ ...OWN, 'Sec-Fetch-Site': 'same-origin' })
    .expect(200);
});

it('refuses preflight requests, so that no other origin can set the header', async () => {
  const answer = await request(scene.app)
    .options('/bff/api/sites')
    .set({ Origin: 'http://localhost:5173', 'Access-Control-Request-Headers': 'legate-console' });
  expect(answer.status).toBe(403);
  expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
});

it('forbids all pages to show it in a frame', async () => {
  const { headers } = await request(scene.app).get('/connectors').expect(200);
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
  expect(headers['x-frame-options']).toBe('DENY');
});
