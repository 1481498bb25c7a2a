import { expect, it } from '@jest/globals';
import { ConnectorId, Id, isId, OrganizationId, UserId } from './ids.ts';

it.each([
  ['org_acme', true],
  ['a', true],
  ['-', true],
  ['...', true],
  ['.hidden', true],
  ['a'.repeat(128), true],
  ['a'.repeat(129), false],
  ['', false],
  ['.', false],
  ['..', false],
  ['a:b', false],
  ['a/b', false],
  ['a b', false],
  ['a\n', false],
  ['ä', false],
  ['\u0000', false],
])('reports whether %j is an id: %s', (text, expected) => {
  expect([isId(text), Id.safeParse(text).success]).toEqual([expected, expected]);
});

it.each([
  ['auth0|64f', true],
  ['Ülkü Çelik', true],
  ['a'.repeat(255), true],
  ['a'.repeat(256), false],
  ['', false],
  ['a\nb', false],
  ['\u0000', false],
  ['\ud800', false],
])('reports whether %j is a user id: %s', (text, expected) => {
  expect(UserId.safeParse(text).success).toBe(expected);
});

it('does not accept an id of one kind as an id of another', () => {
  const organization = OrganizationId.parse('org_acme');
  const take = (id: ConnectorId): string => id;
  // @ts-expect-error: it is the id of an organization
  expect(take(organization)).toBe('org_acme');
  expect(take(ConnectorId.parse('con_a'))).toBe('con_a');
});
