import { expect, it } from '@jest/globals';
import { UnsecuredJWT } from 'jose';
import { describeClaims } from './claims.ts';

it('shows every claim of a token, explained claims in a fixed order, and times as times of day', () => {
  const token = new UnsecuredJWT({ exp: 1_790_000_300, sub: 'user_alice', jti: 'j1', unknown: 1 }).encode();
  const { claims } = describeClaims(token, 'idJag');
  expect(claims.map(({ name, value }) => [name, value])).toEqual([
    ['sub', 'user_alice'],
    ['jti', 'j1'],
    ['exp', '1790000300 (14:18:20 UTC)'],
    ['unknown', '1'],
  ]);
  expect(claims.every(({ proves }) => proves.length > 0)).toBe(true);
});
