import { beforeEach, describe, expect, it } from '@jest/globals';
import { OrganizationId, UserId } from '@legate/ids';
import { DatabaseUnavailable } from '@legate/postgres';
import { createFairShare, createRateLimiter, createSlots, createWaitingRoom } from '@legate/rate-limit';
import { createLogger, problemHandler } from '@legate/service';
import express, { type ErrorRequestHandler } from 'express';
import request from 'supertest';
import { systemAuthor } from '../../domain/author.ts';
import type { Caller } from '../../domain/caller.ts';
import { setCaller } from '../authentication/caller-of-request.ts';
import { countRequest } from '../limits/count-request.ts';
import { enterInTurn } from '../limits/enter-in-turn.ts';
import { createPlanCount } from '../limits/plan-count.ts';
import { createResolveRole } from '../standing/member-role.ts';
import type { Organization } from '../standing/organization-store.ts';
import type { Membership } from '../standing/standing-store.ts';
import {
  admit,
  findOrganization,
  loadAdmission,
  organizationOf,
  requireOrganization,
  roleOf,
} from './admission.ts';
import { refuseWhileSuspended } from './while-suspended.ts';

const ALICE: Caller = {
  issuer: 'https://idp.example',
  subject: UserId.parse('user_alice'),
  organizationId: OrganizationId.parse('org_acme'),
  email: 'alice@acme.example',
  name: undefined,
  roles: ['viewer'],
  scope: undefined,
  credential: { kind: 'access_token', clientId: null, tokenId: null },
};
const ACME: Organization = {
  id: OrganizationId.parse('org_acme'),
  name: 'Acme',
  plan: { name: 'free', requestsPerMinute: null },
  status: 'active',
  purgeAt: null,
  defaultRole: null,
  roleSource: 'local',
};
const MEMBER: Extract<Membership, { state: 'active' }> = {
  state: 'active',
  role: 'admin',
  roleClaimedAt: null,
  accessRevokedAt: null,
  issuer: ALICE.issuer,
  email: null,
  emailVerified: null,
  name: null,
  lastSeenAt: null,
};

let caller: Caller;
let organization: Organization | Error;
let membership: Membership | Error;
let seen: unknown[];
let joined: unknown[];
let defaultRole: 'viewer' | 'none';
let counted: unknown[];
let isFull: boolean;
let deniedClients: string[];

beforeEach(() => {
  [caller, organization, membership] = [ALICE, ACME, MEMBER];
  [seen, joined] = [[], []];
  defaultRole = 'viewer';
  counted = [];
  isFull = false;
  deniedClients = [];
});

const answer = async <T>(value: T | Error): Promise<T> => {
  if (value instanceof Error) throw value;
  return value;
};

function app() {
  const clock = () => new Date('2026-08-01T12:00:00Z');
  const standings = {
    get: async () => ({
      organization: await answer(organization),
      membership: await answer(membership),
      deniedClients,
    }),
    lastKnownOrganization: () => (organization instanceof Error ? undefined : organization),
    forget: () => {},
  };
  const resolveRole = createResolveRole({
    standings,
    joining: {
      async join(_author, _caller, role) {
        joined.push(role);
        if (!isFull) membership = { ...MEMBER, role };
      },
      async heedRole(_author, { issuedAt = null }, role) {
        membership = { ...MEMBER, role, roleClaimedAt: issuedAt };
      },
    },
    invitedAs: async () => undefined,
    noteSeen: async (...args) => void seen.push(args),
    defaultRole,
    onRefused: () => {},
  });
  const built = express();
  built.use((_req, res, next) => {
    setCaller(res, caller);
    next();
  });
  built.use(loadAdmission(standings, { findOrganization: async () => undefined }));
  const limiter = createRateLimiter({ clock });
  const isSecurity = () => false;
  built.use(
    admit({
      count: countRequest({
        plan: createPlanCount({
          share: createFairShare({ limiter, clock, sharePercent: 50 }),
          limiter,
          decide: () => () => undefined,
        }),
        isSecurity,
        countUsage: (...args) => void counted.push(args),
      }),
      enter: enterInTurn({
        room: createWaitingRoom({
          ...{ max: 2, places: 2, waitMs: 100, sharePercent: 50 },
          hasOthers: () => false,
          clock: () => new Date(),
        }),
        slots: createSlots(),
        isSecurity,
        onRefused: () => undefined,
      }),
      resolveRole,
      authorOf: () => systemAuthor(ACME.id),
    }),
  );
  built.get('/me', (_req, res) => {
    res.json({ role: roleOf(res), organization: findOrganization(res)?.id ?? null });
  });
  built.get('/organization', requireOrganization, (_req, res) => {
    res.json({ organization: organizationOf(res).id });
  });
  for (const [path, openTo] of [
    ['/closed', undefined],
    ['/owners', 'owner'],
  ] as const) {
    built.get(path, refuseWhileSuspended(openTo), (_req, res) => {
      res.json({ role: roleOf(res) });
    });
  }
  built.use(unavailable);
  return built.use(problemHandler({ log, typeBase: 'https://docs.example' }));
}

const log = createLogger({ service: 'test', level: 'silent' });

/** Replaces the error handler that turns an outage into a problem. */
const unavailable: ErrorRequestHandler = (err, _req, res, next) => {
  if (!(err instanceof DatabaseUnavailable)) return next(err);
  res.status(503).json({ code: 'database_unavailable' });
};

async function ask(path = '/me') {
  const res = await request(app()).get(path);
  return res.status === 200 ? res.body : [res.status, res.body.code];
}

describe('a request is admitted', () => {
  it('with the role of the membership, whatever the token contains', async () => {
    expect(await ask()).toEqual({ role: 'admin', organization: 'org_acme' });
  });

  it.each<[string, Partial<Caller>, Partial<Organization>, string]>([
    ['of their token', { roles: ['viewer', 'admin'] }, { defaultRole: 'developer' }, 'admin'],
    [
      'of the organization where their token has none',
      { roles: [] },
      { defaultRole: 'developer' },
      'developer',
    ],
    ['of the deployment where neither has one', { roles: ['other'] }, {}, 'viewer'],
  ])('and an unknown user becomes a member with the role %s', async (_case, claims, rules, role) => {
    membership = { state: 'unknown' };
    caller = { ...ALICE, ...claims };
    organization = { ...ACME, ...rules };
    expect(await ask()).toEqual({ role, organization: 'org_acme' });
    expect(await ask()).toEqual({ role, organization: 'org_acme' });
    expect(joined).toEqual([role]);
  });

  it('for a service that calls for an unknown user, who does not become a member', async () => {
    membership = { state: 'unknown' };
    caller = { ...ALICE, isTransaction: true };
    expect(await ask()).toEqual({ role: 'viewer', organization: 'org_acme' });
    expect([joined, seen]).toEqual([[], []]);
  });

  it.each<[string, Partial<Caller>, number | null, string]>([
    ['the role of a newer token', { roles: ['viewer'], issuedAt: 20 }, 10, 'viewer'],
    ['the role of the first token that is heeded', { roles: ['viewer'], issuedAt: 20 }, null, 'viewer'],
    ['their role with an older token', { roles: ['viewer'], issuedAt: 9 }, 10, 'admin'],
    ['their role with a token of the same second', { roles: ['viewer'], issuedAt: 10 }, 10, 'admin'],
    ['their role with a token that has no role of ours', { roles: ['other'], issuedAt: 20 }, 10, 'admin'],
    ['their role in a transaction', { roles: ['viewer'], issuedAt: 20, isTransaction: true }, 10, 'admin'],
  ])(
    'with the role that the identity provider manages: a member has %s',
    async (_case, claims, roleClaimedAt, role) => {
      organization = { ...ACME, roleSource: 'identity_provider' };
      membership = { ...MEMBER, roleClaimedAt };
      caller = { ...ALICE, ...claims };
      expect(await ask()).toEqual({ role, organization: 'org_acme' });
    },
  );

  it('without an organization if none is needed', async () => {
    caller = { ...ALICE, organizationId: undefined };
    expect(await ask()).toEqual({ role: 'viewer', organization: null });
    expect(await ask('/organization')).toEqual([403, 'organization_id_required']);
    expect([seen, counted]).toEqual([[], []]);
  });

  it("and the user's data in the token is saved", async () => {
    expect(await ask('/organization')).toEqual({ organization: 'org_acme' });
    expect(seen).toEqual([[ACME, MEMBER, ALICE]]);
  });
});

describe('a request is refused', () => {
  describe.each(['suspended', 'deleted'] as const)('of an organization that is %s', (status) => {
    beforeEach(() => {
      organization = { ...ACME, status };
    });

    it.each<[string, Membership]>([
      ['a developer', { ...MEMBER, role: 'developer' }],
      ['somebody unknown, who does not become a member', { state: 'unknown' }],
      ['a former owner', { state: 'kept_out', status: 'removed' }],
    ])('for %s', async (_case, of) => {
      membership = of;
      caller = { ...ALICE, roles: ['owner'] };
      expect(await ask()).toEqual([403, `organization_${status}`]);
      expect([seen, joined]).toEqual([[], []]);
    });

    it('for a service that calls for an owner', async () => {
      membership = { ...MEMBER, role: 'owner' };
      caller = { ...ALICE, isTransaction: true };
      expect(await ask()).toEqual([403, `organization_${status}`]);
    });

    it.each(['owner', 'admin'] as const)(
      'but not on operations that are open to the role %s',
      async (role) => {
        membership = { ...MEMBER, role };
        expect(await ask()).toEqual({ role, organization: 'org_acme' });
        expect(await ask('/closed')).toEqual([403, `organization_${status}`]);
        const ofOwners = await ask('/owners');
        expect(ofOwners).toEqual(role === 'owner' ? { role } : [403, `organization_${status}`]);
      },
    );

    it('for an owner whose newer token contains the role admin', async () => {
      organization = { ...ACME, status, roleSource: 'identity_provider' };
      membership = { ...MEMBER, role: 'owner', roleClaimedAt: 10 };
      caller = { ...ALICE, roles: ['admin'], issuedAt: 20 };
      expect(await ask('/owners')).toEqual([403, `organization_${status}`]);
    });
  });

  it.each([
    ['removed', 'membership_revoked'],
    ['denied', 'membership_revoked'],
    ['deactivated', 'membership_deactivated'],
  ] as const)('of a user who was %s, with a valid token', async (status, code) => {
    membership = { state: 'kept_out', status };
    expect(await ask()).toEqual([403, code]);
    expect([seen, joined]).toEqual([[], []]);
  });

  it('of an application that the user has denied, before it makes them a member', async () => {
    deniedClients = ['frontend-app'];
    expect(await ask()).toEqual({ role: 'admin', organization: 'org_acme' });
    const denied = { ...ALICE.credential, clientId: 'frontend-app' };
    caller = { ...ALICE, credential: denied };
    expect(await ask()).toEqual([403, 'consent_denied']);
    membership = { state: 'unknown' };
    expect(await ask()).toEqual([403, 'consent_denied']);
    expect(joined).toEqual([]);
    membership = { state: 'kept_out', status: 'deactivated' };
    expect(await ask()).toEqual([403, 'membership_deactivated']);
  });

  it('of an unknown user without a role, if a role is required', async () => {
    membership = { state: 'unknown' };
    caller = { ...ALICE, roles: [] };
    organization = { ...ACME, defaultRole: 'none' };
    expect(await ask()).toEqual([403, 'membership_required']);
    [organization, defaultRole] = [ACME, 'none'];
    expect(await ask()).toEqual([403, 'membership_required']);
    expect(joined).toEqual([]);
  });

  it('of an unknown user if the organization has its maximum number of members', async () => {
    membership = { state: 'unknown' };
    isFull = true;
    expect(await ask()).toEqual([403, 'member_limit_reached']);
  });

  it.each(['organization', 'membership'])('while its %s is unknown', async (what) => {
    const outage = new DatabaseUnavailable(new Error('connection refused'));
    if (what === 'organization') organization = outage;
    else membership = outage;
    expect(await ask()).toEqual([503, 'database_unavailable']);
  });

  it('for an internal error, which is not an outage', async () => {
    membership = new TypeError('a bug');
    expect((await request(app()).get('/me')).status).toBe(500);
  });
});

describe('requests are counted', () => {
  const limitOf = async () => {
    const res = await request(app()).get('/me');
    return [res.get('X-RateLimit-Limit'), res.get('X-RateLimit-Remaining')];
  };

  it('against the plan of the organization, including refused ones', async () => {
    expect(await limitOf()).toEqual(['60', '59']);
    organization = { ...ACME, status: 'suspended' };
    expect(await limitOf()).toEqual(['60', '59']);
    expect(counted).toEqual([
      ['org_acme', false],
      ['org_acme', false],
    ]);
  });

  it('against the default limit of the custom plan', async () => {
    organization = { ...ACME, plan: { name: 'custom', requestsPerMinute: null } };
    expect((await limitOf())[0]).toBe('3000');
  });

  it('against the free plan while nothing is known of the organization', async () => {
    organization = new DatabaseUnavailable(new Error('connection refused'));
    expect((await limitOf())[0]).toBe('60');
  });
});

it('returns no organization for a request that was not admitted', () => {
  const res = { locals: { admission: {} } } as unknown as Parameters<typeof organizationOf>[0];
  expect(() => organizationOf(res)).toThrow('not admitted');
});
