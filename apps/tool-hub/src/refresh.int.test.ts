import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { boundedIdToken } from '@legate/jwt';
import { type Backend, generateEncryptionKeys, type OpenBackend, openBackend } from '@legate/secure-store';
import type { Express } from 'express';
import request from 'supertest';
import { createConnectorRegistry } from './domain/registry.ts';
import { createBarrier } from './testing/barrier.ts';
import { type ConnectScene, createConnectScene } from './testing/connect-scene.ts';
import { sendJson } from './testing/http-server.ts';

/** Redis if a test server is configured; otherwise the state is shared in this process. */
const redisUrl = process.env.TEST_REDIS_URL;
const keys = generateEncryptionKeys();

let scene: ConnectScene;
let alice: string;
let redis: OpenBackend | undefined;
/** Store writes that fail from now on */
let failing: { replace?: boolean; add?: boolean; flights?: boolean } = {};
/** Runs before the next write of a connection */
let beforeReplace: (() => Promise<void>) | undefined;

beforeEach(async () => {
  failing = {};
  beforeReplace = undefined;
  const onError = (err: Error) => {
    throw err;
  };
  redis = redisUrl
    ? await openBackend(redisUrl, {
        keyPrefix: `test-${randomUUID()}:`,
        clock: () => new Date(),
        commandTimeoutMs: 5000,
        onError,
      })
    : undefined;
  const orDown = <T>(isDown: boolean | undefined, write: () => Promise<T>) =>
    isDown ? Promise.reject(new Error('down')) : write();
  const withFaults = (backend: Backend): Backend => ({
    ...backend,
    add: (...entry) =>
      orDown(failing.add || (failing.flights && entry[0].startsWith('flight:')), () => backend.add(...entry)),
    async replace(...entry) {
      const hold = entry[0].startsWith('connection:') ? beforeReplace : undefined;
      if (hold) beforeReplace = undefined;
      await hold?.();
      return orDown(failing.replace, () => backend.replace(...entry));
    },
  });
  scene = await createConnectScene({
    encryptionKeys: keys,
    backend: (memory) => withFaults(redis?.backend ?? memory),
    app: {
      verifyWorkload: async () => ({ clientId: 'management-api', scopes: new Set(['internal:revocations']) }),
      idTokenProfile: boundedIdToken({ maxLifetimeSeconds: 90 * 86_400 }), // one ID token for the whole test
    },
  });
  alice = await scene.idTokenOf('user_alice', {
    exp: Math.floor(scene.clock().getTime() / 1000) + 90 * 86_400,
  });
  await scene.connect(alice, 'user_alice');
});
afterEach(async () => {
  await scene.stop();
  redis?.close();
});

const sent = () => scene.external.refreshes().map((form) => form.get('refresh_token'));
const codeOf = async (app?: Express) => {
  const answer = await scene.call(alice, app && { app });
  return answer.status === 200 ? 200 : answer.body.code;
};
/**
 * Deletes the cached token. The token cache expires it 300 seconds earlier, but Redis does not use the test's clock.
 */
const dropCached = () => scene.backend.delete('token:org_acme:con_notes:user_alice');
/** Advances the clock until the access token is about to expire */
async function nearItsEnd(): Promise<void> {
  scene.clock.advanceSeconds(3550);
  await dropCached();
}

describe('a connection', () => {
  it('is refreshed when its token is about to expire, and used unchanged before', async () => {
    scene.clock.advanceSeconds(3500);
    expect(await codeOf()).toBe(200);
    expect(sent()).toHaveLength(0);
    scene.clock.advanceSeconds(50);
    expect(await codeOf()).toBe(200);
    expect(await codeOf()).toBe(200);
    expect(sent()).toHaveLength(1);
    expect(scene.external.refreshes()[0]?.get('resource')).toBe(scene.external.resource);
  });

  it('sends each refresh token once, however often it is refreshed', async () => {
    for (let refreshes = 0; refreshes < 3; refreshes += 1) {
      await nearItsEnd();
      expect(await codeOf()).toBe(200);
    }
    expect(new Set(sent()).size).toBe(3);
    expect(scene.external.reuses).toBe(0);
  });

  it('keeps a refresh token if the response has no new one', async () => {
    scene.external.rotates = false;
    for (let refreshes = 0; refreshes < 2; refreshes += 1) {
      await nearItsEnd();
      expect(await codeOf()).toBe(200);
    }
    expect(sent()).toHaveLength(2);
    expect(new Set(sent()).size).toBe(1);
  });

  it('ends after its maximum lifetime, although it was refreshed', async () => {
    for (let days = 0; days < 30; days += 1) {
      expect(await codeOf()).toBe(200);
      scene.clock.advanceSeconds(86_400);
    }
    expect(await codeOf()).toBe('connection_required');
  });

  it('must be made again if the tool server refuses a fresh token with a single word, which frameworks declare as HTML', async () => {
    scene.external.misbehaviour = {
      mcp: (_req, res) => void res.writeHead(401, { 'content-type': 'text/html' }).end('Unauthorized'),
    };
    expect(await codeOf()).toBe('connection_required');
    scene.external.misbehaviour = {
      mcp: (_req, res) => void res.writeHead(401, { 'content-type': 'text/html' }).end('<p>Sign in</p>'),
    };
    expect(await codeOf()).toBe('connector_misconfigured');
  });

  it('ends only when the authorization server reports its end', async () => {
    await nearItsEnd();
    scene.external.endAllGrants();
    expect(await codeOf()).toBe('connection_required');
    expect((await scene.api('get', alice)).body.connected).toBe(false);
    expect(await codeOf()).toBe('connection_required');
    expect(sent()).toHaveLength(1);
  });

  it.each<[string, number, object, Record<string, string>]>([
    ['takes the client for unknown', 400, { error: 'invalid_client' }, {}],
    ['does not authenticate it', 401, { error: 'invalid_client' }, {}],
    ['does not, and asks it to', 401, {}, { 'WWW-Authenticate': 'Basic realm="notes"' }],
    ['does not let it refresh', 400, { error: 'unauthorized_client' }, {}],
    ['finds the request bad', 400, { error: 'invalid_request' }, {}],
    ['knows no such resource', 400, { error: 'invalid_target' }, {}],
    ['forbids it', 403, {}, {}],
  ])('survives an authorization server that %s', async (_case, status, body, headers) => {
    await nearItsEnd();
    scene.clock.advanceSeconds(50);
    scene.external.misbehaviour = { token: (_req, res) => sendJson(res, status, body, headers) };
    expect(await codeOf()).toBe('connector_misconfigured');
    expect((await scene.api('get', alice)).body.connected).toBe(true);
    scene.external.misbehaviour = {};
    expect(await codeOf()).toBe(200);
    expect(scene.external.reuses).toBe(0);
  });

  it('without a refresh token ends with its token', async () => {
    scene.external.misbehaviour = { response: { refresh_token: undefined } };
    await scene.connect(alice, 'user_alice');
    scene.clock.advanceSeconds(3590);
    expect(await codeOf()).toBe(200);
    expect((await scene.api('get', alice)).body.expires_at).toBe('2026-08-01T13:00:00.000Z');
    scene.clock.advanceSeconds(10);
    expect(await codeOf()).toBe('connection_required');
    expect((await scene.api('get', alice)).body.connected).toBe(false);
  });

  it('ends when the tool server names another authorization server, which receives no request', async () => {
    const other = await createConnectScene();
    await nearItsEnd();
    scene.external.misbehaviour = { resourceMetadata: { authorization_servers: [other.external.issuer] } };
    expect(await codeOf()).toBe('connection_required');
    expect([...sent(), ...other.external.tokenRequests]).toEqual([]);
    await other.stop();
  });

  it.each([
    ['a broader scope', { scope: 'notes:read admin' }],
    ['another token_type', { token_type: 'mac' }],
  ])('is not refreshed with %s, and its token is not sent again', async (_case, response) => {
    await nearItsEnd();
    scene.clock.advanceSeconds(50);
    scene.external.misbehaviour = { response };
    expect(await codeOf()).toBe('connector_misconfigured');
    expect(await codeOf()).toBe('connection_required');
    expect(sent()).toHaveLength(1);
  });

  it('is not used for a connector whose registration has changed', async () => {
    const registry = createConnectorRegistry([{ ...scene.externalConnector, scopes: ['notes:write'] }]);
    expect(await codeOf(scene.replica({ registry }))).toBe('connection_required');
  });

  it.each([
    ['the connector', { connector_id: 'con_notes' }],
    ['the user', { user_id: 'user_alice' }],
    ['the organization', {}],
  ])('ends in all processes when %s is revoked', async (_case, revoked) => {
    const replica = scene.replica({});
    expect(await codeOf(replica)).toBe(200);
    const body = { organization_id: 'org_acme', reason: 'test', ...revoked };
    const answer = await request(scene.app).post('/internal/v1/revocations').send(body);
    expect(answer.status).toBe(200);
    expect(await codeOf(replica)).toBe('connection_required');
    await scene.connect(alice, 'user_alice');
    expect(await codeOf(replica)).toBe(200);
  });
});

describe('a token that the tool server refuses', () => {
  it('is replaced by another one, once', async () => {
    expect(await codeOf()).toBe(200);
    scene.external.refuseAllTokens();
    expect(await codeOf()).toBe(200);
    expect(sent()).toHaveLength(1);
  });

  it('requires connecting again if the next one is refused too', async () => {
    expect(await codeOf()).toBe(200);
    scene.external.misbehaviour = { response: { access_token: 'of-nobody' } };
    scene.external.refuseAllTokens();
    expect(await codeOf()).toBe('connection_required');
    expect(sent()).toHaveLength(1);
  });
});

describe('two processes', () => {
  it('that need the same refresh concurrently send one request', async () => {
    await nearItsEnd();
    const apps = [scene.app, scene.replica({}), scene.replica({})];
    expect(await Promise.all([...apps, ...apps].map(codeOf))).toEqual(Array(6).fill(200));
    expect(sent()).toHaveLength(1);
    expect(scene.external.reuses).toBe(0);
  });

  it('use the token that the other one has refreshed', async () => {
    await nearItsEnd();
    expect(await codeOf(scene.replica({}))).toBe(200);
    expect(await codeOf()).toBe(200);
    expect(sent()).toHaveLength(1);
  });

  it.each([
    ['is slow, though it may take 10 ms', 10, 2000],
    ['is slow, though it may take 250 ms', 250, 2000],
    // The store confirms the claim, then the connection is read and written.
    ['takes 5 seconds for each command, as it may', 5000, 3 * 5000],
  ])('wait for each other while the store %s', async (_case, storeCommandTimeoutMs, storeMs) => {
    await nearItsEnd();
    scene.clock.advanceSeconds(50);
    failing = { flights: true }; // the second process does not wait for the first
    const tokenTimeoutMs = 5000;
    const [arrived, held] = [createBarrier(), createBarrier()];
    beforeReplace = () => {
      arrived.release();
      return held.passed;
    };
    const refreshing = codeOf(scene.replica({}));
    await arrived.passed;
    let waitedMs = 0;
    const waiting = scene.replica({
      storeCommandTimeoutMs,
      tokenTimeoutMs,
      async pause(seconds = 0) {
        waitedMs += seconds * 1000;
        if (waitedMs < tokenTimeoutMs + storeMs) return;
        held.release();
        await refreshing;
      },
    });
    try {
      expect(await codeOf(waiting)).toBe(200);
      expect(await refreshing).toBe(200);
      expect(sent()).toHaveLength(1);
    } finally {
      held.release();
      await refreshing;
    }
    await dropCached();
    expect(await codeOf()).toBe(200);
    expect(sent()).toHaveLength(1);
  });

  it('use what one of them stored at the moment when the other stopped waiting', async () => {
    await nearItsEnd();
    scene.clock.advanceSeconds(50);
    failing = { flights: true };
    const [arrived, held] = [createBarrier(), createBarrier()];
    beforeReplace = () => {
      arrived.release();
      return held.passed;
    };
    const refreshing = codeOf(scene.replica({}));
    await arrived.passed;
    beforeReplace = async () => {
      held.release();
      await refreshing;
    };
    expect(await codeOf(scene.replica({ pause: async () => {} }))).toBe(200);
    expect(await refreshing).toBe(200);
    expect((await scene.api('get', alice)).body.connected).toBe(true);
    expect(sent()).toHaveLength(1);
  });

  it('lose a connection if one of them died while refreshing, and do not send its token again', async () => {
    await nearItsEnd();
    scene.clock.advanceSeconds(50);
    // The process that dies: its request is received, but it never gets the response.
    failing = { replace: true };
    expect(await codeOf(scene.replica({}))).toBe(200);
    failing = {};
    await dropCached();
    expect(await codeOf()).toBe('connection_required');
    expect(sent()).toHaveLength(1);
    expect(scene.external.reuses).toBe(0);
    await scene.connect(alice, 'user_alice');
    expect(await codeOf()).toBe(200);
  });
});

describe('while the authorization server is down', () => {
  const answers503 = () => {
    scene.external.misbehaviour = { token: (_req, res) => sendJson(res, 503, {}) };
  };

  it('a valid token is used', async () => {
    await nearItsEnd();
    answers503();
    expect(await codeOf()).toBe(200);
  });

  it('calls report an outage, and work again afterwards', async () => {
    await nearItsEnd();
    scene.clock.advanceSeconds(50);
    answers503();
    expect(await codeOf()).toBe('tool_server_unavailable');
    scene.external.misbehaviour = {};
    expect(await codeOf()).toBe(200);
    expect(scene.external.reuses).toBe(0);
  });

  it('no refresh token is sent if its metadata cannot be read', async () => {
    await nearItsEnd();
    await scene.external.stop();
    expect(await codeOf()).toBe('tool_server_unavailable');
    expect(sent()).toHaveLength(0);
  });

  it.each<[string, (req: IncomingMessage, res: ServerResponse) => void]>([
    ['nothing', (req) => void req.socket.destroy()],
    ['502', (_req, res) => sendJson(res, 502, {})],
  ])('a possibly used token is not sent again after the response %s', async (_answer, token) => {
    await nearItsEnd();
    scene.clock.advanceSeconds(50);
    scene.external.misbehaviour = { token };
    expect(await codeOf()).toBe('connection_required');
    scene.external.misbehaviour = {};
    expect(await codeOf()).toBe('connection_required');
    expect(sent()).toHaveLength(1);
  });
});

describe('a change of a connection while the result of its refresh is written', () => {
  const lostAnswer = () => {
    scene.external.misbehaviour = { token: (req) => void req.socket.destroy() };
  };

  it('takes precedence: after a disconnect the token is not used again, even if it is valid', async () => {
    await nearItsEnd();
    lostAnswer();
    beforeReplace = async () => {
      await scene.api('delete', alice).expect(204);
    };
    expect(await codeOf()).toBe('connection_required');
    expect(await codeOf()).toBe('connection_required');
  });

  it.each<[string, () => void]>([
    ['its answer was lost', lostAnswer],
    ['the authorization server had ended the one before', () => scene.external.endAllGrants()],
  ])(
    'takes precedence: a user who connects again then need not repeat it, though %s',
    async (_case, fail) => {
      await nearItsEnd();
      scene.clock.advanceSeconds(50);
      fail();
      beforeReplace = async () => {
        scene.external.misbehaviour = {};
        await scene.connect(alice, 'user_alice');
      };
      expect(await codeOf()).toBe(200);
      expect((await scene.api('get', alice)).body.connected).toBe(true);
    },
  );
});

it('sends no refresh token that the hub could not claim first', async () => {
  await nearItsEnd();
  failing = { add: true };
  expect(await codeOf()).toBe('token_store_unavailable');
  expect(sent()).toHaveLength(0);
  failing = {};
  expect(await codeOf()).toBe(200);
});
