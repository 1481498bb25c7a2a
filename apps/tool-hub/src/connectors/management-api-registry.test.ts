import { beforeEach, describe, expect, it } from '@jest/globals';
import { ConnectorId, OrganizationId } from '@legate/ids';
import { createLogger } from '@legate/service';
import { createTestClock, type TestClock } from '@legate/service/testing';
import type { Connector } from '../domain/connector.ts';
import { organizationConnectors } from '../domain/connector-set.ts';
import type { OrganizationAnswer } from './management-api-client.ts';
import {
  createManagementApiRegistry,
  type ManagementApiRegistry,
  type RegistryEvent,
} from './management-api-registry.ts';

let clock: TestClock;
let asked: [string, string | undefined][];
let answer: (
  organizationId: string,
  etag: string | undefined,
) => OrganizationAnswer | Promise<OrganizationAnswer>;
let events: RegistryEvent[];
let logged: { level: number; msg: string }[];
let registry: ManagementApiRegistry;

const connector = (id: string): Connector => ({
  id: ConnectorId.parse(id),
  organizationId: OrganizationId.parse('org_acme'),
  name: id,
  resource: 'https://tools.example',
  mcpUrl: 'https://tools.example/mcp',
  methods: [
    {
      method: 'id-jag',
      clientId: 'hub',
      clientAuth: { method: 'client_secret_post', clientSecret: 'a-secret-value' },
      issuer: undefined,
      audience: undefined,
    },
  ],
  scopes: [],
});
const found = (id: string, etag = `"${id}"`): OrganizationAnswer => ({
  kind: 'found',
  connectors: organizationConnectors(new Map([[id, connector(id)]]), new Map(), []),
  etag,
});
const away = (): never => {
  throw new Error('management-api answered with status 503');
};
const ids = async (organizationId = OrganizationId.parse('org_acme')) => [
  ...(await registry.of(organizationId)).connectors.keys(),
];

beforeEach(() => {
  clock = createTestClock();
  asked = [];
  events = [];
  logged = [];
  answer = () => found('con_a');
  registry = createManagementApiRegistry({
    async fetchOrganization(organizationId, etag) {
      asked.push([organizationId, etag]);
      return answer(organizationId, etag);
    },
    clock,
    log: createLogger({
      service: 'test',
      level: 'info',
      destination: { write: (line: string) => void logged.push(JSON.parse(line)) },
    }),
    onEvent: (event) => events.push(event),
  });
});

describe('connectors of management-api', () => {
  it('are fetched once in 30 seconds, then revalidated with their ETag', async () => {
    await ids();
    clock.advanceSeconds(29);
    expect(await ids()).toEqual(['con_a']);
    expect(asked).toEqual([['org_acme', undefined]]);
    answer = () => ({ kind: 'not_modified' });
    clock.advanceSeconds(1);
    expect(await ids()).toEqual(['con_a']);
    expect(asked).toEqual([
      ['org_acme', undefined],
      ['org_acme', '"con_a"'],
    ]);
    clock.advanceSeconds(29);
    await ids();
    expect(asked.length).toBe(2);
  });

  it('are fetched once for all waiting callers', async () => {
    await Promise.all([ids(), ids(), ids()]);
    expect(asked.length).toBe(1);
  });

  it('of two organizations are separate', async () => {
    answer = (organizationId) => found(`con_of_${organizationId}`);
    expect(await ids(OrganizationId.parse('org_acme'))).toEqual(['con_of_org_acme']);
    expect(await ids(OrganizationId.parse('org_globex'))).toEqual(['con_of_org_globex']);
  });

  it('are regarded as old as the request for them, however long the response took', async () => {
    answer = () => {
      clock.advanceSeconds(20);
      return found('con_a');
    };
    await ids();
    clock.advanceSeconds(10);
    await ids();
    expect(asked.length).toBe(2);
  });

  it('are empty for an unknown organization, which is requested again after 5 seconds', async () => {
    answer = () => ({ kind: 'unknown' });
    expect(await ids()).toEqual([]);
    clock.advanceSeconds(4);
    await ids();
    expect(asked.length).toBe(1);
    clock.advanceSeconds(1);
    answer = () => found('con_new');
    expect(await ids()).toEqual(['con_new']);
  });

  it('of a suspended organization are refused', async () => {
    answer = () => ({ kind: 'found', connectors: undefined, etag: undefined });
    await expect(ids()).rejects.toMatchObject({ status: 403, code: 'organization_suspended' });
  });
});

describe('while management-api is down', () => {
  const failure = () => ids().catch((err: unknown) => err);

  it('connectors of an organization that was never fetched are unavailable', async () => {
    answer = away;
    expect(await failure()).toMatchObject({
      status: 503,
      code: 'connectors_unavailable',
      headers: { 'Retry-After': '5' },
    });
  });

  it('the last known connectors are used for at most 10 minutes', async () => {
    await ids();
    answer = away;
    clock.advanceSeconds(599);
    expect(await ids()).toEqual(['con_a']);
    clock.advanceSeconds(1);
    expect(await failure()).toMatchObject({ status: 503 });
  });

  it('one caller in five seconds sends a request, and the others do not wait', async () => {
    await ids();
    answer = away;
    clock.advanceSeconds(30);
    await ids();
    expect(asked.length).toBe(2);
    // A request without a response makes no further caller wait.
    answer = () => new Promise(() => {});
    clock.advanceSeconds(5);
    expect(await ids()).toEqual(['con_a']);
    expect(await ids()).toEqual(['con_a']);
    expect(asked.length).toBe(3);
  });

  it('the outage is logged once, counted for each request, and logged again when it ends', async () => {
    await ids();
    answer = away;
    clock.advanceSeconds(30);
    await ids();
    clock.advanceSeconds(5);
    await ids();
    await Promise.resolve();
    answer = () => found('con_b');
    clock.advanceSeconds(5);
    await ids();
    await new Promise(setImmediate);
    expect(await ids()).toEqual(['con_b']);
    expect(logged.map(({ msg }) => msg)).toEqual([
      'connectors cannot be fetched from management-api',
      'management-api responds again',
    ]);
    expect(events.filter((event) => event === 'failed').length).toBe(2);
    expect(events.filter((event) => event === 'stale').length).toBe(3);
  });

  it('an earlier "unknown organization" is not reused', async () => {
    answer = () => ({ kind: 'unknown' });
    await ids();
    answer = away;
    clock.advanceSeconds(5);
    expect(await failure()).toMatchObject({ status: 503 });
  });

  it('no secret is logged', async () => {
    await ids();
    answer = away;
    clock.advanceSeconds(30);
    await ids();
    expect(JSON.stringify(logged)).not.toContain('a-secret-value');
  });
});

describe('after a revocation', () => {
  it('connectors are fetched again, without an ETag', async () => {
    await ids();
    answer = () => found('con_b');
    registry.forget(OrganizationId.parse('org_acme'));
    expect(await ids()).toEqual(['con_b']);
    expect(asked[1]).toEqual(['org_acme', undefined]);
  });

  it('a response to an older request is not cached', async () => {
    let release: (value: OrganizationAnswer) => void = () => {};
    answer = () => new Promise((resolve) => (release = resolve));
    const early = ids();
    registry.forget(OrganizationId.parse('org_acme'));
    answer = () => found('con_after');
    expect(await ids()).toEqual(['con_after']);
    release(found('con_before'));
    await early;
    expect(await ids()).toEqual(['con_after']);
  });

  it('earlier data is not used while management-api is down', async () => {
    await ids();
    registry.forget(OrganizationId.parse('org_acme'));
    answer = away;
    await expect(ids()).rejects.toMatchObject({ status: 503 });
  });

  it('only the organization whose change was announced is revalidated', async () => {
    await Promise.all([ids(), ids(OrganizationId.parse('org_b'))]);
    registry.recheckOne(OrganizationId.parse('org_acme'));
    await Promise.all([ids(), ids(OrganizationId.parse('org_b'))]);
    expect(asked.slice(2)).toEqual([['org_acme', '"con_a"']]);
    await ids();
    expect(asked).toHaveLength(3);
  });

  it('an organization whose change was announced is served from the cache while it cannot be revalidated', async () => {
    await ids();
    registry.recheckOne(OrganizationId.parse('org_acme'));
    answer = away;
    expect(await ids()).toEqual(['con_a']);
  });

  it('if an announcement may have been missed, all connectors are revalidated, and the cached ones are used if that fails', async () => {
    await ids();
    registry.recheck();
    answer = away;
    expect(await ids()).toEqual(['con_a']);
    expect(asked[1]).toEqual(['org_acme', '"con_a"']);
  });
});
