import { describe, expect, it } from '@jest/globals';
import { stepsOf } from './why-steps.ts';

const states = (...args: Parameters<typeof stepsOf>) =>
  Object.fromEntries(stepsOf(...args).map(({ leg, state }) => [leg, state]));

describe('the steps of a call', () => {
  it('that an agent’s binding refused have passed before the binding, and are not reached after it', () => {
    expect(states({ leg: 'binding', rule: 'tool_not_bound' }, 'denied', true)).toEqual({
      caller: 'passed',
      registry: 'passed',
      binding: 'decided',
      idp: 'not_reached',
      authorization_server: 'not_reached',
      tool_server: 'not_reached',
    });
  });

  it('that was allowed have all passed, with a new token', () => {
    const details = { leg: 'authorization_server', rule: 'token_issued', cache: 'miss' };
    expect(new Set(Object.values(states(details, 'granted', true)))).toEqual(new Set(['passed']));
  });

  it('include no delegation if the token was cached', () => {
    expect(states({ leg: 'cache', rule: 'token_cached', cache: 'hit' }, 'granted', true)).toMatchObject({
      idp: 'not_needed',
      authorization_server: 'not_needed',
      tool_server: 'passed',
    });
  });

  it('are decided at the tool server if it refused a cached token', () => {
    expect(states({ leg: 'tool_server', rule: 'forbidden', cache: 'hit' }, 'denied', false)).toMatchObject({
      binding: 'not_needed',
      idp: 'not_needed',
      tool_server: 'decided',
    });
  });

  it('that failed in the hub itself have passed if they have a time', () => {
    const steps = states({ leg: 'hub', rule: 'internal_error', registry_ms: 1.4 }, 'unavailable', false);
    expect(steps).toMatchObject({ registry: 'passed', idp: 'not_reached', hub: 'decided' });
  });

  it('have the times of the audit trail, rounded', () => {
    const found = stepsOf(
      { leg: 'idp', rule: 'policy_denied', registry_ms: 0.2, idp_ms: 12.7 },
      'denied',
      false,
    );
    expect(found.map(({ ms }) => ms)).toEqual([undefined, 0, undefined, 13, undefined, undefined]);
  });

  it.each([[null], [{}], [{ address: 'https://a.example' }]])('are empty for details %j', (details) => {
    expect(stepsOf(details, undefined, false)).toEqual([]);
  });
});
