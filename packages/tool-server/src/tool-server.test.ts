import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { createSigningKeys, type SigningKeys } from '@legate/jwt';
import { hashClientSecret } from '@legate/oauth';
import express, { type Express } from 'express';
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

/** The whole of what an Express server adds. */
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
  it('hands the tools an AuthInfo of the MCP SDK', async () => {
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

  it('refuses everyone who lacks a scope, and names it', async () => {
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

  it('is asked about the user of a good assertion, by everything that identifies the user uniquely', async () => {
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

  it('refuses with access_denied, without using the assertion up', async () => {
    let decision: UserDecision = 'refused';
    const app = await createServer({ resolveUser: () => decision });
    const assertion = await idJag();
    const refused = await redeem(app, assertion);
    expect([refused.status, refused.body.error]).toEqual([400, 'access_denied']);
    decision = 'accepted';
    expect((await redeem(app, assertion)).status).toBe(200);
  });

  it('is not asked about the user of a bad assertion', async () => {
    const seen: unknown[] = [];
    await redeem(await withDecision('accepted', seen), await idJag({ aud: 'https://other.example' }));
    expect(seen).toEqual([]);
  });
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

it('returns 500 without detail for its own error', async () => {
  const app = await createServer({ resolveUser: () => Promise.reject(new Error('select * from users')) });
  const res = await redeem(app, await idJag());
  expect([res.status, res.body]).toEqual([500, { error: 'server_error' }]);
});

describe('callerOf and userKeyOf', () => {
  const callerWith = (extra: Record<string, unknown>) => callerOf({ extra });

  it('tell users of different issuers, tenants and organizations apart', () => {
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

  it('give a user one key in all organizations only where the tool asks for that', () => {
    const [one, other] = ['o', 'p'].map((organizationId) =>
      callerWith({ sub: 'a', idp: 'x', organizationId }),
    );
    if (!one || !other) throw new Error('two callers');
    expect(userKeyOf(one, 'user-across-organizations')).toBe(userKeyOf(other, 'user-across-organizations'));
    // The key that tools had before the organization was a part of it, so that what they keep under it is found.
    expect(userKeyOf(one, 'user-across-organizations')).toBe('["x",null,"a"]');
  });

  it('pass on all that the token said of its user', () => {
    const caller = {
      ...{ sub: 'a', idp: 'x', tenant: 't', organizationId: 'o', email: 'a@b.example' },
      ...{ groups: ['g'], roles: ['r'] },
    };
    expect(callerWith(caller)).toEqual({ ...caller, userKey: '["x","t","o","a"]' });
  });

  it('fail where no token was required', () => {
    expect(() => callerOf(undefined)).toThrow('no access token');
    expect(() => callerOf({})).toThrow('no access token');
  });
});
