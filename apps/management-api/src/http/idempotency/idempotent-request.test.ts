import { expect, it } from '@jest/globals';
import { OrganizationId, UserId } from '@legate/ids';
import type { Request } from 'express';
import type { Author } from '../../domain/author.ts';
import { toIdempotentRequest } from './idempotent-request.ts';
import { reserveKey } from './store.ts';

const author = { organizationId: OrganizationId.parse('org_a'), userId: UserId.parse('alice') } as Author;
const requestOf = (sent: unknown) =>
  toIdempotentRequest({ method: 'POST', baseUrl: '/api/v1', path: '/sites/' } as Request, sent, author, 'k');

/** Reserves the key in a database where it was used with the hash `stored`. */
const reserve = (sent: unknown, stored: Buffer) =>
  reserveKey(
    {
      query: async (statement) => {
        const name = 'name' in statement ? statement.name : '';
        if (name === 'idempotency_lock') return [{ locked: true }] as never;
        return (name === 'idempotency_find' ? [{ request_hash: stored, answer: { a: 1 } }] : []) as never;
      },
    },
    requestOf(sent),
    new Date(0),
  );

it('hashes method, path and body, whatever the order of members, and the path without its version', () => {
  const { hash } = requestOf({ b: 1, a: { d: 2, c: undefined } });
  expect(requestOf({ a: { d: 2 }, b: 1 }).hash).toEqual(hash);
  expect(hash.toString('hex')).toBe('070e1ad5cd867114b36973ceb6a9d08b3be28a59ef52b644e40d34e43d39af5a');
});

it('recognizes the key of the same request, and of no other', async () => {
  const sent = { settings: { 10: 1, 9: 2 } };
  const { hash } = requestOf(sent);
  expect(await reserve(sent, hash)).toEqual({ kind: 'answered', answer: { a: 1 } });
  expect(await reserve({ settings: {} }, hash)).toEqual({ kind: 'other_request' });
});
