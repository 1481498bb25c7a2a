import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { OrganizationId } from '@legate/ids';
import { boundedIdToken } from '@legate/jwt';
import { generateEncryptionKeys } from '@legate/secure-store';
import type { Express } from 'express';
import request from 'supertest';
import type { Connector } from '../../domain/connector.ts';
import { type ConnectorRegistry, createConnectorRegistry } from '../../domain/registry.ts';
import { type ConnectScene, createConnectScene, type TestBrowser } from '../../testing/connect-scene.ts';
import { sendJson } from '../../testing/http-server.ts';
import { scriptedMcp, tools } from '../../testing/scripted-mcp.ts';
import { openSharedStore, type SharedStore } from '../../testing/shared-store.ts';

/** A connector whose client at the authorization server has a secret, which is then replaced */
const OLD = 'the-old-secret-at-notes';
const NEW = 'the-new-secret-at-notes';

let shared: SharedStore;
let scene: ConnectScene;
/** Two processes of one deployment. The first receives the revocations. */
let hubs: [Express, Express];
/** The connector after an administrator has changed it, before a hub has read the change */
let published: Connector;
let alice: string;

beforeEach(async () => {
  shared = await openSharedStore();
  const [mine, others] = [registryThatRemembers(), registryThatRemembers()];
  const forgetAll = async (organizationId: string) => {
    for (const registry of [mine, others]) registry.forget(OrganizationId.parse(organizationId));
  };
  scene = await createConnectScene({
    encryptionKeys: generateEncryptionKeys(),
    backend: () => shared.backendOf(0),
    connectorOf: (connector, { issuer }) => withSecret(OLD, connector, issuer),
    app: {
      idTokenProfile: boundedIdToken({ maxLifetimeSeconds: 30 * 86_400 }), // one token for the whole test
      registry: mine,
      announce: forgetAll,
      verifyWorkload: async () => ({ clientId: 'management-api', scopes: new Set(['internal:revocations']) }),
    },
  });
  published = scene.externalConnector;
  hubs = [scene.app, scene.replica({ registry: others })];
  scene.external.secrets = [OLD];
  alice = await scene.idTokenOf('user_alice', { exp: inDays(30) });
});
afterEach(async () => {
  await scene.stop();
  await shared.close();
});

const inDays = (days: number) => Math.floor(scene.clock().getTime() / 1000) + days * 86_400;

const withSecret = (clientSecret: string, connector: Connector, issuer: string): Connector => ({
  ...connector,
  methods: [
    {
      ...{ method: 'oauth-pkce', clientId: 'hub-at-notes', issuer },
      clientAuth: { method: 'client_secret_post', clientSecret },
    },
  ],
});

/** Fetches once, and again after an invalidation. */
function registryThatRemembers(): ConnectorRegistry {
  let known: ConnectorRegistry | undefined;
  return {
    of(organizationId) {
      known ??= createConnectorRegistry([published]);
      return known.of(organizationId);
    },
    forget: () => {
      known = undefined;
    },
    recheckOne: () => undefined,
  };
}

async function revoke(reason: string): Promise<void> {
  const about = { organization_id: 'org_acme', connector_id: 'con_notes', reason };
  await request(hubs[0]).post('/internal/v1/revocations').send(about).expect(200);
}

/** Rotates the secret by docs/operations/rotation.md: the old one is accepted until every hub has the new one. */
async function rotate(): Promise<void> {
  scene.external.secrets = [OLD, NEW];
  published = withSecret(NEW, published, scene.external.issuer);
  await revoke('connector.secret_set');
  scene.external.secrets = [NEW];
}

const codeOf = async (app: Express) => {
  const answer = await scene.call(alice, { app });
  return answer.status === 200 ? 200 : answer.body.code;
};
const isConnected = async () => (await scene.api('get', alice)).body.connected;
const secretsSent = () => scene.external.refreshes().map((form) => form.get('client_secret'));
/** Waits until the earlier access token has expired, and the store has no other */
async function untilItIsOver(): Promise<void> {
  scene.clock.advanceSeconds(3601);
  await scene.backend.delete('token:org_acme:con_notes:user_alice');
}

describe.each<[string, 0 | 1]>([
  ['the process that is notified', 0],
  ['another process on its store', 1],
])('a new client secret, at %s,', (_which, index) => {
  const hub = () => hubs[index];

  it('keeps users connected, and the next refresh uses it', async () => {
    await scene.connect(alice, 'user_alice');
    expect(await codeOf(hub())).toBe(200);
    await rotate();
    expect(await codeOf(hub())).toBe(200);
    expect(await isConnected()).toBe(true);
    await untilItIsOver();
    expect(await codeOf(hub())).toBe(200);
    expect(secretsSent()).toEqual([NEW]);
    expect(scene.external.reuses).toBe(0);
  });

  it('that the hub has not received yet ends no connection, and calls report the fault', async () => {
    await scene.connect(alice, 'user_alice');
    expect(await codeOf(hub())).toBe(200);
    scene.external.secrets = [NEW];
    await untilItIsOver();
    for (let calls = 0; calls < 2; calls += 1) expect(await codeOf(hub())).toBe('connector_misconfigured');
    expect(await isConnected()).toBe(true);
    await rotate();
    expect(await codeOf(hub())).toBe(200);
    expect(secretsSent()).toEqual([OLD, OLD, NEW]);
    expect(scene.external.reuses).toBe(0);
  });

  it.each(['connector.updated', 'connector.deleted', 'connector.secret_removed', 'connector.tokens_revoked'])(
    'keeps them connected, and %s does not',
    async (reason) => {
      await scene.connect(alice, 'user_alice');
      expect(await codeOf(hub())).toBe(200);
      await revoke(reason);
      expect(await codeOf(hub())).toBe('connection_required');
      expect(await isConnected()).toBe(false);
    },
  );

  it('lets a running call finish', async () => {
    await scene.connect(alice, 'user_alice');
    let arrived = () => {};
    const isRunning = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    let answer = () => {};
    scene.external.misbehaviour = {
      mcp: scriptedMcp({
        'tools/list': () => tools('whoami'),
        'tools/call': ({ id, res }) => {
          const result = { resultType: 'complete', content: [] };
          answer = () => sendJson(res, 200, { jsonrpc: '2.0', id, result });
          arrived();
          return undefined;
        },
      }),
    };
    const running = codeOf(hub());
    await isRunning;
    await rotate();
    scene.clock.advanceSeconds(29);
    await scene.ends.recheck();
    answer();
    expect(await running).toBe(200);
  });
});

it('connects a user who was consenting when the secret changed', async () => {
  const begun = await scene.api('post', alice).send({});
  const browser: TestBrowser = { cookie: '', signedInAs: 'user_alice' };
  const there = await scene.openLink(browser, begun.body.authorize_url);
  await rotate();
  const finished = await scene.visit(browser, scene.external.authorize(there));
  expect([finished.status, await isConnected()]).toEqual([200, true]);
});
