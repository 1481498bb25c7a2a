import { beforeEach, describe, expect, it } from '@jest/globals';
import { OrganizationId, UserId } from '@legate/ids';
import { DatabaseUnavailable } from '@legate/postgres';
import { createRateLimiter, createSlots, type Slots } from '@legate/rate-limit';
import { createLogger, problemHandler } from '@legate/service';
import express, { type ErrorRequestHandler } from 'express';
import request from 'supertest';
import { setCaller } from '../authentication/caller-of-request.ts';
import type { Caller } from '../domain/caller.ts';
import {
  admit,
  findOrganization,
  loadAdmission,
  organizationOf,
  requireOrganization,
  roleOf,
} from './admission.ts';
import type { Membership } from './membership-store.ts';
import type { Organization } from './organization-store.ts';

const ALICE: Caller = {
  issuer: 'https://idp.example',
  subject: UserId.parse('user_alice'),
  organizationId: OrganizationId.parse('org_acme'),
  email: 'alice@acme.example',
  name: undefined,
  roles: ['viewer'],
  scope: undefined,
};
const ACME: Organization = {
  id: OrganizationId.parse('org_acme'),
  name: 'Acme',
  plan: { name: 'free', requestsPerMinute: null },
  status: 'active',
};
const MEMBER: Membership = {
  state: 'active',
  role: 'admin',
  issuer: ALICE.issuer,
  email: null,
  name: null,
};

let caller: Caller;
let organization: Organization | Error;
let membership: Membership | Error;
let seen: unknown[];
let counted: unknown[];
let slots: Slots;

beforeEach(() => {
  [caller, organization, membership] = [ALICE, ACME, MEMBER];
  seen = [];
  counted = [];
  slots = createSlots();
});

const answer = async <T>(value: T | Error): Promise<T> => {
  if (value instanceof Error) throw value;
  return value;
};

function app() {
  const clock = () => new Date('2026-08-01T12:00:00Z');
  const organizations = { get: () => answer(organization), forget: () => {} };
  const memberships = {
    get: () => answer(membership),
    forget: () => {},
    noteSeen: async (...args: unknown[]) => void seen.push(args),
  };
  const built = express();
  built.use((_req, res, next) => {
    setCaller(res, caller);
    next();
  });
  built.use(loadAdmission({ organizations, memberships }));
  built.use(
    admit({
      limiter: createRateLimiter({ clock }),
      slots,
      concurrentRequests: 2,
      countUsage: (...args) => void counted.push(args),
      memberships,
    }),
  );
  built.get('/me', (_req, res) => {
    res.json({ role: roleOf(res), organization: findOrganization(res)?.id ?? null });
  });
  built.get('/organization', requireOrganization, (_req, res) => {
    res.json({ organization: organizationOf(res).id });
  });
  built.use(unavailable);
  return built.use(problemHandler({ log, typeBase: 'https://docs.example' }));
}

const log = createLogger({ service: 'test', level: 'silent' });

/** Elsewhere an outage becomes a problem. */
const unavailable: ErrorRequestHandler = (err, _req, res, next) => {
  if (!(err instanceof DatabaseUnavailable)) return next(err);
  res.status(503).json({ code: 'database_unavailable' });
};

async function ask(path = '/me') {
  const res = await request(app()).get(path);
  return res.status === 200 ? res.body : [res.status, res.body.code];
}

describe('a request is admitted', () => {
  it('with the role of the membership, whatever the token says', async () => {
    expect(await ask()).toEqual({ role: 'admin', organization: 'org_acme' });
  });

  it('with the role of the token for an unknown user', async () => {
    membership = { state: 'unknown' };
    expect(await ask()).toEqual({ role: 'viewer', organization: 'org_acme' });
  });

  it('without an organization if none is needed', async () => {
    caller = { ...ALICE, organizationId: undefined };
    expect(await ask()).toEqual({ role: 'viewer', organization: null });
    expect(await ask('/organization')).toEqual([403, 'organization_id_required']);
    expect([seen, counted]).toEqual([[], []]);
  });

  it("and the user's data in the token is saved", async () => {
    expect(await ask('/organization')).toEqual({ organization: 'org_acme' });
    const about = { organizationId: 'org_acme', userId: 'user_alice', issuer: ALICE.issuer };
    expect(seen).toEqual([[MEMBER, { ...about, email: 'alice@acme.example', name: null }]]);
  });
});

describe('a request is refused', () => {
  it.each(['suspended', 'deleted'] as const)('of an organization that is %s', async (status) => {
    organization = { ...ACME, status };
    expect(await ask()).toEqual([403, 'organization_suspended']);
    expect(seen).toEqual([]);
  });

  it('of a removed user with a valid token', async () => {
    membership = { state: 'removed' };
    expect(await ask()).toEqual([403, 'membership_revoked']);
    expect(seen).toEqual([]);
  });

  it.each(['organization', 'membership'])('while its %s is unknown', async (what) => {
    const outage = new DatabaseUnavailable(new Error('connection refused'));
    if (what === 'organization') organization = outage;
    else membership = outage;
    expect(await ask()).toEqual([503, 'database_unavailable']);
  });

  it("beyond the organization's concurrent limit, until one of these is answered", async () => {
    const running = { key: 'org:org_acme', max: 2 };
    slots.take([running]);
    expect(await ask()).toMatchObject({ role: 'admin' });
    const release = slots.take([running]);
    const res = await request(app()).get('/me');
    expect([res.status, res.body.code, res.get('Retry-After')]).toEqual([429, 'concurrency_exceeded', '1']);
    release?.();
    expect(await ask()).toMatchObject({ role: 'admin' });
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

  it('against the number that the plan has', async () => {
    organization = { ...ACME, plan: { name: 'custom', requestsPerMinute: null } };
    expect((await limitOf())[0]).toBe('3000');
  });

  it('against the free plan, while nothing is known of the organization', async () => {
    organization = new DatabaseUnavailable(new Error('connection refused'));
    expect((await limitOf())[0]).toBe('60');
  });
});

it('has no organization for a request that was not admitted', () => {
  const res = { locals: { admission: {} } } as unknown as Parameters<typeof organizationOf>[0];
  expect(() => organizationOf(res)).toThrow('not admitted');
});
