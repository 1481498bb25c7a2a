import { expect, it } from '@jest/globals';
import type { Request } from 'express';
import { createIsSecurity } from './security-operations.ts';

const isSecurity = createIsSecurity([
  { method: 'delete', path: '/members/{member_id}' },
  { method: 'post', path: '/members/{member_id}/deactivate' },
  { method: 'post', path: '/revocations' },
]);
const ask = (method: string, path: string) => isSecurity({ method, path } as Request);

it.each([
  ['DELETE', '/members/mem_1'],
  ['DELETE', '/Members/mem_1/'],
  ['POST', '/members/mem_1/deactivate'],
  ['POST', '/revocations'],
])('recognizes %s %s', (method, path) => {
  expect(ask(method, path)).toBe(true);
});

it.each([
  ['GET', '/members/mem_1'],
  ['DELETE', '/members'],
  ['DELETE', '/members/mem_1/deactivate'],
  ['POST', '/members/mem_1/reinstate'],
  ['POST', '/revocations/rev_1'],
  ['PATCH', '/members/mem_1'],
])('does not recognize %s %s', (method, path) => {
  expect(ask(method, path)).toBe(false);
});
