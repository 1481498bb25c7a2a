import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect } from '@jest/globals';
import { needs, runs } from '@legate/testing';
import fc from 'fast-check';
import request, { type Response } from 'supertest';
import { type DescribedOperation, readOperations } from '../testing/api-document.ts';
import {
  anyHeaderValue,
  anySegment,
  anyText,
  bodyText,
  percentEncode,
  valueFor,
} from '../testing/arbitraries.ts';
import { clientOf } from '../testing/client.ts';
import { createOnboardingScene } from '../testing/onboarding-scene.ts';
import type { TestApi } from '../testing/test-api.ts';

const { describe, it } = needs('time');

/** Number of inputs per operation: there are dozens of operations, and each test run generates other inputs. */
const RUNS = runs(3);
/** More inputs for bodies, which reach more code. */
const BODY_RUNS = runs(8);
const TIMEOUT_MS = 180_000;

let api: TestApi;
let operations: DescribedOperation[];
beforeAll(async () => {
  ({ api } = await createOnboardingScene({ returnTo: ['https://app.example/welcome'], limited: true }));
  operations = await readOperations(api);
}, TIMEOUT_MS);
afterAll(() => api.close());

/** Creates an owner of a new organization, and returns the ids of its resources, by the name of the path parameter. */
async function createScene() {
  const organization = `org_${randomUUID()}`;
  const token = await api.token(organization, { roles: ['owner'] });
  const owner = await clientOf(api, organization, { roles: ['owner'] });
  const create = async (path: string, body: object) => (await owner('post', path, body)).body.id as string;
  const ids: Record<string, string> = {
    site_id: await create('/sites', { name: 'Site' }),
    agent_id: await create('/agents', { name: 'Agent' }),
    connector_id: await create('/connectors', {
      name: 'Connector',
      resource_url: `https://${organization.replace('_', '-')}.example/mcp`,
      client_id: 'hub',
      secret: 'a-secret-of-the-hub',
    }),
    domain_id: await create('/domains', { domain: `${randomUUID()}.com` }),
  };
  await owner('put', `/sites/${ids.site_id}/agents/${ids.agent_id}`, {});
  await owner('put', `/agents/${ids.agent_id}/connectors/${ids.connector_id}`, {});
  const fill = (path: string) =>
    path.replace(/\{(\w+)\}/g, (_whole, name: string) => ids[name] ?? randomUUID());
  return { token, fill };
}

let shared: ReturnType<typeof createScene> | undefined;
/** A read operation leaves the data unchanged for the next one. */
const sceneFor = ({ method }: DescribedOperation) => {
  if (method !== 'get') return createScene();
  shared ??= createScene();
  return shared;
};

/** `createTestApi` checks that status, code and body of every response match the description. */
function expectAnswer({ name }: DescribedOperation, answer: Response) {
  // The only 5xx codes are those about other services, because no tool server and no domain responds in these
  // tests.
  if (answer.status >= 500)
    expect([name, answer.status, answer.body.code]).toEqual([name, 502, 'resource_unreachable']);
  if (answer.status >= 400) expect([name, answer.type]).toEqual([name, 'application/problem+json']);
}

/** Checks a property for each matching operation in a test of its own, so that a failure names the operation. */
async function forEach(
  chosen: (operation: DescribedOperation) => boolean,
  property: (operation: DescribedOperation) => Promise<unknown>,
): Promise<void> {
  const tried = operations.filter(chosen);
  expect(tried.length).toBeGreaterThan(3);
  for (const operation of tried) await property(operation);
}

const send = (operation: DescribedOperation, path: string, token: string) =>
  request(api.app)[operation.method](`/api/v1${path}`).auth(token, { type: 'bearer' });

describe('every operation returns its result or a problem', () => {
  it(
    'for any JSON, or none',
    async () => {
      await forEach(
        ({ body }) => body !== undefined,
        async (operation) => {
          const { token, fill } = await createScene();
          await fc.assert(
            fc.asyncProperty(bodyText(operation.body ?? {}), async (body) => {
              const call = send(operation, fill(operation.path), token).type('application/json');
              expectAnswer(operation, await call.send(body));
            }),
            BODY_RUNS,
          );
        },
      );
    },
    TIMEOUT_MS,
  );

  it(
    'for any query',
    async () => {
      await forEach(
        () => true,
        async (operation) => {
          const { token, fill } = await sceneFor(operation);
          const known = operation.parameters.filter((parameter) => parameter.in === 'query');
          const pair = fc.oneof(
            fc.tuple(anyText, anyText),
            ...known.map(({ name, schema }) => fc.tuple(fc.constant(name), valueFor(schema).map(asText))),
          );
          await fc.assert(
            fc.asyncProperty(fc.array(pair, { minLength: 1, maxLength: 4 }), async (pairs) => {
              const query = pairs
                .map(([name, value]) => `${percentEncode(name)}=${percentEncode(value)}`)
                .join('&')
                .slice(0, 6000);
              expectAnswer(operation, await send(operation, `${fill(operation.path)}?${query}`, token));
            }),
            RUNS,
          );
        },
      );
    },
    TIMEOUT_MS,
  );

  it(
    'for any headers',
    async () => {
      const names = [
        'If-Match',
        'If-None-Match',
        'Idempotency-Key',
        'Accept',
        'X-Request-Id',
        'Origin',
        'Traceparent',
      ];
      const headers = fc.record(Object.fromEntries(names.map((name) => [name, anyHeaderValue])), {
        requiredKeys: [],
      });
      await forEach(
        () => true,
        async (operation) => {
          const { token, fill } = await sceneFor(operation);
          await fc.assert(
            fc.asyncProperty(headers, async (values) => {
              const call = send(operation, fill(operation.path), token).set(values);
              expectAnswer(operation, operation.body ? await call.send({ name: 'A' }) : await call);
            }),
            RUNS,
          );
        },
      );
    },
    TIMEOUT_MS,
  );

  it(
    'for any text as an id',
    async () => {
      const { token } = await createScene(); // no resource of it is used
      await forEach(
        ({ path }) => path.includes('{'),
        async (operation) => {
          const segments = fc.array(anySegment, { minLength: 3, maxLength: 3 });
          await fc.assert(
            fc.asyncProperty(segments, async (values) => {
              const left = [...values];
              const path = operation.path.replace(/\{\w+\}/g, () => `x${left.pop()}`);
              const answer = await send(operation, path, token);
              expect([400, 404, 415]).toContain(answer.status);
              expectAnswer(operation, answer);
            }),
            RUNS,
          );
        },
      );
    },
    TIMEOUT_MS,
  );
});

it('refuses too deeply nested JSON before it is processed', async () => {
  const { token, fill } = await createScene();
  const agent = () =>
    request(api.app).patch(fill('/api/v1/agents/{agent_id}')).auth(token, { type: 'bearer' });
  const nested = (levels: number) => `{"settings":${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}}`;
  for (const [levels, code] of [
    [10, 'validation_failed'],
    [19, 'validation_failed'],
    [20, 'malformed_json'],
    [15_000, 'malformed_json'],
  ] as const) {
    const answer = await agent().type('application/json').send(nested(levels));
    expect([levels, answer.status, answer.body.code]).toEqual([levels, 400, code]);
  }
});

const asText = (value: unknown): string =>
  typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
