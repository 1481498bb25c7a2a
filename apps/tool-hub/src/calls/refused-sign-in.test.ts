import { expect, it } from '@jest/globals';
import type { Refusal } from '@legate/delegation';
import { OrganizationId, UserId } from '@legate/ids';
import type { Caller } from '../domain/caller.ts';
import { noteRefusedSignIn } from './refused-sign-in.ts';

const CALLER = {
  organizationId: OrganizationId.parse('org_acme'),
  userId: UserId.parse('user_alice'),
  subjectToken: 'an-id-token',
  session: { key: 'a-session', sid: undefined },
};

async function notedOf(refusal: Partial<Extract<Refusal, { outcome: 'expired' }>>, caller: Partial<Caller>) {
  const noted: string[] = [];
  const sessions = {
    endIfRefused: async ({ key }: { key: string }, subjectToken: string) => {
      noted.push(`ended ${key} of ${subjectToken}`);
    },
  };
  const stepUps = {
    demand: async (_user: object, at: { clientId: string; sessionKey: string }, demand: object) => {
      noted.push(`demanded ${JSON.stringify(demand)} of ${at.clientId} with ${at.sessionKey}`);
      return 'demanded' as const;
    },
  };
  const expired = { outcome: 'expired', reason: 'any', ...refusal } as const;
  await noteRefusedSignIn({ sessions, stepUps }, { ...CALLER, ...caller }, expired);
  return noted;
}

it('ends the session of an ID token that is no longer accepted', async () => {
  expect(await notedOf({}, {})).toEqual(['ended a-session of an-id-token']);
});

it.each([
  ['the sign-in of an application is too weak', { acrValues: 'mfa' }, {}],
  ['the sign-in of an application is too old', { maxAge: 60 }, {}],
  ['an account must be connected', { connect: { scopes: [] } }, { mcpClient: 'a-client' }],
  ['the caller has no session', {}, { session: undefined }],
])('changes nothing when %s', async (_case, demand, caller) => {
  expect(await notedOf(demand, caller)).toEqual([]);
});

it.each([
  [
    'requires another sign-in from an MCP client',
    { mcpClient: 'a-client' },
    ['demanded {} of a-client with a-session'],
  ],
  ['ends nothing of an application', {}, []],
])('%s whose session lacks the token to exchange', async (_case, caller, noted) => {
  expect(await notedOf({ needsSession: 'access_token' }, caller)).toEqual(noted);
});

it('requires the stronger sign-in from an MCP client, whose session continues', async () => {
  expect(await notedOf({ maxAge: 60, acrValues: 'mfa' }, { mcpClient: 'a-client' })).toEqual([
    'demanded {"maxAge":60,"acrValues":"mfa"} of a-client with a-session',
  ]);
});

it('requires the claims that the identity provider asks for', async () => {
  expect(await notedOf({ claims: '{"access_token":{}}' }, { mcpClient: 'a-client' })).toEqual([
    `demanded ${JSON.stringify({ claims: '{"access_token":{}}' })} of a-client with a-session`,
  ]);
});

it('denies the user if the identity provider asks again for the claims of the last sign-in', async () => {
  const sessions = { endIfRefused: async () => {} };
  const stepUps = { demand: async () => 'met' as const };
  const refusal = { outcome: 'expired', reason: 'any', claims: '{}' } as const;
  expect(
    await noteRefusedSignIn({ sessions, stepUps }, { ...CALLER, mcpClient: 'a-client' }, refusal),
  ).toMatchObject({ outcome: 'denied', by: 'idp' });
});
