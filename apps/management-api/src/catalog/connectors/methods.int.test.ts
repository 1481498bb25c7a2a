import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createTestCa, type TestCa, type TestCertificate } from '@legate/service/testing';
import { createPrivateJwk } from '@legate/testing';
import request from 'supertest';
import { auditTrailOf, type Client, clientOf } from '../../testing/client.ts';
import { createTestApi, type TestApi } from '../../testing/test-api.ts';

const KEY = 'sk-live-0123456789abcdef';
const SECRET = 'the-hubs-secret';

let api: TestApi;
let ca: TestCa;
let hub: TestCertificate;
let acme: Client;
let organizationId: string;
let count = 0;
beforeAll(async () => {
  [api, ca] = await Promise.all([createTestApi(), createTestCa()]);
  hub = await ca.issue('hub');
});
afterAll(() => api.close());
beforeEach(async () => {
  organizationId = `org_${++count}`;
  acme = await clientOf(api, organizationId, { roles: ['owner'] });
});

const tools = (change: object) => ({ name: 'Tools', resource_url: 'https://tools.example/mcp', ...change });
const API_KEY = { auth_method: 'service', service_kind: 'api_key', secret: KEY };
const MTLS = { auth_method: 'service', service_kind: 'mtls' };
const ID_JAG = { client_id: 'hub', secret: SECRET };
const create = (change: object) => acme('post', '/connectors', tools(change));
const faults = (answer: { status: number; body: { errors?: { pointer: string; code: string }[] } }) => [
  answer.status,
  answer.body.errors?.map(({ pointer, code }) => `${pointer} ${code}`),
];
/** Returns the connector as the hub gets it. */
const forHub = async () => {
  const res = await request(api.app)
    .get(`/internal/v1/organizations/${organizationId}/connectors`)
    .auth(await api.workloadToken('internal:connectors'), { type: 'bearer' });
  return res.body.connectors[0];
};

describe('a service', () => {
  it('sends an API key in the configured header', async () => {
    const created = await create({ ...API_KEY, api_key_header: 'X-Api-Key' });
    expect([created.status, created.body]).toMatchObject([
      201,
      { api_key_header: 'X-Api-Key', has_secret: true },
    ]);
    expect(await forHub()).toMatchObject({
      service_kind: 'api_key',
      api_key_header: 'X-Api-Key',
      secret: KEY,
    });
  });

  it('presents a certificate, and may trust its own CA', async () => {
    const created = await create({ ...MTLS, secret: hub.bundle, ca_certificates: ca.certificate });
    expect([created.status, created.body.ca_certificates]).toEqual([201, ca.certificate]);
    expect(created.text).not.toContain('PRIVATE KEY');
    expect(await forHub()).toMatchObject({ secret: hub.bundle, ca_certificates: ca.certificate });
  });

  it.each<[string, () => object, string]>([
    [
      'a header with another meaning',
      () => ({ ...API_KEY, api_key_header: 'Host' }),
      '/api_key_header invalid_format',
    ],
    ['no header', () => ({ ...API_KEY, api_key_header: 'X Key' }), '/api_key_header invalid_format'],
    ['a key that no header can hold', () => ({ ...API_KEY, secret: 'two words' }), '/secret api_key_invalid'],
    ['a key in two lines', () => ({ ...API_KEY, secret: 'line-1\r\nHost: x' }), '/secret api_key_invalid'],
    [
      'a header for a certificate',
      () => ({ ...MTLS, secret: hub.bundle, api_key_header: 'X-Key' }),
      '/api_key_header not_applicable',
    ],
    [
      'a CA for a key',
      () => ({ ...API_KEY, ca_certificates: ca.certificate }),
      '/ca_certificates not_applicable',
    ],
    [
      'a CA that is none',
      () => ({ ...MTLS, secret: hub.bundle, ca_certificates: 'a CA' }),
      '/ca_certificates invalid_format',
    ],
    [
      'a CA with a key',
      () => ({ ...MTLS, secret: hub.bundle, ca_certificates: hub.bundle }),
      '/ca_certificates invalid_format',
    ],
    ['a key for a certificate', () => ({ ...MTLS, secret: KEY }), '/secret pem_invalid'],
    [
      'a certificate without a key',
      () => ({ ...MTLS, secret: hub.certificate }),
      '/secret private_key_missing',
    ],
    [
      'another key than the certificate’s',
      () => ({ ...MTLS, secret: hub.certificate + ca.privateKey }),
      '/secret private_key_mismatch',
    ],
    [
      'audiences',
      () => ({ ...API_KEY, passthrough_audiences: ['a'] }),
      '/passthrough_audiences not_applicable',
    ],
  ])('cannot be registered with %s', async (_case, change, fault) => {
    const answer = await create(change());
    expect(faults(answer)).toEqual([400, [fault]]);
    expect(answer.text).not.toContain('PRIVATE KEY');
  });

  it('cannot be registered with an expired certificate, and cannot get one later', async () => {
    const expired = await ca.issue('hub', { expired: true });
    expect(faults(await create({ ...MTLS, secret: expired.bundle }))).toEqual([
      400,
      ['/secret certificate_expired'],
    ]);
    const { id } = (await create({ ...MTLS, secret: hub.bundle })).body;
    const put = await acme('put', `/connectors/${id}/secret`, { secret: expired.bundle });
    expect(faults(put)).toEqual([400, ['/secret certificate_expired']]);
    expect((await forHub()).secret).toBe(hub.bundle);
  });
});

describe('the MCP endpoint', () => {
  const PUBLIC = { auth_method: 'oauth-pkce' };
  const LEGACY = { auth_method: 'passthrough', acknowledge_legacy: true };

  it.each([
    ['https://h.example/mcp?project=42', null],
    ['https://h.example/', null],
    ['https://h.example', 'https://h.example/http?a=b/'],
    ['https://h.example/v1', 'https://h.example:443/'],
  ])('is stored as written, also for the hub: %s and %s', async (resource_url, mcp_url) => {
    const created = await create({ ...PUBLIC, resource_url, mcp_url });
    expect([created.status, created.body]).toMatchObject([201, { resource_url, mcp_url }]);
    expect((await acme('get', '/connectors')).body.data).toMatchObject([{ resource_url, mcp_url }]);
    expect(await forHub()).toMatchObject({ resource_url, mcp_url });
  });

  it.each([
    ['at another host', 'https://evil.example/mcp', 'other_origin'],
    ['at a host below', 'https://mcp.tools.example/mcp', 'other_origin'],
    ['at another port', 'https://tools.example:8443/mcp', 'other_origin'],
    ['over http', 'http://tools.example/mcp', 'other_origin'],
    ['with a fragment', 'https://tools.example/mcp#a', 'invalid_format'],
    ['with a user', 'https://a:b@tools.example/mcp', 'invalid_format'],
    ['of another scheme', 'file:///etc/passwd', 'invalid_format'],
    ['that is empty', '', 'invalid_format'],
  ])('cannot be an address %s', async (_case, mcp_url, code) => {
    expect(faults(await create({ ...PUBLIC, mcp_url }))).toEqual([400, [`/mcp_url ${code}`]]);
    const { id } = (await create(PUBLIC)).body;
    expect(faults(await acme('patch', `/connectors/${id}`, { mcp_url }))).toEqual([
      400,
      [`/mcp_url ${code}`],
    ]);
  });

  it('is reset when resource_url changes, unless the request sets it', async () => {
    const { id } = (await create({ ...PUBLIC, mcp_url: 'https://tools.example/http' })).body;
    const patch = (change: object) => acme('patch', `/connectors/${id}`, change);
    const moved = { resource_url: 'https://b.example/x', mcp_url: 'https://b.example/y' };
    expect((await patch(moved)).body).toMatchObject(moved);
    expect((await patch({ name: 'Others' })).body).toMatchObject(moved);
    expect((await patch({ resource_url: 'https://c.example/x' })).body.mcp_url).toBeNull();
  });

  it('is not sent a key of another tool server, nor users’ own tokens without an acknowledgement', async () => {
    const elsewhere = { mcp_url: 'https://tools.example/tenant/mcp' };
    const keyed = (await create({ ...API_KEY, name: 'Keyed' })).body;
    const patch = (id: string, change: object) => acme('patch', `/connectors/${id}`, change);
    expect(faults(await patch(keyed.id, elsewhere))).toEqual([400, ['/secret required']]);
    expect((await patch(keyed.id, { mcp_url: keyed.resource_url })).body.has_secret).toBe(true);
    expect((await patch(keyed.id, { ...elsewhere, secret: KEY })).status).toBe(200);

    const second = { ...LEGACY, resource_url: 'https://legacy.example/mcp' };
    const { id } = (await create(second)).body;
    const other = { mcp_url: 'https://legacy.example/tenant' };
    expect(faults(await patch(id, other))).toEqual([400, ['/acknowledge_legacy legacy_not_acknowledged']]);
    expect((await patch(id, { ...other, acknowledge_legacy: true })).status).toBe(200);
  });

  it('may change for id-jag, whose secret is sent to the authorization server', async () => {
    const { id } = (await create(ID_JAG)).body;
    const changed = await acme('patch', `/connectors/${id}`, { mcp_url: 'https://tools.example/http' });
    expect(changed.body).toMatchObject({ mcp_url: 'https://tools.example/http', has_secret: true });
  });
});

describe('the client of id-jag', () => {
  const privateKey = (change: object = {}) =>
    JSON.stringify({ ...createPrivateJwk({ namedCurve: 'P-256' }), kid: 'a', ...change });
  const BY_KEY = { ...ID_JAG, token_endpoint_auth_method: 'private_key_jwt' };

  it.each([null, 'client_secret_basic', 'client_secret_post'])(
    'authenticates by %s, with an audience',
    async (token_endpoint_auth_method) => {
      const settings = { token_endpoint_auth_method, audience: 'api://tools' };
      const created = await create({ ...ID_JAG, ...settings });
      expect([created.status, created.body]).toMatchObject([201, settings]);
      expect(await forHub()).toMatchObject({ ...settings, secret: SECRET });
      const patched = await acme('patch', `/connectors/${created.body.id}`, { audience: null });
      expect(patched.body).toMatchObject({ token_endpoint_auth_method, audience: null, has_secret: true });
    },
  );

  it('authenticates with a private key, and accepts no password in its place or the reverse', async () => {
    const secret = privateKey();
    const created = await create({ ...BY_KEY, secret });
    expect([created.status, created.body.has_secret]).toEqual([201, true]);
    expect(created.text).not.toContain(JSON.parse(secret).d);
    expect(await forHub()).toMatchObject({ token_endpoint_auth_method: 'private_key_jwt', secret });
    const { id } = created.body;
    const patch = (change: object) => acme('patch', `/connectors/${id}`, change);
    const byPassword = { token_endpoint_auth_method: null };
    expect(faults(await patch(byPassword))).toEqual([400, ['/secret required']]);
    expect((await patch({ ...byPassword, secret: SECRET })).body.has_secret).toBe(true);
    const put = await acme('put', `/connectors/${id}/secret`, { secret: 'another-secret' });
    expect(put.status).toBe(204);
    expect(faults(await patch({ token_endpoint_auth_method: 'private_key_jwt' }))).toEqual([
      400,
      ['/secret required'],
    ]);
  });

  it.each<[string, () => string]>([
    ['a password', () => SECRET],
    ['a public key', () => privateKey({ d: undefined })],
    ['a shared secret', () => JSON.stringify({ kty: 'oct', k: 'c2VjcmV0' })],
    ['a key for another algorithm', () => privateKey({ alg: 'RS256' })],
    ['a list', () => `[${privateKey()}]`],
  ])('cannot authenticate with %s', async (_case, secret) => {
    expect(faults(await create({ ...BY_KEY, secret: secret() }))).toEqual([
      400,
      ['/secret private_key_invalid'],
    ]);
    const { id } = (await create({ ...BY_KEY, secret: privateKey() })).body;
    const put = await acme('put', `/connectors/${id}/secret`, { secret: secret() });
    expect(faults(put)).toEqual([400, ['/secret private_key_invalid']]);
  });

  it('belongs to this method only, and its settings are reset with the method', async () => {
    const SETTINGS = { token_endpoint_auth_method: 'client_secret_basic', audience: 'api://tools' };
    expect(faults(await create({ ...API_KEY, ...SETTINGS }))).toEqual([
      400,
      ['/token_endpoint_auth_method not_applicable', '/audience not_applicable'],
    ]);
    const { id } = (await create({ ...ID_JAG, ...SETTINGS })).body;
    const changed = await acme('patch', `/connectors/${id}`, API_KEY);
    expect(changed.body).toMatchObject({ token_endpoint_auth_method: null, audience: null });
  });

  it.each([
    ['a method that does not exist', { token_endpoint_auth_method: 'none' }, 'token_endpoint_auth_method'],
    ['an empty audience', { audience: '' }, 'audience'],
    ['an audience of two lines', { audience: 'a\nb' }, 'audience'],
  ])('cannot have %s', async (_case, change, field) => {
    const answer = await create({ ...ID_JAG, ...change });
    expect([answer.status, answer.body.errors[0].pointer]).toEqual([400, `/${field}`]);
  });
});

describe('fallbacks', () => {
  it('keep their order, with a separate secret', async () => {
    const created = await create({
      ...ID_JAG,
      fallback: ['service', 'passthrough', 'service'],
      service_kind: 'api_key',
      fallback_secret: KEY,
      acknowledge_legacy: true,
      passthrough_audiences: ['frontend-app'],
    });
    const settings = { fallback: ['service', 'passthrough'], passthrough_audiences: ['frontend-app'] };
    expect([created.status, created.body]).toMatchObject([201, { ...settings, has_fallback_secret: true }]);
    expect(created.text).not.toContain(KEY);
    expect(await forHub()).toMatchObject({ ...settings, secret: SECRET, fallback_secret: KEY });
    const [event] = await auditTrailOf(api, created.body.id);
    expect(event?.changes).toMatchObject({
      fallback: { to: ['service', 'passthrough'] },
      fallback_secret: { from: null, to: '[redacted]' },
    });
    expect(JSON.stringify(event)).not.toContain(KEY);
  });

  it.each<[object, string[]]>([
    [{ fallback: ['id-jag'] }, ['/fallback/0 invalid_enum']],
    [
      {
        auth_method: 'passthrough',
        acknowledge_legacy: true,
        client_id: null,
        secret: undefined,
        fallback: ['passthrough'],
      },
      ['/fallback/0 duplicate'],
    ],
    [{ fallback: ['passthrough'] }, ['/acknowledge_legacy legacy_not_acknowledged']],
    [{ fallback: ['service'], fallback_secret: KEY }, ['/service_kind required']],
    [{ fallback: ['service'], service_kind: 'api_key' }, ['/fallback_secret required']],
    [{ fallback: ['service'], service_kind: 'mtls', fallback_secret: KEY }, ['/fallback_secret pem_invalid']],
    [{ fallback_secret: KEY }, ['/fallback_secret secret_not_applicable']],
    [{ service_kind: 'api_key' }, ['/service_kind not_applicable']],
  ])('cannot be %j', async (change, expected) => {
    expect(faults(await create({ ...ID_JAG, ...change }))).toEqual([400, expected]);
  });

  it('lose their secret only with the method that it belongs to', async () => {
    const { id } = (
      await create({ ...ID_JAG, fallback: ['service'], service_kind: 'api_key', fallback_secret: KEY })
    ).body;
    const patch = (change: object) => acme('patch', `/connectors/${id}`, change);
    const moved = { resource_url: 'https://elsewhere.example/mcp' };
    expect(faults(await patch(moved))).toEqual([400, ['/secret required', '/fallback_secret required']]);
    expect(faults(await patch({ service_kind: 'mtls' }))).toEqual([400, ['/fallback_secret required']]);
    expect((await patch({ name: 'Others' })).body).toMatchObject({
      has_secret: true,
      has_fallback_secret: true,
    });
    const without = await patch({ fallback: [], service_kind: null });
    expect(without.body).toMatchObject({ has_secret: true, has_fallback_secret: false });
    expect(await forHub()).toMatchObject({ secret: SECRET, fallback_secret: null });
  });

  it("cannot have their secret swapped with the connector's own", async () => {
    const { id } = (
      await create({ ...ID_JAG, fallback: ['service'], service_kind: 'api_key', fallback_secret: KEY })
    ).body;
    await api.database.asOwner((connection) =>
      connection.query('UPDATE connectors SET fallback_secret = secret WHERE id = $1', [id]),
    );
    expect(await forHub()).toMatchObject({
      secret: SECRET,
      fallback_secret: null,
      fallback_secret_unreadable: true,
    });
  });
});

it('must be acknowledged again before another tool server receives users’ own tokens', async () => {
  const legacy = {
    auth_method: 'passthrough',
    acknowledge_legacy: true,
    passthrough_audiences: ['frontend-app'],
  };
  const { id } = (await create(legacy)).body;
  const moved = { resource_url: 'https://elsewhere.example/mcp' };
  expect(faults(await acme('patch', `/connectors/${id}`, moved))).toEqual([
    400,
    ['/acknowledge_legacy legacy_not_acknowledged'],
  ]);
  const said = await acme('patch', `/connectors/${id}`, { ...moved, acknowledge_legacy: true });
  expect([said.status, said.body.resource_url]).toEqual([200, moved.resource_url]);
});

describe('the authorization server of a connector', () => {
  const PKCE = { auth_method: 'oauth-pkce', client_id: 'hub' };
  const issuer = 'https://as.example/tenant/';

  it.each([
    ['users are sent to', PKCE],
    ['redeems ID-JAGs', ID_JAG],
    ['does both', { ...ID_JAG, fallback: ['oauth-pkce'] }],
  ])(
    '%s is stored as the administrator wrote it; null means the tool server’s own',
    async (_case, method) => {
      const created = await create({ ...method, issuer });
      expect([created.status, created.body.issuer]).toEqual([201, issuer]);
      expect(await forHub()).toMatchObject({ issuer });
      const other = { issuer: null, ...('secret' in method && { secret: SECRET }) };
      const patched = await acme('patch', `/connectors/${created.body.id}`, other);
      expect([patched.status, patched.body.issuer]).toEqual([200, null]);
      expect(await forHub()).toMatchObject({ issuer: null });
    },
  );

  it.each([
    ['for a method that asks none', { ...API_KEY, issuer }, '/issuer not_applicable'],
    ['with a query', { ...PKCE, issuer: 'https://as.example?tenant=1' }, '/issuer invalid_format'],
    ['with control characters', { ...PKCE, issuer: 'https://as.example/\u0000' }, '/issuer invalid_format'],
    ['over http', { ...PKCE, issuer: 'http://as.example' }, '/issuer issuer_forbidden'],
    ['inside', { ...ID_JAG, issuer: 'https://10.0.0.1' }, '/issuer issuer_forbidden'],
  ])('is refused %s', async (_case, change, fault) => {
    expect(faults(await create(change))).toEqual([400, [fault]]);
  });

  it.each([
    ['another one', ID_JAG, issuer, 'https://other.example'],
    ['one with a slash less', ID_JAG, issuer, 'https://as.example/tenant'],
    ['one elsewhere', ID_JAG, null, issuer],
    ['the tool server’s own', ID_JAG, issuer, null],
    [
      'another one for both methods',
      { ...ID_JAG, fallback: ['oauth-pkce'] },
      issuer,
      'https://other.example',
    ],
  ])('receives no secret of the previous server: %s', async (_case, method, before, after) => {
    const { id } = (await create({ ...method, issuer: before })).body;
    const patch = (change: object) => acme('patch', `/connectors/${id}`, change);
    expect(faults(await patch({ issuer: after }))).toEqual([400, ['/secret required']]);
    expect(await forHub()).toMatchObject({ issuer: before, secret: SECRET });
    const off = await patch({ issuer: after, enabled: false });
    expect(off.body).toMatchObject({ issuer: after, has_secret: false });
    expect(faults(await patch({ issuer: before, enabled: true }))).toEqual([400, ['/secret required']]);
    expect((await patch({ enabled: true, secret: 'a-new-secret' })).status).toBe(200);
    expect(await forHub()).toMatchObject({ issuer: after, secret: 'a-new-secret' });
  });

  it.each([
    ['the method', { ...API_KEY, fallback: ['oauth-pkce'] }, 'secret'],
    [
      'a fallback',
      {
        auth_method: 'oauth-pkce',
        fallback: ['service'],
        service_kind: 'api_key',
        fallback_secret: KEY,
      },
      'fallback_secret',
    ],
    [
      'a fallback of id-jag',
      { ...ID_JAG, fallback: ['service'], service_kind: 'api_key', fallback_secret: KEY },
      'fallback_secret',
    ],
  ])(
    'takes no key along that is shown to the tool server, where service is %s',
    async (_case, method, member) => {
      const { id } = (await create({ ...method, issuer })).body;
      for (const after of ['https://other.example', null]) {
        const secret = 'client_id' in method && { secret: SECRET };
        const changed = await acme('patch', `/connectors/${id}`, { issuer: after, ...secret });
        expect([changed.status, changed.body.issuer]).toEqual([200, after]);
        expect(await forHub()).toMatchObject({ issuer: after, [member]: KEY });
      }
      const moved = await acme('patch', `/connectors/${id}`, { resource_url: 'https://elsewhere.example' });
      expect(faults(moved)[1]).toContain(`/${member} required`);
    },
  );

  it('is the one for which a secret was sent, even if the connector was changed in the meantime', async () => {
    const { id, resource_url } = (await create({ ...ID_JAG, issuer })).body;
    const elsewhere = { issuer: 'https://evil.example', resource_url: 'https://evil.example/mcp' };
    const moved = await acme('patch', `/connectors/${id}`, { ...elsewhere, enabled: false });
    expect(moved.body).toMatchObject({ ...elsewhere, has_secret: false });
    const meant = { resource_url, issuer, secret: 'a-new-secret' };
    expect((await acme('patch', `/connectors/${id}`, { ...meant, enabled: true })).status).toBe(200);
    expect(await forHub()).toMatchObject(meant);
  });

  it('keeps its secret until it changes itself, whatever else changes', async () => {
    const { id } = (await create({ ...ID_JAG, issuer })).body;
    for (const change of [{ fallback: ['oauth-pkce'] }, { fallback: [] }, { name: 'Others', issuer }]) {
      const { body } = await acme('patch', `/connectors/${id}`, change);
      expect(body).toMatchObject({ issuer, has_secret: true });
    }
    expect(await forHub()).toMatchObject({ secret: SECRET });
  });
});

describe('a client of oauth-pkce with a secret', () => {
  const CONFIDENTIAL = { auth_method: 'oauth-pkce', client_id: 'hub', secret: SECRET };
  const patch = (id: string, change: object) => acme('patch', `/connectors/${id}`, change);

  it('uses its secret as configured, and is a public client without a secret', async () => {
    const created = await create({ ...CONFIDENTIAL, token_endpoint_auth_method: 'client_secret_basic' });
    expect([created.status, created.body.has_secret]).toEqual([201, true]);
    expect(await forHub()).toMatchObject({
      client_id: 'hub',
      secret: SECRET,
      token_endpoint_auth_method: 'client_secret_basic',
    });
    const { id } = created.body;
    const path = `/connectors/${id}/secret`;
    expect((await acme('delete', path)).status).toBe(409);
    await patch(id, { token_endpoint_auth_method: null });
    expect((await acme('delete', path)).status).toBe(204);
    expect(await forHub()).toMatchObject({ client_id: 'hub', secret: null });
    expect((await acme('put', path, { secret: SECRET })).status).toBe(204);
  });

  it('loses its secret with the registration, with the issuer, and with the method', async () => {
    const { id } = (await create({ ...CONFIDENTIAL, token_endpoint_auth_method: 'client_secret_post' })).body;
    expect((await patch(id, { name: 'Others' })).body.has_secret).toBe(true);
    expect(faults(await patch(id, { issuer: 'https://as.example' }))).toEqual([400, ['/secret required']]);
    const unregistered = await patch(id, { client_id: null });
    expect(unregistered.body).toMatchObject({ has_secret: false, token_endpoint_auth_method: null });
    const again = await patch(id, { client_id: 'hub', secret: SECRET });
    expect(again.body.has_secret).toBe(true);
    expect((await patch(id, { issuer: 'https://as.example' })).body.has_secret).toBe(false);
  });

  it('may authenticate with a private key, and then needs one', async () => {
    const byKey = { ...CONFIDENTIAL, token_endpoint_auth_method: 'private_key_jwt' };
    expect(faults(await create(byKey))).toEqual([400, ['/secret private_key_invalid']]);
    expect(faults(await create({ ...byKey, secret: undefined }))).toEqual([400, ['/secret required']]);
    const secret = JSON.stringify(createPrivateJwk({ namedCurve: 'P-256' }));
    expect((await create({ ...byKey, secret })).status).toBe(201);
  });

  it.each(['client_secret_basic', 'private_key_jwt'])(
    'is a public one after another method, however that showed its secret (%s)',
    async (token_endpoint_auth_method) => {
      const secret =
        token_endpoint_auth_method === 'private_key_jwt'
          ? JSON.stringify(createPrivateJwk({ namedCurve: 'P-256' }))
          : SECRET;
      const { id } = (await create({ ...ID_JAG, secret, token_endpoint_auth_method, audience: 'a' })).body;
      const changed = await patch(id, { auth_method: 'oauth-pkce' });
      expect([changed.status, changed.body]).toMatchObject([
        200,
        { client_id: 'hub', has_secret: false, token_endpoint_auth_method: null, audience: null },
      ]);
      const [, event] = await auditTrailOf(api, id);
      expect(event?.changes).toMatchObject({
        token_endpoint_auth_method: { from: token_endpoint_auth_method, to: null },
        secret: { from: '[redacted]', to: null },
      });
    },
  );

  it('uses a new secret with the authentication method of the same request, not with an earlier one', async () => {
    const settings = { token_endpoint_auth_method: 'client_secret_basic' };
    const { id } = (await create({ ...ID_JAG, ...settings })).body;
    expect(faults(await patch(id, { auth_method: 'oauth-pkce', ...settings }))).toEqual([
      400,
      ['/secret required'],
    ]);
    const consent = await patch(id, { auth_method: 'oauth-pkce', ...settings, secret: SECRET });
    expect(consent.body).toMatchObject({ ...settings, has_secret: true });
    const idJag = await patch(id, { auth_method: 'id-jag', secret: SECRET });
    expect(idJag.body).toMatchObject({ token_endpoint_auth_method: null, has_secret: true });
  });

  it.each([
    ['an audience', { audience: 'a' }, '/audience not_applicable'],
    [
      'a method without a registration',
      { client_id: null, secret: undefined, token_endpoint_auth_method: 'client_secret_post' },
      '/token_endpoint_auth_method not_applicable',
    ],
  ])('cannot have %s', async (_case, change, fault) => {
    expect(faults(await create({ ...CONFIDENTIAL, ...change }))).toEqual([400, [fault]]);
  });
});

describe('a public client', () => {
  const PUBLIC = { auth_method: 'oauth-pkce' };
  const LAST = { ...API_KEY, fallback: ['oauth-pkce'] };
  const AFTER_OWN_TOKENS = {
    auth_method: 'passthrough',
    acknowledge_legacy: true,
    fallback: ['service', 'oauth-pkce'],
    service_kind: 'api_key',
    fallback_secret: KEY,
  };

  it.each([
    ['as the method', PUBLIC],
    ['behind a service', LAST],
    ['last of three', AFTER_OWN_TOKENS],
  ])(
    'needs no registration, %s: the hub identifies itself by its metadata document',
    async (_case, method) => {
      const created = await create(method);
      expect([created.status, created.body]).toMatchObject([201, { client_id: null }]);
      expect(await forHub()).toMatchObject({ client_id: null });
    },
  );

  it.each<[string, object, string[]]>([
    ['that is one of id-jag', { secret: SECRET }, ['/client_id required']],
    [
      'that is one of id-jag, with consent behind it',
      { secret: SECRET, fallback: ['oauth-pkce'] },
      ['/client_id required'],
    ],
    ['with a secret', { ...PUBLIC, secret: SECRET }, ['/secret secret_not_applicable']],
    [
      'with a secret for later',
      { ...PUBLIC, fallback_secret: SECRET, enabled: false },
      ['/fallback_secret secret_not_applicable'],
    ],
    [
      'with a secret by its OAuth name',
      { ...PUBLIC, client_secret: SECRET },
      ['/client_secret unknown_field'],
    ],
    ['without a name', { ...PUBLIC, client_id: '' }, ['/client_id too_short']],
  ])('is refused %s', async (_case, change, expected) => {
    expect(faults(await create(change))).toEqual([400, expected]);
  });

  it('reports that it has no secret, not which client a secret would belong to', async () => {
    const { body } = await create({ ...PUBLIC, secret: SECRET });
    expect(body.errors[0].detail).toContain('public client');
  });

  it('replaces a registered client and is registered again, in the audit trail and at the hub', async () => {
    const { id } = (await create({ ...PUBLIC, client_id: 'hub' })).body;
    const patch = (change: object) => acme('patch', `/connectors/${id}`, change);
    const without = await patch({ client_id: null });
    expect([without.status, without.body.client_id]).toEqual([200, null]);
    expect(await forHub()).toMatchObject({ client_id: null, version: '2' });
    expect((await patch({ client_id: null })).headers.etag).toBe('"2"');
    expect((await patch({ client_id: 'hub-2' })).body.client_id).toBe('hub-2');
    expect((await auditTrailOf(api, id)).slice(1).map(({ changes }) => changes)).toEqual([
      { client_id: { from: 'hub', to: null } },
      { client_id: { from: null, to: 'hub-2' } },
    ]);
  });

  it('is refused in place of a client whose secret is kept', async () => {
    const { id } = (await create({ ...ID_JAG, fallback: ['oauth-pkce'] })).body;
    const patch = (change: object) => acme('patch', `/connectors/${id}`, change);
    expect(faults(await patch({ client_id: null }))).toEqual([400, ['/client_id required']]);
    expect(faults(await patch({ client_id: null, enabled: false }))).toEqual([400, ['/client_id required']]);
    expect(await forHub()).toMatchObject({ client_id: 'hub', secret: SECRET });
    const only = await patch({ client_id: null, auth_method: 'oauth-pkce', fallback: [] });
    expect([only.status, only.body]).toMatchObject([200, { client_id: null, has_secret: false }]);
    const [, event] = await auditTrailOf(api, id);
    expect(event?.changes).toMatchObject({
      client_id: { from: 'hub', to: null },
      secret: { from: '[redacted]', to: null },
    });
  });

  it('keeps the key of the method service that was set before', async () => {
    const { id } = (await create({ ...LAST, client_id: 'hub' })).body;
    const { body } = await acme('patch', `/connectors/${id}`, { client_id: null });
    expect(body).toMatchObject({ client_id: null, has_secret: true });
    expect(await forHub()).toMatchObject({ client_id: null, secret: KEY });
  });
});
