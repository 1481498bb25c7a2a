import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { type CertificateKey, createCertificateConnections, type ServiceSettings } from '@legate/delegation';
import { ConnectorId, OrganizationId } from '@legate/ids';
import { createHttpClient, parseClientCertificate } from '@legate/service';
import { createTestCa, type TestCa, type TestCertificate } from '@legate/service/testing';
import request from 'supertest';
import type { Connector } from './domain/connector.ts';
import { createConnectorRegistry } from './domain/registry.ts';
import { createBarrier } from './testing/barrier.ts';
import { createScene, type Scene } from './testing/scene.ts';
import { startTlsToolServer, type TlsToolServer } from './testing/tls-tool-server.ts';

let ca: TestCa;
let otherCa: TestCa;
let serverCertificate: TestCertificate;
let hub: TestCertificate;
beforeAll(async () => {
  [ca, otherCa] = await Promise.all([createTestCa(), createTestCa('Other CA')]);
  [serverCertificate, hub] = await Promise.all([ca.issue('127.0.0.1'), ca.issue('hub-of-acme')]);
});

let scene: Scene;
let server: TlsToolServer;
afterEach(async () => {
  await scene.stop();
  await server.stop();
});

const keyOf = (by: TestCertificate, trustedCas: string | null = ca.certificate): CertificateKey => ({
  kind: 'mtls',
  ...parseClientCertificate(by.bundle),
  trustedCas: trustedCas ?? undefined,
});
const known = (...args: Parameters<typeof keyOf>): ServiceSettings => ({
  method: 'service',
  key: keyOf(...args),
});

async function arrange(
  options: {
    server?: Partial<Parameters<typeof startTlsToolServer>[0]>;
    method?: ServiceSettings;
    connector?: Partial<Connector>;
  } = {},
) {
  server = await startTlsToolServer({ certificate: serverCertificate, clientCa: ca, ...options.server });
  const { resource } = server;
  scene = await createScene({
    connector: {
      resource,
      mcpUrl: `${resource}/mcp`,
      methods: [options.method ?? known(hub)],
      ...options.connector,
    },
  });
}
const call = async (app = scene.app, connectorId = 'con_tools') =>
  request(app)
    .post(`/api/v1/connectors/${connectorId}/tools/whoami/call`)
    .set('Authorization', `Bearer ${await scene.idTokenOf('user_alice')}`)
    .send({});
const textOf = (res: { body: { content: [{ text: string }] } }) => res.body.content[0].text;

it('identifies the hub by the certificate, and sends no header with the user', async () => {
  await arrange();
  const answers = [await call(), await call()];
  expect(answers.map((res) => [res.status, textOf(res), res.get('Legate-Acts-As')])).toEqual([
    [200, 'hub-of-acme', 'service'],
    [200, 'hub-of-acme', 'service'],
  ]);
  expect(server.headers[0]?.authorization).toBeUndefined();
  expect(JSON.stringify(server.headers)).not.toMatch(/alice|org_acme|eyJ/);
  expect(scene.entries.size).toBe(0);
  const opened = await server.connections();
  await call();
  expect(await server.connections()).toBe(opened);
});

describe('does not connect to', () => {
  it.each<[string, () => Promise<Parameters<typeof arrange>[0]>, string]>([
    [
      'a server of another CA',
      async () => ({ server: { certificate: await otherCa.issue('127.0.0.1') } }),
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    ],
    [
      'a server whose certificate has expired',
      async () => ({ server: { certificate: await ca.issue('127.0.0.1', { expired: true }) } }),
      'CERT_HAS_EXPIRED',
    ],
    [
      'a server of a CA that another connector trusts',
      async () => ({ method: known(hub, otherCa.certificate) }),
      'SELF_SIGNED_CERT_IN_CHAIN',
    ],
    [
      'a server of a CA that nobody has named',
      async () => ({ method: known(hub, null) }),
      'SELF_SIGNED_CERT_IN_CHAIN',
    ],
    [
      'a server by another name than its certificate’s',
      async () => ({ server: { certificate: await ca.issue('server', { host: 'tools.example' }) } }),
      'ERR_TLS_CERT_ALTNAME_INVALID',
    ],
  ])('%s', async (_case, options, code) => {
    await arrange(await options());
    const res = await call();
    expect([res.status, res.body.code, server.clients]).toEqual([502, 'tool_server_error', []]);
    expect(res.body.detail).toContain(`its certificate is not trusted (${code})`);
  });

  it('a server without TLS', async () => {
    await arrange();
    const { resource } = scene.toolServer;
    const plain = { ...scene.connector, resource, mcpUrl: `${resource}/mcp` };
    const res = await call(scene.replica({ registry: createConnectorRegistry([plain]) }));
    expect([res.status, res.body.code, scene.toolServer.calls]).toEqual([502, 'tool_server_error', []]);
  });

  it('an address that the hub may not connect to', async () => {
    await arrange();
    const guarded = createHttpClient();
    const connections = createCertificateConnections({ open: guarded.withIdentity, clock: scene.clock });
    const res = await call(scene.replica({ connections }));
    expect([res.status, server.clients]).toEqual([502, []]);
    expect(res.body.detail).toContain('requests to its address are not allowed');
    await connections.close();
    await guarded.close();
  });
});

describe('a client certificate', () => {
  it('that the server does not trust is refused', async () => {
    await arrange({ method: known(await otherCa.issue('hub-of-nobody')) });
    const res = await call();
    // This server closes the connection; a server that sends an alert is reported differently.
    expect([[502, 503].includes(res.status), server.clients]).toEqual([true, []]);
  });

  it('is reported as unused if the server does not request it', async () => {
    await arrange({ server: { clientCa: undefined } });
    const res = await call();
    expect([res.status, res.body.code]).toEqual([502, 'connector_misconfigured']);
    expect(res.body.detail).toContain('refuses its client certificate, or does not ask for it');
    expect(server.clients).toEqual([undefined]);
  });

  it('is not used once it has expired', async () => {
    const key = { ...keyOf(hub), expiresAt: 1 };
    await arrange({ method: { method: 'service', key } });
    const res = await call();
    expect([res.status, res.body.code]).toEqual([502, 'connector_misconfigured']);
    expect(res.body.detail).toContain('its client certificate has expired');
    expect(server.clients).toEqual([]);
  });

  it('is used only for its own connector', async () => {
    await arrange();
    const other = known(await ca.issue('hub-of-another-connector'));
    const registry = createConnectorRegistry([
      scene.connector,
      { ...scene.connector, id: ConnectorId.parse('con_other'), methods: [other] },
    ]);
    const app = scene.replica({ registry });
    const seen = [];
    for (const id of ['con_tools', 'con_other', 'con_tools', 'con_other'])
      seen.push(textOf(await call(app, id)));
    expect(seen).toEqual([
      'hub-of-acme',
      'hub-of-another-connector',
      'hub-of-acme',
      'hub-of-another-connector',
    ]);
  });
});

describe('a certificate that changes', () => {
  it('is used for later calls, while earlier ones finish on the old connections', async () => {
    await arrange();
    const next = known(await ca.issue('hub-of-acme-next'));
    const open = createBarrier();
    const arrived = createBarrier();
    let connector = scene.connector;
    const registry = {
      of: async () => createConnectorRegistry([connector]).of(OrganizationId.parse('org_acme')),
      forget: () => undefined,
      recheckOne: () => undefined,
    };
    const app = scene.replica({ registry });
    await call(app); // makes the hub learn the server's revision
    server.clients.splice(0);
    server.gate = async () => {
      arrived.release();
      await open.passed;
    };
    const before = call(app);
    await Promise.race([before, arrived.passed]);
    connector = { ...connector, methods: [next] };
    server.gate = async () => {};
    expect(textOf(await call(app))).toBe('hub-of-acme-next');
    open.release();
    expect(textOf(await before)).toBe('hub-of-acme');
    expect(server.clients).toEqual(['hub-of-acme', 'hub-of-acme-next']);
  });

  it('is dropped with its connections when its connector is revoked', async () => {
    await arrange();
    const http = createHttpClient({ allow: ['loopback'] });
    const connections = createCertificateConnections({ open: http.withIdentity, clock: scene.clock });
    const app = scene.replica({ connections });
    await call(app);
    const opened = await server.connections();
    connections.forget(OrganizationId.parse('org_acme'), ConnectorId.parse('con_other'));
    connections.forget(OrganizationId.parse('org_globex'));
    await call(app);
    expect(await server.connections()).toBe(opened);
    const closed = connections.of(scene.connector, keyOf(hub));
    connections.forget(OrganizationId.parse('org_acme'), ConnectorId.parse('con_tools'));
    await expect(
      closed?.request({ origin: server.resource, path: '/mcp', method: 'GET' }),
    ).rejects.toMatchObject({ code: 'UND_ERR_CLOSED' });
    await http.close();
  });
});
