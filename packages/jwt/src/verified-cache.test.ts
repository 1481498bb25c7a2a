import { beforeEach, expect, it } from '@jest/globals';
import { cacheVerified, TokenRefused, type VerifyToken } from './index.ts';

const NOW = 1_790_000_000;
let now: number;
let verifications: number;

beforeEach(() => {
  now = NOW;
  verifications = 0;
});

const clock = () => new Date(now * 1000);
const verifyFor =
  (seconds: number): VerifyToken<{ sub: string }> =>
  async (token) => {
    verifications += 1;
    if (token === 'bad') throw new TokenRefused('signature');
    return { claims: { sub: token }, acceptedUntil: NOW + seconds };
  };

it('recognises a verified token until it expires', async () => {
  const verify = cacheVerified(verifyFor(3600), { clock });
  expect(verify.isKnown('alice')).toBe(false);
  await verify('alice');
  await expect(verify('bad')).rejects.toThrow();
  now += 3599;
  expect([verify.isKnown('alice'), verify.isKnown('bad')]).toEqual([true, false]);
  now += 1;
  expect(verify.isKnown('alice')).toBe(false);
  expect(verifications).toBe(2);
});

it('verifies a token once a minute', async () => {
  const verify = cacheVerified(verifyFor(3600), { clock });
  expect(await verify('alice')).toEqual({ claims: { sub: 'alice' }, acceptedUntil: NOW + 3600 });
  now += 59;
  expect((await verify('alice')).claims.sub).toBe('alice');
  expect(verifications).toBe(1);
  now += 1;
  await verify('alice');
  expect(verifications).toBe(2);
});

it("never returns one token's claims for another", async () => {
  const verify = cacheVerified(verifyFor(3600), { clock });
  expect((await verify('alice')).claims.sub).toBe('alice');
  expect((await verify('bob')).claims.sub).toBe('bob');
  expect((await verify('alice')).claims.sub).toBe('alice');
  expect(verifications).toBe(2);
});

it('verifies again once the token has expired, even within the minute', async () => {
  const verify = cacheVerified(verifyFor(30), { clock });
  await verify('alice');
  now += 30;
  await verify('alice');
  expect(verifications).toBe(2);
});

it('does not cache refusals', async () => {
  const verify = cacheVerified(verifyFor(3600), { clock });
  await expect(verify('bad')).rejects.toBeInstanceOf(TokenRefused);
  await expect(verify('bad')).rejects.toBeInstanceOf(TokenRefused);
  expect(verifications).toBe(2);
});

it('does not hold more tokens than its maximum', async () => {
  const verify = cacheVerified(verifyFor(3600), { clock, maxEntries: 2 });
  for (const token of ['a', 'b', 'c', 'a']) await verify(token);
  expect(verifications).toBe(4);
});
