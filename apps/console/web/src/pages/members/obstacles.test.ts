import { expect, it } from '@jest/globals';
import { t } from '../../text/en.ts';
import { obstaclesOf, rolesToGive } from './obstacles.ts';

const BOB = { user_id: 'user_bob', role: 'developer', status: 'active' } as const;
const ALICE = { user_id: 'user_alice', role: 'owner', status: 'active' } as const;
const owner = { reader: { id: 'user_alice', role: 'owner' }, forbidden: undefined, owners: 2 } as const;
const admin = { ...owner, reader: { id: 'user_carol', role: 'admin' } } as const;
const NONE = { role: undefined, end: undefined, other: undefined };

it('finds no obstacle for an administrator acting on a developer', () => {
  expect(obstaclesOf(BOB, admin)).toEqual(NONE);
});

it('prevents administrators from changing owners', () => {
  const reason = t.members.ownersOnly;
  expect(obstaclesOf(ALICE, admin)).toEqual({ role: reason, end: reason, other: reason });
});

it('keeps the only active owner, but allows ending their access', () => {
  const reason = t.members.lastOwner;
  expect(obstaclesOf(ALICE, { ...owner, owners: 1 })).toEqual({
    role: reason,
    end: reason,
    other: undefined,
  });
});

it('allows reinstating an owner who was removed if there is another owner', () => {
  expect(obstaclesOf({ ...ALICE, user_id: 'user_eve', status: 'removed' }, { ...owner, owners: 1 })).toEqual(
    NONE,
  );
});

it('prevents people from ending their own membership, but not from changing their role', () => {
  expect(obstaclesOf(ALICE, owner)).toEqual({ ...NONE, end: t.members.ownMembership });
});

it('reports a missing right before all other obstacles', () => {
  const forbidden = 'It takes members:write';
  expect(obstaclesOf(ALICE, { ...owner, forbidden })).toEqual({
    role: forbidden,
    end: forbidden,
    other: forbidden,
  });
});

it('allows only owners to appoint owners', () => {
  expect(rolesToGive('admin')).toEqual(['admin', 'developer', 'viewer']);
  expect(rolesToGive('owner')[0]).toBe('owner');
});
