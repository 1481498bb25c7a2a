import { expect, it } from '@jest/globals';
import { findKind, KIND_NAMES } from './index.ts';

it.each(KIND_NAMES)('asks a sign-in for a token that %s exchanges', (name) => {
  const { idJagSubject, exchange, subjectScope } = findKind(name);
  const exchangesAccessTokens = exchange !== undefined || idJagSubject === 'access_token';
  expect(subjectScope === undefined || exchangesAccessTokens).toBe(true);
});

it.each(KIND_NAMES)('sends a resource to %s only with a request for an ID-JAG', (name) => {
  const { idJagSubject, sendsResource } = findKind(name);
  expect(sendsResource && idJagSubject === undefined).toBe(false);
});
