import { expect, it } from '@jest/globals';
import { OrganizationId, UserId } from '@legate/ids';
import { membersOf } from '@legate/mcp-client';
import { generateEncryptionKeys } from '@legate/secure-store';
import { createTestClock } from '@legate/service/testing';
import type { Caller } from '../../domain/caller.ts';
import { createAgentSessions } from './agent-sessions.ts';

const callerOf = (userId: string, organizationId = 'org_acme'): Caller => ({
  ...{ userId: UserId.parse(userId), organizationId: OrganizationId.parse(organizationId) },
  ...{
    subjectToken: 'token',
    subjectTokenId: 'hash-of-it',
    audiences: [],
    authentication: { client: 'app' },
  },
});
const alice = callerOf('user_alice');
const ui = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } };
const clock = createTestClock();
const keys = generateEncryptionKeys();
const sessions = createAgentSessions({ keys, clock });
const begin = (caller: Caller, capabilities: unknown) => sessions.begin(caller, JSON.stringify(capabilities));

it('makes the extensions of an agent known to later requests, also at other replicas', () => {
  const id = begin(alice, { extensions: ui });
  expect(id).toMatch(/^lms_[A-Za-z0-9_-]+$/);
  expect(Buffer.from(id.slice(4), 'base64url').toString('latin1')).not.toContain('mcp-app');
  const replica = createAgentSessions({ keys, clock });
  expect(replica.declaredIn(alice, id)?.extensions?.members).toEqual(membersOf(JSON.stringify(ui)));
});

it.each<[string, unknown]>([
  ['no capabilities', undefined],
  ['no extensions', { sampling: {} }],
  ['none that the hub can serve', { extensions: { 'io.modelcontextprotocol/tasks': {} } }],
  ['settings that are no objects', { extensions: { a: true } }],
  ['extensions that are too large for a header', { extensions: { a: { text: 'x'.repeat(1000) } } }],
])('has no effect for an agent with %s', (_case, capabilities) => {
  const id = begin(alice, capabilities);
  expect(id).toMatch(/^[0-9a-f-]{36}$/);
  expect(sessions.declaredIn(alice, id)).toBeUndefined();
});

it('has no effect for another user', () => {
  const id = begin(alice, { extensions: ui });
  const altered = `${id.slice(0, -2)}${id.endsWith('AA') ? 'BB' : 'AA'}`;
  for (const [caller, presented] of [
    [callerOf('user_bob'), id],
    [callerOf('user_alice', 'org_globex'), id],
    [alice, altered],
    [alice, 'lms_'],
    [alice, 'lms_é'],
    [alice, id.slice(4)],
    [alice, undefined],
  ] as const)
    expect(sessions.declaredIn(caller, presented)).toBeUndefined();
});

it('has no effect after a day', () => {
  const id = begin(alice, { extensions: ui });
  clock.advanceSeconds(86_399);
  expect(sessions.declaredIn(alice, id)?.extensions?.members).toEqual(membersOf(JSON.stringify(ui)));
  clock.advanceSeconds(1);
  expect(sessions.declaredIn(alice, id)).toBeUndefined();
});

it('fits into 1 KiB', () => {
  const lengths = [100, 400, 500, 600, 700].map(
    (length) => begin(alice, { extensions: { a: { text: 'x'.repeat(length) } } }).length,
  );
  expect(Math.max(...lengths)).toBeGreaterThan(600);
  expect(Math.max(...lengths)).toBeLessThanOrEqual(1024);
});

it('contains whether an agent can show its user a link', () => {
  for (const [elicitation, expected] of [
    [{ url: {} }, true],
    [{ form: {}, url: {} }, true],
  ] as const)
    expect(sessions.declaredIn(alice, begin(alice, { elicitation }))).toEqual({
      extensions: undefined,
      canElicitUrl: expected,
    });
  expect(begin(alice, { elicitation: {} })).toMatch(/^[0-9a-f-]{36}$/);
});
