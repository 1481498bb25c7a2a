import { expect, it } from '@jest/globals';
import type { Refusal } from '@legate/delegation';
import { endRefusedSession } from './end-refused-session.ts';

const CALLER = { subjectToken: 'an-id-token', session: { key: 'a-session' } };

async function endedBy(refusal: Extract<Refusal, { outcome: 'expired' }>, caller: Partial<typeof CALLER>) {
  const ended: string[] = [];
  const endIfRefused = async ({ key }: { key: string }, subjectToken: string) => {
    ended.push(`${key} of ${subjectToken}`);
  };
  await endRefusedSession({ endIfRefused }, { subjectToken: CALLER.subjectToken, ...caller }, refusal);
  return ended;
}

it('ends the session of an ID token that is no longer accepted', async () => {
  expect(await endedBy({ outcome: 'expired', reason: 'invalid_grant' }, CALLER)).toEqual([
    'a-session of an-id-token',
  ]);
});

it.each([
  ['the sign-in is too weak', { acrValues: 'mfa' }, CALLER],
  ['the sign-in is too old', { maxAge: 60 }, CALLER],
  ['an account must be connected', { connect: { scopes: [] } }, CALLER],
  ['the caller has no session', {}, {}],
])('ends no session when %s', async (_case, demand, caller) => {
  expect(await endedBy({ outcome: 'expired', reason: 'any', ...demand }, caller)).toEqual([]);
});
