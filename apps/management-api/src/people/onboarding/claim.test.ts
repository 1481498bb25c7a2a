import { beforeEach, expect, it } from '@jest/globals';
import { OrganizationId, UserId } from '@legate/ids';
import { Problem } from '@legate/service';
import type { Caller } from '../../domain/caller.ts';
import { MemberId, OnboardingSessionId } from '../../domain/ids.ts';
import { type Claims, createClaims } from './claim.ts';
import { createCsrfTokens } from './csrf.ts';
import type { OwnOrganization } from './own-organizations.ts';
import type { OnboardingSession } from './session.ts';
import type { SessionStore } from './session-store.ts';

const START = Date.parse('2026-08-01T12:00:00Z');
const [ONE, TWO] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'] as const;
const csrf = createCsrfTokens(['a-key-of-the-tests']);
const ALICE: Caller = {
  issuer: 'https://idp.example',
  subject: UserId.parse('user_alice'),
  organizationId: undefined,
  email: undefined,
  name: undefined,
  roles: undefined,
  scope: undefined,
  credential: { kind: 'access_token', clientId: null, tokenId: null },
};
const ACME: OwnOrganization = {
  id: OrganizationId.parse('org_acme'),
  name: 'Acme',
  status: 'active',
  memberId: MemberId.parse('mem_1'),
  role: 'owner',
};

let seconds: number;
let sessions: Map<string, OnboardingSession>;
let own: OwnOrganization[];
let claims: Claims;

const at = (after: number) => new Date(START + after * 1000);

beforeEach(() => {
  seconds = 0;
  own = [];
  sessions = new Map([ONE, TWO].map((id) => [id, newSession(id)]));
  const store: SessionStore = {
    insert: () => Promise.reject(new Error('nothing is inserted')),
    withSessions: async (_userId, work) => {
      const saved: OnboardingSession[] = [];
      const result = await work([...sessions.values()], {
        save: async (session) => void saved.push(session),
        record: () => Promise.reject(new Error('nothing is recorded')),
        asOrganization: () => Promise.reject(new Error('nothing is changed')),
        ownOrganizations: async () => own,
      });
      for (const session of saved) sessions.set(session.id, session);
      return result;
    },
  };
  claims = createClaims({ store, csrf, clock: () => at(seconds) });
});

const newSession = (id: string): OnboardingSession => ({
  id: OnboardingSessionId.parse(id),
  userId: ALICE.subject,
  email: null,
  emailVerified: false,
  emailProven: false,
  name: null,
  step: 'create_org',
  externalId: id,
  organizationId: null,
  requestHash: null,
  leaseUntil: null,
  returnTo: 'https://app.example',
  browserHash: null,
  decision: null,
  createdAt: at(0),
  expiresAt: at(600),
});

const tokenOf = (session: string) =>
  csrf.tokenFor(OnboardingSessionId.parse(session), 'create_org', ALICE.subject);
const claim = (session: string = ONE, name = 'Acme', caller = ALICE) =>
  claims.claim(caller, { session: OnboardingSessionId.parse(session), csrf_token: tokenOf(session), name });
async function claimed(session: string = ONE, name = 'Acme') {
  const outcome = await claim(session, name);
  if (outcome.kind !== 'claimed') throw new Error(outcome.kind);
  return outcome;
}
const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    (err: unknown) => (err instanceof Problem ? err.code : err),
  );

it('lets only one attempt run at a time, for 30 seconds at most', async () => {
  const first = await claimed();
  expect(first.isResumed).toBe(false);
  seconds = 29;
  expect([await codeOf(claim()), await codeOf(claim(TWO))]).toEqual([
    'onboarding_in_progress',
    'onboarding_in_progress',
  ]);
  seconds = 30;
  expect((await claimed()).isResumed).toBe(true);
});

it('keeps the lease of another attempt when a slow attempt fails', async () => {
  const slow = await claimed();
  seconds = 31;
  await claimed();
  await claims.release(slow.session);
  expect(await codeOf(claim())).toBe('onboarding_in_progress');
});

it('lets a retry start at once after an attempt has failed', async () => {
  const failed = await claimed();
  await claims.release(failed.session);
  expect((await claimed()).isResumed).toBe(true);
});

it('continues in another session what the first session has started', async () => {
  await claimed(ONE);
  seconds = 30;
  const { session, isResumed } = await claimed(TWO);
  expect([session.externalId, isResumed]).toEqual([ONE, true]);
  expect(sessions.get(ONE)).toMatchObject({ step: 'create_org', leaseUntil: null });
});

it('creates the organization once, and returns the result to a repeated request', async () => {
  const { session } = await claimed();
  await claims.finish(session, OrganizationId.parse('org_acme'));
  expect(sessions.get(ONE)).toMatchObject({ step: 'consent', organizationId: 'org_acme', leaseUntil: null });
  expect((await claim()).kind).toBe('replay');
  expect(await codeOf(claim(ONE, 'Another'))).toBe('onboarding_session_conflict');
});

it('keeps the result of another attempt when a slow attempt finishes later', async () => {
  const slow = await claimed();
  await claims.finish(slow.session, OrganizationId.parse('org_acme'));
  await claims.finish(slow.session, OrganizationId.parse('org_of_the_slow_one'));
  expect(sessions.get(ONE)?.organizationId).toBe('org_acme');
});

it('refuses another name while an organization is being created', async () => {
  await claimed();
  seconds = 30;
  expect(await codeOf(claim(ONE, 'Another'))).toBe('onboarding_session_conflict');
});

it('refuses a user who has an organization, according to the token or to our own data', async () => {
  expect(
    await codeOf(claim(ONE, 'Acme', { ...ALICE, organizationId: OrganizationId.parse('org_acme') })),
  ).toBe('organization_exists');
  own = [ACME];
  expect(await codeOf(claim())).toBe('organization_exists');
  expect(await claims.hasOrganization(ALICE)).toBe(true);
  own = [];
  expect(await claims.hasOrganization(ALICE)).toBe(false);
});

it('refuses a session that began with an organization', async () => {
  sessions.set(ONE, {
    ...newSession(ONE),
    step: 'consent',
    organizationId: OrganizationId.parse('org_acme'),
  });
  expect(await codeOf(claim())).toBe('organization_exists');
});

it('refuses a wrong CSRF token, an unknown session, an ended one and an expired one', async () => {
  const request = { session: OnboardingSessionId.parse(ONE), csrf_token: tokenOf(TWO), name: 'Acme' };
  expect(await codeOf(claims.claim(ALICE, request))).toBe('csrf_token_invalid');
  expect(await codeOf(claim('00000000-0000-4000-8000-000000000003'))).toBe('onboarding_session_not_found');
  sessions.set(ONE, { ...newSession(ONE), step: 'done' });
  expect(await codeOf(claim())).toBe('onboarding_session_used');
  seconds = 600;
  expect(await codeOf(claim(TWO))).toBe('onboarding_session_expired');
});
