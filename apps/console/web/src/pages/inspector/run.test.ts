import { describe, expect, it } from '@jest/globals';
import type { Check, ExaminedToken } from '../../api/types.ts';
import { claimRowsOf, instantOf, runStepsOf } from './run.ts';

const token = (leg: ExaminedToken['leg'], claims: Record<string, unknown> | null = {}): ExaminedToken => ({
  ...{ leg, claims, header: claims && { typ: leg }, endpoint: null, scopes: null, expires_at: null },
});
const checks = (statuses: Partial<Record<Check['check'], Check['status']>>): Check[] =>
  Object.entries(statuses).map(([check, status]) => ({ check: check as Check['check'], status }));
const LEGS = [token('id_token'), token('id_jag'), token('access_token')];
const statesOf = (...args: Parameters<typeof runStepsOf>) => runStepsOf(...args).map(({ state }) => state);

describe('the steps of a run', () => {
  it('have passed if the hub has checked each token', () => {
    const all = checks({ token_exchange: 'ok', id_jag: 'ok', redemption: 'ok', tools_list: 'ok' });
    const steps = runStepsOf({ checks: all, legs: LEGS }, true);
    expect(steps.map(({ state, token }) => [state, token?.leg])).toEqual([
      ['passed', 'id_token'],
      ['passed', 'id_jag'],
      ['passed', 'access_token'],
      ['passed', undefined],
    ]);
  });

  it('end where a check failed, even if a token was issued', () => {
    const some = checks({
      token_exchange: 'ok',
      id_jag: 'fail',
      redemption: 'skipped',
      tools_list: 'skipped',
    });
    const steps = runStepsOf({ checks: some, legs: LEGS.slice(0, 2) }, true);
    expect(steps.map(({ state }) => state)).toEqual(['passed', 'failed', 'not_reached', 'not_reached']);
    expect(steps[1]?.fault?.check).toBe('id_jag');
  });

  it('are not reached if an earlier check finds a fault of the tool server', () => {
    const none = checks({
      ...{ reachable: 'fail', token_exchange: 'skipped', id_jag: 'skipped' },
      ...{ redemption: 'skipped', tools_list: 'skipped' },
    });
    expect(statesOf({ checks: none, legs: LEGS.slice(0, 1) }, true)).toEqual([
      ...['passed', 'not_reached', 'not_reached', 'not_reached'],
    ]);
  });

  it.each([
    ['ok', 'passed'],
    ['fail', 'failed'],
    ['skipped', 'not_reached'],
  ] as const)('are not used by a connector without ID-JAGs, whose list of tools is %s', (status, last) => {
    const other = checks({
      token_exchange: 'skipped',
      id_jag: 'skipped',
      redemption: 'skipped',
      tools_list: status,
    });
    expect(statesOf({ checks: other, legs: LEGS.slice(0, 1) }, false)).toEqual([
      ...['passed', 'not_used', 'not_used', last],
    ]);
  });

  it('have not passed if the report lacks a check', () => {
    expect(statesOf({ checks: [], legs: LEGS }, true)).toEqual([
      'passed',
      'not_reached',
      'not_reached',
      'not_reached',
    ]);
  });
});

describe('the claims of a run', () => {
  it('are compared with the previous token, the important ones first', () => {
    const rows = claimRowsOf([
      token('id_token', { zebra: 1, aud: 'console', sub: 'user_alice' }),
      token('id_jag', { sub: 'user_alice', aud: ['server'] }),
      token('access_token', { sub: 'user_alice', aud: ['server'] }),
    ]);
    expect(rows.map(({ name }) => name)).toEqual(['typ', 'sub', 'aud', 'zebra']);
    const since = (name: string) => rows.find((row) => row.name === name)?.cells.map((cell) => cell.since);
    expect(since('sub')).toEqual([undefined, 'same', 'same']);
    expect(since('aud')).toEqual([undefined, 'changed', 'same']);
    expect(since('zebra')).toEqual([undefined]);
  });

  it('are empty for a token that nobody can read', () => {
    expect(claimRowsOf([token('access_token', null)])).toEqual([]);
  });
});

it.each([
  ['exp', 1_800_000_000, '2027-01-15T08:00:00.000Z'],
  ['exp', 'soon', undefined],
  ['exp', 1e300, undefined],
  ['sub', 1_800_000_000, undefined],
])('reads %s of %j as the instant %j', (name, value, instant) => {
  expect(instantOf(name, value)).toBe(instant);
});
