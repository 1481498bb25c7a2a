import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import {
  areClientsDistinct,
  checkClientMembers,
  clientMembers,
  hashClientSecret,
  secretHashesOf,
} from './index.ts';

const Client = z.strictObject(clientMembers).superRefine(checkClientMembers);
const messagesOf = (client: object) =>
  Client.safeParse(client).error?.issues.map(({ message }) => message) ?? [];
const isRefused = (client: object) => !Client.safeParse({ secrets: [SECRET], ...client }).success;

const SECRET = 'sixteen-letters-';
const HASH = 'a'.repeat(64);
const PUBLIC_KEY = { kty: 'EC', crv: 'P-256', x: 'x', y: 'y' };

describe('a client of a configuration file', () => {
  it.each<[string, object]>([
    ['a secret', { secrets: [SECRET] }],
    ['the hash of a secret', { secret_hashes: [HASH] }],
    ['two secrets, while one is rotated', { secrets: [SECRET], secret_hashes: [HASH] }],
    ['a key of a newer kind beside one that is used', { jwks: { keys: [{ kty: 'AKP' }, PUBLIC_KEY] } }],
    ['public keys alone', { jwks: { keys: [PUBLIC_KEY, { kty: 'RSA' }, { kty: 'OKP' }] } }],
    ['an identifier of 255 characters', { client_id: 'x'.repeat(255), secrets: [SECRET] }],
    ['an identifier of one character', { client_id: 'x', secrets: [SECRET] }],
  ])('is accepted with %s', (_case, client) => {
    expect(messagesOf({ client_id: 'hub', ...client })).toEqual([]);
  });

  it('must have an authentication method, and at most two secrets', () => {
    expect(messagesOf({ client_id: 'hub' })).toEqual(['must have a secret or a jwks']);
    const three = { client_id: 'hub', secrets: [SECRET, SECRET], secret_hashes: [HASH] };
    expect(messagesOf(three)).toEqual(['must not have more than 2 active secrets']);
  });

  it('must not have private keys', () => {
    const jwks = { keys: [{ ...PUBLIC_KEY, d: 'private' }] };
    expect(messagesOf({ client_id: 'hub', jwks })).toEqual(['must be a public key']);
  });

  it.each<[string, object]>([
    ['no identifier', {}],
    ['an empty identifier', { client_id: '' }],
    ['an identifier of 256 characters', { client_id: 'x'.repeat(256) }],
    ['a secret of 15 characters', { client_id: 'hub', secrets: ['x'.repeat(15)] }],
    ['a hash that is too short', { client_id: 'hub', secret_hashes: ['a'.repeat(63)] }],
    ['an empty key set', { client_id: 'hub', jwks: { keys: [] } }],
    ['a shared secret as a key', { client_id: 'hub', jwks: { keys: [{ kty: 'oct', k: 'x' }] } }],
    ['a key without a type', { client_id: 'hub', jwks: { keys: [{ x: 'x' }] } }],
    ['a member that is not known', { client_id: 'hub', secret: SECRET }],
  ])('is refused with %s', (_case, client) => {
    expect(isRefused(client)).toBe(true);
  });
});

it('returns the hashes of all secrets, and no secret', () => {
  const hashes = secretHashesOf({ client_id: 'hub', secrets: [SECRET], secret_hashes: [HASH] });
  expect(hashes).toEqual([hashClientSecret(SECRET), Buffer.from(HASH, 'hex')]);
  expect(secretHashesOf({ client_id: 'hub' })).toEqual([]);
});

it('reports whether all clients have different identifiers', () => {
  expect(areClientsDistinct([{ client_id: 'a' }, { client_id: 'b' }])).toBe(true);
  expect(areClientsDistinct([{ client_id: 'a' }, { client_id: 'a' }])).toBe(false);
});
