import { createHash } from 'node:crypto';
import { expect, it } from '@jest/globals';
import fc from 'fast-check';
import { hashOfSecretToken, newSecretToken } from './secret-token.ts';

it.each([
  ['invitation', /^lgi_[0-9A-Za-z]{38}$/],
  ['apiKey', /^lgt_[0-9A-Za-z]{38}$/],
  ['clientConfirmation', /^lgc_[0-9A-Za-z]{38}$/],
] as const)('makes %s tokens that scanners recognize, and finds them by their SHA-256', (kind, pattern) => {
  const token = newSecretToken(kind);
  expect(token).toMatch(pattern);
  expect(hashOfSecretToken(kind, token)).toEqual(createHash('sha256').update(token).digest());
});

it('keeps the format and the hash of tokens, so that issued tokens stay valid', () => {
  const token = 'lgt_0123456789abcdefghijABCDEFGHIJ013FhaOp';
  expect(hashOfSecretToken('apiKey', token)?.toString('hex')).toBe(
    createHash('sha256').update(token).digest('hex'),
  );
});

it('never creates the same token twice, and uses the whole alphabet', () => {
  const tokens = Array.from({ length: 500 }, () => newSecretToken('apiKey'));
  expect(new Set(tokens).size).toBe(500);
  expect(new Set(tokens.flatMap((token) => [...token.slice(4, 36)])).size).toBe(62);
});

it('refuses a token of another kind', () => {
  expect(hashOfSecretToken('apiKey', newSecretToken('invitation'))).toBeUndefined();
  // Even with a new checksum, the token is of the other kind.
  expect(hashOfSecretToken('invitation', `lgt_${newSecretToken('invitation').slice(4)}`)).toBeUndefined();
});

it('refuses a token with a replaced character, and any other text', () => {
  const token = newSecretToken('invitation');
  fc.assert(
    fc.property(
      fc.nat(token.length - 1),
      fc.constantFrom(...'09AZaz_-. \n\u0000\u0665\uff11'),
      (at, replacement) => {
        const altered = token.slice(0, at) + replacement + token.slice(at + 1);
        expect(hashOfSecretToken('invitation', altered) === undefined).toBe(altered !== token);
      },
    ),
  );
  fc.assert(fc.property(fc.string(), (text) => hashOfSecretToken('invitation', text) === undefined));
  for (const text of ['', 'lgi_', token.slice(0, -1), `${token}0`, `${token}\n`, ` ${token}`])
    expect(hashOfSecretToken('invitation', text)).toBeUndefined();
});
