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
  it('are asked for once in 30 seconds, then confirmed by their ETag', async () => {
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

  it('are asked for once however many wait for them', async () => {
    await Promise.all([ids(), ids(), ids()]);
    expect(asked.length).toBe(1);
  });

  it('of two organizations are two things', async () => {
    answer = (organizationId) => found(`con_of_${organizationId}`);
    expect(await ids(OrganizationId.parse('org_acme'))).toEqual(['con_of_org_acme']);
    expect(await ids(OrganizationId.parse('org_globex'))).toEqual(['con_of_org_globex']);
  });

  it('are as new as the question at most, however long the answer took', async () => {
    answer = () => {
      clock.advanceSeconds(20);
      return found('con_a');
    };
    await ids();
    clock.advanceSeconds(10);
    await ids();
    expect(asked.length).toBe(2);
  });

  it('are none where nobody knows the organization, which is asked again after 5 seconds', async () => {
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

describe('while management-api is away', () => {
  const failure = () => ids().catch((err: unknown) => err);

  it('nothing is known of an organization that was never asked for', async () => {
    answer = away;
    expect(await failure()).toMatchObject({
      status: 503,
      code: 'connectors_unavailable',
      headers: { 'Retry-After': '5' },
    });
  });

  it('what was last known is used for 10 minutes, and not a second more', async () => {
    await ids();
    answer = away;
    clock.advanceSeconds(599);
    expect(await ids()).toEqual(['con_a']);
    clock.advanceSeconds(1);
    expect(await failure()).toMatchObject({ status: 503 });
  });

  it('one caller in five seconds asks, and the others do not wait', async () => {
    await ids();
    answer = away;
    clock.advanceSeconds(30);
    await ids();
    expect(asked.length).toBe(2);
    // One that never answers keeps nobody waiting any more.
    answer = () => new Promise(() => {});
    clock.advanceSeconds(5);
    expect(await ids()).toEqual(['con_a']);
    expect(await ids()).toEqual(['con_a']);
    expect(asked.length).toBe(3);
  });

  it('it is said once, counted each time, and said when it is over', async () => {
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
      'connectors cannot be had from management-api',
      'management-api answers again',
    ]);
    expect(events.filter((event) => event === 'failed').length).toBe(2);
    expect(events.filter((event) => event === 'stale').length).toBe(3);
  });

  it('that an organization was unknown is not held against it', async () => {
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
  it('connectors are asked for again, without an ETag', async () => {
    await ids();
    answer = () => found('con_b');
    registry.forget(OrganizationId.parse('org_acme'));
    expect(await ids()).toEqual(['con_b']);
    expect(asked[1]).toEqual(['org_acme', undefined]);
  });

  it('an answer to an older question is not remembered', async () => {
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

  it('nothing that was known before is used while management-api is away', async () => {
    await ids();
    registry.forget(OrganizationId.parse('org_acme'));
    answer = away;
    await expect(ids()).rejects.toMatchObject({ status: 503 });
  });

  it('that may have been missed all connectors are confirmed, and used where that fails', async () => {
    await ids();
    registry.recheck();
    answer = away;
    expect(await ids()).toEqual(['con_a']);
    expect(asked[1]).toEqual(['org_acme', '"con_a"']);
  });
});
