import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { MethodSettings } from '@legate/delegation';
import { generateEncryptionKeys } from '@legate/secure-store';
import type { Express } from 'express';
import type { Connector } from '../../domain/connector.ts';
import { createConnectorRegistry } from '../../domain/registry.ts';
import { type ConnectScene, createConnectScene } from '../../testing/connect-scene.ts';
import { sendJson } from '../../testing/http-server.ts';

const KEY = 'sk-live-0123456789abcdef';
const FALLBACKS: Record<'service' | 'passthrough', MethodSettings> = {
  service: { method: 'service', key: { kind: 'api_key', header: 'authorization', value: KEY } },
  passthrough: { method: 'passthrough', acceptedAudiences: ['frontend-app'] },
};
const NOT_APPROVED = [403, 'fallback_not_approved'];
const CONNECT = [403, 'connection_required'];
const OK = [200, undefined];

let scene: ConnectScene;
let isStoreDown: boolean;
let alice: string;
let bob: string;

async function arrange(fallback: keyof typeof FALLBACKS) {
  isStoreDown = false;
  scene = await createConnectScene({
    connectorOf: (connector) => ({ ...connector, methods: [...connector.methods, FALLBACKS[fallback]] }),
    encryptionKeys: generateEncryptionKeys(),
    backend: (memory) => ({
      ...memory,
      getMany: (keys) =>
        isStoreDown && keys.some((key) => key.startsWith('oauth-pkce:'))
          ? Promise.reject(new Error('down'))
          : memory.getMany(keys),
    }),
  });
  alice = await scene.idTokenOf('user_alice');
  bob = await scene.idTokenOf('user_bob');
}
afterEach(() => scene.stop());

/** Returns a hub on the same store that has read no metadata yet. */
const freshHub = (change: Partial<Connector> = {}) =>
  scene.replica({ registry: createConnectorRegistry([{ ...scene.externalConnector, ...change }]) });
async function call(token: string, app: Express = scene.app) {
  const { status, body } = await scene.call(token, { app });
  return [status, body.code];
}
/** Authorization headers of the calls at a tool server that denies having metadata and accepts every credential */
const received: (string | undefined)[] = [];
beforeEach(() => void received.splice(0));
function turnHostile(metadata: object = { resourceMetadata: 404 }) {
  scene.external.misbehaviour = {
    ...metadata,
    mcp: (req, res, body) => {
      const { id, method } = JSON.parse(body);
      if (method === 'tools/call') received.push(req.headers.authorization);
      const result = { resultType: 'complete', content: [] };
      sendJson(res, 200, { jsonrpc: '2.0', id, result });
    },
  };
}

describe.each(['service', 'passthrough'] as const)('with %s behind oauth-pkce', (fallback) => {
  beforeEach(() => arrange(fallback));

  it('uses the fallback if users could never consent', async () => {
    turnHostile();
    expect([await call(alice), received.length]).toEqual([OK, 1]);
  });

  it.each([
    ['hides its metadata', { resourceMetadata: 404 }],
    ['no longer lists the code grant', { serverMetadata: { grant_types_supported: ['client_credentials'] } }],
    ['no longer lists PKCE', { serverMetadata: { code_challenge_methods_supported: undefined } }],
  ])(
    'refuses the fallback to a user who was asked to connect, and to others, when the tool server %s',
    async (_case, metadata) => {
      expect(await call(bob)).toEqual(CONNECT);
      turnHostile(metadata);
      expect([await call(bob, freshHub()), await call(alice, freshHub())]).toEqual([
        NOT_APPROVED,
        NOT_APPROVED,
      ]);
      expect(received).toEqual([]);
    },
  );

  it('reports to management-api that users can consent there', async () => {
    await call(bob);
    turnHostile();
    await call(bob, freshHub());
    const recorded = (await scene.audited()).map(({ details }) => [details.rule, details.used_consent]);
    expect(recorded).toEqual([
      ['connection_required', true],
      ['fallback_not_approved', undefined],
    ]);
  });

  it('refuses the fallback if a user has connected an account, even at a new hub', async () => {
    await scene.connect(alice, 'user_alice');
    turnHostile();
    expect([await call(bob, freshHub()), received]).toEqual([NOT_APPROVED, []]);
  });

  it('refuses the fallback to a user whose consent has ended', async () => {
    await scene.connect(alice, 'user_alice');
    expect(await call(alice)).toEqual(OK);
    expect((await scene.api('delete', alice)).status).toBe(204);
    turnHostile();
    expect([await call(alice, freshHub()), received]).toEqual([NOT_APPROVED, []]);
  });

  it('returns 503 if the history of the connector cannot be read', async () => {
    turnHostile();
    isStoreDown = true;
    expect([await call(alice), received]).toEqual([[503, 'token_store_unavailable'], []]);
  });

  it('needs an approval if management-api remembers the use of oauth-pkce, and the store has lost it', async () => {
    turnHostile();
    expect([await call(alice, freshHub({ usedMethods: ['oauth-pkce'] })), received]).toEqual([
      NOT_APPROVED,
      [],
    ]);
  });
});

describe('an approval of the fallback', () => {
  const approved = (fallbackApproval: string) => freshHub({ fallbackApproval });
  beforeEach(() => arrange('service'));

  it('permits its use, even while others have cached tokens, until the tool server supports consent again', async () => {
    await scene.connect(alice, 'user_alice');
    turnHostile();
    expect(await call(bob, approved('1'))).toEqual(OK);
    expect(received).toEqual([`Bearer ${KEY}`]);
    expect(await call(alice, approved('1'))).toEqual(OK);
    expect(received.at(-1)).not.toBe(`Bearer ${KEY}`);
    expect(await call(bob, approved('1'))).toEqual(OK);

    scene.external.misbehaviour = {};
    expect(await call(bob, approved('1'))).toEqual(CONNECT);
    turnHostile();
    expect(await call(bob, approved('1'))).toEqual(NOT_APPROVED);
    expect(await call(bob, approved('2'))).toEqual(OK);
  });
});
