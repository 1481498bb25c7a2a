import { expect, it } from '@jest/globals';
import { createCsrfTokens } from './csrf.ts';

const tokens = createCsrfTokens('a-key-of-thirty-two-characters-!');
const token = tokens.tokenFor('session', 'create_org', 'user');

it('takes the token that it gave, every time', () => {
  expect(tokens.isValid(token, 'session', 'create_org', 'user')).toBe(true);
  expect(tokens.tokenFor('session', 'create_org', 'user')).toBe(token);
});

it.each([
  ['session', 'other', 'create_org', 'user'],
  ['step', 'session', 'consent', 'user'],
  ['user', 'session', 'create_org', 'other'],
] as const)('refuses the token of another %s', (_what, session, step, user) => {
  expect(tokens.isValid(token, session, step, user)).toBe(false);
});

it.each([[''], ['x'], ['ü'.repeat(43)], [`${token}=`]])('refuses %j', (other) => {
  expect(tokens.isValid(other, 'session', 'create_org', 'user')).toBe(false);
});

it('refuses the token of another key', () => {
  expect(createCsrfTokens('another-key').isValid(token, 'session', 'create_org', 'user')).toBe(false);
});
