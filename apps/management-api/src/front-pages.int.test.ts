import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { frontPageFaults } from '@legate/service/testing';
import request from 'supertest';
import { PROBLEMS } from './domain/problem-codes.ts';
import { createTestApi, RESOURCE, type TestApi } from './testing/test-api.ts';

let api: TestApi;
beforeAll(async () => {
  api = await createTestApi();
});
afterAll(() => api.close());

it('links public documents on its front page, and serves pages that explain problems', async () => {
  expect(await frontPageFaults(api.app, `${RESOURCE}/errors`)).toEqual([]);
});

it("declares each code with the status that the API's description has", async () => {
  const { body: document } = await request(api.app).get('/api/v1/openapi.json');
  const shared: Record<string, { description: string }> = document.components.responses;
  const responses = Object.values(document.paths as Record<string, Record<string, Described>>)
    .flatMap((operations) => Object.values(operations))
    .flatMap(({ responses = {} }) => Object.entries(responses))
    .filter(([status]) => Number(status) >= 400)
    .flatMap(([status, { $ref = '' }]) =>
      [...(shared[$ref.split('/').at(-1) ?? '']?.description.matchAll(/`([a-z_]+)`/g) ?? [])].map(
        ([, code = '']) => ({ code, status: Number(status) }),
      ),
    );
  expect(responses.length).toBeGreaterThan(100);
  const declared = new Map<string, number>(
    Object.entries(PROBLEMS).map(([code, { status }]) => [code, status]),
  );
  expect(responses.filter(({ code, status }) => declared.get(code) !== status)).toEqual([]);
});

interface Described {
  readonly responses?: Record<string, { readonly $ref?: string }>;
}
