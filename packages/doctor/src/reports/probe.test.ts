import { expect, it } from '@jest/globals';
import { UnusableAnswer } from '@legate/guarded-fetch';
import { createProbe, type Fault, type Skew } from './probe.ts';

const NOW = new Date('2026-08-01T12:00:00Z');

function probeWith(fetch: typeof globalThis.fetch) {
  const skews: Skew[] = [];
  const probe = createProbe({
    fetch,
    clock: () => NOW,
    signal: new AbortController().signal,
    onSkew: (skew) => skews.push(skew),
  });
  return { probe, skews };
}

const withCode = (code: string) =>
  new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) });

it.each<[string, Error, Fault]>([
  ['ENOTFOUND', withCode('ENOTFOUND'), 'name'],
  ['EAI_AGAIN', withCode('EAI_AGAIN'), 'name'],
  ['ECONNREFUSED', withCode('ECONNREFUSED'), 'connection'],
  ['ECONNRESET', withCode('ECONNRESET'), 'connection'],
  ['CERT_HAS_EXPIRED', withCode('CERT_HAS_EXPIRED'), 'tls'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', withCode('DEPTH_ZERO_SELF_SIGNED_CERT'), 'tls'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', withCode('ERR_TLS_CERT_ALTNAME_INVALID'), 'tls'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', withCode('ERR_SSL_WRONG_VERSION_NUMBER'), 'tls'],
  ['ERR_FORBIDDEN_ADDRESS', withCode('ERR_FORBIDDEN_ADDRESS'), 'forbidden'],
  ['a time-out', new DOMException('late', 'TimeoutError'), 'time'],
  ['a redirect', new UnusableAnswer('https://a.example/', 'redirects are not followed', 302), 'redirect'],
  ['a long answer', new UnusableAnswer('https://a.example/', 'more than 65536 bytes', 200), 'size'],
])('recognizes from %s what kind of fault it is', async (_case, err, fault) => {
  const { probe } = probeWith(() => Promise.reject(err));
  expect(await probe('https://a.example/')).toMatchObject({ kind: 'failed', fault });
});

it('requests only http URLs', async () => {
  const { probe } = probeWith(() => Promise.reject(new Error('it was asked for')));
  expect(await probe('file:///etc/passwd')).toMatchObject({ kind: 'failed', fault: 'url' });
});

it('reads the clock of the origin, not the age of a cached response', async () => {
  const date = new Date(NOW.getTime() - 60_000).toUTCString();
  const fresh = probeWith(async () => new Response('', { headers: { Date: date } }));
  await fresh.probe('https://a.example/x');
  expect(fresh.skews).toEqual([{ origin: 'https://a.example', seconds: expect.any(Number) }]);
  expect(Math.abs((fresh.skews[0]?.seconds ?? 0) + 60)).toBeLessThanOrEqual(1);
  const kept = probeWith(async () => new Response('', { headers: { Date: date, Age: '60' } }));
  await kept.probe('https://a.example/x');
  expect(kept.skews).toEqual([]);
});
