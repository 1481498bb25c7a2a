import { expect, it } from '@jest/globals';
import type { McpAnswer } from './mcp-answer.ts';
import type { McpCredential } from './mcp-target.ts';
import { withoutSecret } from './without-secret.ts';

const TOKEN = 'the-access-token';
const TEXT = `{"text":"${TOKEN}"}`;
const HOLDS_TOKEN = 'its response contains the access token of the call';
const BODY = 'a body that contains the access token of the call';
const credential: McpCredential = { kind: 'access_token', accessToken: TOKEN };
const error = { kind: 'error', isOurs: true, code: -32000, status: 200 } as const;

it.each<[string, McpAnswer, McpAnswer]>([
  ['a result', { kind: 'result', json: TEXT, result: {} }, { kind: 'unusable', reason: HOLDS_TOKEN }],
  [
    'a question',
    { kind: 'input_required', json: TEXT, result: {} },
    { kind: 'unusable', reason: HOLDS_TOKEN },
  ],
  ['the message of an error', { ...error, message: TEXT, data: '1' }, { ...error, message: '' }],
  ['the data of an error', { ...error, message: 'No', data: TEXT }, { ...error, message: '' }],
  ['the page of a 401', { kind: 'unauthorized', body: TEXT }, { kind: 'unauthorized', body: BODY }],
  ['the page of a 403', { kind: 'forbidden', body: TEXT }, { kind: 'forbidden', body: BODY }],
  [
    'the page of a 404',
    { kind: 'rejected', status: 404, body: TEXT },
    { kind: 'rejected', status: 404, body: BODY },
  ],
  [
    'a scope',
    { kind: 'insufficient_scope', scopes: ['read', TOKEN] },
    { kind: 'insufficient_scope', scopes: [] },
  ],
  [
    'the reason of an outage',
    { kind: 'unavailable', reason: TEXT, isUnsent: true },
    { kind: 'unavailable', reason: HOLDS_TOKEN, isUnsent: true },
  ],
  ['the fault of an answer', { kind: 'unusable', reason: TEXT }, { kind: 'unusable', reason: HOLDS_TOKEN }],
])('removes the token of the call from %s', (_case, answer, shown) => {
  expect(withoutSecret(answer, credential)).toEqual(shown);
  const other: McpCredential = { kind: 'access_token', accessToken: 'another-token' };
  expect(withoutSecret(answer, other)).toBe(answer);
});

it('names the kind of the secret', () => {
  const key: McpCredential = { kind: 'api_key', key: TOKEN, header: 'x-api-key', value: TOKEN };
  expect(withoutSecret({ kind: 'unusable', reason: TEXT }, key)).toEqual({
    kind: 'unusable',
    reason: 'its response contains the API key of the call',
  });
});
