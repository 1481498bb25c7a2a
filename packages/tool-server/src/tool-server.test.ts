import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { createSigningKeys, type SigningKeys } from '@legate/jwt';
import { hashClientSecret } from '@legate/oauth';
import express, { type Express } from 'express';
import { decodeJwt } from 'jose';
import request from 'supertest';
import { legate, requireAccessToken } from './adapters/express.ts';
import {
  callerOf,
  createToolServer,
  type Identity,
  type ToolServerOptions,
  type UserDecision,
  userKeyOf,
} from './index.ts';

const NOW = 1_790_000_000;
const clock = () => new Date(NOW * 1000);
const RESOURCE = 'https://tools.example/mcp';
const ISSUER = 'https://idp.example';

const idpKeys = await createSigningKeys({ alg: 'RS256', clock });
let signingKeys: SigningKeys;
let logged: object[];
const write = (fields: object) => void logged.push(fields);

beforeEach(async () => {
  signingKeys = await createSigningKeys({ alg: 'ES256', clock });
  logged = [];
});

/** Everything that an Express server must add. */
async function createServer(change: Partial<ToolServerOptions> = {}): Promise<Express> {
  const toolServer = await createToolServer({
    resource: RESOURCE,
    trustedIssuers: [{ issuer: ISSUER, jwksUri: `${ISSUER}/keys` }],
    fetch: async () => Response.json(idpKeys.publicJwks()),
    clients: [{ clientId: 'hub', secretHashes: [hashClientSecret('a-secret')] }],
    signingKeys,
    scopes: ['read', 'write'],
    clock,
    log: { info: write, warn: write, error: write },
    ...change,
  });
  const app = express();
  app.use(legate(toolServer));
  app.get('/mcp', requireAccessToken(toolServer), (req, res) => void res.json(req.auth));
  app.get('/write', requireAccessToken(toolServer, { scopes: ['write'] }), (_req, res) => void res.json({}));
  return app;
}

const idJag = (claims: Record<string, unknown> = {}) =>
  idpKeys.sign(
    {
      ...{ iss: ISSUER, sub: 'alice', aud: RESOURCE, client_id: 'hub', jti: randomUUID(), scope: 'read' },
      ...{ iat: NOW, exp: NOW + 300 },
      ...claims,
    },
    { typ: 'oauth-id-jag+jwt' },
  );

const redeem = (app: Express, assertion: string) =>
  request(app)
    .post('/mcp/oauth/token')
    .type('form')
    .send({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      ...{ assertion, client_id: 'hub', client_secret: 'a-secret' },
    });

describe('requireAccessToken', () => {
  it('passes an AuthInfo of the MCP SDK to the tools', async () => {
    const app = await createServer();
    const { body } = await redeem(
      app,
      await idJag({ organization_id: 'acme', groups: ['g'], email: 'a@b.example' }),
    );
    const res = await request(app).get('/mcp').set('Authorization', `Bearer ${body.access_token}`);
    expect(res.body).toEqual({
      token: body.access_token,
      clientId: 'hub',
      scopes: ['read'],
      expiresAt: NOW + 3600 + 60, // the SDK knows no skew
      resource: RESOURCE,
      resourceMetadataUrl: 'https://tools.example/.well-known/oauth-protected-resource/mcp',
      extra: { sub: 'alice', idp: ISSUER, organizationId: 'acme', groups: ['g'], email: 'a@b.example' },
    });
  });

  it('refuses callers who lack a scope, and names the scope', async () => {
    const app = await createServer();
    const bearer = async (scope: string) => {
      const { body } = await redeem(app, await idJag({ scope }));
      return request(app).get('/write').set('Authorization', `Bearer ${body.access_token}`);
    };
    const refused = await bearer('read');
    expect([refused.status, refused.body.error]).toEqual([403, 'insufficient_scope']);
    expect(refused.headers['www-authenticate']).toMatch(
      /^Bearer error="insufficient_scope", error_description="[^"]+", scope="write", resource_metadata="[^"]+"$/,
    );
    expect((await bearer('read write')).status).toBe(200);
    const anonymous = await request(app).get('/write');
    expect(anonymous.headers['www-authenticate']).toMatch(/^Bearer scope="write", resource_metadata=/);
  });
});

describe('resolveUser', () => {
  const withDecision = (decision: UserDecision, seen: unknown[] = []) =>
    createServer({
      resolveUser: async (identity: Identity, clientId: string) => {
        seen.push([identity, clientId]);
        return decision;
      },
    });

  it('is called with the user of a valid assertion, and with all that identifies the user uniquely', async () => {
    const seen: unknown[] = [];
    const res = await redeem(
      await withDecision('accepted', seen),
      await idJag({ tenant: 't', organization_id: 'acme' }),
    );
    expect(res.status).toBe(200);
    expect(seen).toEqual([
      [{ issuer: ISSUER, tenant: 't', subject: 'alice', organizationId: 'acme', email: undefined }, 'hub'],
    ]);
  });

  const SAML = {
    format: 'saml-nameid',
    ...{ issuer: 'https://saml.example', nameid: 'alice', sp_name_qualifier: 'https://tools.example' },
  };
  it.each<[Record<string, unknown>, Partial<Identity>]>([
    [
      { aud_sub: 'alice-here', aud_tenant: 't-7', sub_id: SAML },
      { audSub: 'alice-here', audTenant: 't-7', subId: SAML as Identity['subId'] },
    ],
    [
      { sub_id: { format: 'iss_sub', iss: ISSUER, sub: 'a' } },
      { subId: { format: 'iss_sub', iss: ISSUER, sub: 'a' } },
    ],
    [
      { sub_id: { format: 'email', email: 'a@b.example' } },
      { subId: { format: 'email', email: 'a@b.example' } },
    ],
    [{ sub_id: { format: 'opaque', id: '7' } }, { subId: { format: 'opaque', id: '7' } }],
    [{ sub_id: { format: 'did', url: 'did:example:1' } }, { subId: undefined }],
    [
      { sub_id: null, aud_sub: null },
      { subId: undefined, audSub: undefined },
    ],
  ])('receives %j, which is in no log and no access token', async (claims, expected) => {
    const seen: unknown[] = [];
    const res = await redeem(await withDecision('accepted', seen), await idJag(claims));
    expect(res.status).toBe(200);
    expect(seen).toEqual([[expect.objectContaining(expected), 'hub']]);
    const token = decodeJwt(res.body.access_token);
    for (const name of ['sub_id', 'aud_sub', 'aud_tenant']) expect(token).not.toHaveProperty(name);
    expect(JSON.stringify(logged)).not.toMatch(/saml|nameid|alice-here|t-7/);
  });

  it('refuses with access_denied, without using the assertion up', async () => {
    let decision: UserDecision = 'refused';
    const app = await createServer({ resolveUser: () => decision });
    const assertion = await idJag();
    const refused = await redeem(app, assertion);
    expect([refused.status, refused.body.error]).toEqual([400, 'access_denied']);
    decision = 'accepted';
    expect((await redeem(app, assertion)).status).toBe(200);
  });

  it('is not called for an invalid assertion', async () => {
    const seen: unknown[] = [];
    await redeem(await withDecision('accepted', seen), await idJag({ aud: 'https://other.example' }));
    expect(seen).toEqual([]);
  });
});

describe('an issuer with an organization', () => {
  const acme = { trustedIssuers: [{ issuer: ISSUER, jwksUri: `${ISSUER}/keys`, organization: 'acme' }] };

  it.each([
    ['names no organization', {}],
    ['names the same organization', { organization_id: 'acme' }],
  ])('asserts users of this organization, if the ID-JAG %s', async (_case, claims) => {
    const seen: Identity[] = [];
    const app = await createServer({
      ...acme,
      resolveUser(identity) {
        seen.push(identity);
        return 'accepted';
      },
    });
    const { body } = await redeem(app, await idJag(claims));
    expect(decodeJwt(body.access_token).organization_id).toBe('acme');
    expect(seen).toMatchObject([{ organizationId: 'acme' }]);
  });

  it('cannot name another organization, and does not use the assertion up', async () => {
    const other = await idJag({ organization_id: 'globex' });
    const refused = await redeem(await createServer(acme), other);
    expect([refused.status, refused.body.error]).toEqual([400, 'invalid_grant']);
    expect(JSON.stringify(logged)).toContain('assertion: organization_id');
  });

  it.each(['', 'a:b', undefined as never])(
    'is refused at start if the organization is %j',
    async (organization) => {
      const trustedIssuers = [{ issuer: ISSUER, organization }];
      await expect(createServer({ trustedIssuers })).rejects.toThrow(
        `organization of the trusted issuer ${ISSUER}`,
      );
    },
  );
});

it.each<[string, Partial<ToolServerOptions>]>([
  ['with a resource that ends with a slash', { resource: `${RESOURCE}/` }],
  [
    'with a client twice',
    { clients: [1, 2].map(() => ({ clientId: 'hub', secretHashes: [hashClientSecret('x')] })) },
  ],
  ['with a client that cannot authenticate', { clients: [{ clientId: 'hub' }] }],
])('is not created %s', async (_case, change) => {
  await expect(createServer(change)).rejects.toThrow();
});

it('returns 500 without details for an internal error', async () => {
  const app = await createServer({ resolveUser: () => Promise.reject(new Error('select * from users')) });
  const res = await redeem(app, await idJag());
  expect([res.status, res.body]).toEqual([500, { error: 'server_error' }]);
});

describe('callerOf and userKeyOf', () => {
  const callerWith = (extra: Record<string, unknown>) => callerOf({ extra });

  it('distinguish users of different issuers, tenants and organizations', () => {
    const callers = [
      { sub: 'a' },
      { sub: 'a', idp: 'x' },
      { sub: 'a', idp: 'y' },
      { sub: 'a', idp: 'x', tenant: 't' },
      { sub: 'b', idp: 'x' },
      { sub: 'a', idp: 'x', organizationId: 'o' },
      { sub: 'a', idp: 'x', organizationId: 'p' },
      { sub: 'a', idp: 'x', tenant: 't', organizationId: 'o' },
      { sub: 'a', idp: 'x', tenant: 'o' },
    ];
    const keys = callers.map((caller) => userKeyOf(callerWith(caller)));
    expect(new Set(keys).size).toBe(keys.length);
  });

  it('return one key for a user in all organizations only if the tool requests that', () => {
    const [one, other] = ['o', 'p'].map((organizationId) =>
      callerWith({ sub: 'a', idp: 'x', organizationId }),
    );
    if (!one || !other) throw new Error('two callers');
    expect(userKeyOf(one, 'user-across-organizations')).toBe(userKeyOf(other, 'user-across-organizations'));
    // Equals the key of earlier releases, which did not contain the organization, so that tools still find stored data.
    expect(userKeyOf(one, 'user-across-organizations')).toBe('["x",null,"a"]');
  });

  it('return all claims of the token about its user', () => {
    const caller = {
      ...{ sub: 'a', idp: 'x', tenant: 't', organizationId: 'o', email: 'a@b.example' },
      ...{ groups: ['g'], roles: ['r'] },
    };
    expect(callerWith(caller)).toEqual({ ...caller, userKey: '["x","t","o","a"]' });
  });

  it('throw if no token was required', () => {
    expect(() => callerOf(undefined)).toThrow('no access token');
    expect(() => callerOf({})).toThrow('no access token');
  });
});
