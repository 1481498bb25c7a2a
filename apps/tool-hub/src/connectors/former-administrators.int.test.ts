import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '@legate/service';
import request from 'supertest';
import {
  connectorRecord,
  type FakeManagementApi,
  fetchOrganizationFrom,
  organizationDocument,
  startFakeManagementApi,
} from '../testing/fake-management-api.ts';
import { createScene, type Scene } from '../testing/scene.ts';
import { createManagementApiRegistry } from './management-api-registry.ts';

/**
 * Tests with members whose role at management-api differs from the role in ID tokens that their identity provider still
 * issues.
 */

let api: FakeManagementApi;
let scene: Scene;
let app: ReturnType<Scene['replica']>;
let close: () => Promise<unknown>;

beforeEach(async () => {
  api = await startFakeManagementApi();
  scene = await createScene();
  const source = fetchOrganizationFrom(api);
  close = source.close;
  const registry = createManagementApiRegistry({
    fetchOrganization: source.fetchOrganization,
    clock: scene.clock,
    log: createLogger({ service: 'test', level: 'silent' }),
    onEvent: () => {},
  });
  app = scene.replica({ registry });
});
afterEach(async () => {
  await close();
  await scene.stop();
  await api.stop();
});

function publish(
  roles: Record<string, string> | undefined,
  { role_source = 'local', removed_users = [] as string[] } = {},
) {
  const { organization, ...rest } = organizationDocument([
    connectorRecord('con_tools', scene.toolServer.resource),
  ]);
  api.documents.set('org_acme', {
    ...{ ...rest, organization: { ...organization, role_source } },
    ...(roles && { roles }),
    removed_users,
  });
}

/** Returns whether the caller is allowed each operation that only administrators may use at the hub */
async function allowedTo(roles: readonly string[]) {
  const token = await scene.idTokenOf('user_alice', { roles });
  const as = { Authorization: `Bearer ${token}` };
  const examined = await request(app)
    .post('/api/v1/doctor')
    .set(as)
    .send({ resource_url: scene.toolServer.resource });
  const legs = await request(app).post('/api/v1/connectors/con_tools/doctor').set(as).send({ legs: true });
  const bob = await scene.idTokenOf('user_bob');
  const call = request(app).post('/api/v1/connectors/con_tools/tools/whoami/call').send({});
  const callId = (await call.set('Authorization', `Bearer ${bob}`)).get('Legate-Call-Id');
  await scene.audited();
  const explained = await request(app).get(`/api/v1/calls/${callId}/explanation`).set(as);
  return [examined.status === 200, legs.status === 200, explained.status === 200];
}
const ALL = [true, true, true];
const NOTHING = [false, false, false];

describe('at the hub, the role of a member', () => {
  it('is that of management-api for a former administrator, whatever their ID token contains', async () => {
    publish({ user_alice: 'admin' });
    expect(await allowedTo(['owner'])).toEqual(ALL);
    publish({ user_alice: 'viewer' });
    scene.clock.advanceSeconds(31);
    expect(await allowedTo(['owner'])).toEqual(NOTHING);
  });

  it('is that of management-api for somebody who has become an administrator there', async () => {
    publish({ user_alice: 'owner' });
    expect(await allowedTo(['viewer'])).toEqual(ALL);
  });

  it('is that of their ID token until they are a member at management-api, or if roles are unknown', async () => {
    expect(await allowedTo(['owner'])).toEqual([true, false, true]); // nothing is published: there is no connector
    publish(undefined);
    scene.clock.advanceSeconds(31);
    expect(await allowedTo(['owner'])).toEqual(ALL);
    expect(await allowedTo(['viewer'])).toEqual(NOTHING);
  });

  it('is none for a removed member, whatever their ID token contains', async () => {
    publish({}, { removed_users: ['user_alice'] });
    expect(await allowedTo(['owner'])).toEqual(NOTHING);
  });

  it('is the weaker one if the identity provider has just withdrawn a role', async () => {
    publish({ user_alice: 'admin' }, { role_source: 'identity_provider' });
    expect(await allowedTo(['viewer'])).toEqual(NOTHING);
    expect(await allowedTo(['admin'])).toEqual(ALL);
  });
});
