import { expect, it } from '@jest/globals';
import { UserId } from '@legate/ids';
import { OnboardingSessionId } from '../../domain/ids.ts';
import { createCsrfTokens } from './csrf.ts';

const SESSION = OnboardingSessionId.parse('00000000-0000-4000-8000-000000000001');
const OTHER_SESSION = OnboardingSessionId.parse('00000000-0000-4000-8000-000000000002');
const USER = UserId.parse('user');
const tokens = createCsrfTokens(['a-key-of-thirty-two-characters-!']);
const token = tokens.tokenFor(SESSION, 'create_org', USER);

it('accepts the token that it returned, repeatedly', () => {
  expect(tokens.isValid(token, SESSION, 'create_org', USER)).toBe(true);
  expect(tokens.tokenFor(SESSION, 'create_org', USER)).toBe(token);
});

it.each([
  ['session', OTHER_SESSION, 'create_org', USER],
  ['step', SESSION, 'consent', USER],
  ['user', SESSION, 'create_org', UserId.parse('other')],
] as const)('refuses the token of another %s', (_what, session, step, user) => {
  expect(tokens.isValid(token, session, step, user)).toBe(false);
});

it.each([[''], ['x'], ['ü'.repeat(43)], [`${token}=`]])('refuses %j', (other) => {
  expect(tokens.isValid(other, SESSION, 'create_org', USER)).toBe(false);
});

it('accepts a token of a key that is being replaced, and signs with the new key', () => {
  const replacing = createCsrfTokens(['new-key', 'a-key-of-thirty-two-characters-!']);
  expect(replacing.isValid(token, SESSION, 'create_org', USER)).toBe(true);
  expect(replacing.tokenFor(SESSION, 'create_org', USER)).not.toBe(token);
});

it('refuses the token of another key', () => {
  expect(createCsrfTokens(['another-key']).isValid(token, SESSION, 'create_org', USER)).toBe(false);
});
