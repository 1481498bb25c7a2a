import { expect, it } from '@jest/globals';
import { plainRequest } from '../http/plain.ts';
import { createTokenHandler } from './token-handler.ts';

/** The response if the application has read the body and kept no content of it. */
function answerToTakenBody(isProduction: boolean) {
  const logged: unknown[] = [];
  const handle = createTokenHandler({
    failures: undefined,
    answer: () => Promise.reject(new Error('not reached')),
    isProduction,
    log: { ...console, error: (...entry: unknown[]) => void logged.push(entry) },
  });
  const request = new Request('https://tools.example/oauth/token', {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  });
  return handle(plainRequest(request, null), undefined).then(({ status, body }) => ({
    status,
    body: JSON.parse(body ?? '') as unknown,
    logged,
  }));
}

it('describes in development how to fix an application that has read the body', async () => {
  const { status, body, logged } = await answerToTakenBody(false);
  expect(status).toBe(500);
  expect(body).toEqual({ error: 'server_error', error_description: expect.stringContaining('body') });
  expect(logged).toHaveLength(1);
});

it('describes this only in the log in production', async () => {
  const { status, body, logged } = await answerToTakenBody(true);
  expect({ status, body }).toEqual({ status: 500, body: { error: 'server_error' } });
  expect(logged).toHaveLength(1);
});
