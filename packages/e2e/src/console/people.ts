import { exchange, scene, signIn } from '@legate/dev';
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

/** Returns a function that calls the management API directly as a person, and returns the response. */
export async function apiAs(stack: StackUnderTest, email: string) {
  const api = stack.urls['management-api'];
  const { accessToken } = await signIn({ issuer: stack.urls['mock-idp'], email, resource: api });
  const headers = { Authorization: `Bearer ${accessToken}` };
  return async (method: string, path: string, json?: object): Promise<unknown> => {
    const sent = await exchange(method, `${api}/api/v1${path}`, json && { json }, headers);
    if (sent.status >= 300) throw new Error(`${method} ${path}: ${sent.status}`);
    return sent.answer;
  };
}
