import { expect, it } from '@jest/globals';
import { AUTH_METHODS, type AuthMethod, actsAs, isRenewable, isWeaker, methodFacts } from './facts.ts';

it('finds the facts of each method by its name', () => {
  for (const facts of AUTH_METHODS) expect(methodFacts(facts.name)).toBe(facts);
});

it('throws for a name that no method has', () => {
  expect(() => methodFacts('token-broker')).toThrow('there is no authentication method token-broker');
});

it.each([
  ['id-jag', true],
  ['token-exchange', true],
  ['oauth-pkce', true],
  ['passthrough', false],
  ['service', false],
  ['token-broker', false],
])('for %s, reports whether another token can be requested', (method, expected) => {
  expect(isRenewable(method)).toBe(expected);
});

it('shows only results of the method service as results of a service', () => {
  expect(AUTH_METHODS.filter(({ name }) => actsAs({ method: name }) === 'service')).toEqual([
    methodFacts('service'),
  ]);
});

it.each<[AuthMethod, AuthMethod, boolean]>([
  ['token-exchange', 'id-jag', true],
  ['oauth-pkce', 'token-exchange', true],
  ['service', 'token-exchange', true],
  ['passthrough', 'oauth-pkce', true],
  ['id-jag', 'oauth-pkce', false],
  ['token-exchange', 'oauth-pkce', false],
  ['id-jag', 'token-exchange', false],
])('compares %s with %s', (method, than, expected) => {
  expect(isWeaker(method, than)).toBe(expected);
});
