import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Credential } from '@legate/delegation';
import { ConnectorId, OrganizationId, UserId } from '@legate/ids';
import { createMetrics } from '@legate/service';
import { createTestClock, type TestClock } from '@legate/service/testing';
import type { Connector } from '../../domain/connector.ts';
import { reachName } from '../../domain/reach.ts';
import { ID_JAG } from '../../testing/scene.ts';
import { createListMemory, type KeptList, type ListMemory, type ListPlace } from './list-memory.ts';

const CONNECTOR: Connector = {
  id: ConnectorId.parse('con_a'),
  organizationId: OrganizationId.parse('org_acme'),
  name: 'Tools',
  resource: 'https://a.example',
  mcpUrl: 'https://a.example/mcp',
  methods: [ID_JAG],
  scopes: ['read', 'write'],
};
const PLACE: ListPlace = {
  caller: { organizationId: OrganizationId.parse('org_acme'), userId: UserId.parse('user_alice') },
  connector: CONNECTOR,
  kind: 'tools',
};
const at = (change: Partial<Connector>): ListPlace => ({ ...PLACE, connector: { ...CONNECTOR, ...change } });
const by = (userId: string): ListPlace => ({
  ...PLACE,
  caller: { ...PLACE.caller, userId: UserId.parse(userId) },
});

const tokenOf = (accessToken: string): Credential => ({
  ...{ kind: 'access_token', method: 'id-jag', accessToken },
  ...{ expiresAt: 2_000_000_000, scopes: ['read'] },
});
const TOKEN = tokenOf('token-1');

let clock: TestClock;
let memory: ListMemory;
beforeEach(() => {
  clock = createTestClock();
  memory = createListMemory({ clock, metrics: createMetrics('test').registry });
});

/** @param length of the list's text */
const listOf = (length = 10): KeptList => {
  const rest = 'x'.repeat(length);
  return {
    items: [{ name: 'a', rest: { modern: rest, legacy: rest }, isReadOnly: false }],
    freshUntilMs: clock().getTime() + 60_000,
  };
};
const find = (place = PLACE, credential: Credential = TOKEN, fromCache = true) =>
  memory.find(place, { credential, fromCache });

it('finds a list until the millisecond in which it expires', () => {
  const list = listOf();
  memory.keep(PLACE, TOKEN, list);
  expect(find()).toBe(list);
  clock.advanceSeconds(59.999);
  expect(find()).toBe(list);
  clock.advanceSeconds(0.001);
  expect(find()).toBeUndefined();
});

it('ignores a list that would be kept for longer than a minute because a clock was set back', () => {
  memory.keep(PLACE, TOKEN, listOf());
  clock.advanceSeconds(-0.001);
  expect(find()).toBeUndefined();
});

it('replaces an older list with a newer one', () => {
  memory.keep(PLACE, TOKEN, listOf());
  const newer = listOf();
  memory.keep(PLACE, TOKEN, newer);
  expect(find()).toBe(newer);
});

describe('finds nothing', () => {
  beforeEach(() => memory.keep(PLACE, TOKEN, listOf()));
  it.each<[string, ListPlace, Credential]>([
    ['for another user, were it with the same token', by('user_bob'), TOKEN],
    [
      'in another organization',
      { ...PLACE, caller: { ...PLACE.caller, organizationId: OrganizationId.parse('org_globex') } },
      TOKEN,
    ],
    ['of another kind', { ...PLACE, kind: 'prompts' }, TOKEN],
    ['with another token', PLACE, tokenOf('token-2')],
    [
      'with the same text as a key',
      PLACE,
      { kind: 'api_key', method: 'service', key: 'token-1', header: 'x', value: 'token-1' },
    ],
    ['at another connector', at({ id: ConnectorId.parse('con_b') }), TOKEN],
    ['at another address', at({ mcpUrl: 'https://b.example/mcp' }), TOKEN],
    ['at another resource', at({ resource: 'https://b.example' }), TOKEN],
    ['for other scopes', at({ scopes: ['read'] }), TOKEN],
    ['for an agent with scopes of its own', at({ binding: { tools: undefined, scopesKey: 'key' } }), TOKEN],
    ['for another client of ours', at({ methods: [{ ...ID_JAG, clientId: 'other' }] }), TOKEN],
  ])('%s', (_case, place, credential) => {
    expect(find(place, credential)).toBeUndefined();
  });

  it('with a token that was just obtained, even if it is the same', () => {
    expect(find(PLACE, TOKEN, false)).toBeUndefined();
  });
});

it('finds the same list for agents with the same scopes, whatever tools they are bound to', () => {
  const bound = (...names: string[]) => at({ binding: { tools: new Set(names), scopesKey: 'key' } });
  const list = listOf();
  memory.keep(bound('a'), TOKEN, list);
  expect(find(bound('b'))).toBe(list);
});

it('drops only the lists of an ended user, session or organization, by any of its names', () => {
  const places = [PLACE, by('user_bob'), at({ id: ConnectorId.parse('con_b') })];
  const left = (ended: Parameters<typeof reachName>[0]) => {
    for (const place of places) memory.keep(place, TOKEN, listOf());
    memory.end(reachName(ended));
    return places.map((place) => find(place) !== undefined);
  };
  const organizationId = OrganizationId.parse('org_acme');
  expect(left({ userId: UserId.parse('user_alice') })).toEqual([false, true, false]);
  expect(left({ userId: UserId.parse('user_alice'), organizationId })).toEqual([false, true, false]);
  expect(left({ organizationId, connectorId: ConnectorId.parse('con_b') })).toEqual([true, true, false]);
  expect(left({ organizationId })).toEqual([false, false, false]);
  expect(left({ organizationId: OrganizationId.parse('org_globex') })).toEqual([true, true, true]);
  expect(
    left({ userId: UserId.parse('user_alice'), organizationId: OrganizationId.parse('org_globex') }),
  ).toEqual([true, true, true]);
});

describe('is bounded', () => {
  const MIB = 1_048_576;

  it('in bytes: the least recently used list is dropped first', () => {
    const places = Array.from({ length: 64 }, (_, index) => by(`user_${index}`));
    const [first = PLACE, second = PLACE] = places;
    // Each list takes its mebibyte, and a fixed overhead.
    for (const place of places.slice(0, 63)) memory.keep(place, TOKEN, listOf(MIB / 2));
    expect(find(first)).toBeDefined(); // counts as a use
    memory.keep(by('user_63'), TOKEN, listOf(MIB / 2));
    expect(places.map((place) => find(place) !== undefined)).toEqual(places.map((place) => place !== second));
  });

  it('for each of the lists, and an oversized one displaces no other', () => {
    memory.keep(PLACE, TOKEN, listOf());
    memory.keep(by('user_bob'), TOKEN, listOf(MIB));
    expect([find(), find(by('user_bob'))]).toEqual([expect.anything(), undefined]);
  });

  it('in number of lists', () => {
    for (let index = 0; index <= 20_000; index += 1) memory.keep(by(`user_${index}`), TOKEN, listOf(1));
    expect([find(by('user_0')), find(by('user_1'))]).toEqual([undefined, expect.anything()]);
  });
});
