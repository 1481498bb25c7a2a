import { rateLimitHeaders } from '@legate/rate-limit';
import { z } from 'zod';
import { findOrganization, roleOf, throwOutage } from '../../callers/admission/admission.ts';
import type { PlanCount } from '../../callers/limits/plan-count.ts';
import { ROLES, scopesFor } from '../../domain/rights.ts';
import { ok } from '../../http/api/answer.ts';
import { type Operation, operation } from '../../http/api/operation.ts';

/** Returns the operations with which callers read their own identity, permissions and rate limit. */
export const openMe = (plan: Pick<PlanCount, 'look'>): { readonly operations: Operation[] } => ({
  operations: [meOperation(), rateLimitOperation(plan)],
});

const Me = z
  .strictObject({
    user: z.strictObject({
      type: z.enum(['user', 'service_account']),
      id: z.string(),
      email: z.string().nullable(),
      name: z.string().nullable(),
    }),
    organization: z.strictObject({ id: z.string(), name: z.string() }).nullable(),
    role: z.enum(ROLES).nullable(),
    scopes: z.array(z.string()),
  })
  .meta({ id: 'Me', description: 'The caller and their permissions.' });

const meOperation = (): Operation =>
  operation('getMe', 'get', '/me', {
    tag: 'Caller',
    summary: 'Get the caller and their permissions',
    description: 'Accepts a token without an organization; `organization` and `role` are then null.',
    access: 'any-token',
    whileSuspended: 'admin',
    responses: { 200: { description: 'The caller, with their organization, role and scopes', schema: Me } },
    handle: ({ caller, res }) => {
      const { subject, email, name, scope, serviceAccount, looksLike } = caller;
      const type = serviceAccount || looksLike === 'machine' ? 'service_account' : 'user';
      const organization = findOrganization(res);
      return ok({
        user: { type, id: subject, email: email ?? null, name: name ?? null },
        organization: organization ? { id: organization.id, name: organization.name } : null,
        role: organization ? roleOf(res) : null,
        scopes: organization ? [...scopesFor(roleOf(res), scope)] : [],
      });
    },
  });

const RateLimit = z
  .strictObject({
    plan: z.enum(['free', 'pro', 'custom']),
    limit: z.number().int().describe('Requests per minute'),
    remaining: z.number().int(),
    reset: z.number().int().describe('Epoch seconds'),
  })
  .meta({ id: 'RateLimit', description: 'The running window of the rate limit.' });

/** Handled before requests are counted, with a separate limit. */
const rateLimitOperation = (plan: Pick<PlanCount, 'look'>): Operation =>
  operation('getRateLimit', 'get', '/rate-limit', {
    tag: 'Caller',
    summary: 'Get the state of the rate limit',
    description:
      'Does not count against the limit that it shows, and is itself limited to 60 requests a minute per user. While several users of an organization send requests, each may use half of its limit; `remaining` is the smaller of what is left to the organization and to the user.',
    access: 'uncounted',
    whileSuspended: 'owner',
    responses: { 200: { description: 'The state of the current window', schema: RateLimit } },
    handle: async ({ res }) => {
      throwOutage(res);
      const { policy, usage } = await plan.look(res);
      res.set(rateLimitHeaders(policy, usage));
      return ok({ plan: policy, limit: usage.limit, remaining: usage.remaining, reset: usage.resetAt });
    },
  });
