import { beforeEach, expect, it } from '@jest/globals';
import { OrganizationId, UserId } from '@legate/ids';
import { Problem } from '@legate/service';
import { OnboardingSessionId } from '../../domain/ids.ts';
import { createCsrfTokens } from './csrf.ts';
import type { Onboarding } from './service.ts';
import { createOnboarding } from './service.ts';
import type { OnboardingSession } from './session.ts';

const ALICE = {
  userId: UserId.parse('user_alice'),
  email: 'alice@acme.example',
  emailVerified: true,
  emailProven: true,
  name: 'Alice',
  organizationId: OrganizationId.parse('org_acme'),
};
const unexpected = () => Promise.reject(new Error('must not be asked'));

let sessions: OnboardingSession[];
let onboarding: Onboarding;

beforeEach(() => {
  sessions = [];
  onboarding = createOnboarding({
    issuer: 'https://idp.example',
    relinkMembers: false,
    store: {
      insert: async (session) => void sessions.push(session),
      withSessions: (userId, work) =>
        work(
          sessions.filter((session) => session.userId === userId),
          {
            save: unexpected,
            record: unexpected,
            ownOrganizations: unexpected,
            asOrganization: unexpected,
          },
        ),
    },
    directory: {
      findOrganization: unexpected,
      createOrganization: unexpected,
      addOwner: unexpected,
      addMembership: unexpected,
      removeMembership: unexpected,
      restoreMembership: unexpected,
    },
    record: unexpected,
    loadDetails: unexpected,
    dropTokens: unexpected,
    csrf: createCsrfTokens(['a-key-of-the-tests']),
    clock: () => new Date('2026-08-01T12:00:00Z'),
    onDetailsMissing: () => {},
    decide: unexpected,
    clientAt: () => undefined,
    standingOf: unexpected,
    forgetStanding: () => {},
  });
});

const start = (browserSecret?: string) =>
  onboarding.start(ALICE, {
    returnTo: 'https://app.example',
    ...(browserSecret !== undefined && { browserSecret }),
    authorIn: () => {
      throw new Error('nothing is recorded');
    },
  });
const recognize = (sessionId: string, { userId = ALICE.userId, secret = 'a-secret' } = {}) =>
  onboarding.recognize({ sessionId: OnboardingSessionId.parse(sessionId), userId, secret }).then(
    (identity) => identity,
    (err: unknown) => (err instanceof Problem ? [err.status, err.code] : err),
  );
const NOT_FOUND = [404, 'onboarding_session_not_found'];

it('recognizes the browser that began the session', async () => {
  expect(await recognize(await start('a-secret'))).toEqual(ALICE);
});

it('recognizes no browser with another secret, and none in the session of another user', async () => {
  const session = await start('a-secret');
  expect(await recognize(session, { secret: 'another' })).toEqual(NOT_FOUND);
  expect(await recognize(session, { secret: '' })).toEqual(NOT_FOUND);
  expect(await recognize(session, { userId: UserId.parse('user_bob') })).toEqual(NOT_FOUND);
});

it('recognizes no browser in a session that began without one', async () => {
  expect(await recognize(await start())).toEqual(NOT_FOUND);
});
