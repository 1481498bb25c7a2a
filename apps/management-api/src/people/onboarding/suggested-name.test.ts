import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { suggestOrganizationName } from './suggested-name.ts';

it.each([
  ['dave@newco.example', 'Newco'],
  ['alice@mail.foo-corp.co.uk', 'Foo Corp'],
  ['alice@FOO-corp.example ', 'Foo Corp'],
  ['a@b@acme.com', 'Acme'],
  ['alice@xn--bcher-kva.de', 'Bücher'],
  ['alice@bücher.de', 'Bücher'],
  ['alice@acme.vercel.app', 'Acme'],
])('suggests, for %s, the name %s', (email, expected) => {
  expect(suggestOrganizationName(email, true)).toBe(expected);
});

it.each([
  ['gmail.com'],
  ['GMail.com'],
  ['googlemail.com'],
  ['yahoo.co.uk'],
  ['mail.yahoo.fr'],
  ['hotmail.de'],
  ['live.nl'],
  ['outlook.com'],
  ['icloud.com'],
  ['me.com'],
  ['aol.com'],
  ['proton.me'],
  ['gmx.net'],
  ['qq.com'],
  ['mailinator.com'],
  ['yopmail.fr'],
])('suggests nothing for the public provider %s', (domain) => {
  expect(suggestOrganizationName(`alice@${domain}`, true)).toBeNull();
});

it.each([
  [null],
  [''],
  ['alice'],
  ['@acme.com'],
  ['alice@'],
  ['alice@com'],
  ['alice@co.uk'],
  ['alice@127.0.0.1'],
  ['alice@2130706433'],
  ['alice@[::1]'],
  ['alice@acme.com/path'],
  ['alice@ac me.com'],
])('suggests nothing for %j', (email) => {
  expect(suggestOrganizationName(email, true)).toBeNull();
});

it('suggests nothing for an unverified address', () => {
  expect(suggestOrganizationName('alice@acme.com', false)).toBeNull();
});

it('returns a valid name for an organization, or none, for any text', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.emailAddress()), (email) => {
      const name = suggestOrganizationName(email, true);
      expect(name === null || (name.length > 0 && [...name].length <= 100)).toBe(true);
    }),
  );
});
