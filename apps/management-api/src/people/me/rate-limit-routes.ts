import { rateLimitHeaders } from '@legate/rate-limit';
import { z } from 'zod';
import { throwOutage } from '../../callers/admission/admission.ts';
import type { PlanCount } from '../../callers/limits/plan-count.ts';
import { ok } from '../../http/api/answer.ts';
import { type Operation, operation } from '../../http/api/operation.ts';

const RateLimit = z
  .strictObject({
    plan: z.enum(['free', 'pro', 'custom']),
    limit: z.number().int().describe('Requests per minute'),
    remaining: z.number().int(),
    reset: z.number().int().describe('Epoch seconds'),
  })
  .meta({ id: 'RateLimit', description: 'The running window of the rate limit.' });

/** Handled before requests are counted; it has a separate limit. */
export const rateLimitOperation = (plan: Pick<PlanCount, 'look'>): Operation =>
  operation('getRateLimit', 'get', '/rate-limit', {
    tag: 'Caller',
    summary: 'Get the state of the rate limit',
    description:
      'Does not count against the limit that it shows; at most 60 requests a minute per user. While several users of an organization call, each may make half of its requests, and `remaining` is the smaller of both.',
    access: 'uncounted',
    whileSuspended: 'owner',
    responses: { 200: { description: 'What is left of the running window', schema: RateLimit } },
    handle: async ({ res }) => {
      throwOutage(res);
      const { policy, usage } = await plan.look(res);
      res.set(rateLimitHeaders(policy, usage));
      return ok({ plan: policy, limit: usage.limit, remaining: usage.remaining, reset: usage.resetAt });
    },
  });
