import { expect, it } from '@jest/globals';
import { runs } from '@legate/testing';
import fc from 'fast-check';
import { maskedEmail, normalizedEmail } from './email-address.ts';

it.each([
  ['bob@acme.example', 'bob@acme.example'],
  [' Bob.B+tag@ACME.Example ', 'bob.b+tag@acme.example'],
  ['jörg@bücher.example', 'jörg@xn--bcher-kva.example'],
  // Written with a combining character
  ['jo\u0308rg@acme.example', 'jörg@acme.example'],
  ["o'hara@acme.example", "o'hara@acme.example"],
])('normalizes %j to %s', (written, expected) => {
  expect(normalizedEmail(written)).toBe(expected);
});

it.each([
  ...['', 'bob', '@acme.example', 'bob@', 'bob@localhost', 'bob@acme..example', '.bob@acme.example'],
  ...['bo b@acme.example', 'a@b@acme.example', '"bob"@acme.example', 'bob@[127.0.0.1]', 'bob@127.0.0.1'],
  ...['bob\n@acme.example', 'bob\u0000@acme.example', 'b\u200bob@acme.example', 'bob@acme.example/x'],
  ...['b\u202eob@acme.example', 'bob@-acme.example', `${'a'.repeat(65)}@acme.example`, 'bob@xn--a.example'],
  `a@${'b.'.repeat(130)}example`,
])('refuses %j', (written) => {
  expect(normalizedEmail(written)).toBeUndefined();
});

it.each([
  ['a look-alike letter', 'bоb@acme.example'],
  ['the dotless i', 'bıb@acme.example'],
  ['a look-alike domain', 'bob@аcme.example'],
])('does not treat %s as the same letter', (_case, written) => {
  expect(['bob@acme.example', 'bib@acme.example']).not.toContain(normalizedEmail(written));
});

it('is idempotent', () => {
  fc.assert(
    fc.property(fc.oneof(fc.emailAddress(), fc.string()), (written) => {
      const once = normalizedEmail(written);
      if (once !== undefined) expect(normalizedEmail(once)).toBe(once);
    }),
    runs(200),
  );
});

it('shows only the first character and the domain', () => {
  expect(maskedEmail('bob@acme.example')).toBe('b…@acme.example');
  expect(maskedEmail('𝔟ob@acme.example')).toBe('𝔟…@acme.example');
});
