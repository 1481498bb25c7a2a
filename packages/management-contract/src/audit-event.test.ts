import { describe, expect, it } from '@jest/globals';
import { ulid } from 'ulid';
import { auditEvent, EventBatch, Intake } from './audit-event.ts';

const AT_MS = Date.parse('2026-09-21T12:00:00.000Z');
const eventAt = (atMs: number, change: object = {}) => ({
  id: `evt_${ulid(atMs)}`,
  organization_id: 'org_acme',
  action: 'tool.called',
  occurred_at: new Date(atMs).toISOString(),
  actor: { type: 'user', id: 'user_alice' },
  ...change,
});
const faultsOf = (event: object) =>
  auditEvent(new Date(AT_MS))
    .safeParse(event)
    .error?.issues.map(({ path }) => path.join('.'));

it('completes an event with only the required members', () => {
  const event = eventAt(AT_MS);
  expect(auditEvent(new Date(AT_MS)).parse(event)).toEqual({
    ...event,
    actor: { ...event.actor, email: null },
    targets: [],
    request_id: null,
    details: {},
  });
});

it.each([
  'tool.called',
  'prompt.read',
  'resource.read',
  'delegation.examined',
  'session.opened',
  'token.issued',
])('accepts the action %s', (action) => {
  expect(faultsOf(eventAt(AT_MS, { action }))).toBeUndefined();
});

it.each<[string, object]>([
  ['by a service', { actor: { type: 'system', id: 'the-service' } }],
  ['about ten things', { targets: Array(10).fill({ type: 'agent', id: 'a', name: null }) }],
  ['about a connector', { targets: [{ type: 'connector', id: 'a' }] }],
  ['about a prompt', { targets: [{ type: 'prompt', id: 'a' }] }],
  ['about a resource', { targets: [{ type: 'resource', id: 'a' }] }],
  ['about an organization', { targets: [{ type: 'organization', id: 'a' }] }],
  ['with details of each kind', { details: { text: 'a', number: 1, boolean: true, nothing: null } }],
  ['with 40 details', { details: Object.fromEntries([...Array(40).keys()].map((i) => [`a${i}`, i])) }],
])('accepts an event %s', (_case, change) => {
  expect(faultsOf(eventAt(AT_MS, change))).toBeUndefined();
});

describe('refuses an event', () => {
  it.each<[string, object, string]>([
    ['with an action of the management API', { action: 'organization.deleted' }, 'action'],
    ['with a malformed id', { id: 'evt_1' }, 'id'],
    ['with an id that is beyond all times', { id: `evt_${'8'.padEnd(26, '0')}` }, 'id'],
    ['with an id of another time', { id: `evt_${ulid(AT_MS + 1)}` }, 'id'],
    ['with an organization that has a colon', { organization_id: 'org:a' }, 'organization_id'],
    ['with a time without milliseconds', { occurred_at: '2026-09-21T12:00:00Z' }, 'occurred_at'],
    ['by someone else than a user or a service', { actor: { type: 'support', id: 'a' } }, 'actor.type'],
    ['about a member', { targets: [{ type: 'member', id: 'mem_a' }] }, 'targets.0.type'],
    ['about eleven things', { targets: Array(11).fill({ type: 'tool', id: 'a' }) }, 'targets'],
    ['with nested details', { details: { a: { b: 1 } } }, 'details.a'],
    [
      'with 41 details',
      { details: Object.fromEntries([...Array(41).keys()].map((i) => [`a${i}`, i])) },
      'details',
    ],
    ['with a member that is not in the contract', { changes: {} }, ''],
  ])('%s', (_case, change, place) => {
    expect(faultsOf(eventAt(AT_MS, change))).toEqual([place]);
  });

  it.each<[string, (text: string) => object, number]>([
    ['actor.id', (id) => ({ actor: { type: 'user', id } }), 255],
    ['actor.email', (email) => ({ actor: { type: 'user', id: 'a', email } }), 320],
    ['targets.0.id', (id) => ({ targets: [{ type: 'tool', id }] }), 255],
    ['targets.0.name', (name) => ({ targets: [{ type: 'tool', id: 'a', name }] }), 255],
    ['request_id', (request_id) => ({ request_id }), 64],
    ['details.a', (a) => ({ details: { a } }), 500],
  ])('if %s is too long or looks like a token', (place, changeWith, longest) => {
    const faultsWith = (text: string) => faultsOf(eventAt(AT_MS, changeWith(text)));
    expect(faultsWith('a'.repeat(longest))).toBeUndefined();
    expect(faultsWith('a'.repeat(longest + 1))).toEqual([place]);
    expect(faultsWith('Bearer abcdefgh')).toEqual([place]);
  });

  it.each([
    [300_000, undefined],
    [300_001, ['occurred_at']],
    [-30 * 86_400_000, undefined],
    [-30 * 86_400_000 - 1, ['occurred_at']],
  ])('with a time %d ms from now has these faults: %j', (awayMs, faults) => {
    expect(faultsOf(eventAt(AT_MS + awayMs))).toEqual(faults);
  });
});

it.each([
  [0, false],
  [1, true],
  [500, true],
  [501, false],
])('accepts a batch of %d events: %s', (count, isAccepted) => {
  expect(EventBatch.safeParse({ events: Array(count).fill({}) }).success).toBe(isAccepted);
});

it.each([
  ['accepted', { accepted: -1 }],
  ['accepted', { accepted: 0.5 }],
  ['known', { known: -1 }],
  ['refused.0.index', { refused: [{ index: -1, errors: [] }] }],
  ['refused.0.errors', { refused: [{ index: 0 }] }],
])('refuses a result with an impossible %s', (place, change) => {
  const { error } = Intake.safeParse({ accepted: 0, known: 0, refused: [], ...change });
  expect(error?.issues.map(({ path }) => path.join('.'))).toEqual([place]);
});

it('reads the result for a batch, even from a newer version with more members', () => {
  const refused = [{ index: 1, errors: [{ pointer: '/action', code: 'invalid_format', detail: 'no' }] }];
  const intake = { accepted: 1, known: 0, refused };
  expect(Intake.parse({ ...intake, later: 1 })).toEqual(intake);
});
