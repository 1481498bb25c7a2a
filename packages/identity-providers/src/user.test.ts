import { expect, it } from '@jest/globals';
import { TokenRefused } from '@legate/jwt';
import { userIdOf } from './index.ts';

it('is the claim of the kind, and no other', () => {
  expect(userIdOf({ sub: 'pairwise', oid: '7d31-1' }, 'oid')).toBe('7d31-1');
  expect(userIdOf({ sub: 'user_alice', oid: '7d31-1' }, 'sub')).toBe('user_alice');
});

it.each([undefined, null, '', 7, ['7d31-1'], 'a\nb', 'a'.repeat(256)])('is refused if it is %j', (oid) => {
  expect(() => userIdOf({ sub: 'user_alice', oid }, 'oid')).toThrow(
    new TokenRefused('claims', { detail: 'oid' }),
  );
});
