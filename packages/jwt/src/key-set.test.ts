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

/** A key set of an issuer whose answers the test decides, under a clock that the test moves. */
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

it('refuses a key that the issuer has withdrawn, once the keys were read again', async () => {
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

it('finds a key that the issuer began to use right after the last read', async () => {
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

it('allows strangers with unknown kids three fetches per cooldown, and refuses them', async () => {
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

it('keeps to other ages than its own where they are given', async () => {
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

it('reports each fetch, and its outcome', async () => {
  const { issuer, find } = scene();
  await find(kid);
  issuer.answer = down;
  issuer.now += 300;
  await find(kid);
  expect(issuer.outcomes).toEqual(['read', 'failed']);
});

it('is an outage, not a refusal, while there have never been keys', async () => {
  const { issuer, find } = scene();
  issuer.answer = down;
  await expect(find(kid)).rejects.toMatchObject({ name: 'KeysUnavailable', issuer: ISSUER });
  await expect(find(kid)).rejects.toBeInstanceOf(KeysUnavailable);
  expect(issuer.reads).toBe(1);
});

it('uses the last known keys while the issuer is down, for an hour', async () => {
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

it('rejects no unknown kid while the issuer is unavailable', async () => {
  const { issuer, find } = scene();
  await find(kid);
  issuer.answer = down;
  issuer.now += 11;
  await expect(find('unknown')).rejects.toBeInstanceOf(KeysUnavailable);
});

it('makes no caller wait for a hanging issuer once a fetch has failed', async () => {
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

it('takes a document that is no JWKS for an outage', async () => {
  const { issuer, find } = scene();
  issuer.answer = () => Promise.resolve({ keys: 'none' } as unknown as JSONWebKeySet);
  await expect(find(kid)).rejects.toBeInstanceOf(KeysUnavailable);
});
