import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createSigningKeys } from '@legate/jwt';
import { createDirectory } from '../directory/directory.ts';
import { DirectoryFile, seedDirectory } from '../directory/seed.ts';
import { admin, exchangeForm, mintIdToken, postToken } from '../testing/exchange.ts';
import { createTestWorld, SCENE } from '../testing/scene.ts';
import { STORES, type TestStores } from '../testing/stores.ts';

const clock = () => new Date();

describe.each(STORES)('on %s', (_name, openStores) => {
  let stores: TestStores;
  beforeEach(async () => {
    stores = await openStores();
  });
  afterEach(() => stores.close());

  describe('the directory', () => {
    it('is seeded once for each content of the file: a restart reverts no change', async () => {
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

    it('stores passwords and secrets only as digests', async () => {
      await seedDirectory(createDirectory(stores.documents), DirectoryFile.parse(SCENE), clock);
      const dump = await stores.dump();
      if (dump === undefined) return expect(_name).toBe('memory');
      expect(dump).toContain('alice@acme.example');
      expect(dump).not.toMatch(/right-password|the-secret-of/);
    });
  });

  it('lets two replicas with the same keys share state', async () => {
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
