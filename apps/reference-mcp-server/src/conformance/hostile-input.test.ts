import { beforeAll, expect, it } from '@jest/globals';
import { runs } from '@legate/testing';
import fc from 'fast-check';
import request from 'supertest';
import { META, MODERN } from '../testing/mcp.ts';
import { createScene, encode, HUB, JWT_BEARER, type Scene } from '../testing/scene.ts';

/**
 * Tests that malformed input is always refused in the form of the endpoint, never with a 5xx, and never gets a token.
 */

let scene: Scene;
let goodParts: string[];
let accessToken: string;
beforeAll(async () => {
  scene = await createScene();
  goodParts = (await scene.idJag()).split('.');
  accessToken = await scene.grant();
});

const OAUTH_ERRORS = [
  ...['invalid_request', 'invalid_client', 'invalid_grant', 'unsupported_grant_type'],
  ...['invalid_scope', 'invalid_target'],
];

function expectRefusal(res: request.Response): void {
  expect(res.status).toBeGreaterThanOrEqual(400);
  expect(res.status).toBeLessThan(500);
  expect(Object.keys(res.body)).toEqual(['error', 'error_description']);
  expect(OAUTH_ERRORS).toContain(res.body.error);
  expect(res.headers['cache-control']).toBe('no-store');
}

const parameter = fc.oneof(
  fc.constantFrom('grant_type', 'assertion', 'client_id', 'client_secret', 'scope', 'resource'),
  fc.constantFrom('client_assertion', 'client_assertion_type', '__proto__', 'constructor', 'a[b]'),
  fc.string(),
);
const value = fc.oneof(
  fc.constantFrom(JWT_BEARER, HUB.client_id, HUB.client_secret, 'mcp:tools:read', '', 'a.b.c'),
  fc.string({ unit: 'binary' }),
);

it('refuses any form', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(parameter, value), { maxLength: 8 }), async (pairs) => {
      expectRefusal(await request(scene.app).post('/oauth/token').type('form').send(encodePairs(pairs)));
    }),
    runs(150),
  );
});

it('refuses any bytes as a form', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
      const res = await request(scene.app)
        .post('/oauth/token')
        .type('form')
        .serialize((sent: Buffer) => sent as unknown as string)
        .send(Buffer.from(bytes));
      expectRefusal(res);
    }),
    runs(60),
  );
});

it('refuses any Authorization header at the token endpoint', async () => {
  const header = fc.oneof(
    fc.string({ unit: 'grapheme-ascii' }),
    fc.string().map((text) => `Basic ${text.replace(/[^\x20-\x7e]/g, '')}`),
    fc.string({ unit: 'binary' }).map((text) => `Basic ${Buffer.from(text).toString('base64')}`),
  );
  await fc.assert(
    fc.asyncProperty(header, async (authorization) => {
      const res = await scene
        .sendForm({ grant_type: JWT_BEARER, assertion: 'x' })
        .set('Authorization', authorization);
      expectRefusal(res);
    }),
    runs(100),
  );
});

const json = fc.json({ maxDepth: 3 });
const part = fc.oneof(
  json.map((text) => Buffer.from(text).toString('base64url')),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes).toString('base64url')),
  fc.string({ unit: 'binary' }),
);

it('refuses any assertion of arbitrary parts, and a valid one with any part replaced', async () => {
  const assertion = fc.oneof(
    fc.array(part, { maxLength: 6 }).map((parts) => parts.join('.')),
    fc.tuple(fc.nat({ max: 2 }), part).map(([at, other]) => goodParts.with(at, other).join('.')),
  );
  await fc.assert(
    fc.asyncProperty(assertion, async (text) => expectRefusal(await scene.redeem(text))),
    runs(200),
  );
});

it('answers a correctly signed assertion with any header members and claims without a 5xx', async () => {
  const claim = fc.constantFrom(
    ...['iss', 'sub', 'aud', 'client_id', 'jti', 'iat', 'exp', 'nbf', 'scope', 'resource', 'cnf', 'groups'],
  );
  await fc.assert(
    fc.asyncProperty(claim, fc.jsonValue({ maxDepth: 2 }), async (name, any) => {
      const res = await scene.redeem(await scene.idJag({ [name]: any }));
      // Some values are valid: any string of permitted length is a jti, any array of strings is a list of groups.
      if (res.status !== 200) expectRefusal(res);
    }),
    runs(150),
  );
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('kid', 'typ', 'jku', 'x5u', 'jwk', 'cty', 'x5c'),
      fc.jsonValue({ maxDepth: 2 }),
      async (name, any) => {
        const res = await scene.redeem(await scene.idJag({}, { [name]: any }));
        if (res.status !== 200) expectRefusal(res);
      },
    ),
    runs(100),
  );
});

it('refuses any bearer token', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.array(part, { maxLength: 4 }).map((parts) => parts.join('.')),
        part,
      ),
      async (text) => {
        const token = text.replace(/[^A-Za-z0-9\-._~+/]/g, '');
        const res = await request(scene.app).post('/mcp').set('Authorization', `Bearer ${token}`);
        expect([400, 401]).toContain(res.status);
        expect(res.headers['www-authenticate']).toMatch(/^Bearer error="invalid_/);
      },
    ),
    runs(100),
  );
});

it('answers any JSON at the MCP endpoint, in both revisions, without a 5xx or an internal message', async () => {
  const message = fc.record(
    {
      jsonrpc: fc.constantFrom('2.0', '1.0'),
      id: fc.oneof(fc.integer(), fc.string(), fc.jsonValue({ maxDepth: 1 })),
      method: fc.oneof(
        fc.constantFrom('tools/call', 'tools/list', 'initialize', 'ping', 'server/discover'),
        fc.string(),
      ),
      params: fc.oneof(
        fc.record(
          {
            name: fc.constantFrom<unknown>('whoami', 'create_note', 'constructor', '__proto__', 7),
            arguments: fc.jsonValue({ maxDepth: 2 }),
            _meta: fc.constantFrom<unknown>(META, {}, 'x'),
          },
          { requiredKeys: [] },
        ),
        fc.jsonValue({ maxDepth: 2 }),
      ),
    },
    { requiredKeys: [] },
  );
  const body = fc.oneof(message, fc.array(message, { maxLength: 3 }), fc.jsonValue({ maxDepth: 2 }));
  await fc.assert(
    fc.asyncProperty(body, fc.constantFrom(MODERN, undefined), async (sent, revision) => {
      const res = await request(scene.app)
        .post('/mcp')
        .set({
          Authorization: `Bearer ${accessToken}`,
          Accept: 'application/json, text/event-stream',
          ...(revision && {
            'MCP-Protocol-Version': revision,
            'Mcp-Method': 'tools/call',
            'Mcp-Name': 'whoami',
          }),
        })
        .type('json')
        .send(JSON.stringify(sent));
      expect(res.status).toBeLessThan(500);
      expect(res.text).not.toMatch(/TypeError|\.ts:|\.mjs:|at Object/);
    }),
    runs(200),
  );
});

function encodePairs(pairs: readonly (readonly [string, string])[]): string {
  return pairs.map(([name, text]) => encode({ [name || 'x']: text })).join('&');
}
