import { expect, it } from '@jest/globals';
import { createPrivateJwk } from '@legate/testing';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import {
  Configuration,
  customFetch,
  genericGrantRequest,
  type ServerMetadata,
  tokenRevocation,
} from 'openid-client';
import {
  type CertificateCredentials,
  type ClientCredentials,
  clientAuthentication,
  clientMetadata,
} from './client-credentials.ts';

const SERVER = { issuer: 'https://idp.example', token_endpoint: 'https://idp.example/token' };

async function sent(credentials: ClientCredentials, metadata: Partial<ServerMetadata> = {}) {
  const authenticate = await clientAuthentication(credentials);
  const [form, headers] = [new URLSearchParams(), new Headers()];
  await authenticate({ ...SERVER, ...metadata } as ServerMetadata, { client_id: 'hub' }, form, headers);
  const assertion = form.get('client_assertion') ?? undefined;
  return {
    way: headers.has('authorization') ? 'basic' : form.has('client_secret') ? 'post' : 'assertion',
    ...(assertion && { header: decodeProtectedHeader(assertion), claims: decodeJwt(assertion) }),
  };
}

const SECRET = { method: 'client_secret', clientSecret: 's' } as const;
it.each<[string, string[] | undefined, string]>([
  ['offers both', ['client_secret_basic', 'client_secret_post'], 'post'],
  ['offers Basic only', ['client_secret_basic', 'private_key_jwt'], 'basic'],
  ['offers the body only', ['client_secret_post'], 'post'],
  ['says nothing', undefined, 'post'],
  ['offers neither', ['private_key_jwt', 'none'], 'post'],
])('sends a secret to a server that %s', async (_case, methods, way) => {
  const metadata = methods && { token_endpoint_auth_methods_supported: methods };
  expect((await sent(SECRET, metadata)).way).toBe(way);
});

it('sends a secret by the configured method, whatever the server offers', async () => {
  const metadata = { token_endpoint_auth_methods_supported: ['client_secret_post'] };
  expect((await sent({ method: 'client_secret_basic', clientSecret: 's' }, metadata)).way).toBe('basic');
});

it('sends Basic credentials that servers recognize whether or not they decode them', async () => {
  const sentTo = async (clientSecret: string) => {
    const authenticate = await clientAuthentication({ method: 'client_secret_basic', clientSecret });
    const headers = new Headers();
    const client = { client_id: 'hub-at.tools_1' };
    await authenticate(SERVER as ServerMetadata, client, new URLSearchParams(), headers);
    return Buffer.from(headers.get('authorization')?.slice('Basic '.length) ?? '', 'base64').toString();
  };
  expect(await sentTo('a-secret_of.the*hub')).toBe('hub-at.tools_1:a-secret_of.the*hub');
  expect(await sentTo('a:b c+d/é%')).toBe('hub-at.tools_1:a%3Ab+c%2Bd%2F%C3%A9%25');
});

const jwk = (members: object = {}) => ({
  ...createPrivateJwk({ modulusLength: 2048 }),
  kid: 'k',
  alg: 'PS256',
  ...members,
});

it('signs an assertion for the issuer, with a lifetime of a minute and a unique id', async () => {
  const credentials = { method: 'private_key_jwt', privateJwk: jwk() } as const;
  const [one, two] = [await sent(credentials), await sent(credentials)];
  expect(one.header).toEqual({ alg: 'PS256', kid: 'k' });
  expect(one.claims).toMatchObject({ iss: 'hub', sub: 'hub', aud: SERVER.issuer });
  expect((one.claims?.exp ?? 0) - (one.claims?.iat ?? 0)).toBe(60);
  expect(one.claims?.jti).not.toBe(two.claims?.jti);
});

/** Sends a token request and a revocation, and returns what arrived at which URL */
async function sentTo(credentials: ClientCredentials | CertificateCredentials, client = {}) {
  const requests: { url: string; form: URLSearchParams }[] = [];
  const metadata = {
    ...SERVER,
    revocation_endpoint: 'https://revoke.idp.example/revoke?tenant=a',
    mtls_endpoint_aliases: {
      token_endpoint: 'https://mtls.idp.example/token',
      revocation_endpoint: 'https://mtls.idp.example/revoke',
    },
  };
  const members = { ...clientMetadata(credentials), ...client };
  const configuration = new Configuration(metadata, 'hub', members, await clientAuthentication(credentials));
  configuration[customFetch] = async (url, { body }) => {
    requests.push({ url, form: new URLSearchParams(String(body)) });
    return Response.json({ access_token: 'a', token_type: 'bearer' });
  };
  await genericGrantRequest(configuration, 'urn:example', { scope: 'read' });
  await tokenRevocation(configuration, 'a-token');
  return requests;
}

const audienceOf = (form: URLSearchParams) => decodeJwt(form.get('client_assertion') ?? '').aud;

it.each([
  ['its endpoint', {}],
  ['the alias of its endpoint', { use_mtls_endpoint_aliases: true }],
])(
  'signs an assertion for the URL to which the request is sent, %s, if that is configured',
  async (_case, client) => {
    const credentials = {
      method: 'private_key_jwt',
      privateJwk: jwk(),
      assertionAudience: 'token_endpoint',
    } as const;
    const requests = await sentTo(credentials, client);
    expect(new Set(requests.map(({ url }) => url)).size).toBe(2);
    expect(requests.map(({ form }) => audienceOf(form))).toEqual(requests.map(({ url }) => url));
  },
);

it.each(['tls_client_auth', 'self_signed_tls_client_auth'] as const)(
  'sends only the client id with %s, to the aliases for mutual TLS',
  async (method) => {
    const requests = await sentTo({ method });
    expect(requests.map(({ url, form }) => [url, [...form.keys()].sort()])).toEqual([
      ['https://mtls.idp.example/token', ['client_id', 'grant_type', 'scope']],
      ['https://mtls.idp.example/revoke', ['client_id', 'token']],
    ]);
  },
);

it('puts the certificate thumbprint of a key into the header', async () => {
  const privateJwk = jwk({ 'x5t#S256': 'thumbprint' });
  const { header } = await sent({ method: 'private_key_jwt', privateJwk });
  expect(header).toEqual({ alg: 'PS256', kid: 'k', typ: 'JWT', 'x5t#S256': 'thumbprint' });
});

it('uses the algorithm name for Ed25519 that the key has', async () => {
  const privateJwk = { ...createPrivateJwk('ed25519'), kid: 'k' };
  const algorithmOf = async (alg: string) =>
    (await sent({ method: 'private_key_jwt', privateJwk: { ...privateJwk, alg } })).header?.alg;
  expect([await algorithmOf('EdDSA'), await algorithmOf('Ed25519')]).toEqual(['EdDSA', 'Ed25519']);
});

it('refuses a shared secret as a key', async () => {
  const privateJwk = { kty: 'oct', k: 'c2VjcmV0', alg: 'HS256' };
  await expect(clientAuthentication({ method: 'private_key_jwt', privateJwk })).rejects.toThrow('asymmetric');
});
