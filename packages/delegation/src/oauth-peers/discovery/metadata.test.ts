import { expect, it } from '@jest/globals';
import { UnusableAnswer } from '@legate/guarded-fetch';
import { fetchDocument, fetchFirstDocument, maxAgeOf } from './metadata.ts';

it.each([
  [null, 300],
  ['max-age=600', 600],
  ['public, max-age="900", immutable', 900],
  ['max-age=5', 60],
  ['max-age=0', 60],
  ['no-store', 60],
  ['max-age=900, no-cache', 60],
  ['max-age=99999999', 3600],
  ['s-maxage=900', 300],
  ['max-age=-1', 300],
])('keeps a document with Cache-Control %j for %i seconds', (header, seconds) => {
  expect(maxAgeOf(header)).toBe(seconds);
});

const PLACE = 'https://tools.example/.well-known/oauth-protected-resource';
const answering = (status: number, body: string | null = null, headers: Record<string, string> = {}) =>
  fetchDocument(PLACE, async () => new Response(body, { status, headers }));

it('returns a document, and how long it may be cached', async () => {
  expect(await answering(200, '{"resource":"a"}', { 'Cache-Control': 'max-age=600' })).toEqual({
    kind: 'found',
    document: { resource: 'a' },
    url: PLACE,
    maxAgeSeconds: 600,
  });
});

it('asks for JSON', async () => {
  let accepted: string | null = null;
  await fetchDocument(PLACE, async (_url, init) => {
    accepted = new Headers(init?.headers).get('accept');
    return new Response('{}');
  });
  expect(accepted).toBe('application/json');
});

it.each([404, 410])('treats status %i as the absence of the document', async (status) => {
  expect(await answering(status)).toEqual({ kind: 'absent' });
});

it.each([
  [204, false],
  [302, false],
  [401, false],
  [403, false],
  [499, false],
  [500, true],
  [503, true],
])('treats status %i as an outage, and not as the absence of the document', async (status, retryable) => {
  expect(await answering(status, null, { 'Retry-After': '7' })).toEqual({
    kind: 'unavailable',
    reason: expect.stringContaining(`${PLACE}: status ${status}`),
    retryable,
    status,
    retryAfterSeconds: 7,
  });
});

it.each([
  ['<html>', 'text/html; charset=utf-8', 'an HTML page'],
  ['<!DOCTYPE html>', 'application/json', 'an HTML page'],
  ['a text', 'text/plain', 'text/plain'],
  ['[]', 'application/json', 'application/json'],
  ['"text"', 'text/"><script>', 'a body without a type'],
])('reports the URL that returns %j of type %s instead of a document', async (body, type, but) => {
  expect(await answering(200, body, { 'Content-Type': type })).toEqual({
    kind: 'unusable',
    isPage: true,
    reason: `its metadata at ${PLACE} is not a JSON object, but ${but}`,
  });
});

it('reports a document at a forbidden address as unusable', async () => {
  const forbidden = Object.assign(new Error('private'), { code: 'ERR_FORBIDDEN_ADDRESS' });
  expect(await fetchDocument(PLACE, () => Promise.reject(forbidden))).toEqual({
    kind: 'unusable',
    reason: 'metadata: requests to its address are not allowed',
  });
});

it('reports a connection that fails as an outage', async () => {
  const failed = await fetchDocument(PLACE, () => Promise.reject(new TypeError('fetch failed')));
  expect(failed).toMatchObject({ kind: 'unavailable', retryable: true });
});

it.each([
  ['the document behind an absent one', [404, 200], 'found', 2],
  ['the document behind one that is closed', [403, 200], 'found', 2],
  ['the closed one, if there is no document', [403, 404], 'unavailable', 2],
  ['the document behind nothing', [204, 200], 'found', 2],
  ['an outage at once', [503, 200], 'unavailable', 1],
  ['a document at once', [200, 404], 'found', 1],
  ['that there is none', [404, 404], 'absent', 2],
])('of several URLs returns %s', async (_case, statuses, kind, asked) => {
  const left = [...statuses];
  const found = await fetchFirstDocument(['a', 'b'], async () => {
    const status = left.shift() ?? 500;
    return new Response(status === 200 ? '{}' : null, { status });
  });
  expect([found.kind, statuses.length - left.length]).toEqual([kind, asked]);
});

it.each<[string, string[], string, number]>([
  ['the document behind a page, as web applications give to every address', ['<html>', '{}'], 'found', 2],
  ['the page, if there is no document', ['<html>', '<html>'], 'unusable', 2],
])('of several URLs returns %s', async (_case, bodies, kind, asked) => {
  const left = [...bodies];
  const found = await fetchFirstDocument(['a', 'b'], async () => new Response(left.shift() ?? null));
  expect([found.kind, bodies.length - left.length]).toEqual([kind, asked]);
});

it.each<[string, number, string]>([
  ['the document behind a redirect, such as to a sign-in', 200, 'found'],
  ['the redirect, if there is no document', 404, 'unusable'],
])('finds of several places %s', async (_case, status, kind) => {
  const found = await fetchFirstDocument([PLACE, 'b'], async (url) => {
    if (url === PLACE) throw new UnusableAnswer(PLACE, 'redirects are not followed', 302);
    return new Response('{}', { status });
  });
  expect(found.kind).toBe(kind);
});

it('requests no further URL if the first has a forbidden address', async () => {
  let asked = 0;
  const forbidden = Object.assign(new Error('private'), { code: 'ERR_FORBIDDEN_ADDRESS' });
  const found = await fetchFirstDocument(['a', 'b'], () => {
    asked += 1;
    return Promise.reject(forbidden);
  });
  expect([found.kind, asked]).toEqual(['unusable', 1]);
});
