import { beforeAll, expect, it } from '@jest/globals';
import { errors, type JSONWebKeySet } from 'jose';
import { createKeySet, createSigningKeys, KeysUnavailable, type SigningKeys } from './index.ts';
import type { KeySetOptions } from './key-set.ts';

const NOW = 1_790_000_000;
const ISSUER = 'https://idp.example';
let signing: SigningKeys;
let kid: string;

beforeAll(async () => {
  signing = await createSigningKeys({ alg: 'ES256', clock: () => new Date(NOW * 1000) });
  kid = signing.publicJwks().keys[0]?.kid ?? '';
});

/** A key set whose issuer and clock the test controls. */
function scene(ages: Partial<KeySetOptions> = {}) {
  const issuer = {
    now: NOW,
    reads: 0,
    outcomes: [] as string[],
    answer: (): Promise<JSONWebKeySet> => Promise.resolve(signing.publicJwks()),
  };
  const keys = createKeySet({
    issuer: ISSUER,
    clock: () => new Date(issuer.now * 1000),
    load: () => {
      issuer.reads += 1;
      return issuer.answer();
    },
    onRead: (outcome) => issuer.outcomes.push(outcome),
    ...ages,
  });
  const find = (wanted: string) => Promise.resolve(keys({ alg: 'ES256', kid: wanted }));
  return { issuer, find };
}

const down = () => Promise.reject(new Error('connect ECONNREFUSED'));

it('fetches the keys once for any number of concurrent callers, and not again while they are fresh', async () => {
  const { issuer, find } = scene();
  await Promise.all(Array.from({ length: 50 }, () => find(kid)));
  issuer.now += 299;
  await find(kid);
  expect(issuer.reads).toBe(1);
});

it('reads the keys again after their maximum age', async () => {
  const { issuer, find } = scene();
  await find(kid);
  issuer.now += 300;
  await find(kid);
  expect(issuer.reads).toBe(2);
});

it('refuses a withdrawn key after the keys are read again', async () => {
  const { issuer, find } = scene();
  await find(kid);
  const rotated = await createSigningKeys({ alg: 'ES256', clock: () => new Date(NOW * 1000) });
  issuer.answer = () => Promise.resolve(rotated.publicJwks());
  issuer.now += 300;
  await expect(find(kid)).rejects.toBeInstanceOf(errors.JWKSNoMatchingKey);
});

it('does not remember a key that was withdrawn while it was being imported', async () => {
  const { issuer, find } = scene();
  const rotated = await createSigningKeys({ alg: 'ES256', clock: () => new Date(NOW * 1000) });
  await expect(find('unknown')).rejects.toBeInstanceOf(errors.JWKSNoMatchingKey);
  const importing = find(kid);
  issuer.answer = () => Promise.resolve(rotated.publicJwks());
  issuer.now += 300;
  await Promise.all([importing, find(rotated.publicJwks().keys[0]?.kid ?? '')]);
  await expect(find(kid)).rejects.toBeInstanceOf(errors.JWKSNoMatchingKey);
});

it('finds a new key that the issuer published right after the last fetch', async () => {
  const { issuer, find } = scene();
  const first = signing.publicJwks();
  const rotated = await createSigningKeys({ alg: 'ES256', clock: () => new Date(NOW * 1000) });
  const newKid = rotated.publicJwks().keys[0]?.kid ?? '';
  issuer.answer = () => Promise.resolve(first);
  await find(kid);
  issuer.answer = () => Promise.resolve(rotated.publicJwks());
  expect(await find(newKid)).toMatchObject({ type: 'public' });
  expect(issuer.reads).toBe(2);
});

it('refuses unknown kids, and fetches the keys for them at most three times per cooldown', async () => {
  const { issuer, find } = scene();
  await find(kid);
  const askForUnknownKeys = async () => {
    for (let i = 0; i < 20; i += 1) {
      await expect(find(`unknown-${i}`)).rejects.toBeInstanceOf(errors.JWKSNoMatchingKey);
    }
  };
  await askForUnknownKeys();
  expect(issuer.reads).toBe(3);
  issuer.now += 10;
  await askForUnknownKeys();
  expect(issuer.reads).toBe(6);
});

it('uses the configured ages instead of the defaults', async () => {
  const { issuer, find } = scene({ maxAgeSeconds: 30, cooldownSeconds: 3, staleIfErrorSeconds: 60 });
  await find(kid);
  issuer.answer = down;
  issuer.now += 30;
  await find(kid);
  issuer.now += 2;
  await find(kid);
  expect(issuer.reads).toBe(2);
  issuer.now += 1;
  await find(kid);
  expect(issuer.reads).toBe(3);
  issuer.now += 57;
  await expect(find(kid)).rejects.toBeInstanceOf(KeysUnavailable);
});

it('reports each fetch and its outcome', async () => {
  const { issuer, find } = scene();
  await find(kid);
  issuer.answer = down;
  issuer.now += 300;
  await find(kid);
  expect(issuer.outcomes).toEqual(['read', 'failed']);
});

it('throws KeysUnavailable if no keys were ever fetched', async () => {
  const { issuer, find } = scene();
  issuer.answer = down;
  await expect(find(kid)).rejects.toMatchObject({ name: 'KeysUnavailable', issuer: ISSUER });
  await expect(find(kid)).rejects.toBeInstanceOf(KeysUnavailable);
  expect(issuer.reads).toBe(1);
});

it('uses the last known keys for an hour while the issuer is down', async () => {
  const { issuer, find } = scene();
  await find(kid);
  issuer.answer = down;
  issuer.now += 300;
  expect(await find(kid)).toMatchObject({ type: 'public' });
  issuer.now += 3599;
  expect(await find(kid)).toMatchObject({ type: 'public' });
  issuer.now += 1;
  await expect(find(kid)).rejects.toBeInstanceOf(KeysUnavailable);
});

it('reports an outage for an unknown kid while the issuer is unavailable', async () => {
  const { issuer, find } = scene();
  await find(kid);
  issuer.answer = down;
  issuer.now += 11;
  await expect(find('unknown')).rejects.toBeInstanceOf(KeysUnavailable);
});

it('does not make callers wait for an issuer that hangs after a fetch has failed', async () => {
  const { issuer, find } = scene();
  await find(kid);
  issuer.answer = down;
  issuer.now += 300;
  await find(kid);
  issuer.answer = () => new Promise(() => {});
  issuer.now += 11;
  const waited = new Promise((resolve) => setImmediate(() => resolve('waited')));
  expect(await Promise.race([find(kid), waited])).toMatchObject({ type: 'public' });
  expect(issuer.reads).toBe(3);
});

it('reports an outage for a document that is not a JWKS', async () => {
  const { issuer, find } = scene();
  issuer.answer = () => Promise.resolve({ keys: 'none' } as unknown as JSONWebKeySet);
  await expect(find(kid)).rejects.toBeInstanceOf(KeysUnavailable);
});
