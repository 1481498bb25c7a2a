import { exchange, member, scene, signIn } from '@legate/dev';
import { eventually } from '@legate/testing';
import type { StackUnderTest } from '../stack-under-test.ts';

interface Person {
  readonly email: string;
  readonly name: string;
  readonly role: 'owner' | 'admin' | 'developer' | 'viewer';
}

/** Adds a person to Acme at the identity provider; they become a member with their first token. */
export async function addMember(stack: StackUnderTest, { email, name, role }: Person): Promise<void> {
  for (const [kind, entry] of [
    ['users', { email, name, password: scene.PASSWORD }],
    ['memberships', { user: email, organization: 'org_acme', role }],
  ] as const) {
    const { status } = await exchange(
      'POST',
      `${stack.urls['mock-idp']}/admin/${kind}`,
      { json: entry },
      { Authorization: `Bearer ${scene.IDP_ADMIN_KEY}` },
    );
    if (status >= 300) throw new Error(`${kind}: ${status}`);
  }
}

/** Sends a request to the management API as a person, and returns the response. */
export type AskApi = (method: string, path: string, json?: object) => Promise<unknown>;

/** Returns a function that calls the management API directly as a person. */
export async function apiAs(stack: StackUnderTest, email: string): Promise<AskApi> {
  const api = stack.urls['management-api'];
  const { accessToken } = await signIn({ issuer: stack.urls['mock-idp'], email, resource: api });
  const headers = { Authorization: `Bearer ${accessToken}` };
  return async (method, path, json) => {
    const sent = await exchange(method, `${api}/api/v1${path}`, json && { json }, headers);
    if (sent.status >= 300) throw new Error(`${method} ${path}: ${sent.status}`);
    return sent.answer;
  };
}

/** Counts the events of the audit trail that a query selects. */
export async function countEvents(ask: AskApi, query: string): Promise<number> {
  return Number(member(await ask('GET', `/audit-events?${query}`), 'pagination', 'total'));
}

/** Waits until the audit trail, to which the hub delivers events later, has more than `before` events of a query. */
export async function untilInTrail(ask: AskApi, query: string, before = 0): Promise<void> {
  await eventually(`another event in the trail: ${query}`, () => countEvents(ask, query), {
    pauseMs: 1000, // each look counts against the plan
    until: (count) => count > before,
  });
}
