import { expect, it } from '@jest/globals';
import { OrganizationId, UserId } from '@legate/ids';
import { createRedemption } from './redemption.ts';
import type { Transaction } from './verify-transaction.ts';

const NOW = 1_790_000_000;
const TRANSACTION: Transaction = {
  issuer: 'https://tokens.example',
  txn: 'a-transaction',
  jti: 'a-token',
  scope: 'sites:list',
  workload: 'tools',
  subject: UserId.parse('alice'),
  organizationId: OrganizationId.parse('acme'),
  roles: undefined,
  actor: undefined,
  parameters: { limit: '20' },
  acceptedUntil: NOW + 90,
};
const REQUEST = { operation: 'sites:list', parameters: { limit: '20' } };

/** A redemption that stores used tokens in `remembered`: their names and lifetimes in seconds. */
function createScene() {
  const remembered = new Map<string, number>();
  const redeem = createRedemption({
    async useOnce(parts, ttlSeconds) {
      const name = JSON.stringify(parts);
      if (remembered.has(name)) return false;
      remembered.set(name, ttlSeconds);
      return true;
    },
    clock: () => new Date(NOW * 1000),
  });
  return { redeem, remembered };
}

it('remembers a used token until the token is refused as expired', async () => {
  const { redeem, remembered } = createScene();
  expect([await redeem(TRANSACTION, REQUEST), await redeem(TRANSACTION, REQUEST)]).toEqual([
    'redeemed',
    'used',
  ]);
  expect([...remembered.values()]).toEqual([90]);
});

it.each([
  ['another issuer', { issuer: 'https://other.example' }],
  ['another transaction', { txn: 'another-transaction' }],
  ['another token of the transaction', { jti: 'another-token' }],
])('does not confuse a used token with %s', async (_case, change) => {
  const { redeem } = createScene();
  await redeem(TRANSACTION, REQUEST);
  expect(await redeem({ ...TRANSACTION, ...change }, REQUEST)).toBe('redeemed');
});

it.each([
  ['another operation', { operation: 'sites:delete' }, 'other_operation'],
  ['an operation that transactions may not ask for', { operation: undefined }, 'other_operation'],
  ['another value', { parameters: { limit: '21' } }, 'other_parameters'],
  ['a repeated parameter', { parameters: { limit: ['20', '20'] } }, 'other_parameters'],
  ['another parameter, without a value', { parameters: { offset: undefined } }, 'other_parameters'],
  ['one parameter more', { parameters: { limit: '20', offset: '0' } }, 'other_parameters'],
  ['one parameter less', { parameters: {} }, 'other_parameters'],
])('refuses a request with %s, and does not use the token up', async (_case, change, redemption) => {
  const { redeem, remembered } = createScene();
  expect(await redeem(TRANSACTION, { ...REQUEST, ...change })).toBe(redemption);
  expect(remembered.size).toBe(0);
});

it('redeems nothing while used tokens cannot be stored', async () => {
  const redeem = createRedemption({
    useOnce: () => Promise.reject(new Error('closed')),
    clock: () => new Date(),
  });
  await expect(redeem(TRANSACTION, REQUEST)).rejects.toThrow('closed');
});
