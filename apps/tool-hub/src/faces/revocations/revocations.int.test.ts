import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { OrganizationId } from '@legate/ids';
import { createKeySet } from '@legate/jwt';
import type { Backend } from '@legate/secure-store';
import { createLogger } from '@legate/service';
import { createWorkloadVerifier } from '@legate/workload';
import type { Express } from 'express';
import type { JSONWebKeySet } from 'jose';
import request from 'supertest';
import {
  createManagementApiRegistry,
  type ManagementApiRegistry,
} from '../../connectors/management-api-registry.ts';
import { type Announcements, listenForAnnouncements } from '../../platform/announcements.ts';
import {
  connectorRecord,
  type FakeManagementApi,
  fetchOrganizationFrom,
  organizationDocument,
  startFakeManagementApi,
} from '../../testing/fake-management-api.ts';
import { createLateToken } from '../../testing/late-token.ts';
import { createScene, type Scene } from '../../testing/scene.ts';
import { openSharedStore, type SharedStore } from '../../testing/shared-store.ts';

const HUB = 'http://hub.test';
const log = createLogger({ service: 'test', level: 'silent' });

let api: FakeManagementApi;
let scene: Scene;
let hubs: { app: Express; registry: ManagementApiRegistry }[];
let alice: string;
let shared: SharedStore;
let isStoreDown: boolean;
let opened: { close(): unknown }[];

/** Two processes of one deployment, each with its own list of connectors, on one store. */
beforeEach(async () => {
  isStoreDown = false;
  opened = [];
  hubs = [];
  shared = await openSharedStore();
  api = await startFakeManagementApi();
  const backendOf = (process: 0 | 1): Backend => {
    const backend = shared.backendOf(process);
    return {
      ...backend,
      set: (...entry) => (isStoreDown ? Promise.reject(new Error('down')) : backend.set(...entry)),
    };
  };
  scene = await createScene({ backend: () => backendOf(0) });
  const issuer = {
    issuer: scene.idp.issuer,
    keys: createKeySet({ issuer: scene.idp.issuer, load: () => fetchJwks(), clock: scene.clock }),
  };
  const verifyWorkload = createWorkloadVerifier({
    issuer,
    audience: HUB,
    workloads: new Map([['management-api', new Set(['internal:revocations'])]]),
    clock: scene.clock,
  });
  for (const process of [0, 1] as const) {
    const { fetchOrganization, close } = fetchOrganizationFrom(api);
    const registry = createManagementApiRegistry({
      fetchOrganization,
      clock: scene.clock,
      log,
      onEvent: () => {},
    });
    const announcements = await announcementsOf(process, registry);
    opened.push({ close }, announcements);
    const app = scene.replica({ registry, verifyWorkload, announce: announcements.announce });
    hubs.push({ app, registry });
  }
  publish([connectorRecord('con_tools', scene.toolServer.resource)]);
  alice = await scene.idTokenOf('user_alice');
});

const fetchJwks = async () => (await fetch(`${scene.idp.issuer}/jwks`)).json() as Promise<JSONWebKeySet>;

async function announcementsOf(process: 0 | 1, registry: ManagementApiRegistry): Promise<Announcements> {
  const redis = shared.redisOf(process);
  if (redis) {
    return listenForAnnouncements(redis, {
      channel: `${shared.keyPrefix}connectors-changed`,
      onAnnounced: (name) => registry.forget(OrganizationId.parse(name)),
      onMissed: registry.recheck,
      log,
    });
  }
  return {
    announce: async (organizationId) => {
      for (const hub of hubs) hub.registry.forget(OrganizationId.parse(organizationId));
    },
    close: () => undefined,
  };
}

afterEach(async () => {
  for (const each of opened) await each.close();
  await scene.stop();
  await api.stop();
  await shared.close();
});

const publish = (connectors: object[]) =>
  void api.documents.set('org_acme', organizationDocument(connectors));

const call = async (hub: number, token = alice, connector = 'con_tools') => {
  const res = await request(hubs[hub]?.app ?? '')
    .post(`/api/v1/connectors/${connector}/tools/whoami/call`)
    .set('Authorization', `Bearer ${token}`)
    .send({});
  return res.status === 200 ? res.get('Legate-Token-Cache') : [res.status, res.body.code];
};

const workloadToken = (claims: Record<string, unknown> = {}, typ = 'at+jwt') =>
  scene.idp.mintIdToken(
    {
      sub: 'management-api',
      client_id: 'management-api',
      aud: HUB,
      scope: 'internal:revocations',
      ...claims,
    },
    { typ },
  );

async function revoke(body: unknown, token?: string) {
  return request(hubs[0]?.app ?? '')
    .post('/internal/v1/revocations')
    .set('Authorization', `Bearer ${token ?? (await workloadToken())}`)
    .send(body as object);
}

const OF_CONNECTOR = { organization_id: 'org_acme', connector_id: 'con_tools', reason: 'connector.updated' };

describe('two processes on one store', () => {
  it('share tokens until one of them gets a revocation, and then neither uses them', async () => {
    expect([await call(0), await call(1)]).toEqual(['miss', 'hit']);
    const res = await revoke(OF_CONNECTOR);
    expect([res.status, res.body]).toEqual([200, { revoked: true }]);
    expect([await call(1), await call(0)]).toEqual(['miss', 'hit']);
  });

  it('see an approved fallback at once', async () => {
    const connector = connectorRecord('con_tools', scene.toolServer.resource);
    const service = { fallback: ['service'], service_kind: 'api_key', fallback_secret: 'sk-live-0123456789' };
    publish([{ ...connector, ...service, id_jag_used: true }]);
    scene.toolServer.misbehaviour = { resourceMetadata: 404 };
    expect([await call(0), await call(1)]).toEqual(Array(2).fill([403, 'fallback_not_approved']));

    publish([{ ...connector, ...service, id_jag_used: false, fallback_approval: '1' }]);
    scene.toolServer.recognize = () => 'the-hub';
    const res = await revoke({ ...OF_CONNECTOR, reason: 'connector.fallback_approved' });
    expect(res.status).toBe(200);
    expect([await call(0), await call(1)]).toEqual(['miss', 'miss']);
  });

  it('keep their tokens when a fallback is approved', async () => {
    expect(await call(0)).toBe('miss');
    expect((await revoke({ ...OF_CONNECTOR, reason: 'connector.fallback_approved' })).status).toBe(200);
    expect([await call(0), await call(1)]).toEqual(['hit', 'hit']);
  });

  it.each<[string, object]>([
    ['the organization', { organization_id: 'org_acme', reason: 'organization.deleted' }],
    ['the user', { organization_id: 'org_acme', user_id: 'user_alice', reason: 'member.removed' }],
  ])('revoke for %s', async (_case, body) => {
    await call(0);
    expect((await revoke(body)).status).toBe(200);
    expect(await call(1)).toBe('miss');
  });

  it.each<[string, string, unknown[]]>([
    ['deleted', 'agent.deleted', [[401, 'session_ended'], 'hit']],
    ['disabled', 'agent.updated', [[401, 'session_ended'], 'hit']],
    ['bound anew', 'agent.connector_set', ['hit', 'hit']],
  ])('end the sessions of an agent that is %s, and no others', async (_case, reason, expected) => {
    const connectors = [connectorRecord('con_tools', scene.toolServer.resource)];
    const binding = { connector_id: 'con_tools', scopes: null, tools: null };
    const agents = ['agt_a', 'agt_b'].map((id) => ({ id, status: 'active', connectors: [binding] }));
    api.documents.set('org_acme', organizationDocument(connectors, { agents }));
    const open = async (agent_id: string): Promise<string> => {
      const answer = await request(hubs[0]?.app ?? '')
        .post('/api/v1/sessions')
        .set('Authorization', `Bearer ${alice}`)
        .send({ agent_id });
      return answer.body.session;
    };
    const [ended, other] = [await open('agt_a'), await open('agt_b')];
    expect([await call(0, ended), await call(0, other)]).toEqual(['miss', 'hit']);
    expect((await revoke({ organization_id: 'org_acme', agent_id: 'agt_a', reason })).status).toBe(200);
    expect([await call(1, ended), await call(1, other)]).toEqual(expected);
  });

  it('refuse earlier ID tokens of a user who lost access, but not later ones', async () => {
    expect([await call(0), await call(1)]).toEqual(['miss', 'hit']);
    const body = { organization_id: 'org_acme', user_id: 'user_alice', reason: 'member.access_revoked' };
    expect((await revoke(body)).status).toBe(200);
    expect([await call(0), await call(1)]).toEqual(Array(2).fill([401, 'signed_out']));
    expect(await call(0, await scene.idTokenOf('user_bob'))).toBe('miss');
    scene.clock.advanceSeconds(1);
    const later = await scene.idTokenOf('user_alice', { jti: 'of-a-later-sign-in' });
    expect([await call(0, later), await call(1, later)]).toEqual(['miss', 'hit']);
  });

  it.each<[string, object]>([
    ['another user', { organization_id: 'org_acme', user_id: 'user_bob', reason: 'member.removed' }],
    ['another connector', { ...OF_CONNECTOR, connector_id: 'con_other' }],
    ['another organization', { organization_id: 'org_globex', reason: 'organization.deleted' }],
    ['an agent', { organization_id: 'org_acme', agent_id: 'agt_a', reason: 'agent.updated' }],
  ])('keep tokens after a revocation for %s', async (_case, body) => {
    await call(0);
    expect((await revoke(body)).status).toBe(200);
    expect([await call(0), await call(1)]).toEqual(['hit', 'hit']);
  });

  it('refuse a token that one of them was obtaining while the other got the revocation', async () => {
    const late = createLateToken();
    await call(1, await scene.idTokenOf('user_bob')); // reads metadata and connectors
    scene.toolServer.misbehaviour = {
      token: late.endpoint,
      mcp: (_req, res) => res.writeHead(500).end(),
    };
    const early = call(1);
    await late.asked;
    await revoke(OF_CONNECTOR);
    late.release();
    await early;
    scene.toolServer.misbehaviour = {};
    expect(await call(1)).toBe('miss');
  });

  it('both stop using a disabled connector at once', async () => {
    expect([await call(0), await call(1)]).toEqual(['miss', 'hit']);
    publish([]);
    expect(await call(1)).toBe('hit'); // not notified yet
    await revoke(OF_CONNECTOR);
    await heard();
    expect(await call(0)).toEqual([404, 'connector_not_found']);
    expect(await call(1)).toEqual([404, 'connector_not_found']);
  });

  it('both stop using it within 30 seconds without a notification', async () => {
    await call(1);
    publish([]);
    scene.clock.advanceSeconds(30);
    expect(await call(1)).toEqual([404, 'connector_not_found']);
  });

  it('send no token of the old resource when an administrator changes the URL of the connector', async () => {
    await call(0);
    const elsewhere = `${scene.toolServer.resource.replace('127.0.0.1', 'localhost')}`;
    publish([connectorRecord('con_tools', elsewhere)]);
    scene.clock.advanceSeconds(30);
    const { length } = scene.toolServer.calls;
    await call(0);
    expect(scene.toolServer.calls.length).toBe(length);
  });

  /** Waits until earlier announcements have been received: Redis delivers in order. */
  async function heard(): Promise<void> {
    const listener = shared.redisOf(1)?.duplicate();
    if (!listener) return;
    await listener.connect();
    await listener.ping();
    listener.disconnect();
    await new Promise(setImmediate);
  }
});

describe('a sign-out', () => {
  it('reaches the other process', async () => {
    expect([await call(0), await call(1)]).toEqual(['miss', 'hit']);
    await request(hubs[0]?.app ?? '')
      .delete('/api/v1/tokens')
      .set('Authorization', `Bearer ${alice}`);
    alice = await scene.idTokenOf('user_alice', { jti: 'of-a-later-sign-in' });
    expect(await call(1)).toBe('miss');
  });

  it('works while the connectors are unavailable', async () => {
    await call(0);
    hubs[0]?.registry.forget(OrganizationId.parse('org_acme'));
    api.misbehaviour = (_req, res) => res.writeHead(500).end();
    const res = await request(hubs[0]?.app ?? '')
      .delete('/api/v1/tokens')
      .set('Authorization', `Bearer ${alice}`);
    expect(res.status).toBe(204);
    api.misbehaviour = undefined;
    alice = await scene.idTokenOf('user_alice', { jti: 'of-a-later-sign-in' });
    expect(await call(1)).toBe('miss');
  });
});

describe('a revocation', () => {
  it('is not confirmed while the store is down', async () => {
    isStoreDown = true;
    const res = await revoke(OF_CONNECTOR);
    expect([res.status, res.body.code, res.get('Retry-After')]).toEqual([
      503,
      'token_store_unavailable',
      '5',
    ]);
  });

  it.each<[string, unknown]>([
    ['no organization', { connector_id: 'con_tools', reason: 'a' }],
    ['no reason', { organization_id: 'org_acme' }],
    ['a reason in prose', { organization_id: 'org_acme', reason: 'because I can' }],
    ['a connector and a user', { ...OF_CONNECTOR, user_id: 'user_alice' }],
    ['a colon in an id', { ...OF_CONNECTOR, connector_id: 'con:tools' }],
    ['a member that nobody knows', { ...OF_CONNECTOR, connector: 'con_tools' }],
    ['an array', []],
  ])('with %s is refused with 400', async (_case, body) => {
    await call(0);
    const res = await revoke(body);
    expect([res.status, res.body.code]).toEqual([400, 'validation_failed']);
    expect(await call(0)).toBe('hit');
  });

  it('with a large body is refused without reading it', async () => {
    expect((await revoke({ ...OF_CONNECTOR, reason: 'a'.repeat(5000) })).status).toBe(413);
  });

  it.each<[string, Record<string, unknown>, string, number]>([
    ['a user who has the scope', { sub: 'user_alice', client_id: 'management-api' }, 'at+jwt', 403],
    ['a user of the organization', { organization_id: 'org_acme' }, 'at+jwt', 403],
    ['another workload', { sub: 'other', client_id: 'other' }, 'at+jwt', 403],
    ['a workload without the scope', { scope: 'internal:connectors' }, 'at+jwt', 403],
    ['a workload at another API', { aud: 'http://other.test' }, 'at+jwt', 401],
    ['somebody with an ID token', { aud: 'frontend-app' }, 'JWT', 401],
  ])('of %s is refused, and nothing is revoked', async (_case, claims, typ, status) => {
    await call(0);
    expect((await revoke(OF_CONNECTOR, await workloadToken(claims, typ))).status).toBe(status);
    expect(await call(0)).toBe('hit');
  });

  it('returns 404 at a hub without workloads, and 405 for another method', async () => {
    const post = (app: Express) => request(app).post('/internal/v1/revocations').send(OF_CONNECTOR);
    expect((await post(scene.app)).status).toBe(404);
    expect((await post(hubs[0]?.app as Express)).status).toBe(401);
    const get = await request(hubs[0]?.app ?? '')
      .get('/internal/v1/revocations')
      .set('Authorization', `Bearer ${await workloadToken()}`);
    expect([get.status, get.get('Allow')]).toEqual([405, 'POST']);
  });
});
