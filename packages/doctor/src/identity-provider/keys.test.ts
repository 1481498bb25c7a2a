import { expect, it } from '@jest/globals';
import { examineFake, METADATA, signingKeys } from './testing/fake-provider.ts';

const [key] = signingKeys.publicJwks().keys;

it('says how many keys can be read, and which algorithms are announced', async () => {
  const metadata = { ...METADATA, id_token_signing_alg_values_supported: ['ES256'] };
  const jwks = () => Response.json({ keys: [key] }, { headers: { 'Cache-Control': 'max-age=300' } });
  const { leg } = await examineFake({}, { metadata, jwks });
  expect(leg('keys')).toMatchObject({
    status: 'ok',
    detail: 'One key can be read.',
    evidence: { keys: ['EC ES256'], id_token_algorithms: ['ES256'], cache_control: 'max-age=300' },
  });
});

it('counts only keys that can be used', async () => {
  const { leg } = await examineFake({}, { jwks: { keys: [key, { kty: 'RSA', n: 'AQAB', e: 'AQAB' }] } });
  expect(leg('keys')).toMatchObject({ status: 'ok', detail: 'One key can be read.' });
});

it('warns if caches may keep the keys for long', async () => {
  const jwks = () =>
    Response.json({ keys: [key] }, { headers: { 'Cache-Control': 'public, max-age=604800' } });
  const { leg } = await examineFake({}, { jwks });
  expect(leg('keys')).toMatchObject({ status: 'warn', detail: expect.stringContaining('168 hours') });
});

it.each([
  ['no list', { keys: 'none' }, 'There is no key set'],
  ['a private key', { keys: [{ ...key, d: 'secret-part' }] }, 'contains a private key'],
  ['only weak keys', { keys: [{ kty: 'RSA', n: 'AQAB', e: 'AQAB' }] }, 'no key that can be used'],
  ['a page', () => new Response('<html>'), 'There is no key set'],
  ['nothing', () => new Response('', { status: 404 }), 'There is no key set'],
  ['an outage', () => new Response('', { status: 500 }), 'responds with status 500'],
])('fails for %s', async (_case, jwks, detail) => {
  const { leg, report } = await examineFake({}, { jwks });
  expect([leg('keys').status, leg('keys').detail]).toEqual(['fail', expect.stringContaining(detail)]);
  expect(JSON.stringify(report)).not.toContain('secret-part');
});

it('fails if the metadata name no keys', async () => {
  const { leg } = await examineFake({}, { metadata: { ...METADATA, jwks_uri: null } });
  expect(leg('keys')).toMatchObject({ status: 'fail', detail: 'The metadata have no "jwks_uri".' });
});
