import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { OrganizationId } from '@legate/ids';
import {
  connectorRecord,
  type FakeManagementApi,
  fetchOrganizationFrom,
  organizationDocument,
  startFakeManagementApi,
} from '../testing/fake-management-api.ts';
import { type Handler, sendJson } from '../testing/http-server.ts';

let api: FakeManagementApi;
let hub: ReturnType<typeof fetchOrganizationFrom>;

beforeEach(async () => {
  api = await startFakeManagementApi();
  hub = fetchOrganizationFrom(api, { maxResponseBytes: 10_000 });
  api.documents.set('org_acme', organizationDocument([connectorRecord('con_a', 'https://tools.example')]));
});
afterEach(async () => {
  await api.stop();
  await hub.close();
});

it("requests one organization with the hub's own identity, and revalidates with the ETag", async () => {
  const first = await hub.fetchOrganization(OrganizationId.parse('org_acme'), undefined);
  if (first.kind !== 'found') throw new Error(first.kind);
  expect([...(first.connectors?.connectors.keys() ?? [])]).toEqual(['con_a']);
  expect(api.requests[0]?.path).toBe('/internal/v1/organizations/org_acme/connectors');
  expect(api.requests[0]?.headers.authorization).toBe('Bearer a-workload-token');
  expect(await hub.fetchOrganization(OrganizationId.parse('org_acme'), first.etag)).toEqual({
    kind: 'not_modified',
  });
});

it('treats an organization as unknown only if management-api reports it so', async () => {
  expect(await hub.fetchOrganization(OrganizationId.parse('org_unknown'), undefined)).toEqual({
    kind: 'unknown',
  });
  api.misbehaviour = (_req, res) => sendJson(res, 404, { code: 'not_found' });
  await expect(hub.fetchOrganization(OrganizationId.parse('org_acme'), undefined)).rejects.toThrow(
    'status 404',
  );
});

describe('refuses a response', () => {
  const json =
    (body: unknown): Handler =>
    (_req, res) =>
      sendJson(res, 200, body);
  it.each<[string, Handler]>([
    ['that is too large', json({ ...organizationDocument([]), filler: 'x'.repeat(20_000) })],
    ['that is not JSON', (_req, res) => res.writeHead(200).end('<html>')],
    ['that is cut off', (_req, res) => res.writeHead(200, { 'Content-Length': '9' }).end('{')],
    ['that is empty', (_req, res) => res.writeHead(200).end()],
    [
      'about another organization',
      json({ ...organizationDocument([]), organization: { id: 'org_globex', status: 'active' } }),
    ],
    [
      'with a connector of another organization',
      json(
        organizationDocument([
          { ...connectorRecord('con_a', 'https://a.example'), organization_id: 'org_globex' },
        ]),
      ),
    ],
    ['that sends it elsewhere', (_req, res) => res.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end()],
    ['that refuses it', (_req, res) => sendJson(res, 403, {})],
    ['that fails', (_req, res) => sendJson(res, 500, {})],
    ['that confirms what it never said', (_req, res) => res.writeHead(304).end()],
  ])('%s', async (_case, misbehaviour) => {
    api.misbehaviour = misbehaviour;
    await expect(hub.fetchOrganization(OrganizationId.parse('org_acme'), undefined)).rejects.toThrow();
  });
});

describe('a client that an organization has registered', () => {
  const RECORD = {
    client_id: 'lac_01JA8Z6Y4C3FZ0V5D9TQ8WJ7QM',
    organization_id: 'org_acme',
    agent_id: 'agt_support',
    name: 'Desk',
    redirect_uris: ['https://desk.example/callback'],
    token_endpoint_auth_method: 'client_secret_basic',
    secret_hashes: ['0'.repeat(64)],
  };
  const answering = (status: number, body: unknown) => {
    api.misbehaviour = (_req, res) => sendJson(res, status, body);
  };

  it("is requested by its id, with the hub's own identity", async () => {
    answering(200, { ...RECORD, of_a_newer_version: true });
    expect(await hub.fetchAgentClient('lac_01JA8Z6Y4C3FZ0V5D9TQ8WJ7QM')).toEqual(RECORD);
    expect(api.requests[0]?.path).toBe('/internal/v1/clients/lac_01JA8Z6Y4C3FZ0V5D9TQ8WJ7QM');
    expect(api.requests[0]?.headers.authorization).toBe('Bearer a-workload-token');
  });

  it('is unknown only if management-api reports it so', async () => {
    answering(404, { code: 'agent_client_not_found' });
    expect(await hub.fetchAgentClient('lac_01JA8Z6Y4C3FZ0V5D9TQ8WJ7QM')).toBeUndefined();
    answering(404, { code: 'not_found' });
    await expect(hub.fetchAgentClient('lac_01JA8Z6Y4C3FZ0V5D9TQ8WJ7QM')).rejects.toThrow('status 404');
  });

  it.each<[string, number, unknown]>([
    ['of an outage', 503, {}],
    ['about another client', 200, { ...RECORD, client_id: 'lac_01JA8Z6Y4C3FZ0V5D9TQ8WJ7QX' }],
    ['without the secret of its method', 200, { ...RECORD, secret_hashes: [] }],
    ['with a method of a newer version', 200, { ...RECORD, token_endpoint_auth_method: 'tls_client_auth' }],
    ['that is none', 200, null],
  ])('is not read from a response %s', async (_case, status, body) => {
    answering(status, body);
    await expect(hub.fetchAgentClient('lac_01JA8Z6Y4C3FZ0V5D9TQ8WJ7QM')).rejects.toThrow();
  });
});
