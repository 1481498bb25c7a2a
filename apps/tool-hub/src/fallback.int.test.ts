import { afterEach, describe, expect, it } from '@jest/globals';
import type { MethodSettings } from '@legate/delegation';
import { ConnectorId } from '@legate/ids';
import { generateEncryptionKeys } from '@legate/secure-store';
import type { Express } from 'express';
import request from 'supertest';
import type { Connector } from './domain/connector.ts';
import { createConnectorRegistry } from './domain/registry.ts';
import { sendJson } from './testing/http-server.ts';
import { createScene, ID_JAG, type Scene, type SceneParts } from './testing/scene.ts';

let scene: Scene;
let isStoreDown = false;
afterEach(() => scene.stop());

const KEY = 'sk-live-0123456789abcdef';
const FALLBACKS: Record<'service' | 'passthrough', MethodSettings> = {
  service: { method: 'service', key: { kind: 'api_key', header: 'authorization', value: KEY } },
  passthrough: { method: 'passthrough', acceptedAudiences: ['frontend-app'] },
};
const BOTH = ['service', 'passthrough'] as const;

async function arrange(fallback: keyof typeof FALLBACKS) {
  isStoreDown = false;
  const orDown = <T>(run: () => Promise<T>) => (isStoreDown ? Promise.reject(new Error('down')) : run());
  scene = await createScene({
    connector: { methods: [ID_JAG, FALLBACKS[fallback]] },
    encryptionKeys: generateEncryptionKeys(),
    backend: (memory) => ({
      ...memory,
      get: (key) => orDown(() => memory.get(key)),
      getMany: (keys) => orDown(() => memory.getMany(keys)),
      set: (...entry) => orDown(() => memory.set(...entry)),
      add: (...entry) => orDown(() => memory.add(...entry)),
    }),
  });
}

/** Creates a hub that has not read any metadata, with the same store. */
const freshHub = (change: Partial<Connector> = {}, app: Partial<SceneParts> = {}) =>
  scene.replica({ registry: createConnectorRegistry([{ ...scene.connector, ...change }]), ...app });

async function call(app: Express = scene.app, user = 'user_alice') {
  const res = await request(app)
    .post('/api/v1/connectors/con_tools/tools/whoami/call')
    .set('Authorization', `Bearer ${await scene.idTokenOf(user)}`)
    .send({});
  return [res.status, res.body.code];
}
/** Returns the credential of each request to the tool server's MCP endpoint: a key, a user's own token, or nothing. */
const sent = () => scene.toolServer.calls.map(({ headers }) => headers.authorization);
const hideMetadata = (status = 404) => {
  scene.toolServer.misbehaviour = { resourceMetadata: status };
};
const refuse = (error: string) => {
  scene.idp.misbehaviour = { token: (_req, res) => sendJson(res, 400, { error }) };
};
/** Makes the identity provider exchange tokens without supporting ID-JAGs. */
const withoutIdJags = (nextError = () => 'invalid_request') => {
  scene.idp.misbehaviour = {
    metadata: { identity_chaining_requested_token_types_supported: undefined },
    token: (_req, res) => sendJson(res, 400, { error: nextError() }),
  };
};
/** Makes a call as Alice with an ID-JAG, and then deletes Alice's tokens. */
async function useIdJag(app: Express = scene.app) {
  expect(await call(app)).toEqual([200, undefined]);
  scene.toolServer.calls.length = 0;
  await scene.backend.delete('token:org_acme:con_tools:user_alice');
}

describe.each(BOTH)('with %s as the fallback', (fallback) => {
  it.each([400, 401, 402, 403, 408, 425, 429, 451, 204, 206, 304, 500, 503])(
    'treats a metadata response of %i as an outage',
    async (status) => {
      await arrange(fallback);
      hideMetadata(status);
      expect(await call()).toEqual([503, 'tool_server_unavailable']);
      expect(sent()).toEqual([]);
    },
  );

  it.each([404, 410])(
    'uses the fallback if the metadata response is %i and ID-JAGs have never worked',
    async (status) => {
      await arrange(fallback);
      hideMetadata(status);
      await call();
      expect(sent()).toHaveLength(1);
    },
  );

  it('does not use the fallback if ID-JAGs have worked, even at a new hub', async () => {
    await arrange(fallback);
    await useIdJag();
    hideMetadata();
    expect(await call(freshHub())).toEqual([403, 'fallback_not_approved']);
    expect(sent()).toEqual([]);
  });

  it('does not use the fallback if a user was denied before', async () => {
    await arrange(fallback);
    refuse('access_denied');
    expect(await call()).toEqual([403, 'delegation_denied']);
    scene.idp.misbehaviour = {};
    hideMetadata();
    expect(await call(freshHub(), 'user_bob')).toEqual([403, 'fallback_not_approved']);
    expect(sent()).toEqual([]);
  });

  it.each([404, 403, 503])(
    'denies a denied user at a new hub, with the metadata response %i',
    async (status) => {
      await arrange(fallback);
      hideMetadata(status);
      refuse('access_denied');
      expect(await call()).toEqual([403, 'delegation_denied']);
      expect(sent()).toEqual([]);
    },
  );

  it.each(['insufficient_user_authentication', 'invalid_grant'])(
    'asks a user to sign in if the identity provider returns %s',
    async (error) => {
      await arrange(fallback);
      hideMetadata();
      refuse(error);
      expect(await call()).toEqual([401, 'sign_in_required']);
      expect(sent()).toEqual([]);
    },
  );

  it('reports an outage if it is unknown whether the user is denied', async () => {
    await arrange(fallback);
    hideMetadata();
    scene.idp.misbehaviour = { token: (_req, res) => sendJson(res, 503, {}) };
    expect(await call()).toEqual([503, 'idp_unavailable']);
    expect(sent()).toEqual([]);
  });

  it.each(['invalid_target', 'invalid_request', 'unsupported_grant_type', 'unauthorized_client'])(
    'uses the fallback if the identity provider returns %s, because it has no ID-JAGs for the tool server',
    async (error) => {
      await arrange(fallback);
      hideMetadata();
      refuse(error);
      await call();
      expect(sent()).toHaveLength(1);
    },
  );

  it('uses the fallback if the provider rejects the exchange as invalid, and its metadata does not list ID-JAGs', async () => {
    await arrange(fallback);
    withoutIdJags();
    await call();
    expect(sent()).toHaveLength(1);
  });

  it('asks a user to sign in if a provider that lists ID-JAGs rejects the exchange as invalid', async () => {
    await arrange(fallback);
    refuse('invalid_request');
    expect(await call()).toEqual([401, 'sign_in_required']);
    expect(sent()).toEqual([]);
  });

  it('denies a denied user if the tool server chose an audience that the provider does not accept', async () => {
    await arrange(fallback);
    // The first error is for the audience of the metadata, the second for the resource, which an administrator chose.
    const errors = ['invalid_request', 'access_denied'];
    withoutIdJags(() => errors.shift() ?? 'server_error');
    expect(await call()).toEqual([403, 'delegation_denied']);
    expect(sent()).toEqual([]);
  });

  it('reports an outage if the history of the connector cannot be read', async () => {
    await arrange(fallback);
    hideMetadata();
    isStoreDown = true;
    expect(await call()).toEqual([503, 'token_store_unavailable']);
    expect(sent()).toEqual([]);
  });
});

describe('an approval', () => {
  const approved = (fallbackApproval: string) => freshHub({ fallbackApproval });

  it('allows the fallback until ID-JAGs work again', async () => {
    await arrange('service');
    await useIdJag();
    hideMetadata();
    await call(approved('1'));
    expect(sent()).toEqual([`Bearer ${KEY}`]);

    scene.toolServer.misbehaviour = {};
    await useIdJag(approved('1'));
    hideMetadata();
    expect(await call(approved('1'))).toEqual([403, 'fallback_not_approved']);
    await call(approved('2'));
    expect(sent()).toEqual([`Bearer ${KEY}`]);
  });

  it('is required if management-api has recorded that ID-JAGs worked, although the store has lost this', async () => {
    await arrange('service');
    hideMetadata();
    expect(await call(freshHub({ usedMethods: ['id-jag'] }))).toEqual([403, 'fallback_not_approved']);
    expect(sent()).toEqual([]);
  });

  it('does not admit a denied user', async () => {
    await arrange('service');
    hideMetadata();
    refuse('access_denied');
    expect(await call(approved('1'))).toEqual([403, 'delegation_denied']);
    expect(sent()).toEqual([]);
  });

  it('is required for a connector that was registered again for the same tool server', async () => {
    await arrange('service');
    await useIdJag();
    hideMetadata();
    const again = freshHub({ id: ConnectorId.parse('con_again') });
    const res = await request(again)
      .post('/api/v1/connectors/con_again/tools/whoami/call')
      .set('Authorization', `Bearer ${await scene.idTokenOf('user_alice')}`)
      .send({});
    expect([res.status, res.body.code, sent()]).toEqual([403, 'fallback_not_approved', []]);
  });
});

it('asks the identity provider about a user once a minute, not for each call', async () => {
  await arrange('service');
  hideMetadata();
  for (let calls = 0; calls < 3; calls += 1) await call();
  expect([sent().length, scene.idp.exchanges.length]).toEqual([3, 1]);
});
