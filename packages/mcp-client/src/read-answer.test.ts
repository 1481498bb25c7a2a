import { describe, expect, it } from '@jest/globals';
import { readAnswer } from './read-answer.ts';

const raw = (status: number, headers: Record<string, string> = {}, text = '{}') => ({
  status,
  headers,
  text,
});

it.each([
  [401, 'unauthorized'],
  [301, 'unusable'],
  [307, 'unusable'],
  [400, 'rejected'],
  [404, 'rejected'],
  [405, 'rejected'],
  [406, 'rejected'],
  [202, 'unusable'],
  [204, 'unusable'],
  [429, 'unavailable'],
  [500, 'unusable'],
  [502, 'unavailable'],
  [503, 'unavailable'],
])('reads status %i as: %s', (status, kind) => {
  expect(readAnswer(raw(status), 1).kind).toBe(kind);
});

it('looks for a JSON-RPC error in a refusal', () => {
  const text = '{"jsonrpc":"2.0","id":null,"error":{"code":-32020,"message":"header mismatch"}}';
  expect(readAnswer(raw(400, {}, text), 1)).toEqual({
    kind: 'error',
    isOurs: false,
    code: -32020,
    message: 'header mismatch',
    status: 400,
  });
});

describe('a 403', () => {
  it('requires another token if its challenge names scopes', () => {
    const headers = {
      'www-authenticate': 'Bearer realm="x", error="insufficient_scope", scope="a:read a:write"',
    };
    expect(readAnswer(raw(403, headers), 1)).toEqual({
      kind: 'insufficient_scope',
      scopes: ['a:read', 'a:write'],
    });
  });

  it.each([
    ['without a challenge', {}],
    ['with another challenge', { 'www-authenticate': 'Basic realm="x"' }],
    ['with another error', { 'www-authenticate': 'Bearer error="invalid_token", scope="a"' }],
    ['that names no scope', { 'www-authenticate': 'Bearer error="insufficient_scope"' }],
    ['whose scopes are none', { 'www-authenticate': 'Bearer error="insufficient_scope", scope="\\"\\\\ "' }],
  ])('%s is final', (_case, headers) => {
    expect(readAnswer(raw(403, headers), 1).kind).toBe('forbidden');
  });

  it('limits the number of scopes that we request', () => {
    const scope = Array.from({ length: 1000 }, (_, index) => `s${index}`).join(' ');
    const answer = readAnswer(
      raw(403, { 'www-authenticate': `Bearer error="insufficient_scope", scope="${scope}"` }),
      1,
    );
    expect(answer.kind === 'insufficient_scope' && answer.scopes.length).toBe(50);
  });
});
