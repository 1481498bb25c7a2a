import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createSigningKeys } from '@legate/jwt';
import { createDirectory } from '../directory/directory.ts';
import { DirectoryFile, seedDirectory } from '../directory/seed.ts';
import { admin, exchangeForm, mintIdToken, postToken } from '../testing/exchange.ts';
import { createTestWorld, SCENE } from '../testing/scene.ts';
import { STORES, type TestStores } from '../testing/stores.ts';
import { createAdapterFactory } from './adapter.ts';
import type { AdapterPayload } from './oidc-provider.ts';

const clock = () => new Date();
const now = () => Math.floor(Date.now() / 1000);

describe.each(STORES)('on %s', (_name, openStores) => {
  let stores: TestStores;
  beforeEach(async () => {
    stores = await openStores();
  });
  afterEach(() => stores.close());

  describe('the state of oidc-provider', () => {
    const adapterFor = (model: string) =>
      createAdapterFactory({ backend: stores.backend, clock, findClient: async () => undefined })(model);
    const refreshToken = (changes: AdapterPayload = {}): AdapterPayload => ({
      jti: 'the-refresh-token',
      kind: 'RefreshToken',
      grantId: 'grant-1',
      exp: now() + 600,
      ...changes,
    });

    it('is given back as it was stored', async () => {
      const adapter = adapterFor('RefreshToken');
      await adapter.upsert('the-refresh-token', refreshToken(), 600);
      expect(await adapter.find('the-refresh-token')).toEqual(
        refreshToken({ exp: expect.any(Number) as never }),
      );
      await adapter.destroy('the-refresh-token');
      expect(await adapter.find('the-refresh-token')).toBeUndefined();
    });

    it('contains no usable token for a reader of the store', async () => {
      await adapterFor('RefreshToken').upsert('the-refresh-token', refreshToken(), 600);
      await adapterFor('AuthorizationCode').upsert('the-code', { jti: 'the-code', exp: now() + 60 }, 60);
      const dump = await stores.dump();
      if (dump === undefined) return expect(_name).toBe('memory');
      expect(dump).toContain('grant-1');
      expect(dump).not.toMatch(/the-refresh-token|the-code/);
    });

    it('is consumed by exactly one of many concurrent requests', async () => {
      const adapter = adapterFor('RefreshToken');
      await adapter.upsert('the-refresh-token', refreshToken(), 600);
      const attempts = await Promise.allSettled(
        Array.from({ length: 20 }, () => adapter.consume('the-refresh-token')),
      );
      expect(attempts.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(attempts.find(({ status }) => status === 'rejected')).toMatchObject({
        reason: { error: 'invalid_grant' },
      });
      expect(await adapter.find('the-refresh-token')).toMatchObject({ consumed: expect.any(Number) });
    });

    it('ends with its grant, and with no other', async () => {
      const adapter = adapterFor('RefreshToken');
      await adapter.upsert('one', refreshToken({ jti: 'one' }), 600);
      await adapter.upsert('two', refreshToken({ jti: 'two', grantId: 'grant-2' }), 600);
      await adapter.revokeByGrantId('grant-1');
      expect(await adapter.find('one')).toBeUndefined();
      expect(await adapter.find('two')).toBeDefined();
    });

    it('finds a session by its uid', async () => {
      const adapter = adapterFor('Session');
      await adapter.upsert('session-1', { jti: 'session-1', uid: 'uid-1', exp: now() + 600 }, 600);
      expect(await adapter.findByUid('uid-1')).toMatchObject({ jti: 'session-1' });
      expect(await adapter.findByUid('uid-2')).toBeUndefined();
    });
  });

  describe('the directory', () => {
    it('is seeded once for one content of the file: a restart undoes nothing', async () => {
      const file = DirectoryFile.parse(SCENE);
      const directory = createDirectory(stores.documents);
      await seedDirectory(directory, file, clock);
      const alice = await directory.findUser('alice@acme.example');
      if (!alice) throw new Error('not seeded');
      await directory.users.put(alice.id, { ...alice, disabled: true });
      await seedDirectory(directory, file, clock);
      expect(await directory.findUser('user_alice')).toMatchObject({ disabled: true });
      await seedDirectory(directory, { ...file, policies: [{ id: 'p', effect: 'deny', match: {} }] }, clock);
      expect(await directory.findUser('user_alice')).toMatchObject({ disabled: false });
      expect(await directory.policies.list()).toHaveLength(1);
    });

    it('holds passwords and secrets as digests only', async () => {
      await seedDirectory(createDirectory(stores.documents), DirectoryFile.parse(SCENE), clock);
      const dump = await stores.dump();
      if (dump === undefined) return expect(_name).toBe('memory');
      expect(dump).toContain('alice@acme.example');
      expect(dump).not.toMatch(/right-password|the-secret-of/);
    });
  });

  it('serves two replicas that share keys', async () => {
    const keys = await createSigningKeys({ alg: 'RS256', clock });
    const one = await createTestWorld({ stores, keys });
    const two = await createTestWorld({ stores, keys });
    await admin(one).post('/organizations').send({ id: 'org_new', name: 'New' }).expect(201);
    await admin(two).post('/memberships').send({ user: 'user_dave', organization: 'org_new' }).expect(201);
    const idToken = await mintIdToken(one, { user: 'user_dave' });
    expect((await postToken(two, exchangeForm(idToken))).status).toBe(200);
    await admin(one)
      .post('/policies')
      .send({ effect: 'deny', match: { users: ['user_dave'] } })
      .expect(201);
    expect((await postToken(two, exchangeForm(idToken))).body.error).toBe('access_denied');
  });
});
