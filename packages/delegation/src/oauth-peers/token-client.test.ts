import { beforeEach, expect, it } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader, exportJWK, generateKeyPair } from 'jose';
import type { ConnectorClientAuth } from '../domain/method-settings.ts';
import { createTokenClient } from './token-client.ts';
import { requestToken } from './token-request.ts';

let sent: { headers: Headers; form: URLSearchParams };
beforeEach(() => {
  sent = { headers: new Headers(), form: new URLSearchParams() };
});

async function ask(clientAuth: ConnectorClientAuth): Promise<void> {
  const client = await createTokenClient({
    issuer: 'https://as.example',
    tokenEndpoint: 'https://as.example/token',
    clientId: 'hub',
    clientAuth,
    async fetch(_url, init) {
      sent = { headers: new Headers(init?.headers), form: new URLSearchParams(String(init?.body)) };
      return Response.json({ access_token: 'at', token_type: 'Bearer' });
    },
  });
  await requestToken(client, 'client_credentials', {});
}

it('sends a secret in the header or in the form, as registered', async () => {
  await ask({ method: 'client_secret_basic', clientSecret: 'secret' });
  expect(sent.headers.get('authorization')).toBe(`Basic ${Buffer.from('hub:secret').toString('base64')}`);
  expect(sent.form.has('client_secret')).toBe(false);
  await ask({ method: 'client_secret_post', clientSecret: 'secret' });
  expect(sent.headers.has('authorization')).toBe(false);
  expect([sent.form.get('client_id'), sent.form.get('client_secret')]).toEqual(['hub', 'secret']);
});

it.each([
  ['ES256', 'ES256', 'a-key'],
  ['RS256', 'RS256', undefined],
  ['ES256', undefined, undefined],
])(
  'signs an assertion by %s with a private key whose alg is %s and whose kid is %s',
  async (signed, alg, kid) => {
    const { privateKey } = await generateKeyPair(signed, { extractable: true });
    const { alg: _alg, ...jwk } = await exportJWK(privateKey);
    const privateJwk = { ...jwk, ...(alg && { alg }), ...(kid && { kid }) };
    await ask({ method: 'private_key_jwt', privateJwk });
    const assertion = sent.form.get('client_assertion') ?? '';
    expect(decodeProtectedHeader(assertion)).toMatchObject({ alg: signed });
    expect(decodeProtectedHeader(assertion).kid).toBe(kid);
    expect(decodeJwt(assertion)).toMatchObject({ iss: 'hub', sub: 'hub' });
  },
);

it('refuses a shared secret as a private key', async () => {
  const privateJwk = { kty: 'oct', k: 'c2VjcmV0', alg: 'HS256' };
  await expect(ask({ method: 'private_key_jwt', privateJwk })).rejects.toThrow(
    'a client key must be asymmetric',
  );
});
