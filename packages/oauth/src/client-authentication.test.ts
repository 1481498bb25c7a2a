import { describe, expect, it } from '@jest/globals';
import {
  clientAssertion,
  createKeySet,
  createSigningKeys,
  createTokenVerifier,
  KeysUnavailable,
} from '@legate/jwt';
import {
  CLIENT_ASSERTION_TYPE,
  createClientAuthenticator,
  hashClientSecret,
  OAuthError,
  parseForm,
  type RegisteredClient,
} from './index.ts';

const NOW = 1_790_000_000;
const clock = () => new Date(NOW * 1000);
const ISSUER = 'https://as.example';
const keys = await createSigningKeys({ alg: 'ES256', clock });

const hub: RegisteredClient = {
  clientId: 'hub',
  secretHashes: [hashClientSecret('new secret: %41+'), hashClientSecret('old')],
  isPublic: false,
};
const signer: RegisteredClient = {
  clientId: 'signer',
  secretHashes: [],
  isPublic: false,
  verifyAssertion: createTokenVerifier(clientAssertion, {
    issuers: [
      {
        issuer: 'signer',
        keys: createKeySet({ issuer: 'signer', load: async () => keys.publicJwks(), clock }),
      },
    ],
    audience: ISSUER,
    clock,
  }),
};
const namesake: RegisteredClient = {
  clientId: 'namesake',
  secretHashes: [],
  isPublic: false,
  verifyAssertion: createTokenVerifier(clientAssertion, {
    issuers: [
      {
        issuer: 'namesake',
        keys: createKeySet({ issuer: 'namesake', load: async () => keys.publicJwks(), clock }),
      },
    ],
    audience: ISSUER,
    clock,
  }),
};
const stranded: RegisteredClient = {
  clientId: 'stranded',
  secretHashes: [],
  isPublic: false,
  verifyAssertion: () => Promise.reject(new KeysUnavailable('stranded')),
};
const spa: RegisteredClient = { clientId: 'spa', secretHashes: [], isPublic: true };
const plus: RegisteredClient = { clientId: 'a+b', secretHashes: [hashClientSecret('s')], isPublic: false };
const clients = new Map(
  [hub, signer, namesake, stranded, spa, plus].map((client) => [client.clientId, client]),
);

async function authenticate(
  authorization: string | undefined,
  form: Record<string, string>,
  allowPublic = true,
  used = new Set<string>(),
) {
  const run = createClientAuthenticator({
    findClient: (clientId) => clients.get(clientId),
    useAssertionOnce: async (clientId, jti) => {
      const isNew = !used.has(`${clientId} ${jti}`);
      used.add(`${clientId} ${jti}`);
      return isNew;
    },
    allowPublic,
  });
  const attempt = () =>
    run(authorization, parseForm(new URLSearchParams(form).toString())).then(
      ({ client, method }) => `${client.clientId} by ${method}`,
      (err: unknown) => (err instanceof OAuthError ? [err.code, err.status, err.reason, err.headers] : err),
    );
  return { first: await attempt(), again: attempt };
}

const basic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`;
const CHALLENGE = { 'WWW-Authenticate': 'Basic realm="token"' };
const assertion = (claims: Record<string, unknown> = {}) =>
  keys.sign(
    { iss: 'signer', sub: 'signer', aud: ISSUER, jti: 'j1', iat: NOW, exp: NOW + 60, ...claims },
    { typ: 'client-authentication+jwt' },
  );

describe('a secret', () => {
  it.each([
    ['in the form', undefined, { client_id: 'hub', client_secret: 'new secret: %41+' }, 'client_secret_post'],
    [
      'that is being rotated out',
      undefined,
      { client_id: 'hub', client_secret: 'old' },
      'client_secret_post',
    ],
    ['form-encoded in Basic', basic('hub', 'new+secret%3A+%2541%2B'), {}, 'client_secret_basic'],
    ['raw in Basic', basic('hub', 'new secret: %41+'), {}, 'client_secret_basic'],
    ['in Basic with client_id repeated', basic('hub', 'old'), { client_id: 'hub' }, 'client_secret_basic'],
  ])('%s authenticates', async (_case, authorization, form: Record<string, string>, method) => {
    expect((await authenticate(authorization, form)).first).toBe(`hub by ${method}`);
  });

  it('is accepted in Basic for a client whose raw id looks encoded', async () => {
    expect((await authenticate(basic('a+b', 's'), {})).first).toBe('a+b by client_secret_basic');
    expect((await authenticate(basic('a%2Bb', 's'), {})).first).toBe('a+b by client_secret_basic');
  });

  it.each([
    ['wrong in the form', undefined, { client_id: 'hub', client_secret: 'x' }, 'wrong secret', {}],
    ['wrong in Basic', basic('hub', 'x'), {}, 'wrong secret', CHALLENGE],
    ['empty in Basic', basic('hub', ''), {}, 'wrong secret', CHALLENGE],
    ['of nobody', undefined, { client_id: 'nobody', client_secret: 'x' }, 'unknown client', {}],
    [
      'for a client that has none',
      undefined,
      { client_id: 'signer', client_secret: 'x' },
      'wrong secret',
      {},
    ],
    ['without its client', undefined, { client_secret: 'old' }, 'no client authentication', {}],
    ['in Basic that is no base64', 'Basic ###', {}, 'malformed Basic credentials', CHALLENGE],
    ['in Basic without a colon', 'Basic aHVi', {}, 'malformed Basic credentials', CHALLENGE],
    ['in Basic without a client', basic('', 'old'), {}, 'malformed Basic credentials', CHALLENGE],
  ])('%s is refused', async (_case, authorization, form: Record<string, string>, reason, headers) => {
    const { first } = await authenticate(authorization, form);
    expect(first).toEqual(['invalid_client', 401, reason, headers]);
  });
});

describe('with several methods at once', () => {
  it.each([
    ['Basic and a secret', basic('hub', 'old'), { client_id: 'hub', client_secret: 'old' }],
    ['Basic and an assertion', basic('hub', 'old'), { client_assertion: 'x.y.z' }],
    [
      'a secret and an assertion',
      undefined,
      { client_id: 'hub', client_secret: 'old', client_assertion: 'x.y.z' },
    ],
    ['Basic of one client and the id of another', basic('hub', 'old'), { client_id: 'spa' }],
  ])('are refused: %s', async (_case, authorization, form: Record<string, string>) => {
    const { first } = await authenticate(authorization, form);
    expect(first).toMatchObject(['invalid_request', 400, {}, {}]);
  });
});

describe('a client assertion', () => {
  const form = (token: string) => ({ client_assertion_type: CLIENT_ASSERTION_TYPE, client_assertion: token });

  it('authenticates once, with or without client_id', async () => {
    const { first, again } = await authenticate(undefined, form(await assertion()));
    expect(first).toBe('signer by private_key_jwt');
    expect(await again()).toEqual(['invalid_client', 401, 'client_assertion: replayed', {}]);
    const named = await authenticate(undefined, { ...form(await assertion()), client_id: 'signer' });
    expect(named.first).toBe('signer by private_key_jwt');
  });

  it.each([
    ['for another server', { aud: 'https://other.example' }, 'client_assertion: audience'],
    ['for two servers', { aud: [ISSUER, 'https://other.example'] }, 'client_assertion: audience'],
    ['that is expired', { iat: NOW - 200, exp: NOW - 60 }, 'client_assertion: expired'],
    ['that lives too long', { exp: NOW + 301 }, 'client_assertion: lifetime'],
    ['without jti', { jti: undefined }, 'client_assertion: claims'],
    ['of another issuer', { iss: 'hub' }, 'client_assertion: issuer'],
  ])('%s is refused', async (_case, claims, reason) => {
    const { first } = await authenticate(undefined, form(await assertion(claims)));
    expect(first).toEqual(['invalid_client', 401, reason, {}]);
  });

  it('may have the same jti as an assertion of another client', async () => {
    const used = new Set<string>();
    const { first } = await authenticate(undefined, form(await assertion()), true, used);
    const other = form(await assertion({ iss: 'namesake', sub: 'namesake' }));
    const { first: second } = await authenticate(undefined, other, true, used);
    expect([first, second]).toEqual(['signer by private_key_jwt', 'namesake by private_key_jwt']);
  });

  it('of one client does not authenticate another', async () => {
    const sub = await authenticate(undefined, {
      ...form(await assertion({ sub: 'hub' })),
      client_id: 'signer',
    });
    expect(sub.first).toEqual(['invalid_client', 401, 'client_assertion: iss or sub', {}]);
    const id = await authenticate(undefined, { ...form(await assertion()), client_id: 'hub' });
    expect(id.first).toEqual(['invalid_client', 401, 'private_key_jwt is not registered', {}]);
  });

  it.each(['x', 'a.b.c', `e30.${Buffer.from('{"sub":7}').toString('base64url')}.x`])(
    'that is malformed is refused (%#)',
    async (token) => {
      const { first } = await authenticate(undefined, form(token));
      expect(first).toEqual(['invalid_client', 401, 'malformed client_assertion', {}]);
    },
  );

  it('of another type is refused', async () => {
    const { first } = await authenticate(undefined, {
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:saml2-bearer',
      client_assertion: await assertion(),
    });
    expect(first).toEqual(['invalid_request', 400, 'client_assertion_type', {}]);
  });

  it('is not reported as refused after an internal error', async () => {
    const broken = new Error('a bug');
    const run = createClientAuthenticator({
      findClient: () => ({ ...stranded, verifyAssertion: () => Promise.reject(broken) }),
      useAssertionOnce: async () => true,
      allowPublic: false,
    });
    const presented = new URLSearchParams({ ...form('x'), client_id: 'stranded' });
    await expect(run(undefined, parseForm(presented.toString()))).rejects.toBe(broken);
  });

  it('causes an outage error while the keys of its client are unavailable', async () => {
    const { first } = await authenticate(undefined, { ...form(await assertion()), client_id: 'stranded' });
    expect(first).toMatchObject(['temporarily_unavailable', 503, {}, {}]);
  });
});

describe('a bare client_id', () => {
  it('is enough for a public client where public clients are allowed', async () => {
    expect((await authenticate(undefined, { client_id: 'spa' })).first).toBe('spa by none');
    expect((await authenticate(undefined, { client_id: 'spa' }, false)).first).toEqual([
      'invalid_client',
      401,
      'the client must authenticate',
      {},
    ]);
  });

  it('is not enough for a confidential client', async () => {
    const { first } = await authenticate(undefined, { client_id: 'hub' });
    expect(first).toEqual(['invalid_client', 401, 'the client must authenticate', {}]);
  });
});
