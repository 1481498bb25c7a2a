import { expect, it } from '@jest/globals';
import { createClient } from '../index.ts';
import { fakeHub, refusal } from '../testing/fake-hub.ts';
import { describeUserAction, type UserAction } from './answer.ts';

async function neededAt(answer: () => Response): Promise<UserAction> {
  const { failure } = await createClient({ ...fakeHub(answer).options, session: 's' }).tools();
  if (failure?.kind !== 'connection_required' && failure?.kind !== 'sign_in_required')
    throw new Error(failure?.kind);
  return failure;
}

it.each([
  [
    'the page of the hub',
    () =>
      refusal(403, 'connection_required', {
        authorization: { remediationHints: [{ type: 'url', url: 'https://hub.example/connect/c' }] },
      }),
    'The user must first connect their own account. Show them this link: https://hub.example/connect/c',
  ],
  [
    'the application, where there is no page',
    () => refusal(403, 'connection_required'),
    'The user must first connect their own account. The application can get a link for this.',
  ],
  [
    'a sign-in',
    () => refusal(401, 'token_expired', { reason: 'expired' }),
    'token_expired. The user must sign in again first.',
  ],
])('refers the user to %s', async (_case, answer, text) => {
  expect(describeUserAction(await neededAt(answer))).toBe(text);
});
