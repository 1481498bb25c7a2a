import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { runs } from '@legate/testing';
import fc from 'fast-check';
import { type Client, clientOf } from '../../testing/client.ts';
import type { Failure } from '../../testing/fake-idp.ts';
import { Browser, createOnboardingScene, type OnboardingScene } from '../../testing/onboarding-scene.ts';

let scene: OnboardingScene;
beforeAll(async () => {
  scene = await createOnboardingScene({ app: { memberRules: { defaultRole: 'viewer' } } });
});
afterAll(() => scene.api.close());

/** Olga founds the organization; Adam is an admin at first. */
const INVITERS = ['olga', 'adam'] as const;
const PEOPLE = ['bob', 'eve'] as const;
type Name = (typeof INVITERS)[number] | (typeof PEOPLE)[number];
const ROLES = ['owner', 'admin', 'developer', 'viewer'] as const;
type Role = (typeof ROLES)[number];

const step = fc.record({
  what: fc.constantFrom(
    ...(['invite', 'accept', 'call', 'call', 'revoke', 'resend', 'wait'] as const),
    ...(['deactivate', 'remove', 'remove', 'reinstate', 'patch'] as const),
  ),
  actor: fc.constantFrom(...INVITERS),
  target: fc.constantFrom('bob', 'bob', 'eve'),
  /** The person whose membership is changed */
  member: fc.constantFrom('adam', ...PEOPLE),
  role: fc.constantFrom(...ROLES),
  /** True if the sign-in names the organization */
  isNamed: fc.boolean(),
  claim: fc.option(fc.constantFrom(...ROLES), { nil: undefined }),
  failure: fc.constantFrom<undefined | Failure>(undefined, undefined, 'before', 'after', 403),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/**
 * An invitation, events that may come in between, and the person's answer: steps in random order would rarely combine
 */
const story = fc.tuple(step, fc.array(step, { maxLength: 3 }), step).map(([first, between, last]): Step[] => {
  const { target } = first;
  const about = between.map((one) => ({
    ...one,
    target,
    member: one.member === 'adam' ? one.member : target,
  }));
  return [{ ...first, what: 'invite' }, ...about, { ...last, what: 'accept', target }];
});
const steps = fc
  .array(
    fc.oneof(
      story,
      story,
      step.map((one) => [one]),
    ),
    { minLength: 3, maxLength: 8, size: 'max' },
  )
  .map((stories) => stories.flat());

interface Row {
  readonly id: string;
  readonly role: Role;
  readonly active: boolean;
  readonly removed_at: Date | null;
}
/** The test's model of an invitation: enough to know which role it may give */
interface Known {
  readonly id: string;
  link: string;
  readonly target: Name;
  readonly role: Role;
  inviter: Name;
  sentAt: number;
  isOver: boolean;
}

const DAY_MS = 24 * 3_600_000;
const now = () => scene.api.now().getTime();

async function rowsOf(org: string, users: ReadonlyMap<Name, string>): Promise<ReadonlyMap<Name, Row>> {
  const { rows } = await scene.api.database.asOwner((owner) =>
    owner.query(
      'SELECT user_id, id, role, removed_at IS NULL AS active, removed_at FROM members WHERE organization_id = $1',
      [org],
    ),
  );
  const names = new Map([...users].map(([name, sub]) => [sub, name]));
  return new Map(rows.map(({ user_id, ...row }) => [names.get(user_id) as Name, row as Row]));
}

/** Returns true if an invitation could now make its person a member, with its role */
function gives(known: Known, rows: ReadonlyMap<Name, Row>): boolean {
  const inviter = rows.get(known.inviter);
  const isAble = inviter?.role === 'owner' || (inviter?.role === 'admin' && known.role !== 'owner');
  if (known.isOver || now() >= known.sentAt + 7 * DAY_MS || !inviter?.active || !isAble) return false;
  const row = rows.get(known.target);
  if (!row?.removed_at) return true;
  return row.removed_at.getTime() < known.sentAt && (row.role !== 'owner' || inviter.role === 'owner');
}

it('never admits users without a row or kept-out users, and grants no role that no inviter could grant', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (all) => {
      scene.newIdp();
      const org = `org_${randomUUID()}`;
      scene.idp.organizations.set(org, { id: org, name: 'Acme', external_id: org });
      const names: readonly Name[] = [...INVITERS, ...PEOPLE];
      const users = new Map(names.map((name) => [name, `user_${name}_${randomUUID()}`]));
      const claimsOf = (name: Name) => ({
        sub: users.get(name),
        email: `${users.get(name)}@acme.example`,
        name,
      });
      const as =
        (name: Name, roles?: readonly Role[]): Client =>
        async (...call) =>
          (await clientOf(scene.api, org, { ...claimsOf(name), roles }))(...call);
      await as('olga', ['owner'])('get', '/me');
      await as('adam', ['admin'])('get', '/me');

      const invitations: Known[] = [];
      const lastFor = (name: Name) => invitations.findLast(({ target }) => target === name);
      for (const one of all) {
        scene.api.advanceSeconds(one.what === 'wait' ? 4 * 24 * 3600 : 61);
        const before = await rowsOf(org, users);
        const giving = invitations.filter((known) => gives(known, before));
        const admitted = await carryOut(one, as, before, invitations, lastFor(one.target), claimsOf);
        const after = await rowsOf(org, users);

        for (const name of admitted) expect([name, after.get(name)?.active]).toEqual([name, true]);
        expect(after.get('olga')).toMatchObject({ role: 'owner', active: true });
        for (const [name, row] of after) expectGiven(name, row, before.get(name), one, giving, before);
      }
    }),
    runs(40),
  );
});

/** @returns the people whom the API or the pages admit */
async function carryOut(
  one: Step,
  as: (name: Name, roles?: readonly Role[]) => Client,
  rows: ReadonlyMap<Name, Row>,
  invitations: Known[],
  last: Known | undefined,
  claimsOf: (name: Name) => object,
): Promise<readonly Name[]> {
  const { actor, target, role } = one;
  const client = as(actor);
  const id = rows.get(one.member)?.id ?? 'mem_unknown';
  const letIn = (status: number) => (status < 300 ? [actor] : []);
  switch (one.what) {
    case 'call': {
      const { status } = await as(target, one.claim && [one.claim])('get', '/sites');
      expect([200, 403]).toContain(status);
      return status === 200 ? [target] : [];
    }
    case 'invite': {
      const email = (claimsOf(target) as { email: string }).email;
      const made = await client('post', '/invitations', { email, role });
      expect(made.status).toBeLessThan(500);
      if (made.status === 201) {
        for (const known of invitations) if (known.target === target) known.isOver = true;
        const { id: invitationId, accept_url: link } = made.body;
        const fresh = { id: invitationId, link, target, role, inviter: actor };
        invitations.push({ ...fresh, sentAt: now(), isOver: false });
      }
      return letIn(made.status);
    }
    case 'resend': {
      const sent = await client('post', `/invitations/${last?.id ?? 'inv_unknown'}/resend`);
      if (sent.status === 200 && last)
        Object.assign(last, { link: sent.body.accept_url, inviter: actor, sentAt: now() });
      return letIn(sent.status);
    }
    case 'revoke': {
      const { status } = await client('delete', `/invitations/${last?.id ?? 'inv_unknown'}`);
      if (status === 204 && last) last.isOver = true;
      return letIn(status);
    }
    case 'accept':
      return accept(one, last, claimsOf(target));
    case 'patch':
      return letIn((await client('patch', `/members/${id}`, { role })).status);
    case 'reinstate':
      return letIn((await client('post', `/members/${id}/reinstate`, { role })).status);
    case 'deactivate':
      return letIn((await client('post', `/members/${id}/deactivate`)).status);
    case 'remove':
      return letIn((await client('delete', `/members/${id}`)).status);
    default:
      return [];
  }
}

async function accept(one: Step, known: Known | undefined, claims: object): Promise<readonly Name[]> {
  if (!known) return [];
  const browser = new Browser(scene.api.app);
  await browser.get(known.link);
  const { pathname } = new URL(known.link);
  expect(pathname).toBe('/onboarding/invitation');
  const org = [...scene.idp.organizations.keys()][0];
  const question = await browser.signIn(scene.idp, {
    ...claims,
    ...(one.isNamed && { organization_id: org }),
  });
  expect(question.status).toBeLessThan(500);
  if (!question.text.includes('>Accept</button>')) return [];
  if (one.failure !== undefined) scene.idp.failNext('add-member', one.failure);
  const answer = await browser.send(question, {});
  // A failure that was prepared and not used must not affect the next run.
  scene.idp.failNext('find', 'before');
  if (answer.status === 303) known.isOver = true;
  return answer.status === 303 ? [one.target] : [];
}

/**
 * Checks that a row comes from a token or an invitation, and that a role or a return was granted by a person who may
 * do so.
 */
function expectGiven(
  name: Name,
  now: Row,
  before: Row | undefined,
  one: Step,
  giving: readonly Known[],
  rows: ReadonlyMap<Name, Row>,
): void {
  const isInvited = giving.some(({ target, role }) => target === name && role === now.role);
  if (!before) {
    // After a failure the invitation is still being accepted: a first token then gets its role.
    const byToken = one.what === 'call' && name === one.target && now.role === (one.claim ?? 'viewer');
    expect([name, now.role, isInvited || byToken]).toEqual([name, now.role, true]);
    return;
  }
  if (now.role === before.role && (!now.active || before.active)) return;
  if (one.what === 'accept') {
    expect([name, before.active, isInvited]).toEqual([one.target, false, true]);
    return;
  }
  const actor = rows.get(one.actor);
  expect(['patch', 'reinstate']).toContain(one.what);
  expect(actor?.active).toBe(true);
  expect(['owner', 'admin']).toContain(actor?.role);
  if (before.role === 'owner' || now.role === 'owner') expect(actor?.role).toBe('owner');
}
